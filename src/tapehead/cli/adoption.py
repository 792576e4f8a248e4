"""The tape of a session that no hook recorded, made from its transcript.

`log` reads it and writes nothing down. A handoff keeps it, with the state that follows from it, because the next start looks for both:
nothing is carried out for these lines, they only say what happened.
"""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from attrs import evolve

from tapehead.actions.fold import replay
from tapehead.agents.hook_event import cut_middle
from tapehead.agents.readers import reader_of
from tapehead.cli.output import Failure
from tapehead.statemachine.vocabulary import Event
from tapehead.store import tape
from tapehead.store.line import readable
from tapehead.store.state import State
from tapehead.transcript.turns import HUMAN, Boundary, begins_with_words

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from tapehead.engine.engine import Engine
    from tapehead.transcript.turns import Turn

_PROMPT = 2_000
_NOTE = "imported"


def adopt(engine: Engine, state: State) -> State:
    """Give an imported session a tape and a state of its own; one that has them is left as it is."""
    if state.session_id in engine.store.list():
        return state
    with engine.store.transaction(state.session_id, 2.0) as held:
        if held and not os.path.exists(engine.layout.tape(state.session_id)):
            lines = lines_of_transcript(state)
            made = State(state.session_id)
            for move in replay(state.session_id, readable(lines)):
                made = move.state
            for line in lines:
                tape.append_raw(engine.layout.tape(state.session_id), line)
            engine.store.save(evolve(made, tape_offset=sum(len(line) + 1 for line in lines)))
    return engine.store.load(state.session_id) or state


def lines_of_transcript(state: State) -> list[bytes]:
    """What a tape would have heard of a session: its start, its turns and compactions, its end."""
    reader = reader_of(state.agent) if os.path.isfile(state.transcript_path) else None
    if reader is None:
        raise Failure(
            f"the transcript of session {state.session_id[:8]} is gone: {state.transcript_path or 'nobody knows where it was'}",
            "`tapehead detail` and `tapehead search` still show what was taken in",
        )
    own = [turn for turn in reader.read(state.transcript_path).turns if not turn.subagent]
    place = {
        "transcript_path": state.transcript_path,
        "worktree": state.worktree_path,
        "worktree_id": state.worktree_id,
        "branch": state.branch,
        "model": state.model,
    }
    began, ended = (at or datetime.now(UTC) for at in (state.started_at, state.ended_at))
    told: list[tuple[datetime, dict[str, Any]]] = [
        (began, {"note": _NOTE}),
        (began, {"event": Event.SESSION_START.value, "data": {"source": "startup", **place}}),
    ]
    for turn in own:
        told += _told(turn, began)
    told.append((max(ended, told[-1][0]), {"event": Event.SESSION_STOP.value, "data": {"reason": _NOTE}}))
    return [_line(number, at, state.agent, line) for number, (at, line) in enumerate(told)]


def _told(turn: Turn, before: datetime) -> Iterator[tuple[datetime, dict[str, Any]]]:
    began = _moment(turn.began) or before
    ended = max(began, _moment(turn.ended) or began)
    asked = begins_with_words(turn)
    if asked:
        prompt = cut_middle(next(turn.words(HUMAN)), _PROMPT)
        yield began, {"event": Event.TURN_START.value, "data": {"prompt": prompt}}
    for step in turn.steps:
        if isinstance(step, Boundary) and not step.partial:
            at = min(max(began, _moment(step.time) or ended), ended)
            yield at, {"event": Event.COMPACTION.value, "data": {"trigger": step.trigger}}
            yield at, {"event": Event.COMPACTED.value, "data": {"trigger": step.trigger}}
    if asked:
        yield ended, {"event": Event.TURN_END.value, "data": {"reply": cut_middle("\n".join(turn.agent[-1:]), _PROMPT)}}


def _line(number: int, at: datetime, agent: str, line: dict[str, Any]) -> bytes:
    moment = round(at.timestamp() * 1_000_000_000) + number
    stamped = {"id": tape.stamp(moment, 0), "at": tape.instant(moment), "host": agent, **line}
    return json.dumps(stamped, separators=(",", ":")).encode()


def _moment(time: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(time)
    except ValueError:
        return None
    return found if found.tzinfo else None
