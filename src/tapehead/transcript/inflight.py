"""Work in flight: what the agent last announced, what it had begun and not heard the end of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.transcript.found import Fact
from tapehead.transcript.sentences import flat

if TYPE_CHECKING:
    from tapehead.transcript.story import Act, Story

_STARTED = 1
"""A background task's first result only says that it was started; the second one that it is over."""
_SHOWN = 200


def in_flight(story: Story) -> tuple[Fact, ...]:
    """Give the agent's last words, and every call without an answer since the person last spoke."""
    said = [Fact(text.strip(), place.turn, place.time, place.at) for place, text in story.agent[-1:]]
    since = story.human[-1][0].at if story.human else 0
    calls = [_begun(act, "no answer yet") for act in story.acts if act.result is None and act.place.at > since]
    return (*said, *calls[-3:])


def background(story: Story) -> tuple[Fact, ...]:
    """Give what runs beside the session and was not seen to end."""
    return tuple(
        _begun(act, "in the background") for act in story.acts if act.call.background and act.results <= _STARTED
    )


def _begun(act: Act, note: str) -> Fact:
    call = act.call
    what = flat(f"{call.tool} {call.path} {call.text}")[:_SHOWN]
    return Fact(what, act.place.turn, act.place.time, act.place.at, note=note)
