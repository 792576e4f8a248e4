"""`threads.md`: the open ends that outlive a session, and a journal of sessions below them.

A user may edit the file at any time: any checkbox outside the journal is a thread, with or without a date.
"""

from __future__ import annotations

import os
import re
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from tapehead.documents import hand_edited, outline

if TYPE_CHECKING:
    from datetime import datetime

    from tapehead.store.paths import Layout

_KEPT = timedelta(days=14)
"""For so long a thread that is done stays where it is."""
_BOX = re.compile(r"(\s*[-*+]\s+\[)([ xX])(\]\s*)(.*?)\s*$")
_DATED = re.compile(r"(.*?)\s*\((\d{4}-\d{2}-\d{2})\)$")


class Thread(NamedTuple):
    """One open end, or one that is done."""

    number: int
    """Its place among all threads of the file, from 1. Ticking one off changes no number."""
    text: str
    date: str
    """When it was written down (YYYY-MM-DD); empty where a user left it out."""
    done: bool
    line: int
    """The index of its line in the file."""


def path(layout: Layout) -> str:
    """Where the file is."""
    return os.path.join(layout.root, "threads.md")


def threads(layout: Layout) -> tuple[Thread, ...]:
    """All of them, in the order of the file."""
    return threads_in(hand_edited.text_of(path(layout)))


def add(layout: Layout, text: str, date: str) -> Thread:
    """One more open thread; the same words twice are one thread, as long as it is open."""
    with hand_edited.editing(layout):
        before = hand_edited.text_of(path(layout))
        there = next((t for t in threads_in(before) if t.text == outline.one_line(text) and not t.done), None)
        if there:
            return there
        after = with_thread(before, text, date)
        hand_edited.put(path(layout), after)
    return next(t for t in reversed(threads_in(after)) if t.text == outline.one_line(text) and not t.done)


def tick(layout: Layout, thread: Thread) -> bool:
    """Marks a thread as done; False where it is not in the file any more, or is already."""
    with hand_edited.editing(layout):
        before = hand_edited.text_of(path(layout))
        there = [t for t in threads_in(before) if (t.text, t.date, t.done) == (thread.text, thread.date, False)]
        found = min(there, key=lambda t: abs(t.line - thread.line), default=None)
        if found is None:
            return False
        hand_edited.put(path(layout), with_tick(before, found))
    return True


def journal(layout: Layout, session_id: str, at: str, files: int, summary: str, *, was_lost: bool = False) -> bool:  # noqa: PLR0913 - all that a line tells
    """One line about an end of a session, written once: False where that end has one already. It is never handed back to an agent.

    A session that is resumed ends more than once, each time at another minute.
    """
    with hand_edited.editing(layout):
        before = hand_edited.text_of(path(layout))
        begins = f"- {at} {session_id} "
        if any(line.startswith(begins) for line in outline.body(outline.lines_of(before), "Journal")):
            return False
        lost = "process lost: " if was_lost else ""
        told = f"{begins}({files} {'file' if files == 1 else 'files'}) {lost}{outline.one_line(summary)}"
        hand_edited.put(path(layout), outline.with_line(_opened(before), "Journal", told.rstrip(" :")))
    return True


def prune(layout: Layout, now: datetime) -> int:
    """Moves threads that are done, and were written down long ago, into the journal; how many it were.

    Nobody knows when a box was ticked by hand. So one without a date goes when nobody has touched the file for as long.
    """
    with hand_edited.editing(layout):
        before = hand_edited.text_of(path(layout))
        if not before:
            return 0
        day = (now - _KEPT).date().isoformat()
        quiet = os.stat(path(layout)).st_mtime < (now - _KEPT).timestamp()
        old = [each for each in threads_in(before) if each.done and (each.date < day if each.date else quiet)]
        if not old:
            return 0
        gone = {each.line for each in old}
        text = "\n".join(line for number, line in enumerate(outline.lines_of(before)) if number not in gone)
        today = now.astimezone().strftime("%Y-%m-%d %H:%M")
        for each in old:
            since = f" (open since {each.date})" if each.date else ""
            text = outline.with_line(_opened(text), "Journal", f"- {today} done: {each.text}{since}")
        hand_edited.put(path(layout), text)
    return len(old)


def forget(layout: Layout, session_id: str) -> int:
    """Takes the lines about a session out of the journal; how many it were."""
    with hand_edited.editing(layout):
        lines = outline.lines_of(hand_edited.text_of(path(layout)))
        log = outline.section(lines, "Journal")
        own = [at for at in range(log.heading, log.end) if session_id in lines[at].split()] if log else []
        if own:
            kept = [line for at, line in enumerate(lines) if at not in own]
            hand_edited.put(path(layout), "\n".join(kept))
    return len(own)


def threads_in(text: str) -> tuple[Thread, ...]:
    """The threads that a text holds. Pure."""
    lines = outline.lines_of(text)
    log = outline.section(lines, "Journal")
    skipped = range(log.heading, log.end) if log else range(0)
    boxes = [(at, box) for at, line in enumerate(lines) if at not in skipped and (box := _BOX.match(line)) and box[4]]
    return tuple(_thread(number, at, box) for number, (at, box) in enumerate(boxes, 1))


def with_thread(text: str, words: str, date: str) -> str:
    """The text with one more open thread at the end of its section. Pure."""
    dated = f" ({date})" if date else ""
    return outline.with_line(_opened(text), "Threads", f"- [ ] {outline.one_line(words)}{dated}")


def with_tick(text: str, thread: Thread) -> str:
    """The text with one box ticked, and not another character changed. Pure."""
    lines = outline.lines_of(text)
    lines[thread.line] = re.sub(r"\[ \]", "[x]", lines[thread.line], count=1)
    return "\n".join(lines)


def _opened(text: str) -> str:
    """A new file has both headings; one that a user made is left with those it has."""
    return text if text.strip() else "## Threads\n\n## Journal\n"


def _thread(number: int, at: int, box: re.Match[str]) -> Thread:
    dated = _DATED.match(box[4])
    text, date = (dated[1], dated[2]) if dated else (box[4], "")
    return Thread(number, text, date, box[2] != " ", at)
