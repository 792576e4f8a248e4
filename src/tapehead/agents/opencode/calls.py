"""OpenCode's tools, told in words that hold for any agent: what was edited, run, read, searched, planned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.transcript import turns
from tapehead.transcript.entries import dicts, first_word, word

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


def _edit(arguments: Arguments) -> Fields:
    pair = (word(arguments, "oldString"), word(arguments, "newString"))
    return {"path": word(arguments, "filePath"), "pairs": (pair,)}


def _write(arguments: Arguments) -> Fields:
    return {"path": word(arguments, "filePath"), "text": word(arguments, "content")}


def _patch(arguments: Arguments) -> Fields:
    return {"text": first_word(arguments, "patchText", "input")[:_SHORT]}


def _read(arguments: Arguments) -> Fields:
    return {"path": word(arguments, "filePath")}


def _run(arguments: Arguments) -> Fields:
    return {"text": word(arguments, "command"), "note": word(arguments, "description")}


def _search(arguments: Arguments) -> Fields:
    return {
        "path": first_word(arguments, "path", "include"),
        "text": first_word(arguments, "pattern", "query", "url"),
    }


def _todos(arguments: Arguments) -> Fields:
    items = dicts(arguments, "todos")
    return {"pairs": tuple((word(one, "content"), word(one, "status") or "pending") for one in items)}


def _delegate(arguments: Arguments) -> Fields:
    asked = word(arguments, "prompt")
    return {"text": word(arguments, "description") or asked[:_SHORT], "note": asked}


def _question(arguments: Arguments) -> Fields:
    return {"text": "\n".join(word(one, "question") for one in dicts(arguments, "questions"))}


def _other(arguments: Arguments) -> Fields:
    """Take what a tool that nobody here knows is about: its short words."""
    words = (f"{key}: {value}" for key, value in arguments.items() if isinstance(value, str | int) and value != "")
    return {"text": ", ".join(word_[:_SHORT] for word_ in words)[:_SHORT]}


_TOOLS: dict[str, tuple[str, Callable[[Arguments], Fields]]] = {
    "bash": (turns.RUN, _run),
    "edit": (turns.EDIT, _edit),
    "write": (turns.WRITE, _write),
    "patch": (turns.EDIT, _patch),
    "apply_patch": (turns.EDIT, _patch),
    "read": (turns.READ, _read),
    "grep": (turns.SEARCH, _search),
    "glob": (turns.SEARCH, _search),
    "list": (turns.SEARCH, _search),
    "webfetch": (turns.SEARCH, _search),
    "websearch": (turns.SEARCH, _search),
    "codesearch": (turns.SEARCH, _search),
    "todowrite": (turns.TODOS, _todos),
    "task": (turns.DELEGATE, _delegate),
    "question": (turns.QUESTION, _question),
}
