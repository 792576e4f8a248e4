"""What an agent's own record tells and its hooks do not, or not in time: each hook looks at what came since the hook before it. Light.

The line on the tape that a hook leaves says how far it looked (`record`).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tapehead import door
from tapehead.agents.hook_event import Heard
from tapehead.statemachine.vocabulary import Event

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

EVENT = b'"event":"'
_LOOKED_AT = b'"record":'
_DIGITS = 20
_AT_ONCE = 1 << 25


def looked_up_to(tape: bytes) -> int | None:
    """What the newest line says; a key cannot stand inside a string: the quotes around it would have a backslash before them."""
    digits = after_last(_LOOKED_AT, tape)[:_DIGITS].split(b",")[0].split(b"}")[0]
    return int(digits) if digits.isdigit() else None


def after_last(mark: bytes, tape: bytes) -> bytes:
    """What follows the last of these marks; nothing where there is none. The rest is not copied: every hook does this."""
    place = tape.rfind(mark)
    return tape[place + len(mark) :] if place >= 0 else b""


def size(path: str) -> int:
    """How long a record is; nothing where there is none."""
    try:
        return os.stat(path).st_size
    except (OSError, ValueError):
        return 0


def read_added(path: str, since: int) -> bytes:
    """The whole lines that came since, as many as a hook may look at: the next one looks at the rest.

    Nothing where the file cannot be read or is another one now.
    """
    try:
        found = door.read(path, _AT_ONCE, start=since)
    except OSError:
        return b""
    return found[: found.rfind(b"\n") + 1]


def last_event(tape: bytes) -> bytes:
    """The rest of the tape from the name of its last event on; nothing where there is none."""
    return after_last(EVENT, tape)


def look(found: Heard, tape: bytes, *, news: bool = True) -> bytes:
    """What the record has gained since the last look; what was there before the first look is no news.

    `found` itself says up to where it looked.
    """
    path, since = found.data.get("transcript_path"), looked_up_to(tape)
    if not isinstance(path, str):
        return b""
    gained = read_added(path, since) if news and since is not None else b""
    found.data["record"] = size(path) if since is None or not news else since + len(gained)
    return gained


def before(found: Heard, event: Event, **data: object) -> Heard:
    """Something that happened before what a hook tells, in the same session."""
    made = Heard(found.host, found.hook, found.session_id)
    made.event = event
    kept = {"transcript_path": found.data["transcript_path"]} if "transcript_path" in found.data else {}
    made.data = {**data, **kept}
    return made


def compactions(
    found: Heard, tape: bytes, mark: bytes, completed: Callable[[bytes], Iterable[tuple[str, str]]]
) -> Iterator[Heard]:
    """The compactions that the record says are over, oldest first; one that nobody announced is told from its beginning.

    A line that tells of one has the mark in it; `completed` gives each one's trigger and the agent's own summary.
    """
    gained = look(found, tape)
    announced, at = last_event(tape).startswith(b'compaction"'), -1
    for trigger, summary in completed(gained) if mark in gained else ():
        at = gained.find(mark, at + 1)
        place = int(str(found.data["record"])) - len(gained) + at
        if not announced:
            yield _at(place, before(found, Event.COMPACTION, trigger=trigger))
        announced = False
        # Whoever is killed before this line is written looks again.
        done = before(found, Event.COMPACTED, trigger=trigger, summary=summary, record=found.data["record"])
        yield _at(place, done)


def _at(place: int, found: Heard) -> Heard:
    """Known by its place in the record: hooks that run at the same moment look at the same part of it."""
    found.known_by = f"{found.event} at {place}"
    return found
