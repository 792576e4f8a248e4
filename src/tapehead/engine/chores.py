"""What the worker and the commands do for a session beside folding its lines. Each is noted on the tape, where it changes the state."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tapehead.actions.breaker import is_blocked, reason_is_gone
from tapehead.statemachine.vocabulary import Action, Event
from tapehead.store import off_switch, tape
from tapehead.store.line import Line
from tapehead.store.state import is_at_work

if TYPE_CHECKING:
    from tapehead.engine.engine import Engine
    from tapehead.store.state import State

BY_HAND = "by hand"


def unblock(engine: Engine, session_id: str) -> bool:
    """Lets captures be tried again where the reason for their failing is gone."""
    state = engine.store.load(session_id)
    if state is None or not is_blocked(state) or not reason_is_gone(engine.layout, state):
        return False
    engine.append(session_id, {"note": "unblocked"})
    return True


def capture(engine: Engine, session_id: str) -> str:
    """Writes the capture because a user says so, blocked or not; returns why that failed, or nothing."""
    engine.settle(session_id)
    state = engine.store.load(session_id)
    if state is None:
        return "nothing is known of it"
    line = _by_hand(engine, None, {"trigger": BY_HAND})
    try:
        remembered = engine.captures.capture(state, line)
    except Exception as error:  # noqa: BLE001 - a user is told; doctor has it too
        engine.failed(session_id, "capture", error)
        engine.settle(session_id)
        return f"{type(error).__name__}: {error}"
    engine.append(session_id, {"note": "capture", "of": line.id, "data": remembered})
    engine.settle(session_id)
    return ""


def condense(engine: Engine, session_id: str, commit: str) -> None:
    """Has a session take its part in a commit that it was promised to, whatever its phase."""
    engine.settle(session_id)
    state = engine.store.load(session_id)
    line = _by_hand(engine, Event.GIT_COMMIT, {"commit": commit, "branch": ""})
    if state and (remembered := engine.checkpoints.condense(state, line)):
        engine.append(session_id, {"note": Action.CONDENSE.value, "of": line.id, "data": remembered})
        engine.settle(session_id)


def finish_checkpoints(engine: Engine, session_id: str) -> None:
    """Puts into the checkpoints of a turn that is over what came after their commits."""
    state = engine.store.load(session_id)
    if state is None or not state.unfinished_checkpoints or is_at_work(state):
        return
    from tapehead.actions.checkpoint_finish import finish  # noqa: PLC0415 - only where there is something

    line = _by_hand(engine, None, {})
    if (remembered := finish(engine.checkpoints, state, line.at)) is not None:
        engine.append(session_id, {"note": "finished", "data": remembered})
        engine.settle(session_id)


def _by_hand(engine: Engine, event: Event | None, data: dict[str, object]) -> Line:
    """A line that stands on no tape: a user asks."""
    from datetime import datetime  # noqa: PLC0415 - only here

    now = engine.clock_ns()
    at = datetime.fromisoformat(tape.instant(now))
    return Line(tape.stamp(now, 0), at, "tapehead", event, BY_HAND, "", frozenset(), data)


def keep_notes(engine: Engine, session_id: str, *, now: bool = False, state: State | None = None) -> bool:
    """Brings the running notes of a session up to date: never while someone waits, or because a user asks."""
    from tapehead.notes.notes_keeper import NoteKeeper  # noqa: PLC0415 - the worker's, and a command's

    state = state or engine.store.load(session_id)
    if state is None:
        return False
    return NoteKeeper(engine.layout, engine.settings, engine.transcripts.lately).keep(state, now=now)


def look_through(engine: Engine, session_id: str) -> int:
    """Looks for what of the user's words should outlive the session."""
    from tapehead.memories.proposals import Rememberer  # noqa: PLC0415 - the worker's alone

    state = engine.store.load(session_id)
    return Rememberer(engine.layout, engine.settings, engine.transcripts.lately).look_through(state) if state else 0


def remember(engine: Engine, session_id: str) -> int:
    """Takes what is new in the transcript into the memory: never while someone waits, and not while tapehead is off."""
    from tapehead.history.intake import MemoryKeeper  # noqa: PLC0415 - the worker's alone

    state = None if off_switch.is_off((engine.layout,), engine.clock_ns()) else engine.store.load(session_id)
    return MemoryKeeper(engine.layout, engine.settings).remember(state) if state else 0


