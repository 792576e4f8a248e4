"""`tapehead hook git NAME …`: what git's own hooks tell. Light; it never fails a commit, prints nothing, and reads no stdin.

A commit becomes a line on the tape of every session of this worktree that may have a part in it; the work is done detached.
"""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING

from tapehead import door
from tapehead.engine.store_location import Place, config_home, place_of
from tapehead.git import layout as git_layout
from tapehead.git.reflog import find_amended
from tapehead.statemachine.vocabulary import Event, Fact, Phase
from tapehead.store import off_switch, starts, tape
from tapehead.store.paths import Layout, place_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_MOST = 8
"""Sessions of one worktree that hear of a commit: the newest ones."""
_LARGEST = 1 << 26
_HEARD_LATELY = 16 * 1024
"""Bytes of a tape."""
_PHASES = {phase.value: phase for phase in Phase}
_TURN = (Event.TURN_START.value, Event.TURN_END.value, Event.TURN_FAILED.value)
_REWRITTEN = ("rebase-merge/rewritten-list", "rebase-apply/rewritten")


def run(words: list[str], env: Mapping[str, str]) -> None:
    """One hook of git's."""
    place = place_of(_here(env), env)
    hook = _HOOKS.get(words[0] if words else "")
    if off_switch.is_off(map(Layout, place.roots), time.time_ns()):
        if words[:1] == ["commits"] and place.roots:
            from tapehead.engine import commit_intake  # noqa: PLC0415 - only here

            commit_intake.discard(Layout(place.roots[0]))
        return
    if hook and place.repository and place.roots and os.path.isdir(place.roots[0]):
        hook(place, Layout(place.roots[0]), words[1:], env)


def _here(env: Mapping[str, str]) -> str:
    try:
        return os.getcwd()
    except OSError:
        return env.get("PWD", "") or os.sep


def _post_commit(place: Place, layout: Layout, words: list[str], env: Mapping[str, str]) -> None:  # noqa: ARG001 - one shape
    """The shell's part of the hook writes most commits down itself; this is for what it leaves to the program."""
    from tapehead.engine import commit_intake, commit_message  # noqa: PLC0415 - only here

    declined = commit_message.take_declined(_repository(place).git_dir)
    commit_intake.take_in(layout, env)  # those before this one
    branch, head = git_layout.head(_repository(place))
    for where, session_id in tell(place, layout, head, branch, rebasing=_is_rebasing(place), declined=declined):
        _work(where, session_id, env)


def tell(  # noqa: PLR0913 - all that is known of a commit
    place: Place,
    layout: Layout,
    head: str,
    branch: str,
    *,
    rebasing: bool = False,
    declined: bool = False,
    again: bool = False,
) -> list[tuple[Layout, str]]:
    """Puts a commit on the tapes of the sessions that it may concern; says which they are. `again`: some may have it already."""
    now = time.time_ns()
    if not rebasing and (old := find_amended(_repository(place).git_dir, head)):
        _rewritten(place, layout, [[old, head]])
    some = [(where, name) for where, name, _ in _sessions(place, layout)]
    sessions = [one for one in some if not (again and _has_heard(*one, head))]
    for where, session_id in sessions:
        line: dict[str, object] = {"id": tape.stamp(now, os.getpid()), "at": tape.instant(now), "host": "git"}
        line |= {"event": Event.GIT_COMMIT.value, "facts": [Fact.REBASING.value] if rebasing else []}
        data = {"commit": head, "branch": branch, **({"declined": True} if declined else {})}
        tape.append(where.tape(session_id), {**line, "data": data})
    return sessions  # all have heard of it by now: nobody's worker has to tell another


def _has_heard(layout: Layout, session_id: str, commit: str) -> bool:
    wanted = f'"commit":"{commit}"'.encode()
    return any(wanted in line for line in tape.tail(layout.tape(session_id), _HEARD_LATELY))


