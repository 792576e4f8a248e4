"""One thing to remember across sessions: a Markdown file with front matter. Pure: text in, text out.

Four kinds and no more. What the code, git or the project's own instructions already say is none of them.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from tapehead.documents import outline

USER, FEEDBACK, PROJECT, REFERENCE = "user", "feedback", "project", "reference"
KINDS = (USER, FEEDBACK, PROJECT, REFERENCE)
"""Who they are; how they want the work done; what goes on that git does not tell; where things are outside."""

_NO_LETTER = re.compile(r"[^\w]+")
_SLUG, _DESCRIPTION = 60, 160
_QUOTES = ('"', "'")
_FIELDS = ("name", "description", "type", "from", "said", "replaces")


class Memory(NamedTuple):
    """What is remembered."""

    name: str
    """How it is called: also the name of its file."""
    kind: str
    description: str
    """One line, for the index."""
    text: str
    source: str = ""
    """Where it comes from: a session with its turn and time, or `by hand`."""
    said: str = ""
    """The words of the user, where it was they who said it."""
    replaces: str = ""
    """What was remembered before it."""

    @property
    def file(self) -> str:
        """The name of its file."""
        return f"{self.name}.md"


def name_for(words: str) -> str:
    """A name that can be a file's: the first words, joined by hyphens."""
    slug = _NO_LETTER.sub("-", words.lower()).strip("-_")
    cut = slug[:_SLUG].rsplit("-", 1)[0] if len(slug) > _SLUG and "-" in slug[:_SLUG] else slug[:_SLUG]
    return cut or "memory"


def description_for(text: str) -> str:
    """The first line of a text, cut short."""
    first = next((line for line in map(outline.one_line, text.split("\n")) if line), "")
    return first if len(first) <= _DESCRIPTION else first[: _DESCRIPTION - 1].rsplit(" ", 1)[0] + "…"


def render_memory(memory: Memory) -> str:
    """The file's text."""
    values = (memory.name, memory.description, memory.kind, memory.source, memory.said, memory.replaces)
    fields = [f"{key}: {_quoted(outline.one_line(value))}" for key, value in zip(_FIELDS, values, strict=True) if value]
    return "\n".join(["---", *fields, "---", "", memory.text.strip(), ""])


def understood(text: str, name: str) -> Memory:
    """What a file says. A user may write one by hand: what is missing is made up from the rest, and nothing is an error."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    end = next((at for at, line in enumerate(lines[1:], 1) if line.strip() == "---"), 0)
    fenced = lines[0].strip() == "---" and end > 0
    found = dict(_fields(lines[1:end])) if fenced else {}
    body = "\n".join(lines[end + 1 :] if fenced else lines).strip()
    kind = found.get("type", "").lower()
    return Memory(
        name,
        kind if kind in KINDS else PROJECT,
        found.get("description") or description_for(body),
        body,
        found.get("from", ""),
        found.get("said", ""),
        found.get("replaces", ""),
    )


def _fields(lines: list[str]) -> list[tuple[str, str]]:
    parts = [line.partition(":") for line in lines]
    return [(key.strip().lower(), _unquoted(outline.one_line(value))) for key, colon, value in parts if colon]


def _quoted(value: str) -> str:
    """A value that looks quoted gets quotes around it: those are then taken off again, and not its own."""
    return f'"{value}"' if value[:1] in _QUOTES else value


def _unquoted(value: str) -> str:
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in _QUOTES else value
