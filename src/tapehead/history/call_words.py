"""What a search finds of a tool call: the values of its arguments, not their names. Pure.

A call is kept as lines for people: `command: make test`, `description: Run the tests`. The names stand in every call of a tool, so as words
they would answer any question that has one of them.
"""

from __future__ import annotations

import re

_NAME = re.compile(r"[A-Za-z_][\w.-]*:(?: |(?=\n)|\Z)")
_KEY = re.compile(r'"[A-Za-z_][\w-]*":')
"""The name of a value inside of one that is no text."""
_USUAL = (
    *("command", "cmd", "description", "prompt", "content", "input", "query", "pattern", "url", "path", "file_path", "glob"),
    *("old_string", "new_string", "replace_all", "edits", "todos", "timeout", "run_in_background", "subagent_type", "workdir"),
    *("notebook_path", "new_source", "cell_type", "cell_id", "edit_mode", "output_mode", "head_limit", "limit", "offset"),
    *("yield_time_ms", "max_output_tokens", "justification", "instruction", "dir_path", "directory", "subject", "activeForm"),
    *("plan", "explanation", "questions", "body", "title", "labels", "thought"),
)  # fmt: skip
_BELOW = re.compile(rf"^(?:{'|'.join(_USUAL)}):(?: |$)", re.MULTILINE)
"""Names of the tools' own arguments: below a value of several lines, which ends nowhere, no others are taken for names."""


def without_names(call: str) -> str:
    """A call without the names of its arguments: those of one line each begin it, and after a longer one the usual names are known."""
    values: list[str] = []
    at = 0
    while named := _NAME.match(call, at):
        ends = call.find("\n", at)
        value = call[named.end() : ends if ends >= 0 else len(call)]
        if not value and ends >= 0:
            return "\n".join([*values, _BELOW.sub("", call[named.end() :])])
        values.append(_KEY.sub(" ", value) if value.startswith(("{", "[")) else value)
        if ends < 0:
            return "\n".join(values)
        at = ends + 1
    return "\n".join([*values, call[at:]])