def _is_rebasing(place: Place) -> bool:
    return git_layout.rebasing(_repository(place).git_dir)


def _commits(place: Place, layout: Layout, words: list[str], env: Mapping[str, str]) -> None:  # noqa: ARG001 - one shape
    """In the background: what the shell's part of the hook wrote down."""
    from tapehead.engine import commit_intake  # noqa: PLC0415 - only here

    for where, session_id in commit_intake.take_in(layout, env):
        _work(where, session_id, env)


def _post_rewrite(place: Place, layout: Layout, words: list[str], env: Mapping[str, str]) -> None:
    """A rebase that is over. An amend is told by its commit."""
    if words[:1] != ["rebase"]:
        return
    pairs = _pairs(_repository(place).git_dir)
    if pairs:
        _rewritten(place, layout, pairs)
        for where, session_id, _ in _sessions(place, layout)[:1]:
            _work(where, session_id, env)


def _rewritten(place: Place, layout: Layout, pairs: list[list[str]]) -> None:
    now = tape.instant(time.time_ns())
    tape.append(layout.rewrites, {"at": now, "worktree": place.worktree, "pairs": pairs})


def _pairs(git_dir: str) -> list[list[str]]:
    """Git's own list, which it is about to remove: stdin belongs to whatever hook comes after us."""
    for name in _REWRITTEN:
        try:
            listed = (
                door.read(os.path.join(git_dir, *name.split("/")), _LARGEST).decode("ascii", "replace").splitlines()
            )
            return [line.split()[:2] for line in listed if len(line.split()) > 1]
        except OSError:
            continue
    return []


def _prepare(place: Place, layout: Layout, words: list[str], env: Mapping[str, str]) -> None:
    """Reserves an id for each session that has a part in the work, and names it in the message."""
    from tapehead.engine import commit_message  # noqa: PLC0415 - only here

    git_dir = _repository(place).git_dir
    commit_message.forget(git_dir)
    source = words[1] if len(words) > 1 else ""
    if not words or source in ("merge", "squash") or git_layout.rebasing(git_dir):
        return
    if source == "message" and (before := _of_an_amend(place)):
        if _wanted(layout, "checkpoints.trailer", env):
            commit_message.prepare_message(words[0], source, {name: name for name in before}, env)
        return
    sessions = _with_a_part(place, layout, env)
    if not sessions or not _wanted(layout, "checkpoints.trailer", env):
        return
    promised = {session_id: os.urandom(6).hex() for session_id in sessions}
    commit_message.prepare_message(words[0], source, promised, env, lambda promised: _reserve(layout, promised))


def _of_an_amend(place: Place) -> list[str]:
    """The ids in the message that an amend takes the place of: they are the same commit's."""
    from tapehead.engine import amend  # noqa: PLC0415 - only for a message that was given
    from tapehead.git import trailers  # noqa: PLC0415 - as above

    return trailers.found(amend.message_of_head(place.worktree)) if amend.amends(os.getppid()) else []


def _commit_msg(place: Place, layout: Layout, words: list[str], env: Mapping[str, str]) -> None:  # noqa: ARG001 - one shape
    """After an editor: what waited for it goes into the message, or a message that has nothing else is made empty again."""
    from tapehead.engine import commit_message  # noqa: PLC0415 - only here

    if words:
        commit_message.finish_message(words[0], lambda promised: _reserve(layout, promised))


def _reserve(layout: Layout, promised: dict[str, str]) -> None:
    now = tape.instant(time.time_ns())
    for session_id, reserved in promised.items():
        tape.append(layout.reserved, {"id": reserved, "session": session_id, "at": now})


def _pre_push(place: Place, layout: Layout, words: list[str], env: Mapping[str, str]) -> None:
    """Takes the checkpoints along, detached, where the settings ask for it: a push must not wait for another."""
    if words and _wanted(layout, "checkpoints.push", env):
        from tapehead.engine.background import run_detached  # noqa: PLC0415 - only here
        from tapehead.settings.loading import load  # noqa: PLC0415 - as above

        remote = load(layout.root, config_home(env), env).text("checkpoints.remote") or words[0]
        run_detached("tapehead.engine.background_sync", [layout.root, place.worktree, remote], env)


