"""Forgetting one session: where something of it is, and taking it out of there for good."""

from __future__ import annotations

import json
import os
import shutil
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from attrs import frozen

from tapehead.archive.archive import Archive
from tapehead.checkpoints.checkpoint_ref import REF, Checkpoints
from tapehead.cli.here import known
from tapehead.documents import daily_log, hand_edited, threads
from tapehead.engine.guest_homes import where_guest
from tapehead.git.run import GitFailed
from tapehead.git.side import Side
from tapehead.history import forgetting
from tapehead.history.database import Database
from tapehead.memories.proposals import Rememberer
from tapehead.store import atomic, batons, tape
from tapehead.store.paths import is_session_id
from tapehead.store.state import State
from tapehead.text.wording import count, size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tapehead.engine.engine import Engine

_SNAPSHOTS = "snapshots of the work tree: sessions share them. They are deleted after 30 days"
_TRANSCRIPT = "the agent's own transcript; `tapehead import` and `tapehead archive` would take it in again"
_ID = "its id, where later sessions and snapshots name it"
_MEMORIES = "memories that you accepted or wrote, threads and decisions: `tapehead memories`, `thread`, `adr`"


@frozen
class Trace:
    """One place that holds something of the session."""

    place: str
    told: str
    erase: Callable[[], object]


def traces_of(engine: Engine, session_id: str) -> list[Trace]:
    """All that can be deleted, in the order in which it is: the tape goes last, so that a kill in between leaves a session to forget."""
    own = [path for path in _files(engine, session_id) if os.path.lexists(path)]
    told = f"{size(sum(map(size_of, own)))} in {count(len(own), 'file')}"
    last = [Trace("tape and state", told, lambda: _unlink(own))] if own else []
    return [
        *_elsewhere(engine, session_id),
        *_written_of(engine, session_id),
        *_told_of(engine, session_id),
        *_listed(engine, session_id),
        *last,
    ]


def _elsewhere(engine: Engine, session_id: str) -> Iterator[Trace]:
    """What other repositories have of it, in which it worked too."""
    for layout in where_guest(session_id, engine.env) if not engine.layout.is_guests else ():
        where = os.path.dirname(layout.shared).removesuffix(f"{os.sep}.git")
        for one in traces_of(type(engine)(layout, engine.clock_ns, engine.env), session_id):
            yield Trace(f"{one.place} in {where}", one.told, one.erase)


def _written_of(engine: Engine, session_id: str) -> Iterator[Trace]:
    """Files about it: what it was about, and what others were given of it."""
    folder = engine.layout.captures(session_id)
    if os.path.isdir(folder):
        yield Trace("captures and notes", size(size_of(folder)), lambda: shutil.rmtree(folder))
    archive = Archive(engine.layout)
    if kept := archive.kept(session_id):
        told = f"{size(sum(each.size for each in kept))} in {count(len(kept), 'file')}"
        yield Trace("kept transcripts", told, partial(archive.forget, session_id))
    for path in _handed_on(engine, session_id):
        yield Trace("briefs", f"given to session {path.split(os.sep)[-2][:8]}", partial(os.unlink, path))


def _told_of(engine: Engine, session_id: str) -> Iterator[Trace]:
    """What other records have of its words."""
    layout = engine.layout
    if os.path.exists(layout.memory):
        with Database(layout.memory) as database:
            entries = forgetting.entries_of(database, session_id)
        if entries:
            yield Trace("history", count(entries, "entry", "entries"), partial(_forget, layout.memory, session_id))
    if os.path.exists(os.path.join(layout.root, "proposals.json")):
        rememberer = Rememberer(layout, engine.settings)
        waiting = sum(one.source.startswith(f"session {session_id}, ") for one in rememberer.proposals())
        if waiting:
            told = f"{count(waiting, 'fact')} that wait for your word"
            yield Trace("proposals", told, partial(rememberer.forget_session, session_id))
    if days := daily_log.days_of(layout, session_id):
        yield Trace(
            "daily log", f"its lines on {count(len(days), 'day')}", partial(daily_log.forget, layout, session_id)
        )
    if session_id in hand_edited.text_of(threads.path(layout)).split():
        yield Trace("journal", "its lines in threads.md", partial(threads.forget, layout, session_id))


def _listed(engine: Engine, session_id: str) -> Iterator[Trace]:
    """Lines in lists that all sessions share."""
    layout, is_own = engine.layout, _is_of(session_id)
    for path in (layout.injections, layout.pointed, layout.reserved, *_places(engine)):
        if lines := sum(map(is_own, tape.unread(path, 0)[0])):
            told = f"{count(lines, 'line')} in {os.path.basename(path)}"
            yield Trace("shared lists", told, partial(tape.blank, path, is_own))
    if session_id in _offered(engine):
        yield Trace("handoff", "offered to the next start", partial(batons.drop_all, layout, session_id))


