"""Copilot's tools, told in words that hold for any agent: what was edited, run, read, searched, planned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.transcript import turns
from tapehead.transcript.entries import first_word, take_list, word

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Arguments = dict[str, Any]
    Fields = dict[str, Any]

_SHORT = 160


def call(ident: str, tool: str, arguments: Arguments) -> turns.Call:
    """Tell one call; a tool or an argument that does not exist yet is no reason to fail."""
    kind, fields = _TOOLS.get(tool, (turns.OTHER, other))
    return turns.Call(ident, tool, kind, **fields(arguments), arguments=arguments)


def _edit(arguments: Arguments) -> Fields:
    return {"path": word(arguments, "path"), "pairs": ((word(arguments, "old_str"), word(arguments, "new_str")),)}


def _create(arguments: Arguments) -> Fields:
    return {"path": word(arguments, "path"), "text": word(arguments, "file_text")}


def _patch(arguments: Arguments) -> Fields:
    return {"text": first_word(arguments, "input", "patch")[:_SHORT]}


def _view(arguments: Arguments) -> Fields:
    return {"path": word(arguments, "path")}


def _run(arguments: Arguments) -> Fields:
    beside = word(arguments, "mode") == "async" or arguments.get("detach") is True
    return {"text": word(arguments, "command"), "note": word(arguments, "description"), "background": beside}


def _search(arguments: Arguments) -> Fields:
    several = ", ".join(one for one in take_list(arguments, "paths") if isinstance(one, str))
    return {
        "path": first_word(arguments, "paths", "path", "glob") or several,
        "text": first_word(arguments, "pattern", "query", "url"),
    }


def _delegate(arguments: Arguments) -> Fields:
    asked = word(arguments, "prompt")
    beside = word(arguments, "mode") == "background"
    return {"text": word(arguments, "description") or asked[:_SHORT], "note": asked, "background": beside}


def _question(arguments: Arguments) -> Fields:
    return {"text": first_word(arguments, "question", "message")}


def other(arguments: Arguments) -> Fields:
    """Take what a tool that nobody here knows is about: its short words."""
    words = (f"{key}: {value}" for key, value in arguments.items() if isinstance(value, str | int) and value != "")
    return {"text": ", ".join(word_[:_SHORT] for word_ in words)[:_SHORT]}


_TOOLS: dict[str, tuple[str, Callable[[Arguments], Fields]]] = {
    "bash": (turns.RUN, _run),
    "powershell": (turns.RUN, _run),
    "edit": (turns.EDIT, _edit),
    "create": (turns.WRITE, _create),
    "apply_patch": (turns.EDIT, _patch),
    "view": (turns.READ, _view),
    "grep": (turns.SEARCH, _search),
    "rg": (turns.SEARCH, _search),
    "glob": (turns.SEARCH, _search),
    "web_fetch": (turns.SEARCH, _search),
    "web_search": (turns.SEARCH, _search),
    "task": (turns.DELEGATE, _delegate),
    "ask_user": (turns.QUESTION, _question),
}
