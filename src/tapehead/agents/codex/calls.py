"""Codex's tools, told in words that hold for any agent: what was edited, run, read, searched, planned.

One call of the model can be several here: a patch touches many files, and a script calls many tools. The first has the id of the
call, the others the same with a number behind it.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from tapehead.agents.codex import patches, script
from tapehead.transcript import turns
from tapehead.transcript.entries import dicts, entry_of, first_word, take_list, word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    Arguments = dict[str, Any]
    Fields = dict[str, Any]

SCRIPT = "exec"
_SHELLS = ("bash", "sh", "zsh", "pwsh", "powershell", "cmd")
_SHELL_AND_FLAG = 3
_SHORT = 160


def calls(ident: str, tool: str, given: Any) -> list[turns.Call]:
    """Tell one call of the model: at least one step, whatever was given. `given` is what the agent recorded as its arguments."""
    arguments = _arguments(given)
    fields = [
        {"tool": name, **one}
        for name, told in (_scripted(arguments) if tool == SCRIPT else [(tool, arguments)])
        for one in _fields(name, told)
    ] or [{"tool": tool, **_other(arguments)}]
    return [
        turns.Call(part(ident, n), **one, arguments=arguments if n == 0 else {})  # told once, not with every part
        for n, one in enumerate(fields)
    ]


def part(ident: str, number: int) -> str:
    """Name the parts of a call: the first has the call's own id."""
    return f"{ident}#{number + 1}" if number else ident


def _arguments(given: Any) -> Arguments:
    """Take what was given apart: JSON in a string, or words that are an argument by themselves."""
    if isinstance(given, str):
        text = given.strip()
        given = entry_of(text.encode(errors="replace")) or ({} if text == "{}" else {"input": given})
    return given if isinstance(given, dict) else {}


def _scripted(arguments: Arguments) -> list[tuple[str, Arguments]]:
    return [(tool, _arguments(given)) for tool, given in script.calls(word(arguments, "input"))]


def _fields(tool: str, arguments: Arguments) -> Iterator[Fields]:
    kind, fields = _TOOLS.get(tool.rpartition(".")[2], _UNKNOWN)
    edited = list(patches.changes(_patch(arguments))) if fields in _MAY_PATCH else []
    yield from edited or [{"kind": kind, **fields(arguments)}]


def _patch(arguments: Arguments) -> str:
    """Give the patch in a call: older models hand it to the shell."""
    text = first_word(arguments, "input", "patch") or command(arguments)
    return text if patches.BEGIN in text else ""


def command(arguments: Arguments) -> str:
    """Give a command as a user would type it: without the shell that the agent put before it."""
    given = next((arguments[key] for key in ("cmd", "command", "input") if arguments.get(key)), "")
    if isinstance(given, str):
        return given
    words = [one for one in given if isinstance(one, str)] if isinstance(given, list) else []
    shell = words[0].rpartition("/")[2] if words else ""
    if len(words) == _SHELL_AND_FLAG and shell in _SHELLS and words[1].startswith(("-", "/")):
        return words[2]
    return shlex.join(words)


def _run(arguments: Arguments) -> Fields:
    return {"text": command(arguments), "note": word(arguments, "justification")}


def _edit(arguments: Arguments) -> Fields:
    return {"text": first_word(arguments, "input", "patch")[:_SHORT]}


def _todos(arguments: Arguments) -> Fields:
    pairs = tuple((word(one, "step"), word(one, "status") or "pending") for one in dicts(arguments, "plan"))
    return {"pairs": pairs, "note": word(arguments, "explanation")}


def _read(arguments: Arguments) -> Fields:
    return {"path": first_word(arguments, "path", "file_path")}


def _search(arguments: Arguments) -> Fields:
    query = first_word(arguments, "pattern", "query", "url", "input")
    queries = ", ".join(one for one in take_list(arguments, "queries") if isinstance(one, str))
    return {"path": first_word(arguments, "path", "dir_path", "include"), "text": query or queries}


def _delegate(arguments: Arguments) -> Fields:
    message = first_word(arguments, "message", "prompt", "task")
    return {"text": first_word(arguments, "task_name", "description") or message[:_SHORT], "note": message}


def _question(arguments: Arguments) -> Fields:
    return {"text": "\n".join(word(one, "question") for one in dicts(arguments, "questions"))}


def _other(arguments: Arguments) -> Fields:
    """Take what a tool that nobody here knows is about: its short words."""
    words = (f"{key}: {value}" for key, value in arguments.items() if isinstance(value, str | int) and value != "")
    return {"kind": turns.OTHER, "text": ", ".join(word[:_SHORT] for word in words)[:_SHORT]}


_TOOLS: dict[str, tuple[str, Callable[[Arguments], Fields]]] = {
    "exec_command": (turns.RUN, _run),
    "shell": (turns.RUN, _run),
    "shell_command": (turns.RUN, _run),
    "local_shell": (turns.RUN, _run),
    "unified_exec": (turns.RUN, _run),
    "container.exec": (turns.RUN, _run),
    "apply_patch": (turns.EDIT, _edit),
    "update_plan": (turns.TODOS, _todos),
    "view_image": (turns.READ, _read),
    "read_file": (turns.READ, _read),
    "list_dir": (turns.SEARCH, _search),
    "grep_files": (turns.SEARCH, _search),
    "web_search": (turns.SEARCH, _search),
    "tool_search": (turns.SEARCH, _search),
    "spawn_agent": (turns.DELEGATE, _delegate),
    "request_user_input": (turns.QUESTION, _question),
}
_UNKNOWN = (turns.OTHER, _other)
_MAY_PATCH = (_run, _edit)
