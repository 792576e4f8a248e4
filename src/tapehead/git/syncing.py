"""Checkpoints between machines: fetched from any remote that git knows, united with ours, pushed back. No branch, no tag, no index.

What is fetched lies below `refs/tapehead/remotes/`; a push moves the remote's ref forward only, so of two machines that push at
once the second fetches again. Where the remote cannot be reached nothing changes, and the next sync catches up.
"""

from __future__ import annotations

import os

import attrs

from tapehead.git.checkpoints import REF, Checkpoints
from tapehead.git.handoffs import Handoffs, slug
from tapehead.git.run import GitFailed, git
from tapehead.git.uniting import unite

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from tapehead.git.side import Side

_SECONDS = 120.0
_TRIES = 6
_QUIETLY = ("-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "fetch.fsckObjects=true")


class Unreachable(Exception):
    """The remote did not answer; with what git said of it, without secrets."""


def _unreachable(error: GitFailed) -> Unreachable:
    from tapehead.text.mask import mask  # noqa: PLC0415 - only where it failed
    from tapehead.text.plain import plain  # noqa: PLC0415 - as above

    return Unreachable(f"{error}: {plain(mask(error.said))}" if error.said else str(error))


@attrs.frozen
class Synced:
    """What came and what went."""

    remote: str
    received: int
    """Checkpoints that we did not have."""
    sent: int
    """Checkpoints that they did not have."""


def remotes(directory: str) -> list[str]:
    """The remotes that git knows by name."""
    return git(directory, "remote", timeout=_SECONDS).decode("utf-8", "surrogateescape").split()


def sync(ours: Checkpoints, remote: str, at: int) -> Synced:
    """Brings both sides to the same checkpoints. Raises Unreachable."""
    before = set(ours.ids())
    theirs_before: set[str] | None = None
    refused: GitFailed | None = None
    for _ in range(_TRIES):
        theirs = _fetched(ours, remote)
        if theirs_before is None:
            theirs_before = set(_ids_at(ours, theirs))
        tip = unite(ours, theirs, at)
        refused = _pushed(ours, remote) if tip and tip != theirs else None
        if refused is None:
            now = set(ours.ids())
            _note(ours, remote, tip)
            return Synced(remote, len(now - before), len(now - theirs_before))
    raise _unreachable(refused or GitFailed(f"{remote} did not take them"))


def sync_all(side: Side, remote: str, at: int) -> Synced:
    """The same for all that a remote keeps: checkpoints, and what was handed over through it. Counts the checkpoints."""
    done = sync(Checkpoints(side), remote, at)
    sync(Handoffs(side, remote).kept, remote, at)
    return done


def tracking(remote: str, shared: str = REF) -> str:
    """The ref that says what a remote had when we last looked."""
    return f"refs/tapehead/remotes/{slug(remote)}/{shared.rpartition('/')[2]}"


def _fetched(ours: Checkpoints, remote: str) -> str:
    """Their commit; nothing where they have none yet."""
    where = _where(ours)
    try:
        listed = git(where, "ls-remote", "--quiet", "--", remote, ours.shared, timeout=_SECONDS)
    except GitFailed as error:
        raise _unreachable(error) from None
    if not listed.strip():
        return ""
    there = tracking(remote, ours.shared)
    spec = f"+{ours.shared}:{there}"
    words = ("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--", remote, spec)
    try:
        git(where, *_QUIETLY, *words, timeout=_SECONDS)
        return git(where, "rev-parse", "--verify", there, timeout=_SECONDS).decode("ascii").strip()
    except GitFailed as error:
        raise _unreachable(error) from None


def _where(ours: Checkpoints) -> str:
    """Where git is started to talk to a remote: a remote's path may be told from the work tree (`../other.git`)."""
    above, name = os.path.split(ours.side.common_dir)
    return above if name == ".git" else ours.side.common_dir


def _pushed(ours: Checkpoints, remote: str) -> GitFailed | None:
    """Why it was not taken; None where it was."""
    words = ("push", "--quiet", "--no-verify", "--no-recurse-submodules", "--", remote, f"{ours.ref}:{ours.shared}")
    try:
        git(_where(ours), *_QUIETLY, *words, timeout=_SECONDS)
    except GitFailed as error:
        return error
    return None


def _note(ours: Checkpoints, remote: str, tip: str) -> None:
    """What the remote has now, for whoever asks whether something is left to push."""
    if tip:
        git(ours.side.common_dir, "update-ref", tracking(remote, ours.shared), tip, timeout=_SECONDS)


def _ids_at(ours: Checkpoints, commit: str) -> list[str]:
    return type(ours)(ours.side, commit).ids() if commit else []
