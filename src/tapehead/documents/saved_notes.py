"""`captures/<session>/notes.md`: what a user, or the agent for them, saved by hand about one session."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from tapehead.documents import hand_edited, outline

if TYPE_CHECKING:
    from tapehead.store.paths import Layout

FOCUS, NOTES, NEXT = "Focus", "Notes", "Next steps"


class Saved(NamedTuple):
    """What is in the file, or what is to be added to it."""

    focus: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.focus or self.notes or self.next_steps)


def path(layout: Layout, session_id: str) -> str:
    """Where a session's notes are."""
    return os.path.join(layout.captures(session_id), "notes.md")


def read(layout: Layout, session_id: str) -> Saved:
    """What was saved for a session."""
    return saved_in(hand_edited.text_of(path(layout, session_id)))


def save(layout: Layout, session_id: str, more: Saved, *, replace: bool = False) -> Saved:
    """Adds to a session's notes and returns them all: the focus takes the place of the former one, the rest is added.

    With `replace` every section that `more` speaks of is written anew.
    """
    here = path(layout, session_id)
    with hand_edited.editing(layout):
        text = hand_edited.text_of(here)
        after = replace_sections(text, more) if replace else add_text(text, more)
        if after != text:
            hand_edited.put(here, after)
    return saved_in(after)


def saved_in(text: str) -> Saved:
    """What a text says. Pure."""
    lines = outline.lines_of(text)
    return Saved(*(tuple(outline.bullets(outline.body(lines, title))) for title in (FOCUS, NOTES, NEXT)))


def understood(text: str) -> Saved:
    """What someone wrote to be saved: under our headings where it has any, and otherwise all of it notes. Pure."""
    found = saved_in(text)
    return found or Saved(notes=tuple(filter(None, map(outline.one_line, outline.bullets(outline.lines_of(text))))))


def add_text(text: str, more: Saved) -> str:
    """The text with more in it; what it already says is not said twice. Pure."""
    if more.focus:
        text = outline.with_body(text, FOCUS, [outline.one_line(line) for line in more.focus])
    for title, items in ((NOTES, more.notes), (NEXT, more.next_steps)):
        for item in map(outline.one_line, items):
            if item not in outline.bullets(outline.body(outline.lines_of(text), title)):
                text = outline.with_line(text, title, f"- {item}")
    return text


def replace_sections(text: str, more: Saved) -> str:
    """The text with every section that `more` speaks of written anew. Pure."""
    for title, items in ((NOTES, more.notes), (NEXT, more.next_steps)):
        if items:
            text = outline.with_body(text, title, [f"- {outline.one_line(item)}" for item in items])
    return add_text(text, Saved(focus=more.focus))
