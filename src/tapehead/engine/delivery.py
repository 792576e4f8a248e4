"""Proof of delivery: what the agent says the model got, against what was handed to it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from tapehead.agents.readers import deliveries_of
from tapehead.brief.capture_file import checksum
from tapehead.store import captures
from tapehead.transcript import jsonl

if TYPE_CHECKING:
    from tapehead.store.paths import Layout
    from tapehead.store.state import State

"""The agent writes its record as a turn goes along: before the turn is over, nothing can be called missing."""
_BEGINS = 200
"""Characters by which a text is known that the agent cut short, or hid behind a preview in a frame of its own."""
_LOOKED_AT = 4 * 1024 * 1024
"""Bytes at the end of the transcript: the text was handed over since the last time that anyone looked."""


def receipt(layout: Layout, state: State) -> dict[str, Any] | None:
    """What became of the text that awaits its receipt; None while the agent cannot have written it down yet."""
    record = deliveries_of(state.agent)
    if record is None or not _a_turn_is_over(state) or not os.path.isfile(state.transcript_path):
        return None
    handed = captures.read_handed(layout, state.session_id)
    start = jsonl.tail(state.transcript_path, _LOOKED_AT)
    texts = record.received(state.transcript_path, start)
    received = list(texts or ())
    if not received:
        return {"delivery": "unknown" if texts is None else "missing", "handed": len(handed), "received": 0}
    return {"delivery": _verdict(state, handed, received), "handed": len(handed), "received": max(map(len, received))}


def _a_turn_is_over(state: State) -> bool:
    """Since the hand-over, that is: a start that ended without a prompt was never written down."""
    straight_to_its_end = state.phase.is_ended and state.phase_before.is_restored
    return state.phase.is_after_a_turn and not straight_to_its_end


def _verdict(state: State, handed: str, received: list[str]) -> str:
    if any(checksum(text.strip()) == state.awaiting_receipt for text in received):
        return "delivered"
    if handed and any(handed.strip() in text for text in received):
        return "delivered"  # the agent may put words of its own around it
    begins = handed.strip()[:_BEGINS]
    return "cut" if begins and any(begins in text for text in received) else "missing"
