"""What Copilot does not tell in time: that a session was started, and that a compaction is over. Light.

A start is known by the first prompt: nothing is on the tape, or the last was an end, or another process runs the session. A compaction
runs beside the turn, and its end stands in the session's own record.
"""

from __future__ import annotations

import os

from tapehead.agents import process
from tapehead.agents.heard import Heard
from tapehead.agents.looked_at import added, looked_up_to, size
from tapehead.statemachine.vocabulary import Event

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_EVENT, _PID = b'"event":"', b'"pid":'
_DONE = b'"session.compaction_complete"'
_DIGITS = 10
_SUMMARY = 100_000


def untold(found: Heard, tape_end: Callable[[], bytes]) -> list[Heard]:
    """What happened before this, oldest first; `found` itself says up to where the record was looked at."""
    tape = tape_end()
    if found.event is Event.TURN_START and _is_new(tape):
        _look(found, tape, news=False)
        return [_start(found, known=_EVENT in tape)]
    return list(_compactions(found, tape))


def _is_new(tape: bytes) -> bool:
    """Whether this prompt is the first after a start."""
    if tape.rpartition(_EVENT)[2].startswith(b'session_stop"') or _EVENT not in tape:
        return True
    digits = tape.rpartition(_PID)[2][:_DIGITS].split(b",")[0].split(b"}")[0]
    host = process.host_above(os.getppid())
    return bool(host and digits.isdigit() and int(digits) != host.pid)


def _start(found: Heard, *, known: bool) -> Heard:
    made = Heard(found.host, found.hook, found.session_id)
    made.event = Event.SESSION_START
    made.data = {"source": "resume" if known else "startup"}
    if "transcript_path" in found.data:
        made.data["transcript_path"] = found.data["transcript_path"]
    return made


def _look(found: Heard, tape: bytes, *, news: bool) -> bytes:
    """What the record has gained since the last look; what was there before the first look is no news."""
    path, since = found.data.get("transcript_path"), looked_up_to(tape)
    if not isinstance(path, str):
        return b""
    gained = added(path, since) if news and since is not None else b""
    found.data["record"] = size(path) if since is None or not news else since + len(gained)
    return gained


def _compactions(found: Heard, tape: bytes) -> Iterator[Heard]:
    gained = _look(found, tape, news=True)
    announced = tape.rpartition(_EVENT)[2].startswith(b'compaction"')
    for trigger, summary in _completed(gained) if _DONE in gained else ():
        if not announced:
            yield _told(found, Event.COMPACTION, trigger)
        announced = False
        done = _told(found, Event.COMPACTED, trigger)
        done.data |= {
            "record": found.data["record"],
            "summary": summary,
        }  # whoever is killed before this line looks again
        yield done


def _told(found: Heard, event: Event, trigger: str) -> Heard:
    made = Heard(found.host, found.hook, found.session_id)
    made.event = event
    made.data = {"trigger": trigger, "transcript_path": found.data["transcript_path"]}
    return made


def _completed(gained: bytes) -> Iterator[tuple[str, str]]:
    """Those that came to something, each by whom it was asked for, with the host's own summary."""
    from tapehead.transcript.entries import entry_of, within, word  # noqa: PLC0415 - only where there is one

    for line in gained.splitlines():
        entry = entry_of(line) if _DONE in line else {}
        data = within(entry, "data")
        if word(entry, "type") == "session.compaction_complete" and data.get("success") is True:
            yield (
                "manual" if word(data, "trigger") == "manual" else "auto",
                word(data, "summaryContent")[:_SUMMARY],
            )
