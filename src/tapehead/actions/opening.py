"""The first words of what a start is told: whose work it is, when, and how to see more. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.actions import injection
from tapehead.agents.hook_event import NAMES
from tapehead.text.fence import clean, put_in_quotes

if TYPE_CHECKING:
    from tapehead.store.state import State

POINTER_CHARACTERS = 240
"""Sixty tokens."""
_ID = 40
"""Whole for every agent: the ids of some begin alike for a minute, those of others always."""


def opening_of(state: State, teller: State, kind: str) -> str:
    """One line above a whole brief. It claims nothing: after a `/clear` nobody knows yet whether the work goes on."""
    if teller.session_id == state.session_id:
        again = " This replaces what tapehead said before." if state.compaction_count > 1 else ""
        before = (
            "before its context was compacted, from its transcript (where the summary differs, this is what was recorded)"
            if kind == injection.COMPACT
            else f"when last heard of, {_at(teller)}"
        )
        return f"tapehead: where this session stood {before}.{again}"
    ended = "stopped in mid-turn" if teller.phase.is_halted else "ended" if teller.phase.is_ended else "was left"
    whose = f" of {NAMES[teller.agent]}" if teller.agent != state.agent and teller.agent in NAMES else ""
    work = f"session {teller.session_id}{whose}, which {ended} {_at(teller)}"
    if kind == injection.HANDOFF:
        return f"tapehead: this work was handed over to you by {work}."
    if kind == injection.CLEAR:
        return f"tapehead: the conversation was cleared. This is what was there, in {work}; the user may want something else now."
    return f"tapehead: this is the work of {work}."


def pointer_to(teller: State, kind: str = injection.START) -> str:
    """At most sixty tokens: what the work was, when, and the command that opens it."""
    command = f"`tapehead brief --session {teller.session_id[:_ID]}`"
    if kind == injection.COMPACT:
        head, tail = "tapehead: before its context was compacted this session was at ", f". All of it: {command}\n"
    else:
        ended = " (stopped in mid-turn)" if teller.phase.is_halted else ""
        head, tail = (
            f"tapehead: earlier work here, {_at(teller)}{ended}: ",
            f". Only if the user refers to it: {command}\n",
        )
    room = POINTER_CHARACTERS - len(head) - len(tail) - 2
    return (
        f"{head}{clean(put_in_quotes(teller.last_prompt, room))}{tail}"
        if teller.last_prompt
        else f"{head}{teller.turn_number} turns{tail}"
    )


def _at(teller: State) -> str:
    heard = teller.last_interaction_at or teller.started_at
    return heard.strftime("%Y-%m-%d %H:%MZ") if heard else "at an unknown time"