def find_archived(engine: Engine, wanted: str) -> State | None:
    """A session that gc put away, by its id or the beginning of it; None where there is none, or several."""
    with suppress(OSError):
        names = {name.rpartition(".")[0] for name in os.listdir(engine.layout.archive) if name.startswith(wanted)}
        ids = sorted(filter(is_session_id, names))
        if wanted and len(ids) == 1 and not os.path.exists(engine.layout.tape(ids[0])):
            return State(ids[0])
    return None


def stays(engine: Engine, session_id: str) -> list[str]:
    """What is not deleted, and why."""
    return [*_checkpoints(engine, session_id), _SNAPSHOTS, _TRANSCRIPT, _MEMORIES, _ID]


def _checkpoints(engine: Engine, session_id: str) -> Iterator[str]:
    """Those in this repository, and in others in which it worked too."""
    for layout in (engine.layout, *where_guest(session_id, engine.env)):
        common_dir = os.path.dirname(layout.shared)
        own = 0
        with suppress(GitFailed, OSError):
            kept = Checkpoints(Side(layout.lines, common_dir)) if os.path.isdir(layout.lines) else None
            own = (
                sum(bool((found := kept.get(one)) and found.session == session_id) for one in kept.ids()) if kept else 0
            )
        if own:
            where = f" of {common_dir.removesuffix(f'{os.sep}.git')}" if layout.is_guests else ""
            what = f"{count(own, 'checkpoint')} in {REF}{where}: git keeps its history, and others may have fetched it"
            yield f"{what}. docs/data.md says how to delete the ref"


def size_of(path: str) -> int:
    """The bytes of a file, or of all files below a directory."""
    if not os.path.isdir(path):
        return os.lstat(path).st_size if os.path.lexists(path) else 0
    return sum(size_of(os.path.join(path, name)) for name in os.listdir(path))


def _files(engine: Engine, session_id: str) -> Iterator[str]:
    layout = engine.layout
    for folder in (layout.archive, layout.sessions):
        for ending in (".json", ".seen", ".others", ".worker", ".lock", ".tape"):
            yield os.path.join(folder, session_id + ending)
    for folder, begins in ((layout.aside, f"{session_id}."), (os.path.join(layout.root, "reports"), session_id)):
        with suppress(OSError):
            yield from (os.path.join(folder, name) for name in os.listdir(folder) if name.startswith(begins))


def _handed_on(engine: Engine, session_id: str) -> list[str]:
    """What other sessions began with: the next one's brief and memo, and the briefs of those after it, which tell of it too."""
    later = {one for one, state in known(engine).items() if state.predecessor == session_id}
    folder = os.path.dirname(engine.layout.captures(session_id))
    given = [(one, os.path.join(folder, one, name)) for one in _names(folder) for name in ("handed.md", "memo.md")]
    there = [(one, path) for one, path in given if one != session_id and os.path.exists(path)]
    return [path for one, path in there if one in later or _names_it(path, session_id)]


def _names_it(path: str, session_id: str) -> bool:
    return session_id.encode() in atomic.read(path)


def _names(folder: str) -> list[str]:
    with suppress(OSError):
        return sorted(os.listdir(folder))
    return []


def _places(engine: Engine) -> list[str]:
    folder = os.path.dirname(engine.layout.place(""))
    return [os.path.join(folder, name) for name in _names(folder) if name.endswith(".tape")]


def _offered(engine: Engine) -> Iterator[str]:
    folder = os.path.dirname(engine.layout.baton(""))
    with suppress(OSError):
        for name in os.listdir(folder):
            if name.endswith(".json") and (baton := batons.look(engine.layout, name.removesuffix(".json"))):
                yield str(baton["session"])


def _is_of(session_id: str) -> Callable[[bytes], bool]:
    def is_of(line: bytes) -> bool:
        if session_id.encode() not in line:
            return False
        with suppress(ValueError, RecursionError):
            found = json.loads(line)
            return isinstance(found, dict) and session_id in map(found.get, ("session", "session_id", "to"))
        return False

    return is_of


def _forget(path: str, session_id: str) -> None:
    with Database(path) as database:
        forgetting.forget(database, session_id)


def _unlink(paths: list[str]) -> None:
    for path in paths:
        with suppress(FileNotFoundError):
            os.unlink(path)
