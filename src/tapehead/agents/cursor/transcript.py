"""Cursor's own record of a conversation: a message on each line, without ids or times. From others' accounts; not seen with the real client."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tapehead.agents.cursor.places import session_of
from tapehead.agents.lines import Lines, Telling
from tapehead.transcript import turns
from tapehead.transcript.entries import count, dicts, first_word, within, word
from tapehead.transcript.recorded_steps import SYSTEM

if TYPE_CHECKING:
    from typing import Any

    from tapehead.agents.lines import Entry, Named

    Part = dict[str, Any]

_ASKED = re.compile(r"<user_query>\s*(.*?)\s*</user_query>", re.DOTALL)
_SHORT = 160
_KINDS = {
    "Shell": turns.RUN,
    "Read": turns.READ,
    "Write": turns.WRITE,
    "StrReplace": turns.EDIT,
    "Grep": turns.SEARCH,
    "Glob": turns.SEARCH,
    "Task": turns.DELEGATE,
}


class _Messages(Telling):
    """Reads messages; a line has no name, so its number is its name."""

    def ident(self, entry: Entry) -> str:  # noqa: ARG002 - see above
        self.known["line"] = count(self.known, "line") + 1
        return f"line-{self.known['line']}"

    def steps(self, entry: Entry) -> Named:
        role, message = word(entry, "role"), within(entry, "message")
        plain = word(message, "content")
        for number, part in enumerate([{"type": "text", "text": plain}] if plain else dicts(message, "content")):
            if word(part, "type") == "text" and word(part, "text").strip():
                yield str(number), _said(role, word(part, "text"))
            elif word(part, "type") == "tool_use":
                ident = word(part, "id") or f"{count(self.known, 'line')}/{number}"
                yield f"call/{ident}", _call(ident, part)


def _said(role: str, text: str) -> turns.Said:
    """The user's words stand in a mark of the agent's, among what it tells the model beside them."""
    if role != "user":
        return turns.Said(turns.AGENT if role == "assistant" else SYSTEM, text)
    asked = _ASKED.findall(text)
    return turns.Said(turns.HUMAN, "\n".join(asked) if asked else text)


def _call(ident: str, part: Part) -> turns.Call:
    given, tool = within(part, "input"), word(part, "name")
    words = first_word(given, "command", "pattern", "glob_pattern", "contents", "description", "prompt")
    others = (f"{key}: {value}" for key, value in given.items() if isinstance(value, str | int) and value != "")
    path = first_word(given, "path", "file_path", "target_file", "target_directory")
    text = words or ", ".join(other[:_SHORT] for other in others)[:_SHORT]
    return turns.Call(ident, tool, _KINDS.get(tool, turns.OTHER), path, text, arguments=given)


def _begun(path: str, known: dict[str, Any]) -> _Messages:
    return _Messages(session_of(path), known)


LINES = Lines(_begun)
read, skim, newest = LINES.read, LINES.skim, LINES.newest