def keep_transcript(engine: Engine, session_id: str) -> int:
    """Keeps what is new of the transcript, before the agent deletes it; how many bytes that were."""
    state = engine.store.load(session_id)
    if state is None or not engine.settings.flag("archive.keep") or not os.path.isfile(state.transcript_path):
        return 0
    from tapehead.archive.archive_keeper import ArchiveKeeper  # noqa: PLC0415 - the worker's alone

    keeper = ArchiveKeeper(engine.layout, engine.settings, engine.clock_ns())
    kept = keeper.keep(state.transcript_path, state.agent, session_id)
    keeper.tidy()
    return kept.size


def list_former_work(engine: Engine, session_id: str) -> None:  # noqa: ARG001 - one shape for all that the worker does
    """Keeps the list that the hooks of tools look into, where the setting `recall.at` asks for it, and takes it away where not."""
    words = engine.settings.texts("recall.at")
    if words or os.path.exists(engine.layout.former_work):
        from tapehead.actions.former_work import keep_list  # noqa: PLC0415 - the worker's alone

        keep_list(engine.layout, words, engine.clock_ns() // 1_000_000)


def keep_daily_log(engine: Engine, session_id: str) -> None:
    """Writes the turn that is over into the log of its day, where the setting `log.daily` asks for it."""
    state = engine.store.load(session_id) if engine.settings.flag("log.daily") else None
    if state is None or not state.turn_number or is_at_work(state) or state.last_interaction_at is None:
        return
    from tapehead.documents import daily_log  # noqa: PLC0415 - only where it is wanted
    from tapehead.text.redaction import redact  # noqa: PLC0415 - as above

    daily_log.note(engine.layout, state.last_interaction_at, session_id, state.turn_number, redact(state.last_prompt))


def summarize(engine: Engine, session_id: str) -> int:
    """Has the turns that are over summarized by the user's own command, where there is one."""
    if not engine.settings.text("summarizer.command"):
        return 0
    from tapehead.engine import summarizer  # noqa: PLC0415 - the worker's alone

    state = engine.store.load(session_id)
    if state is None:
        return 0
    # A turn that still runs has no end to tell of. The transcript may count fewer turns than the tape: ! and / are none.
    running = is_at_work(state)
    newest = _newest_turn(engine, session_id)
    return summarizer.summarize(engine.layout, engine.settings, session_id, until=newest if running else newest + 1)


def _newest_turn(engine: Engine, session_id: str) -> int:
    from tapehead.history.database import Database  # noqa: PLC0415 - as above
    from tapehead.history.recall import Recall  # noqa: PLC0415 - as above

    if not os.path.exists(engine.layout.memory):
        return 0
    with Database(engine.layout.memory) as database:
        lines = Recall(database).lines(session_id)
    return lines[-1].turn if lines else 0


def take_survey(engine: Engine, session_id: str) -> None:
    """Records what lay about in the work tree before the agent worked: once, and never while someone waits."""
    state = engine.store.load(session_id)
    if state and state.untracked_files_at_start is None:
        from tapehead.engine import untracked_files  # noqa: PLC0415 - the worker's alone

        untracked = untracked_files.list_untracked(state.worktree_path)
        if untracked is not None:
            engine.append(session_id, {"note": "survey", "data": {"untracked": untracked}})


def look_for_delivery(engine: Engine, session_id: str, *, give_up: bool = False) -> bool:
    """Compares what the model got, by the agent's own record, with what it was handed; False while it pays to look again.

    The agent writes its record a little behind its events, so a text that is not there yet is called missing only by
    a look that gives up, and a later look may still find it.
    """
    from tapehead.engine.delivery import receipt  # noqa: PLC0415 - the worker's alone

    state = engine.store.load(session_id)
    found = receipt(engine.layout, state) if state and state.awaiting_receipt else None
    if not state or not found or found["delivery"] == state.delivery:
        return True
    if found["delivery"] != "delivered" and not give_up:
        return False
    engine.append(session_id, {"note": "receipt", "data": found})
    return True
