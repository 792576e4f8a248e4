"""What the user asked for, in their own words, with what a short reply stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.work_record.facts import Fact
from tapehead.work_record.replies import is_reply, option_in, proposal_in

if TYPE_CHECKING:
    from tapehead.work_record.step_row import Conversation


def asks(conversation: Conversation) -> tuple[Fact, ...]:
    """Every prompt in order, each once: what was typed again counts where it was typed last. The first of all stays, too."""
    found: dict[str, Fact] = {}
    first: Fact | None = None
    for place, said in conversation.human:
        text = said.text.strip()
        chooses, answers = _meant(text, conversation, place.at)
        key = f"{text}\0{chooses or answers}"  # a yes to something else is another one
        before = found.pop(key, None)
        again = f"also asked in turn {before.turn}" if before else ""
        note = "queued" if said.queued else ""
        found[key] = Fact(
            text, place.turn, place.time, place.at, note=note, earlier=again, chooses=chooses, answers=answers
        )
        first = first or found[key]
    own = tuple(found.values())
    return own if first is None or first in own else (first, *own)


def _meant(prompt: str, conversation: Conversation, at: int) -> tuple[str, str]:
    """The option that a short prompt chooses, or else what it says yes or no to."""
    if len(prompt) > _A_REPLY:
        return "", ""
    before = [text for place, text in conversation.agent if place.at < at][: -_BACK - 1 : -1]
    chooses = option_in(before, prompt)
    return chooses, proposal_in(before[0]) if before and not chooses and is_reply(prompt) else ""


_A_REPLY, _BACK = 800, 4
"""Letters of a prompt that may be a reply; how many of the agent's messages before it may hold the options."""
