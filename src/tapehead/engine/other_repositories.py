"""The other repositories that a session works in: submodules, nested ones, one that it edits by an absolute path, those below where it was started.

Each gets snapshots and checkpoints of its own, in its own store, under the same session id. What its store knows of the session is a tape there
(`guests/`), on which the beginnings and ends of turns are put as they come; it is settled like any other, and git's hooks find it. It is no session
of that store: nothing is handed on from it, and no list shows it.

Most turns touch one repository. So another one is looked for when a turn is over, by the agent's calls and by what lies below the work tree;
how it was before that turn follows from the times of its files and from the commit that was checked out. From then on it is recorded at each prompt.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any

from tapehead.attribution.snapshot_keeper import FIRST_SEEN
from tapehead.engine.guest_homes import welcome
from tapehead.engine.store_location import place_of
from tapehead.engine.touched_repositories import touched
from tapehead.git import layout as git_layout
from tapehead.git.nested_trust import is_harmless
from tapehead.git.reflog import head_at
from tapehead.statemachine.vocabulary import Event
from tapehead.store import atomic, off_switch, starts, tape
from tapehead.store.line import readable
from tapehead.store.paths import Layout, place_name

if TYPE_CHECKING:
    from tapehead.engine.engine import Engine
    from tapehead.git.layout import Repository
    from tapehead.store.line import Line
    from tapehead.store.state import State

_FOLLOWED = frozenset({Event.TURN_END, Event.TURN_FAILED, Event.PROCESS_LOST, Event.SESSION_STOP})
_MOST = 8
"""Repositories of one session beside its own."""
_SECOND = 1_000_000_000


def follow(engine: Engine, session_id: str) -> None:
    """Puts the turns of a session that are new onto its tapes in other repositories, those that the last turn was found to touch among them."""
    state = engine.store.load(session_id)
    if state is None or engine.layout.is_guests or not engine.settings.flag("checkpoints.others"):
        return
    book = _book(engine, session_id)
    lines, end = tape.unread(engine.layout.tape(session_id), book["offset"])
    if end == book["offset"]:
        return
    for line in readable(lines if book["offset"] else _from_last_turn(lines)):
        if line.event is Event.TURN_START:
            book["turn"] = _copied(line)
        elif line.event in _FOLLOWED and book["turn"]:
            for found in _touched(state, line, book):
                _open(engine, state, book["turn"], found)
                book["places"].append(found.worktree)
        if line.event is Event.TURN_START or line.event in _FOLLOWED:
            for place in book["places"]:
                _forward(engine, state, _copied(line), place)
    book["offset"] = end
    atomic.write(_path(engine, session_id), json.dumps(book).encode())


def _book(engine: Engine, session_id: str) -> dict[str, Any]:
    with suppress(OSError, ValueError):
        found = json.loads(atomic.read(_path(engine, session_id)))
        return {"offset": int(found["offset"]), "turn": found["turn"], "places": list(found["places"])}
    return {"offset": 0, "turn": None, "places": []}


def _path(engine: Engine, session_id: str) -> str:
    return os.path.join(engine.layout.sessions, f"{session_id}.others")


def _from_last_turn(lines: list[bytes]) -> list[bytes]:
    """What a former version recorded is not gone through again."""
    begun = [number for number, raw in enumerate(lines) if b'"event":"turn_start"' in raw]
    return lines[begun[-1] :] if begun else lines


def _copied(line: Line) -> dict[str, Any]:
    event = line.event.value if line.event else ""
    return {"id": line.id, "at": line.at.isoformat(), "host": line.host, "event": event, "data": dict(line.data)}


def _touched(state: State, line: Line, book: dict[str, Any]) -> list[Repository]:
    since = int(datetime.fromisoformat(book["turn"]["at"]).timestamp() * _SECOND)
    until = int(line.at.timestamp() * _SECOND)
    return touched(state, since, until, book["places"], _MOST - len(book["places"]))


# -- its tape there ---------------------------------------------------------------------------------------------------


def _open(engine: Engine, state: State, turn: dict[str, Any], repository: Repository) -> None:
    """The session begins there with the turn in which it was found there."""
    at = datetime.fromisoformat(turn["at"])
    layout = _guests(engine, repository)
    if layout is None:
        return
    other = _other(engine, layout)
    if os.path.exists(layout.tape(state.session_id)) or other.store.unarchive(state.session_id):
        return
    branch, head = git_layout.head(repository)
    then = head_at(repository.git_dir, at.timestamp())
    where = {"source": "startup", "branch": branch, "head": head if then is None else then}
    start = {**turn, "id": f"{turn['id']}-found", "event": Event.SESSION_START.value, "data": where}
    _append(layout, state, start, repository)
    welcome(layout, engine.layout.root, engine.env)
    starts.note(layout, place_name(repository.worktree_id), {"session": state.session_id, "at": turn["at"]})
    _append(layout, state, {**turn, "data": {**turn["data"], FIRST_SEEN: True}}, repository)
    other.settle(state.session_id)


def _forward(engine: Engine, state: State, line: dict[str, Any], directory: str) -> None:
    repository = git_layout.find(directory)
    if repository is None or not repository.worktree or not is_harmless(repository):
        return  # it was removed, or its config changed: the turns until it is harmless again are not recorded
    layout = _guests(engine, repository)
    if layout is None:
        return
    other = _other(engine, layout)
    other.store.unarchive(state.session_id)
    if not any(f'"id":"{line["id"]}"'.encode() in raw for raw in tape.tail(layout.tape(state.session_id), 1 << 16)):
        _append(layout, state, line, repository)
    other.settle(state.session_id)
    if line["event"] != Event.TURN_START.value:
        from tapehead.engine.git_setup import catch_up  # noqa: PLC0415 - only here

        catch_up(other, repository.worktree_id, repository.worktree)


def _guests(engine: Engine, repository: Repository) -> Layout | None:
    """What its store has of sessions from elsewhere; None where the repository may have no store in it, or the user turned us off there."""
    place = place_of(repository.worktree, engine.env)
    if place.refused or place.repository is None:
        return None
    layout = Layout(Layout(place.roots[0]).guests)
    return None if off_switch.is_off((layout,), engine.clock_ns()) else layout


def _append(layout: Layout, state: State, line: dict[str, Any], repository: Repository) -> None:
    where = {"worktree": repository.worktree, "worktree_id": repository.worktree_id}
    whose = {"transcript_path": state.transcript_path, "pid": state.host_pid, "pid_started": state.host_started}
    data = {**line["data"], **where, **{name: value for name, value in whose.items() if value}}
    tape.append(layout.tape(state.session_id), {**line, "facts": [], "data": data})


def _other(engine: Engine, layout: Layout) -> Engine:
    return type(engine)(layout, engine.clock_ns, engine.env)
