"""Claude Code's tools, told in words that hold for any agent: what was edited, run, read, searched, planned."""

from __future__ import annotations

from sys import intern
from typing import TYPE_CHECKING

from tapehead.transcript import turns

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Arguments = dict[str, Any]


def _text(arguments: Arguments, *keys: str) -> str:
    """Take the first of the keys that holds words; whatever else stands there is no words."""
    for key in keys:
        value = arguments.get(key)
        if isinstance(value, str) and value:
            return value
    return ""


def _dicts(arguments: Arguments, key: str) -> list[Arguments]:
    """Take the objects in a list, and nothing else that may stand in it."""
    value = arguments.get(key)
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _edit(arguments: Arguments) -> dict[str, Any]:
    edits = _dicts(arguments, "edits") or [arguments]
    pairs = tuple((_text(one, "old_string"), _text(one, "new_string", "new_source")) for one in edits)
    return {"path": _text(arguments, "file_path", "notebook_path"), "pairs": pairs}


def _write(arguments: Arguments) -> dict[str, Any]:
    return {"path": _text(arguments, "file_path"), "text": _text(arguments, "content")}


def _read(arguments: Arguments) -> dict[str, Any]:
    return {"path": _text(arguments, "file_path", "notebook_path", "path")}


def _run(arguments: Arguments) -> dict[str, Any]:
    return {
        "text": _text(arguments, "command"),
        "note": _text(arguments, "description"),
        "background": arguments.get("run_in_background") is True,
    }


def _search(arguments: Arguments) -> dict[str, Any]:
    return {"path": _text(arguments, "path", "glob"), "text": _text(arguments, "pattern", "query", "url")}


def _todos(arguments: Arguments) -> dict[str, Any]:
    listed = _dicts(arguments, "todos")
    return {"pairs": tuple((_text(one, "content"), _text(one, "status") or "pending") for one in listed)}


def _task_add(arguments: Arguments) -> dict[str, Any]:
    return {"text": _text(arguments, "subject"), "note": _text(arguments, "description")}


def _task_set(arguments: Arguments) -> dict[str, Any]:
    return {"path": str(arguments.get("taskId", "")), "text": _text(arguments, "status")}


def _task_list(_arguments: Arguments) -> dict[str, Any]:
    return {}


def _delegate(arguments: Arguments) -> dict[str, Any]:
    return {
        "text": _text(arguments, "description"),
        "note": _text(arguments, "prompt"),
        "background": arguments.get("run_in_background") is True,
    }


def _plan(arguments: Arguments) -> dict[str, Any]:
    return {"text": _text(arguments, "plan")}


def _question(arguments: Arguments) -> dict[str, Any]:
    asked = _dicts(arguments, "questions")
    return {
        "text": "\n".join(_text(one, "question") for one in asked),
        "pairs": tuple(
            (_text(one, "question"), _text(option, "label")) for one in asked for option in _dicts(one, "options")
        ),
    }


def _other(arguments: Arguments) -> dict[str, Any]:
    """Take what a tool that nobody here knows is about: its short words."""
    words = (f"{key}: {value}" for key, value in arguments.items() if isinstance(value, str | int) and value != "")
    return {"text": ", ".join(word for word in words if len(word) <= _SHORT)[:_SHORT]}


_SHORT = 160

_TOOLS: dict[str, tuple[str, Callable[[Arguments], dict[str, Any]]]] = {
    "Edit": (turns.EDIT, _edit),
    "MultiEdit": (turns.EDIT, _edit),
    "NotebookEdit": (turns.EDIT, _edit),
    "Write": (turns.WRITE, _write),
    "Read": (turns.READ, _read),
    "NotebookRead": (turns.READ, _read),
    "Bash": (turns.RUN, _run),
    "Grep": (turns.SEARCH, _search),
    "Glob": (turns.SEARCH, _search),
    "LS": (turns.SEARCH, _search),
    "WebFetch": (turns.SEARCH, _search),
    "WebSearch": (turns.SEARCH, _search),
    "TodoWrite": (turns.TODOS, _todos),
    "TaskCreate": (turns.TASK_ADD, _task_add),
    "TaskUpdate": (turns.TASK_SET, _task_set),
    "TaskList": (turns.TASK_LIST, _task_list),
    "Task": (turns.DELEGATE, _delegate),
    "Agent": (turns.DELEGATE, _delegate),
    "ExitPlanMode": (turns.PLAN, _plan),
    "AskUserQuestion": (turns.QUESTION, _question),
}
_UNKNOWN = (turns.OTHER, _other)


def call(block: Arguments) -> turns.Call:
    """Tell one tool use; a tool or an argument that does not exist yet is no reason to fail."""
    tool = intern(_text(block, "name"))  # the same few words again and again: each is held once
    kind, fields = _TOOLS.get(tool, _UNKNOWN)
    arguments = block.get("input")
    arguments = {intern(name): value for name, value in arguments.items()} if isinstance(arguments, dict) else {}
    return turns.Call(_text(block, "id"), tool, kind, **fields(arguments), arguments=arguments)