def _wanted(layout: Layout, setting: str, env: Mapping[str, str]) -> bool:
    from tapehead.settings.loading import load  # noqa: PLC0415 - only where it matters

    return load(layout.root, config_home(env), env).flag(setting)


def _sessions(place: Place, layout: Layout) -> list[tuple[Layout, str, dict[str, object]]]:
    """The sessions that a commit in this worktree may concern, newest first, each with what its state file says.

    Behind the store's own those that work here and have their store elsewhere (`other_repositories`).
    """
    found: list[tuple[Layout, str, dict[str, object]]] = []
    for where in (layout, *((Layout(layout.guests),) if os.path.isdir(layout.guests) else ())):
        for start in starts.newest(where, place_name(place.worktree_id)):
            session_id = str(start["session"])
            state = _state(where, session_id)
            if state is not None and not state.get("fully_condensed"):
                found.append((where, session_id, state))
    return found[:_MOST]


def _state(layout: Layout, session_id: str) -> dict[str, object] | None:
    """A look at the saved state, not a load of it; one that has none yet but a tape is open. None for one that is gone."""
    try:
        found = json.loads(door.read(layout.state(session_id), _LARGEST, follow=False))
        return found if isinstance(found, dict) else {}
    except (OSError, ValueError):
        return {} if os.path.exists(layout.tape(session_id)) else None


def _with_a_part(place: Place, layout: Layout, env: Mapping[str, str]) -> list[str]:
    """The sessions that are at work or touched files, and of those the ones whose work is in what is staged.

    One that was handed a brief and got no prompt yet did nothing.
    """
    found = [(*one, _is_at_work(*one)) for one in _sessions(place, layout)]
    some = [one for one in found if one[3] or one[2].get("files_touched")]
    if not some:
        return []
    from tapehead.engine.staged import Staged  # noqa: PLC0415 - only where somebody may have a part

    staged = {where.root: Staged(where, _repository(place), env) for where, *_ in some}
    return [
        name
        for where, name, state, at_work in some
        if staged[where.root].has_part(name, _touched(state), at_work=at_work)
    ]


def _touched(state: dict[str, object]) -> set[str]:
    found = state.get("files_touched")
    return {path for path in found if isinstance(path, str)} if isinstance(found, list) else set()


def _is_at_work(layout: Layout, session_id: str, state: dict[str, object]) -> bool:
    """Whether its turn runs. One that began or ended since the state was saved counts too: no worker may have come to it yet."""
    phase = _PHASES.get(str(state.get("phase")), Phase.IDLE)
    if phase.is_working or (not phase.is_closed and state.get("unanswered") is True):
        return True
    from tapehead.engine.current_phase import unread  # noqa: PLC0415 - only where the saved state knows of no work

    return any(_tells_of_a_turn(line) for line in unread(layout, session_id, state))


def _tells_of_a_turn(line: bytes) -> bool:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and found.get("event") in _TURN


def _repository(place: Place) -> git_layout.Repository:
    if place.repository is None:
        raise LookupError("not in a repository")
    return place.repository


def _work(layout: Layout, session_id: str, env: Mapping[str, str]) -> None:
    from tapehead.engine.background import start  # noqa: PLC0415 - only here

    try:
        start(layout, session_id, env)
    except OSError:
        return  # the line is on the tape: the next one that comes along does the work


_HOOKS: dict[str, Callable[[Place, Layout, list[str], Mapping[str, str]], None]] = {
    "prepare-commit-msg": _prepare,
    "commit-msg": _commit_msg,
    "post-commit": _post_commit,
    "commits": _commits,
    "post-rewrite": _post_rewrite,
    "pre-push": _pre_push,
}
