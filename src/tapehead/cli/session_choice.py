"""Which session a command is about: the one that was named, else this agent's own, else the newest of this worktree.

Every command that takes a session asks here. A session that was only imported has no tape: its state is worked out from the
history, and is good for everything that reads a transcript.
"""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

from tapehead.agents.readers import places_of
from tapehead.cli.output import Failure, show_choice
from tapehead.cli.own_agent import own_sessions
from tapehead.cli.upkeep import attend_to
from tapehead.engine.current_state import look_at_state
from tapehead.engine.start import is_alive
from tapehead.engine.store_location import place_of
from tapehead.history.database import Database, Unusable
from tapehead.history.recall import Recall, Told
from tapehead.statemachine.vocabulary import Phase
from tapehead.store import off_switch
from tapehead.store.paths import is_session_id
from tapehead.store.state import State
from tapehead.text import redacted_excerpt
from tapehead.text.wording import ago, alike, short_ids

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapehead.cli.here import Here
    from tapehead.engine.engine import Engine

    Reader = Callable[[Engine, str], State]

_PROMPT = 100


def look_at_session(engine: Engine, session_id: str) -> State:
    """How those read a session who only look: nothing of it is written down."""
    return look_at_state(engine.store, session_id)


def choose(at: Here, wanted: str | None, *, reader: Reader = attend_to, quiet: bool = False) -> State:
    """The session that was meant, up to the end of its tape. Where nobody named one, stderr says which it is."""
    if wanted:  # an older client puts nothing in the place of its session
        return _named(at, wanted, reader)
    own = next((each for each in own_sessions() if is_session_id(each) and each in _ids(at, each)), None)
    if own:
        state, why = _named(at, own, reader), "this agent's own"
    else:
        state, why = _newest(at, reader), "the newest in this worktree"
    if not quiet:
        _announce(at, state, why)
    return state


def choose_if_any(at: Here) -> State | None:
    """The same without a name, or None where nothing was ever recorded: a decision may come before the first session."""
    try:
        return choose(at, None)
    except Failure:
        return None


def choose_recorded(at: Here, wanted: str | None, *, quiet: bool = False) -> State:
    """The same, for what only a tape tells: an imported session has none."""
    state = choose(at, wanted, quiet=quiet)
    if state.session_id not in at.engine.store.list():
        raise Failure(
            f"session {state.session_id[:8]} was imported: no hook recorded it",
            "`tapehead brief`, `log`, `detail`, `losses` and `report` work with it",
        )
    return state


def is_here(at: Here, state: State) -> bool:
    """Whether a session worked in this worktree. Git's own name for a worktree survives a move."""
    path = state.worktree_path
    if not path or state.worktree_id != at.place.worktree_id:
        return not path
    return is_here_path(at, path)


def is_here_path(at: Here, path: str) -> bool:
    """Whether a directory is in this worktree. One that is gone, or on another machine, may have been."""
    if not path or os.path.realpath(path) == os.path.realpath(at.place.worktree):
        return True
    return not os.path.isdir(path) or place_of(path, os.environ).worktree == at.place.worktree


def every_session(at: Here) -> list[State]:
    """The sessions of this repository, recorded or imported, the newest first."""
    return _by_age([*_all(at, attend_to).values()])


def sessions_here(at: Here, reader: Reader = attend_to) -> list[State]:
    """The sessions of this worktree, recorded or imported, the newest first."""
    return _by_age([state for state in _all(at, reader).values() if is_here(at, state)])


def list_imported(at: Here, only: str = "") -> dict[str, State]:
    """The sessions that the history has and the store has not, by id; or one of them."""
    if not os.path.exists(at.engine.layout.memory):
        return {}
    try:
        with Database(at.engine.layout.memory) as database:
            recall = Recall(database)
            listed = {*at.engine.store.list()}
            told = [one for one in recall.sessions(only) if one.id not in listed and is_session_id(one.id)]
            paths = _transcripts(recall) if told else {}
            return {one.id: _state_of(at, recall, one, paths.get(one.id, "")) for one in told}
    except Unusable:
        return {}  # doctor says what is the matter with it


