"""What Copilot does not tell in time: that a session was started, and that a compaction is over. Light.

A start is known by the first prompt: nothing is on the tape, or the last was an end, or another process runs the session. A compaction
runs beside the turn, and its end stands in the session's own record.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tapehead.agents.record_news import EVENT, after_last, before, compactions, last_event, look
from tapehead.statemachine.vocabulary import Event
from tapehead.system import processes as process

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tapehead.agents.hook_event import Heard

_PID = b'"pid":'
_DONE = b'"session.compaction_complete"'
_DIGITS = 10
_SUMMARY = 100_000


def untold(found: Heard, tape_end: Callable[[], bytes]) -> list[Heard]:
    """What happened before this, oldest first; `found` itself says up to where the record was looked at."""
    tape = tape_end()
    if found.event is Event.TURN_START and _is_new(tape):
        look(found, tape, news=False)
        return [before(found, Event.SESSION_START, source="resume" if EVENT in tape else "startup")]
    return list(compactions(found, tape, _DONE, _completed))


def _is_new(tape: bytes) -> bool:
    """Whether this prompt is the first after a start."""
    if EVENT not in tape or last_event(tape).startswith(b'session_stop"'):
        return True
    digits = after_last(_PID, tape)[:_DIGITS].split(b",")[0].split(b"}")[0]
    host = process.host_above(os.getppid())
    return bool(host and digits.isdigit() and int(digits) != host.pid)


def _completed(gained: bytes) -> Iterator[tuple[str, str]]:
    """Those that came to something, each by whom it was asked for, with the agent's own summary."""
    from tapehead.transcript.entries import entry_of, within, word  # noqa: PLC0415 - only where there is one

    for line in gained.splitlines():
        entry = entry_of(line) if _DONE in line else {}
        data = within(entry, "data")
        if word(entry, "type") == "session.compaction_complete" and data.get("success") is True:
            yield (
                "manual" if word(data, "trigger") == "manual" else "auto",
                word(data, "summaryContent")[:_SUMMARY],
            )
