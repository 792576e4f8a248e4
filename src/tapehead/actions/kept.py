"""What people keep beside the transcript, as lines for a brief: threads, decisions, and what was saved by hand."""

from __future__ import annotations

from tapehead.restore.given import Extras
from tapehead.store import adrs, saved, threads

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from tapehead.store.paths import Layout

    T = TypeVar("T")

OPEN_THREADS = 5
NEWEST_ADRS = 10


def kept(layout: Layout, session_id: str) -> Extras:
    """All of it, for one session. A file that cannot be read counts as one that is not there: doctor's business, not a brief's."""
    notes = _or(saved.Saved(), lambda: saved.read(layout, session_id))
    return Extras(
        focus=notes.focus,
        notes=notes.notes,
        next_steps=notes.next_steps,
        threads=_or((), lambda: tuple(map(_thread, newest(threads.threads(layout))))),
        adrs=_or((), lambda: tuple(f"{adr.name} {_told(adr)}" for adr in reversed(_holding(layout)))),
    )


def newest(found: tuple[threads.Thread, ...]) -> list[threads.Thread]:
    """The newest open threads, in the order of the file: by their dates, and of one day those that stand lowest."""
    still_open = [thread for thread in found if not thread.done]
    chosen = sorted(still_open, key=lambda thread: (thread.date, thread.line))[-OPEN_THREADS:]
    return sorted(chosen, key=lambda thread: thread.line)


def _thread(thread: threads.Thread) -> str:
    return f"{thread.text} ({thread.date})" if thread.date else thread.text


def _holding(layout: Layout) -> list[adrs.Adr]:
    return [adr for adr in adrs.listed(layout) if adr.holds][-NEWEST_ADRS:]


def _told(adr: adrs.Adr) -> str:
    return f"{adr.title}: {adr.gist}" if adr.gist else adr.title


def _or(otherwise: T, read: Callable[[], T]) -> T:
    try:
        return read()
    except OSError:
        return otherwise
