"""Qwen Code's tools, told in words that hold for any agent: what was edited, run, read, searched, planned, and what came of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tapehead.transcript import turns
from tapehead.transcript.entries import dicts, first_word, within, word

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Arguments = dict[str, Any]
    Fields = dict[str, Any]

_SHORT = 160
_SHELL = "run_shell_command"
_LABELS = r"(?:Command|Directory|Output|Error|Exit Code|Signal|Background PIDs|Process Group PGID)"
_LABELLED = re.compile(rf"^({_LABELS}): (.*?)(?=^{_LABELS}: |\Z)", re.DOTALL | re.MULTILINE)
_SAYS_NOTHING = ("(empty)", "(none)", "")


def call(record: Arguments) -> turns.Call:
    """Tell one call; a tool or an argument that does not exist yet is no reason to fail."""
    tool, arguments = word(record, "name"), within(record, "args")
    kind, fields = _TOOLS.get(tool, (turns.OTHER, _other))
    return turns.Call(word(record, "id"), tool, kind, **fields(arguments), arguments=arguments)


def result(answer: Arguments, *, failed: bool) -> turns.Result:
    """Tell what came back for a call."""
    response = within(answer, "response")
    text, code = word(response, "output") or word(response, "error"), ""
    if word(answer, "name") == _SHELL:
        text, code = _ran(text)
    return turns.Result(word(answer, "id"), text, failed or bool(response.get("error")) or code not in ("", "0"))


def _ran(text: str) -> tuple[str, str]:
    """Take what the shell said apart: what was printed, and the exit code."""
    told = {label: said.strip("\n") for label, said in _LABELLED.findall(text)}
    code = told.get("Exit Code", "").strip()
    if "Output" not in told:
        return text, ""
    said = "\n".join(one for one in (told["Output"], told.get("Error", "")) if one.strip() not in _SAYS_NOTHING)
    failed = code.lstrip("-").isdigit() and code != "0"
    return f"Exit code {code}\n{said}" if failed else said, code if failed else ""


def _path(arguments: Arguments) -> str:
    return first_word(arguments, "file_path", "absolute_path", "notebook_path", "path")


def _edit(arguments: Arguments) -> Fields:
    pairs = ((word(arguments, "old_string"), word(arguments, "new_string")),)
    return {"path": _path(arguments), "pairs": pairs, "note": word(arguments, "instruction")}


def _write(arguments: Arguments) -> Fields:
    return {"path": _path(arguments), "text": word(arguments, "content")}


def _read(arguments: Arguments) -> Fields:
    return {"path": _path(arguments)}


def _run(arguments: Arguments) -> Fields:
    beside = arguments.get("is_background") is True
    return {"text": word(arguments, "command"), "note": word(arguments, "description"), "background": beside}


def _search(arguments: Arguments) -> Fields:
    return {"path": _path(arguments), "text": first_word(arguments, "pattern", "query", "url", "prompt")}


def _todos(arguments: Arguments) -> Fields:
    items = dicts(arguments, "todos")
    return {"pairs": tuple((word(one, "content"), word(one, "status") or "pending") for one in items)}


def _delegate(arguments: Arguments) -> Fields:
    asked = word(arguments, "prompt")
    return {"text": word(arguments, "description") or asked[:_SHORT], "note": asked}


def _plan(arguments: Arguments) -> Fields:
    return {"text": word(arguments, "plan")}


def _question(arguments: Arguments) -> Fields:
    return {"text": "\n".join(word(one, "question") for one in dicts(arguments, "questions"))}


def _other(arguments: Arguments) -> Fields:
    """Take what a tool that nobody here knows is about: its short words."""
    words = (f"{key}: {value}" for key, value in arguments.items() if isinstance(value, str | int) and value != "")
    return {"text": ", ".join(word_[:_SHORT] for word_ in words)[:_SHORT]}


_TOOLS: dict[str, tuple[str, Callable[[Arguments], Fields]]] = {
    "edit": (turns.EDIT, _edit),
    "notebook_edit": (turns.EDIT, _edit),
    "write_file": (turns.WRITE, _write),
    "read_file": (turns.READ, _read),
    _SHELL: (turns.RUN, _run),
    "grep_search": (turns.SEARCH, _search),
    "glob": (turns.SEARCH, _search),
    "list_directory": (turns.SEARCH, _search),
    "web_fetch": (turns.SEARCH, _search),
    "web_search": (turns.SEARCH, _search),
    "todo_write": (turns.TODOS, _todos),
    "agent": (turns.DELEGATE, _delegate),
    "exit_plan_mode": (turns.PLAN, _plan),
    "ask_user_question": (turns.QUESTION, _question),
}
