"""The session that a branch's newest checkpoint is of: what `resume BRANCH` goes on with, here or from another machine."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from tapehead.agents.registry import HOSTS
from tapehead.attribution.copies import Copies
from tapehead.attribution.explanation import unpacked
from tapehead.checkpoints.checkpoint import TRANSCRIPT
from tapehead.checkpoints.checkpoint_ref import Checkpoints
from tapehead.checkpoints.handoff_ref import slug
from tapehead.cli.output import Failure, console
from tapehead.git import layout as git_layout
from tapehead.git.run import GitFailed, git
from tapehead.git.side import Side
from tapehead.handoff.arrival import Busy, Place, Sender, receive
from tapehead.handoff.from_checkpoints import parcel
from tapehead.handoff.unpacking import TooMuch
from tapehead.store.origin import is_own
from tapehead.store.paths import is_session_id
from tapehead.text.fence import quote

if TYPE_CHECKING:
    from tapehead.checkpoints.checkpoint import Checkpoint
    from tapehead.cli.here import Here

_SECONDS = 20.0
_COMMITS = 200
"""Of the branch, the newest, among which one must have a checkpoint."""
_PARTS = 40
"""Checkpoints of the session that are taken along, the newest."""
_REMOTES = ("upstream", "origin")


class BranchSession(NamedTuple):
    """What there is to go on from."""

    branch: str
    parts: tuple[Checkpoint, ...]
    """The checkpoints of its session on the branch, the newest last."""
    remote: str
    by: str
    """Who committed it, by their own word."""
    is_here: bool
    """Whether the session was recorded in this store."""

    @property
    def newest(self) -> Checkpoint:
        return self.parts[-1]

    def data(self) -> dict[str, Any]:
        """For --json."""
        newest = self.newest
        names = ("session", "agent", "model", "commit", "last_turn", "updated_at")
        about = {name: getattr(newest, name) for name in names}
        who = {} if self.is_here else {"remote": self.remote, "by": self.by, "verified": False}
        asked = newest.prompts[-1] if newest.prompts else ""
        return {"branch": self.branch, "checkpoint": newest.id, **about, "asked": asked, "here": self.is_here, **who}


def find_branch_session(at: Here, branch: str) -> BranchSession | None:
    """None where there is no such branch. Raises Failure where none of its newest commits has a checkpoint."""
    repository = at.place.repository
    if repository is None:
        return None
    where = repository.worktree or repository.common_dir
    name, commits = _commits(where, branch)
    if not commits:
        return None
    side = Side(at.engine.layout.lines, repository.common_dir)
    side.ready()
    parts = _parts(Checkpoints(side), where, commits)
    if not parts:
        raise Failure(
            f"No checkpoint on {branch}", "`tapehead sync` fetches checkpoints; `tapehead resume` lists sessions"
        )
    newest = parts[-1]
    if not is_session_id(newest.session) or newest.agent not in HOSTS:
        raise Failure(
            f"The newest checkpoint on {branch} names no session that can be continued",
            f"read it: `tapehead explain {newest.commit[:10]} --brief`",
        )
    by = git(where, "log", "-1", "--format=%an", commits[0], "--", timeout=_SECONDS).decode("utf-8", "replace").strip()
    remote = at.engine.settings.text("checkpoints.remote") or _remote(where, name)
    return BranchSession(name, parts, remote, by, is_own(at.engine.layout, newest.session))


def bring_in(at: Here, found: BranchSession) -> None:
    """Makes a session of another machine one of this store, as far as its checkpoints tell. Done again, it is the same."""
    if found.is_here or at.place.repository is None:
        return
    kept = Checkpoints(Side(at.engine.layout.lines, at.place.repository.common_dir))
    parts = [(one, unpacked(kept.file(one.id, TRANSCRIPT) or b"")) for one in found.parts]
    place = Place(at.place.worktree, at.place.worktree_id, at.engine.clock_ns(), os.getpid())
    session = found.newest.session
    try:
        receive(at.engine.layout, parcel(parts), place, Sender(session, slug(found.remote), found.by))
    except (OSError, Busy, TooMuch) as error:
        raise Failure(f"Can't take over session {session[:8]}: {error}", "nothing is lost; try again") from None
    if session not in at.engine.store.list():
        raise Failure(
            f"Session {session[:8]} was brought here before, in another way", "`tapehead resume` lists sessions"
        )
    console().print(
        f"Session {session[:8]} worked on another machine (by {quote(found.by, 60) or 'an unknown author'}, not verified). "
        f"Its checkpoints tell of it up to turn {found.newest.last_turn}.",
        soft_wrap=True,
    )
    if found.newest.commit != git_layout.head(at.place.repository)[1]:
        console().print(f"The work stood at {quote(found.newest.commit[:10], 10)}; this worktree is at another commit.")


def _commits(where: str, branch: str) -> tuple[str, list[str]]:
    """The newest commits of a branch, which may be one that was only fetched."""
    for name in (branch, *(f"{remote}/{branch}" for remote in reversed(_REMOTES))):
        try:
            words = ("rev-list", f"--max-count={_COMMITS}", "--end-of-options", name, "--")
            return name, git(where, *words, timeout=_SECONDS).decode("ascii").split()
        except GitFailed:
            continue
    return branch, []


def _remote(where: str, branch: str) -> str:
    """The remote that a branch comes from; what git does not say is the usual one."""
    try:
        said = git(where, "config", "--get", f"branch.{branch}.remote", timeout=_SECONDS)
    except GitFailed:
        return branch.partition("/")[0] if branch.partition("/")[0] in _REMOTES else "origin"
    return said.decode("utf-8", "replace").strip() or "origin"


def _parts(kept: Checkpoints, where: str, commits: list[str]) -> tuple[Checkpoint, ...]:
    """The checkpoints of the session that the newest of them is of, oldest first."""
    records = Copies(kept, where).records(commits)
    found: dict[str, Checkpoint] = {}
    session = ""
    for commit in commits:
        ids = records[commit].checkpoints if commit in records else ()
        known = [one for name in ids if (one := kept.get(name))]
        if known and not session:
            session = max(known, key=lambda one: one.updated_at).session
        found |= {one.id: one for one in known if one.session == session}
    newest = sorted(found.values(), key=lambda one: (one.last_turn, one.updated_at))
    return tuple(newest[-_PARTS:])
