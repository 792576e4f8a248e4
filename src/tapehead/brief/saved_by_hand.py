"""What people keep beside the transcript, as lines for a brief: threads, decisions, and what was saved by hand.

Each kind is loaded only where there is some of it: a start that has nothing kept pays for a look at three names.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tapehead.brief.inputs import Extras

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from tapehead.documents.threads import Thread
    from tapehead.store.paths import Layout

OPEN_THREADS = 5
NEWEST_ADRS = 10


def kept(layout: Layout, session_id: str) -> Extras:
    """All of it, for one session. A file that cannot be read counts as one that is not there: no brief fails for it."""
    found: dict[str, Any] = {}
    for name, read in _KEPT.items():
        if os.path.exists(os.path.join(layout.root, name.format(session=session_id))):
            try:
                found |= read(layout, session_id)
            except OSError:
                continue
    return Extras(**found)


def newest(found: tuple[Thread, ...]) -> list[Thread]:
    """The newest open threads, in the order of the file: by their dates, and of one day those that stand lowest."""
    still_open = [thread for thread in found if not thread.done]
    chosen = sorted(still_open, key=lambda thread: (thread.date, thread.line))[-OPEN_THREADS:]
    return sorted(chosen, key=lambda thread: thread.line)


def _saved(layout: Layout, session_id: str) -> dict[str, Any]:
    from tapehead.documents import saved_notes  # noqa: PLC0415 - see above

    return saved_notes.read(layout, session_id)._asdict()


def _threads(layout: Layout, _session_id: str) -> dict[str, Any]:
    from tapehead.documents import threads  # noqa: PLC0415 - see above

    found = newest(threads.threads(layout))
    return {"threads": tuple(f"{each.text} ({each.date})" if each.date else each.text for each in found)}


def _adrs(layout: Layout, _session_id: str) -> dict[str, Any]:
    from tapehead.documents import adrs  # noqa: PLC0415 - see above

    holding = [adr for adr in adrs.list_adrs(layout) if adr.holds][: -NEWEST_ADRS - 1 : -1]
    return {"adrs": tuple(f"{adr.name} {adr.title}{': ' if adr.gist else ''}{adr.gist}" for adr in holding)}


def _noted(layout: Layout, session_id: str) -> dict[str, Any]:
    from tapehead.brief.notes_excerpt import began, read_notes  # noqa: PLC0415 - see above

    return {"noted": read_notes(layout, session_id), "began": began(layout, session_id)}


def _put_back(layout: Layout, session_id: str) -> dict[str, Any]:
    from tapehead.brief.rewound_files import put_back  # noqa: PLC0415 - see above

    return {"put_back": put_back(layout.tape(session_id))}


def _not_recorded(layout: Layout, session_id: str) -> dict[str, Any]:
    from tapehead.brief.off_times import list_off_times  # noqa: PLC0415 - see above

    return {"not_recorded": list_off_times(layout, session_id)}


_KEPT: dict[str, Callable[[Layout, str], dict[str, Any]]] = {
    "captures/{session}/notes.md": _saved,
    "captures/{session}/notes.known": _noted,
    "sessions/{session}.tape": _put_back,
    "left-out/{session}": _not_recorded,
    "threads.md": _threads,
    "adrs": _adrs,
}
"""Where each kind lies below the store, and who reads it."""
