"""Droid's tools, told in words that hold for any agent: what was edited, run, read, searched, planned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.transcript import turns
from tapehead.transcript.entries import dicts, first_word, take_list, word

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Arguments = dict[str, Any]
    Fields = dict[str, Any]

_SHORT = 160


def call(ident: str, tool: str, arguments: Arguments) -> turns.Call:
    """Tell one call; a tool or an argument that does not exist yet is no reason to fail."""
    kind, fields = _TOOLS.get(tool, (turns.OTHER, _other))
    return turns.Call(ident, tool, kind, **fields(arguments), arguments=arguments)


def _path(arguments: Arguments) -> str:
    return first_word(arguments, "file_path", "path", "directory_path", "folder")


def _edit(arguments: Arguments) -> Fields:
    return {"path": _path(arguments), "pairs": ((word(arguments, "old_str"), word(arguments, "new_str")),)}


def _create(arguments: Arguments) -> Fields:
    return {"path": _path(arguments), "text": word(arguments, "content")}


def _patch(arguments: Arguments) -> Fields:
    return {"path": _path(arguments), "text": first_word(arguments, "input", "patch")[:_SHORT]}


def _read(arguments: Arguments) -> Fields:
    return {"path": _path(arguments)}


def _run(arguments: Arguments) -> Fields:
    beside = arguments.get("fireAndForget") is True
    return {"text": word(arguments, "command"), "note": word(arguments, "summary"), "background": beside}


def _search(arguments: Arguments) -> Fields:
    several = ", ".join(one for one in take_list(arguments, "patterns") if isinstance(one, str))
    words = first_word(arguments, "pattern", "patterns", "query", "url") or several
    return {"path": _path(arguments), "text": words}


def _todos(arguments: Arguments) -> Fields:
    items = dicts(arguments, "todos")
    return {
        "pairs": tuple((word(one, "content"), word(one, "status") or "pending") for one in items),
        "note": word(arguments, "todos"),
    }


def _delegate(arguments: Arguments) -> Fields:
    asked = word(arguments, "prompt")
    beside = arguments.get("await") is False
    return {"text": word(arguments, "description") or asked[:_SHORT], "note": asked, "background": beside}


def _other(arguments: Arguments) -> Fields:
    """Take what a tool that nobody here knows is about: its short words."""
    words = (f"{key}: {value}" for key, value in arguments.items() if isinstance(value, str | int) and value != "")
    return {"text": ", ".join(word_[:_SHORT] for word_ in words)[:_SHORT]}


_TOOLS: dict[str, tuple[str, Callable[[Arguments], Fields]]] = {
    "Execute": (turns.RUN, _run),
    "Edit": (turns.EDIT, _edit),
    "MultiEdit": (turns.EDIT, _edit),
    "ApplyPatch": (turns.EDIT, _patch),
    "Create": (turns.WRITE, _create),
    "Read": (turns.READ, _read),
    "LS": (turns.SEARCH, _search),
    "Grep": (turns.SEARCH, _search),
    "Glob": (turns.SEARCH, _search),
    "WebSearch": (turns.SEARCH, _search),
    "FetchUrl": (turns.SEARCH, _search),
    "TodoWrite": (turns.TODOS, _todos),
    "Task": (turns.DELEGATE, _delegate),
}
