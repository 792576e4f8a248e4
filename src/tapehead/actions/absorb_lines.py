"""What a line tells of whose lines are whose, taken over into the state: pure, like the rest of absorb.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve

from tapehead.store.state import PromptAttribution

if TYPE_CHECKING:
    from tapehead.statemachine.vocabulary import Phase
    from tapehead.store.line import Line
    from tapehead.store.state import State

_ATTRIBUTIONS = 200
"""Prompts whose attribution is remembered: the newest."""


def absorb_snapshot(state: State, line: Line, was: Phase) -> State:  # noqa: ARG001 - one shape for all
    """One attribution a prompt: that of the prompt before is kept when the next one comes."""
    taken = PromptAttribution(
        checkpoint_number=state.step_count + 1,
        user_lines_added=line.number("user_added") or 0,
        user_lines_removed=line.number("user_removed") or 0,
        agent_lines_added=line.number("agent_added") or 0,
        agent_lines_removed=line.number("agent_removed") or 0,
        user_added_per_file=_per_file(line, "user_files"),
        user_removed_per_file=_per_file(line, "user_files_removed"),
        agent_added_per_file=_per_file(line, "agent_files"),
        agent_removed_per_file=_per_file(line, "agent_files_removed"),
        turn=state.turn_number,
    )
    return evolve(state, prompt_attributions=_kept_attributions(state), pending_prompt_attribution=taken)


def _per_file(line: Line, name: str) -> dict[str, int]:
    found = line.data.get(name)
    return {path: count for path, count in found.items() if type(count) is int} if isinstance(found, dict) else {}


def _kept_attributions(state: State) -> tuple[PromptAttribution, ...]:
    pending = state.pending_prompt_attribution
    return (*state.prompt_attributions, *((pending,) if pending else ()))[-_ATTRIBUTIONS:]


def absorb_checkpoint(state: State, line: Line, was: Phase) -> State:  # noqa: ARG001 - one shape for all
    """A checkpoint: what it holds is not owed to the next one."""
    checkpoint_id, left = line.text("id"), line.texts("left")
    again = checkpoint_id == state.last_checkpoint_id
    files = tuple(path for path in state.files_touched if path in left)
    return evolve(
        state,
        step_count=state.step_count + (not again),
        turn_checkpoint_ids=tuple(dict.fromkeys((*state.turn_checkpoint_ids, checkpoint_id))),
        unfinished_checkpoints=_unfinished(state, line),
        last_checkpoint_id=checkpoint_id,
        base_commit=line.text("commit"),
        attribution_base_commit=line.text("commit"),
        checkpoint_turn=line.number("turn") or 0,
        checkpoint_offset=line.number("offset") or 0,
        agent_lines_checkpointed=state.agent_lines_checkpointed + (0 if again else line.number("session_added") or 0),
        files_touched=files,
        prompt_attributions=_kept_attributions(state),
        pending_prompt_attribution=None,
        fully_condensed=state.ended_at is not None and not files,
    )


def _unfinished(state: State, line: Line) -> tuple[str, ...]:
    """The newest one last, also after an amend: what follows it is put there."""
    others = tuple(one for one in state.unfinished_checkpoints if one != line.text("id"))
    return (*others, line.text("id")) if line.data.get("in_mid_turn") is True else others


def absorb_finish(state: State, line: Line, was: Phase) -> State:  # noqa: ARG001 - one shape for all
    """The turn of these checkpoints is over, and what followed them is in the last one. A commit may have come meanwhile."""
    done = line.texts("ids")
    newest = bool(done) and done[-1] == state.last_checkpoint_id
    return evolve(
        state,
        unfinished_checkpoints=tuple(one for one in state.unfinished_checkpoints if one not in done),
        checkpoint_offset=(line.number("offset") if newest else None) or state.checkpoint_offset,
    )
