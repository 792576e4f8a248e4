"""The plan of a trim for a session, with the checks that it passed, and carrying it out."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from attrs import frozen

from tapehead.agents import trims as trimming
from tapehead.agents.readers import reader_of
from tapehead.agents.trims import Plan, Refused, thread_of
from tapehead.brief.brief import brief
from tapehead.cli.output import Failure
from tapehead.cli.session_choice import choose
from tapehead.tokens.estimate import estimate_tokens
from tapehead.work_record.work_record import gather_work

if TYPE_CHECKING:
    from typing import Any

    from tapehead.agents.trims import Trims
    from tapehead.cli.here import Here
    from tapehead.store.state import State


@frozen
class Planned:
    """What would be done, and what was looked at."""

    session: str
    path: str
    checks: dict[str, str]
    """What was checked, in the order in which it was, and what came of it."""
    refused: str = ""
    """Why it cannot be done; empty where it can."""
    plan: Plan | None = None
    note: str = ""
    """What the model gets in place of the turns that go."""
    raw: bytes = b""
    at: str = ""


def plan_trim(at: Here, session: str, keep: int) -> Planned:
    """The plan for a session, after every check; nothing is changed."""
    state = choose(at, session or None)
    if state.agent not in trimming.AGENTS:
        raise Failure(
            f"session {state.session_id[:8]} is no Codex thread",
            "trim is for Codex; `tapehead status --every` lists sessions",
        )
    checks: dict[str, str] = {}
    raw = b""
    try:
        raw = _read(state, checks)
        rollout = trimming.understood(raw)
        checks["format"] = f"understood, written by Codex {rollout.version}"
        if rollout.thread != thread_of(state.transcript_path):
            raise Refused("the file is named after another thread")
        with trimming.writer_lock(state.transcript_path, rollout.thread):
            checks["in use"] = "no"
        first = trimming.plan(rollout, keep)
        note = _note(state, first, at.engine.settings.number("restore.budget"))
        plan = trimming.plan(rollout, keep, estimate_tokens(note))
    except Refused as error:
        return Planned(state.session_id, state.transcript_path, checks, str(error), raw=raw)
    now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return Planned(rollout.thread, state.transcript_path, checks, "", plan, note, raw, now)


def carry_out(trims: Trims, found: Planned) -> None:
    """Does what was planned, if the rollout is still the same. Raises Refused."""
    if found.plan is None:
        raise Refused(found.refused)
    with trimming.writer_lock(found.path, found.session):
        trims.apply(found.path, found.raw, found.plan.line(found.note, found.at), found.session, found.at)


def undo(trims: Trims, record: dict[str, Any], *, force: bool) -> str:
    """Takes a trim back. Raises Refused."""
    with trimming.writer_lock(str(record["path"]), str(record["thread"])):
        return trims.undo(record, force=force)


def _read(state: State, checks: dict[str, str]) -> bytes:
    path = state.transcript_path
    if not os.path.basename(path).endswith(".jsonl") or thread_of(path) != state.session_id:
        raise Refused("its rollout is packed, or a part of it is in another file")
    raw = trimming.read(path)
    others = [
        name
        for name in os.listdir(os.path.dirname(path))
        if name != os.path.basename(path) and state.session_id in name
    ]
    if [name for name in others if not name.startswith(".")]:
        raise Refused("the thread goes on in another rollout")
    checks["rollout"] = f"{len(raw):,} bytes"
    return raw


def _note(state: State, plan: Plan, budget: int) -> str:
    """What the model is told in place of the turns: a brief of them, and where they are."""
    reader = reader_of(state.agent)
    turns = list(reader.skim(state.transcript_path)) if reader else []
    told = brief(gather_work(iter(turns[: -plan.stays])), budget=budget, source="compact")
    head = f"tapehead: the user took the first {plan.goes} turns out of this conversation, to make room. The newest {plan.stays} follow as they were."
    where = (
        f"`tapehead search WORDS` and `tapehead detail turn N --session {state.session_id}` show what was said in them."
    )
    return "\n".join(filter(None, (head, where, told)))
