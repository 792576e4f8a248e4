"""Gemini's tools, told in words that hold for any agent: what was edited, run, read, searched, planned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.transcript import turns
from tapehead.transcript.entries import dicts, first_word, take_list, within, word

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Arguments = dict[str, Any]
    Fields = dict[str, Any]

_SHORT = 160


def call(record: Arguments) -> turns.Call:
    """Tell one call; a tool or an argument that does not exist yet is no reason to fail."""
    tool = word(record, "name")
    kind, fields = _TOOLS.get(tool, _UNKNOWN)
    arguments = within(record, "args")
    return turns.Call(word(record, "id"), tool, kind, **fields(arguments), arguments=arguments)


def _edit(arguments: Arguments) -> Fields:
    pairs = ((word(arguments, "old_string"), word(arguments, "new_string")),)
    return {"path": _path(arguments), "pairs": pairs, "note": word(arguments, "instruction")}


def _write(arguments: Arguments) -> Fields:
    return {"path": _path(arguments), "text": word(arguments, "content")}


def _read(arguments: Arguments) -> Fields:
    several = next((take_list(arguments, key) for key in ("paths", "include") if take_list(arguments, key)), [])
    return {"path": _path(arguments), "text": ", ".join(one for one in several if isinstance(one, str))}


def _path(arguments: Arguments) -> str:
    return first_word(arguments, "file_path", "absolute_path", "path")


def _run(arguments: Arguments) -> Fields:
    return {
        "text": word(arguments, "command"),
        "note": word(arguments, "description"),
        "background": arguments.get("is_background") is True,
    }


def _search(arguments: Arguments) -> Fields:
    return {
        "path": first_word(arguments, "dir_path", "path", "include_pattern", "include"),
        "text": first_word(arguments, "pattern", "query", "url", "prompt"),
    }


def _todos(arguments: Arguments) -> Fields:
    items = dicts(arguments, "todos")
    return {"pairs": tuple((word(one, "description"), word(one, "status") or "pending") for one in items)}


def _delegate(arguments: Arguments) -> Fields:
    asked = first_word(arguments, "prompt", "query", "objective", "task")
    return {"text": first_word(arguments, "agent_name", "description") or asked[:_SHORT], "note": asked}


def _plan(arguments: Arguments) -> Fields:
    return {"path": first_word(arguments, "plan_filename", "plan_path"), "text": word(arguments, "plan")}


def _question(arguments: Arguments) -> Fields:
    return {"text": "\n".join(word(one, "question") for one in dicts(arguments, "questions"))}


def _other(arguments: Arguments) -> Fields:
    """Take what a tool that nobody here knows is about: its short words."""
    words = (f"{key}: {value}" for key, value in arguments.items() if isinstance(value, str | int) and value != "")
    return {"text": ", ".join(word_[:_SHORT] for word_ in words)[:_SHORT]}


_TOOLS: dict[str, tuple[str, Callable[[Arguments], Fields]]] = {
    "replace": (turns.EDIT, _edit),
    "edit": (turns.EDIT, _edit),
    "write_file": (turns.WRITE, _write),
    "read_file": (turns.READ, _read),
    "read_many_files": (turns.READ, _read),
    "run_shell_command": (turns.RUN, _run),
    "grep_search": (turns.SEARCH, _search),
    "search_file_content": (turns.SEARCH, _search),
    "glob": (turns.SEARCH, _search),
    "list_directory": (turns.SEARCH, _search),
    "google_web_search": (turns.SEARCH, _search),
    "web_fetch": (turns.SEARCH, _search),
    "write_todos": (turns.TODOS, _todos),
    "invoke_agent": (turns.DELEGATE, _delegate),
    "delegate_to_agent": (turns.DELEGATE, _delegate),
    "codebase_investigator": (turns.DELEGATE, _delegate),
    "exit_plan_mode": (turns.PLAN, _plan),
    "ask_user": (turns.QUESTION, _question),
}
_UNKNOWN = (turns.OTHER, _other)
