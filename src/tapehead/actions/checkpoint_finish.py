"""After a turn in which commits were made: their checkpoints get what only its end could tell.

A checkpoint is written at its commit, when the agent is still at work. What followed goes into the newest one of the turn: the rest of the
transcript, and the brief. All of them get the model, the tokens and the last words.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import attrs

from tapehead.actions.checkpoint_decisions import count_tokens, join_once, list_decisions, list_failures, prompts_since
from tapehead.actions.transcript_part import Masked, grown
from tapehead.attribution.snapshot_keeper import work_tree
from tapehead.brief.brief import brief
from tapehead.checkpoints.checkpoint import TRANSCRIPT
from tapehead.checkpoints.checkpoint_ref import Checkpoints
from tapehead.history.fork_offset import own_offset
from tapehead.statemachine.vocabulary import Event
from tapehead.store.line import readable
from tapehead.store.sessions import StateStore

if TYPE_CHECKING:
    from datetime import datetime

    from tapehead.actions.checkpoint_keeper import CheckpointKeeper
    from tapehead.checkpoints.checkpoint import Checkpoint
    from tapehead.store.state import State

_BUDGET = 2_000
_LAST_WORDS = 2_000


def finish(keeper: CheckpointKeeper, state: State, at: datetime) -> dict[str, Any] | None:
    """Finishes what the turn left unfinished; what the tape is to remember of it, or None where there is no repository any more.

    Every one is read again as it is now: an amend or a rebase may have given its commit another name meanwhile. Doing it twice
    changes nothing, since a checkpoint knows how far its transcript goes.
    """
    tree = work_tree(keeper.layout, state)
    if tree is None:
        return None
    kept = Checkpoints(tree.side)
    ids, offset = state.unfinished_checkpoints, state.checkpoint_offset
    for one in ids:
        if (known := kept.get(one)) and known.session == state.session_id:
            offset = _finished(keeper, kept, state, known, at, newest=one == ids[-1])
    return {"ids": list(ids), "offset": offset}


def _finished(  # noqa: PLR0913 - all that a finished checkpoint is made of
    keeper: CheckpointKeeper, kept: Checkpoints, state: State, known: Checkpoint, at: datetime, *, newest: bool
) -> int:
    secret = {part: Masked(keeper.also) for part in ("transcript", "brief", "account")}
    files, offset = {}, state.checkpoint_offset
    account = keeper.accounts.of(state)
    _, since = prompts_since(keeper.layout, state, known.first_turn)
    if newest:
        start = own_offset(state, state.checkpoint_offset)
        transcript, offset = grown(kept, known, state.transcript_path, start, secret["transcript"])
        text = secret["brief"](brief(account, budget=_BUDGET, source="compact"))
        files = {"brief.md": text.encode("utf-8", "replace"), **({TRANSCRIPT: transcript} if transcript else {})}
    decisions = [*map(secret["account"], list_decisions(account, since))]
    failed = [*map(secret["account"], list_failures(account, since))]
    words = secret["account"](_last_words(keeper, state))

    def now(one: Checkpoint) -> Checkpoint:
        return attrs.evolve(
            one,
            model=state.model or one.model,
            tokens=count_tokens(state),
            compactions=state.compaction_count,
            decisions=join_once(one.decisions, decisions),
            tried=join_once(one.tried, failed),
            last_words=words,
            transcript={"file": os.path.basename(state.transcript_path), "end": offset} if newest else one.transcript,
            finished_at=at.isoformat(),
            updated_at=max(one.updated_at, at.isoformat()),
            masked=_masked(one, {part: each.count for part, each in secret.items()}),
        )

    kept.revise(known.id, now, files, int(at.timestamp()))
    return offset


def _masked(one: Checkpoint, counts: dict[str, int]) -> dict[str, int]:
    """What was taken out of the rest of the transcript is new; the other parts were gone through as a whole."""
    counts = {part: max(counted, one.masked.get(part, 0)) for part, counted in counts.items()} | {
        "transcript": one.masked.get("transcript", 0) + counts["transcript"]
    }
    return {part: counted for part, counted in {**one.masked, **counts}.items() if counted}


def _last_words(keeper: CheckpointKeeper, state: State) -> str:
    """What the agent said when the turn ended, as its hook told."""
    for line in reversed(readable(StateStore(keeper.layout).lines(state.session_id)[0])):
        if line.event is Event.TURN_END and line.text("reply"):
            reply: str = line.text("reply")
            return reply[-_LAST_WORDS:]
        if line.event is Event.TURN_START:
            break
    return ""
