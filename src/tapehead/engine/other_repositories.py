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
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from tapehead import door
from tapehead.agents.readers import writing_calls
from tapehead.attribution.snapshot_keeper import FIRST_SEEN
from tapehead.engine.store_location import make_home, place_of
from tapehead.git import layout as git_layout
from tapehead.git import worktree
from tapehead.git.reflog import head_at
from tapehead.git.run import GitFailed
from tapehead.statemachine.vocabulary import Event
from tapehead.store import atomic, off_switch, starts, tape
from tapehead.store.line import readable
from tapehead.store.paths import Layout, place_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.engine.engine import Engine
    from tapehead.git.layout import Repository
    from tapehead.store.line import Line
    from tapehead.store.state import State

_FOLLOWED = frozenset({Event.TURN_END, Event.TURN_FAILED, Event.PROCESS_LOST, Event.SESSION_STOP})
_MOST = 8
"""Repositories of one session beside its own."""
_NEAR = 200
"""Folders of a work tree that are looked into for a repository."""
_DEPTH = 2
_NAMED = re.compile(r"(?:^|[\s=\"'(:])(~?/[^\s\"';|&)<>]+)|\b(?:cd|-C)\s+[\"']?([^\s\"';|&)<>]+)")
_MODULE = re.compile(r"^\s*path\s*=\s*(.+?)\s*$", re.MULTILINE)
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


# -- where the session worked -----------------------------------------------------------------------------------------


def _touched(state: State, line: Line, book: dict[str, Any]) -> list[Repository]:
    """Repositories that a turn changed, beside those that are known."""
    known = {os.path.realpath(path) for path in (state.worktree_path, *book["places"], os.path.expanduser("~"))}
    since = _moment(book["turn"]["at"])
    found: dict[str, Repository] = {}
    for directory, is_sure in _candidates(state, since, int(line.at.timestamp() * _SECOND)):
        if len(book["places"]) + len(found) >= _MOST:
            break
        one = git_layout.find(directory)
        root = os.path.realpath(one.worktree) if one and one.worktree else ""
        if one and root and root not in known:
            known.add(root)
            if is_sure or _is_changed(one, since):
                found[root] = one
    return list(found.values())


def _moment(at: str) -> int:
    from datetime import datetime  # noqa: PLC0415 - only here

    return int(datetime.fromisoformat(at).timestamp() * _SECOND)


def _candidates(state: State, since: int, until: int) -> Iterator[tuple[str, bool]]:
    """Directories, and whether an edit there says that the session wrote in them."""
    try:
        calls = writing_calls(state.agent, state.transcript_path, since, until) if state.transcript_path else None
    except OSError:
        calls = None
    for call in calls or ():
        if call.file:
            yield os.path.dirname(os.path.join(state.worktree_path, call.file)), True
    for call in calls or ():
        for path, changed_to in _NAMED.findall(call.what) if not call.file else ():
            yield os.path.join(state.worktree_path, os.path.expanduser(path or changed_to)), False
    for directory in _below(state.worktree_path):
        yield directory, False


def _below(root: str) -> Iterator[str]:
    """Submodules, and folders not far down that are repositories."""
    with suppress(OSError):
        text = door.read(os.path.join(root, ".gitmodules"), 1 << 20).decode("utf-8", "surrogateescape")
        for name in _MODULE.findall(text)[:_NEAR]:
            yield os.path.join(root, name)
    looked_at, level = 0, [root] if root else []
    for _ in range(_DEPTH):
        below = []
        for folder in level:
            with suppress(OSError), os.scandir(folder) as entries:
                below += [one.path for one in entries if one.is_dir(follow_symlinks=False) and one.name[0] != "."]
        level = below[: _NEAR - looked_at]
        looked_at += len(level)
        yield from (folder for folder in level if os.path.exists(os.path.join(folder, ".git")))


def _is_changed(repository: Repository, since: int) -> bool:
    """Whether HEAD moved, or a file that is not committed was written, since a moment."""
    if head_at(repository.git_dir, since / _SECOND) not in {None, git_layout.head(repository)[1]}:
        return True
    try:
        seen = worktree.look(repository)
    except GitFailed:
        return False
    paths = (*(entry.path for entry in seen.tracked), *seen.untracked)
    return any(_written(os.path.join(repository.worktree, os.fsdecode(path))) > since for path in paths)


def _written(path: str) -> int:
    try:
        return os.lstat(path).st_mtime_ns
    except OSError:
        return 0


# -- its tape there ---------------------------------------------------------------------------------------------------


def _open(engine: Engine, state: State, turn: dict[str, Any], repository: Repository) -> None:
    """The session begins there with the turn in which it was found there."""
    from datetime import datetime  # noqa: PLC0415 - only here

    at = datetime.fromisoformat(turn["at"])
    place = place_of(repository.worktree, engine.env)
    make_home(place.roots[0], engine.env)
    layout = Layout(Layout(place.roots[0]).guests)
    if os.path.exists(layout.tape(state.session_id)) or off_switch.is_off((layout,), engine.clock_ns()):
        return
    branch, head = git_layout.head(repository)
    then = head_at(repository.git_dir, at.timestamp())
    where = {"source": "startup", "branch": branch, "head": head if then is None else then}
    _append(
        layout,
        state,
        {**turn, "id": f"{turn['id']}-found", "event": Event.SESSION_START.value, "data": where},
        repository,
    )
    starts.note(layout, place_name(repository.worktree_id), {"session": state.session_id, "at": turn["at"]})
    _append(layout, state, {**turn, "data": {**turn["data"], FIRST_SEEN: True}}, repository)
    _other(engine, layout).settle(state.session_id)


def _forward(engine: Engine, state: State, line: dict[str, Any], directory: str) -> None:
    repository = git_layout.find(directory)
    if repository is None or not repository.worktree:
        return  # it was removed
    layout = Layout(Layout(place_of(directory, engine.env).roots[0]).guests)
    if off_switch.is_off((layout,), engine.clock_ns()):
        return
    if not any(f'"id":"{line["id"]}"'.encode() in raw for raw in tape.tail(layout.tape(state.session_id), 1 << 16)):
        _append(layout, state, line, repository)
    other = _other(engine, layout)
    other.settle(state.session_id)
    if line["event"] != Event.TURN_START.value:
        from tapehead.engine.git_setup import catch_up  # noqa: PLC0415 - only here

        catch_up(other, repository.worktree_id, repository.worktree)


def _append(layout: Layout, state: State, line: dict[str, Any], repository: Repository) -> None:
    where = {"worktree": repository.worktree, "worktree_id": repository.worktree_id}
    whose = {"transcript_path": state.transcript_path, "pid": state.host_pid, "pid_started": state.host_started}
    data = {**line["data"], **where, **{name: value for name, value in whose.items() if value}}
    tape.append(layout.tape(state.session_id), {**line, "facts": [], "data": data})


def _other(engine: Engine, layout: Layout) -> Engine:
    return type(engine)(layout, engine.clock_ns, engine.env)
