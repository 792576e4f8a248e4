"""What `droid exec` runs no hook for, and its record tells: the prompt of a turn, and that a compaction happened. Light."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.agents.record_news import before, compactions, last_event, look
from tapehead.statemachine.vocabulary import Event

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tapehead.agents.hook_event import Heard

_DONE = b'"compaction_state"'
_STARTED = b'session_start"'
_TOLD = b'"source":"compact"'
_PROMPT = 32_000
_SUMMARY = 100_000


def untold(found: Heard, tape_end: Callable[[], bytes]) -> list[Heard]:
    """What happened before this, oldest first; `found` itself says up to where the record was looked at."""
    tape = tape_end()
    last = last_event(tape)
    # A start says by itself that it follows a compaction; the record, which may be behind, tells of the same one.
    if found.event is Event.SESSION_START or (last.startswith(_STARTED) and _TOLD in last):
        look(found, tape, news=False)
        return []
    asked = list(_asked(found, tape)) if found.event is Event.TURN_END and last.startswith(_STARTED) else []
    return [*asked, *compactions(found, tape, _DONE, _completed)]


def _asked(found: Heard, tape: bytes) -> Iterator[Heard]:
    """The prompt of a turn that is over before anybody told of it. What was changed in it was the agent's doing."""
    from tapehead.agents.droid.transcript import prompts  # noqa: PLC0415 - only where one is missing

    for prompt in list(prompts(look(found, tape)))[-1:]:
        yield before(found, Event.TURN_START, prompt=prompt[:_PROMPT], late=True)


def _completed(gained: bytes) -> Iterator[tuple[str, str]]:
    from tapehead.transcript.entries import entry_of, word  # noqa: PLC0415 - only where there is one

    for line in gained.splitlines():
        entry = entry_of(line) if _DONE in line else {}
        if word(entry, "type") == "compaction_state":
            yield "auto", word(entry, "summaryText")[:_SUMMARY]