def _named(at: Here, wanted: str, reader: Reader) -> State:
    """By its id, or how it begins. One from the archive is brought back: whoever asks for it needs it."""
    ids = _ids(at, wanted)
    found = [wanted] if wanted in ids else [name for name in ids if wanted and name.startswith(wanted)]
    if not found and not ids and not os.path.exists(at.engine.layout.memory):
        raise _nothing(at)
    if not found:
        raise Failure(f"No session {wanted!r} here", "`tapehead status --every` and `tapehead resume` list them")
    if len(found) > 1:
        raise Failure(f"{len(found)} sessions begin with {wanted!r}", alike(found))
    name = found[0]
    if name not in at.engine.store.list() and reader is attend_to:
        with suppress(OSError):
            at.engine.store.unarchive(name)
    if name in at.engine.store.list():
        return reader(at.engine, name)
    if state := list_imported(at, name).get(name):
        return state
    raise Failure(f"Nothing is recorded of session {name}", "`tapehead import` adds transcripts")


def _newest(at: Here, reader: Reader) -> State:
    """The newest of this worktree; one in which nobody ever said anything only while its agent runs, or where there is no other."""
    here = sessions_here(at, reader)
    if not here:
        raise _nothing_here(at, reader)
    return next((state for state in here if state.turn_number or is_alive(state)), here[0])


def _all(at: Here, reader: Reader) -> dict[str, State]:
    found = list_imported(at)
    for session_id in at.engine.store.list():
        with suppress(OSError):  # one that cannot be read at all does not hide the others: doctor names it
            found[session_id] = reader(at.engine, session_id)
    return found


def _by_age(states: list[State]) -> list[State]:
    return sorted(states, key=lambda state: str(state.last_interaction_at or state.started_at or ""), reverse=True)


def _nothing_here(at: Here, reader: Reader) -> Failure:
    """Why there is none: nothing was recorded at all, or only in other worktrees."""
    elsewhere = _by_age([*_all(at, reader).values()])
    if elsewhere:
        name, where = elsewhere[0].session_id[:8], elsewhere[0].worktree_path
        return Failure("No session worked in this worktree", f"the newest elsewhere is {name}, in {where}: name it")
    return _nothing(at)


def _nothing(at: Here) -> Failure:
    from tapehead.cli.hook_presence import has_hooks  # noqa: PLC0415 - only where there is nothing to show

    first = "" if has_hooks(at.place.worktree) else "`tapehead install`, then "
    return Failure("No session recorded here yet", f"{first}start your agent in this repository")


def _ids(at: Here, wanted: str) -> list[str]:
    """Every session that is known here; of those that are only remembered, the ones that begin as wanted."""
    return sorted({*at.engine.store.list(), *_archived(at), *_remembered(at, wanted)})


def _announce(at: Here, state: State, why: str) -> None:
    name = short_ids({*at.engine.store.list(), state.session_id})[state.session_id]
    asked = redacted_excerpt.first(" ".join(state.last_prompt.split()), _PROMPT)
    said = f": {asked}" if asked else ""
    show_choice(f"session {name}, {why}, {ago(state.last_interaction_at or state.started_at, at.now)}{said}")


def _archived(at: Here) -> set[str]:
    with suppress(OSError):
        names = os.listdir(at.engine.layout.archive)
        return {name[: -len(".tape")] for name in names if name.endswith(".tape")}
    return set()


def _remembered(at: Here, wanted: str) -> list[str]:
    if not wanted or not os.path.exists(at.engine.layout.memory):
        return []
    try:
        with Database(at.engine.layout.memory) as database:
            return [each for each in Recall(database).known(wanted) if is_session_id(each)]
    except Unusable:
        return []


def _transcripts(recall: Recall) -> dict[str, str]:
    """Each session's own file: what its subagents wrote into files beside it is none."""
    found: dict[str, str] = {}
    agents = {one.id: one.agent for one in recall.sessions()}
    for session, path, _ in recall.files():
        try:
            own = places_of(agents.get(session, "")).session_of(path) == session
        except (KeyError, ValueError):
            own = False
        if own or session not in found:
            found[session] = path
    return found


def _state_of(at: Here, recall: Recall, told: Told, path: str) -> State:
    """An imported session as a state: ended, with what the history knows."""
    began, ended = (_moment(each) for each in (told.began, told.ended))
    there = place_of(told.project, os.environ) if os.path.isdir(told.project) else at.place
    return State(
        session_id=told.id,
        agent=told.agent,
        model=told.model,
        phase=Phase.ENDED,
        started_at=began,
        ended_at=ended,
        last_interaction_at=ended,
        turn_number=recall.newest_turn(told.id),
        worktree_path=there.worktree,
        worktree_id=there.worktree_id,
        branch=told.branch,
        transcript_path="" if off_switch.is_left_out(at.engine.layout, told.id) else path,
        last_prompt=" ".join(recall.last_prompt(told.id).split()),  # one line, as recorded sessions have it
    )


def _moment(time: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(time)
    except ValueError:
        return None
    return found if found.tzinfo else None
