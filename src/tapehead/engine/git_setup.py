"""Our hooks in a repository of git's: put there because a user wanted it, and put back where another program took them out."""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from tapehead.actions.rewrites import follow
from tapehead.engine import commit_message
from tapehead.engine.commit_intake import take_in
from tapehead.engine.guest_homes import guests_of
from tapehead.engine.missed_commits import find_missed
from tapehead.git import hooks_install
from tapehead.git import layout as git_layout
from tapehead.git.reflog import find_amended
from tapehead.git.run import GitFailed
from tapehead.store import atomic, off_switch, starts, tape
from tapehead.store.paths import Layout, place_name
from tapehead.store.sessions import Unreadable

if TYPE_CHECKING:
    from tapehead.engine.engine import Engine
    from tapehead.engine.store_location import Place
    from tapehead.git.hooks_install import Change
    from tapehead.store.state import State


def set_up(place: Place, program: str, *, dry_run: bool) -> list[Change]:
    """Installs into this one repository, and remembers that it was asked for: nobody else's is ever changed unasked."""
    if dry_run:
        return hooks_install.plan_install(place.worktree, program)
    _catch_up_before(place)
    changes = hooks_install.install(place.worktree, program)
    atomic.write(Layout(place.roots[0]).git_hooks, json.dumps({"program": program}).encode() + b"\n")
    return changes


def _catch_up_before(place: Place) -> None:
    """Commits that were made without hooks are settled first: the next one must not be taken for theirs."""
    from tapehead.engine.engine import Engine  # noqa: PLC0415 - the worker, which looks after hooks, has it already

    if os.path.isdir(Layout(place.roots[0]).sessions):
        with suppress(OSError):
            catch_up(Engine(Layout(place.roots[0]), time.time_ns), place.worktree_id, place.worktree)


def take_down(place: Place, *, dry_run: bool) -> list[Change]:
    """Uninstalls, and forgets that it was asked for."""
    if not dry_run:
        with suppress(FileNotFoundError, NotADirectoryError):
            os.unlink(Layout(place.roots[0]).git_hooks)
        if place.repository:
            commit_message.forget(place.repository.git_dir)
    return hooks_install.uninstall(place.worktree, dry_run=dry_run)


def find_wanted(layout: Layout) -> str:
    """The program that the hooks of this repository are to call; nothing where nobody asked for hooks."""
    try:
        found = json.loads(atomic.read(layout.git_hooks))
    except (OSError, ValueError):
        return ""
    program = found.get("program") if isinstance(found, dict) else None
    return program if isinstance(program, str) else ""


def heal(layout: Layout, worktree: str) -> list[str]:
    """Puts back the hooks that were wanted and are not run any more; says which.

    husky turns git to a folder of its own, lefthook puts its script in the place of ours, and both do so again with every
    `npm install`: nobody would notice that checkpoints have stopped.
    """
    program = find_wanted(layout)
    if not program or not worktree or not os.access(program, os.X_OK) or not _is_ourselves(program):
        return []
    try:
        lost = hooks_install.missing(worktree)
        return [change.name for change in hooks_install.install(worktree, program) if change.changed] if lost else []
    except (GitFailed, OSError):
        return []


def _is_ourselves(program: str) -> bool:
    """Whether a program that a store names is the one that runs now: no store may name another for git to run."""
    own = os.path.join(os.path.dirname(sys.executable), "tapehead"), shutil.which("tapehead") or ""
    return os.path.realpath(program) in {os.path.realpath(path) for path in own if os.path.isabs(path)}


_SESSIONS = 8
"""As many of a work tree as a commit is told to."""


def look_after(engine: Engine, session_id: str) -> int:
    """Puts back lost hooks, and tells the sessions of the work tree of commits that they missed; how many this one did."""
    state = engine.store.load(session_id)
    if state is None:
        return 0
    heal(engine.layout, state.worktree_path)
    catch_up(engine, state.worktree_id, state.worktree_path, but=session_id)
    return _tell(engine, state)


def catch_up(engine: Engine, worktree_id: str, worktree: str, *, but: str = "") -> None:
    """Tells the sessions of a work tree of the commits that no hook told them of, and has them take their part.

    A repository into which our hooks were never put is one of these: there every commit is caught up on. Where tapehead is off, none is.
    """
    if off_switch.is_off((engine.layout,), engine.clock_ns()):
        return
    for layout, session_id in take_in(engine.layout, engine.env):
        if (layout.root, session_id) != (engine.layout.root, but):
            type(engine)(layout, engine.clock_ns, engine.env).settle(session_id, wait=0)
    for state in _here(engine, worktree_id, worktree):
        if state.session_id != but and _tell(engine, state):
            engine.settle(state.session_id, wait=0)


def catch_up_here(engine: Engine, place: Place) -> None:
    """The same for the work tree that a user stands in, before something is said of its commits."""
    if place.repository and place.repository.worktree:
        with suppress(OSError):  # where nothing can be written, what is known is told
            catch_up(engine, place.worktree_id, place.worktree)
            if guests := guests_of(engine.layout):
                catch_up(type(engine)(guests, engine.clock_ns, engine.env), place.worktree_id, place.worktree)
            if os.path.exists(engine.layout.rewrites):
                follow(engine.layout)


def _here(engine: Engine, worktree_id: str, worktree: str) -> list[State]:
    """The sessions of a work tree that a commit may concern: one that is over has nobody else to look after it."""
    found = []
    for start in starts.newest(engine.layout, place_name(worktree_id))[:_SESSIONS]:
        with suppress(Unreadable):
            state = engine.store.load(str(start["session"]))
            if state and not state.fully_condensed and state.worktree_path == worktree:
                found.append(state)
    return found


def _tell(engine: Engine, state: State) -> int:
    found = find_missed(engine.layout, state)
    repository = git_layout.find(state.worktree_path) if found else None
    for commit, branch in found:
        if repository and (old := find_amended(repository.git_dir, commit)):
            told: dict[str, object] = {"worktree": state.worktree_path, "pairs": [[old, commit]]}
            tape.append(engine.layout.rewrites, {"at": tape.instant(engine.clock_ns()), **told})
        engine.committed(state.session_id, commit, branch)
    return len(found)
