"""Checkpoints between machines: fetched from any remote that git knows, united with ours, pushed back. No branch, no tag, no index.

What is fetched lies below `refs/tapehead/remotes/`; a push moves the remote's ref forward only, so of two machines that push at
once the second fetches again. Where the remote cannot be reached nothing changes, and the next sync catches up.
"""

from __future__ import annotations

import os
import time
from functools import partial
from typing import TYPE_CHECKING

import attrs

from tapehead.checkpoints import ref_repair
from tapehead.checkpoints.checkpoint_ref import REF, Checkpoints, is_checkpoint
from tapehead.checkpoints.handoff_ref import Handoffs, slug
from tapehead.checkpoints.incoming import Incoming
from tapehead.checkpoints.shared_ref import Shared
from tapehead.checkpoints.tree_listing import added
from tapehead.checkpoints.union import unite
from tapehead.git import kept_packs, transport
from tapehead.git.run import GitFailed, git

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapehead.git.side import Side

_SECONDS = 30.0
_LONGEST = 300.0
"""Seconds that one sync may take in all, however slowly a remote answers."""
_TRIES = 6
REFUSED = "refs/tapehead/refused"
"""Here, with a ref below it for each state of a remote of which something was refused."""


class Unreachable(Exception):
    """The remote did not answer, or is not to be talked to; with what git said of it, without secrets."""


class Stuck(Unreachable):
    """It answered, and a fetch or a push failed all the same: a ref of ours may be broken."""


def _unreachable(error: GitFailed, kind: type[Unreachable] = Unreachable) -> Unreachable:
    from tapehead.text.plain import plain  # noqa: PLC0415 - as above
    from tapehead.text.redaction import redact  # noqa: PLC0415 - only where it failed

    return kind(f"{error}: {plain(redact(error.said))}" if error.said else str(error))


@attrs.frozen
class Synced:
    """What came and what went."""

    remote: str
    received: int
    """Checkpoints that we did not have."""
    sent: int
    """Checkpoints that they did not have."""
    refused: dict[str, str] = attrs.field(factory=dict)
    """What they changed or took away and we did not: by checkpoint, handoff or file, why. Each is told once."""
    kept_as: str = ""
    """The ref that names what was refused."""
    lost: int = 0
    """Checkpoints that they had when we last looked, and have no more."""


def remotes(directory: str) -> list[str]:
    """The remotes that git knows by name."""
    return git(directory, "remote", timeout=_SECONDS).decode("utf-8", "surrogateescape").split()


def sync(ours: Checkpoints, remote: str, at: int, tell: Callable[[str], None] = lambda _: None) -> Synced:
    """Brings both sides to the same checkpoints. Raises Unreachable."""
    return _Sync(ours, remote, at, tell).done()


def sync_all(side: Side, remote: str, at: int, tell: Callable[[str], None] = lambda _: None) -> Synced:
    """The same for all that a remote keeps: checkpoints, what was handed over through it, and what a team shares. Counts the checkpoints.

    `tell` hears what is under way, for a user who waits.
    """
    ref_repair.mend_news(side)  # git neither fetches nor pushes where a ref is broken
    try:
        return _sync_each(side, remote, at, tell)
    except Stuck:
        if not ref_repair.mend_all(side):
            raise
        return _sync_each(side, remote, at, tell)


def _sync_each(side: Side, remote: str, at: int, tell: Callable[[str], None]) -> Synced:
    first = _Sync(Checkpoints(side), remote, at, lambda step: tell(f"{step} checkpoints"))
    second = _Sync(Handoffs(side, remote).kept, remote, at, lambda step: tell(f"{step} handoffs"))
    third = _Sync(Shared(side).kept, remote, at, lambda step: tell(f"{step} shared memories"))
    first.also = (second.ours.shared, third.ours.shared)  # each question is a connection of its own
    second.told = third.told = first.told
    done, handed, team = first.done(), second.done(), third.done()
    refused = {**done.refused, **handed.refused, **team.refused}
    return attrs.evolve(done, refused=refused, kept_as=done.kept_as or handed.kept_as or team.kept_as)


class _Sync:
    """One sync of one ref."""

    def __init__(self, ours: Checkpoints, remote: str, at: int, tell: Callable[[str], None]) -> None:
        if why := transport.why_refused(remote):
            raise Unreachable(why)
        self.ours, self.remote, self.at, self.tell = ours, remote, at, tell
        self.there = tracking(remote, ours.shared)
        self.until = time.monotonic() + _LONGEST
        self.told: dict[str, str] = {}
        """What the remote said of its refs already; each answer counts once."""
        self.also: tuple[str, ...] = ()
        """Refs that the first question asks for too."""

    def done(self) -> Synced:
        self.until = time.monotonic() + _LONGEST
        before, had = self.ours.tip(), type(self.ours)(self.ours.side, self.there).tip()
        theirs_before: str | None = None
        refused: dict[str, str] = {}
        kept_as = ""
        said: GitFailed | None = None
        for _ in range(_TRIES):
            self.tell("fetching")
            theirs = self._fetched()
            self.tell("comparing")
            if theirs_before is None:
                theirs_before = theirs
            united = unite(self.ours, theirs, self.at)
            if united.refused and (ref := self._kept_aside(theirs)):
                refused, kept_as = {**refused, **united.refused}, ref
            self.tell("pushing")
            said = self._pushed() if united.tip and united.ahead else None
            if said is None:
                now = self.ours.tip()
                came, went = self._gained(before, now), self._gained(theirs_before, now)
                lost = self._gained(theirs_before, had)
                self._note(united.tip if united.ahead else theirs)
                return Synced(self.remote, came, went, refused, kept_as, lost)
        raise _unreachable(said or GitFailed(f"{self.remote} did not take them"), Stuck)

    def _gained(self, old: str, new: str) -> int:
        """How many checkpoints one commit has that another has not."""
        run = partial(git, self.ours.side.common_dir, timeout=_SECONDS, most=1 << 28)
        try:
            return sum(map(is_checkpoint, added(run, old, new)))
        except GitFailed as error:  # what they had once may be gone by now
            error.raise_if_killed()
            return 0

    def _fetched(self) -> str:
        """Their commit, now among the user's objects and named by our ref for it; nothing where they have none yet."""
        theirs = self._listed()
        if not theirs or theirs == self.ours.tip():
            return theirs
        self._fetch(theirs)
        # It may have lain here already, and a prune took it meanwhile.
        if not kept_packs.is_whole(self.ours.side.common_dir, theirs, self.ours.tip()):
            git(self.ours.side.common_dir, "update-ref", "--no-deref", "-d", self.there, timeout=_SECONDS)
            self._fetch(theirs)
        return theirs

    def _fetch(self, theirs: str) -> None:
        with Incoming(self.ours.side) as incoming:
            words = ("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--refmap=")
            self._talk(*words, "--", self.remote, self.ours.shared, env=incoming.env)
            if incoming.kind(theirs) != "commit":
                raise Unreachable(f"what {self.remote} has as {self.ours.shared} is no commit")
            incoming.take()
            self._note(theirs)

    def _listed(self) -> str:
        """The name of their commit."""
        shared = self.ours.shared
        if shared not in self.told:
            self.told |= self._asked(shared, *self.also)
            self.also = ()
        return self.told.pop(shared)

    def _asked(self, *refs: str) -> dict[str, str]:
        """What the remote has as these refs. A pattern of git's fits every ref that ends so; only the very one counts."""
        raw = self._talk("ls-remote", "--quiet", "--", self.remote, *refs)
        rows = (row.split("\t") for row in raw.decode("utf-8", "replace").splitlines())
        found = {row[1]: row[0] for row in rows if len(row) > 1}
        return {ref: found.get(ref, "") for ref in refs}

    def _talk(self, *words: str, env: dict[str, str] | None = None) -> bytes:
        seconds = min(transport.SECONDS, self.until - time.monotonic())
        try:
            return transport.talk(_where(self.ours), *words, seconds=max(seconds, 0.0), env=env)
        except GitFailed as error:
            raise _unreachable(error, Stuck if words[0] == "fetch" else Unreachable) from None

    def _pushed(self) -> GitFailed | None:
        """Why it was not taken; None where it was."""
        words = ("push", "--quiet", "--no-verify", "--no-recurse-submodules", "--")
        seconds = max(min(transport.SECONDS, self.until - time.monotonic()), 0.0)
        try:
            spec = f"{self.ours.ref}:{self.ours.shared}"
            transport.talk(_where(self.ours), *words, self.remote, spec, seconds=seconds)
        except GitFailed as error:
            return error
        return None

    def _kept_aside(self, theirs: str) -> str:
        """A ref of its own for what was not taken, so that somebody can look at it; nothing where it was told before."""
        ref = f"{REFUSED}/{slug(self.remote)}/{self.ours.shared.rpartition('/')[2]}/{theirs[:12]}"
        if Checkpoints(self.ours.side, ref).tip() == theirs:
            return ""
        git(self.ours.side.common_dir, "update-ref", "--no-deref", ref, theirs, timeout=_SECONDS)
        return ref

    def _note(self, name: str) -> None:
        """What the remote has now, for whoever asks whether something is left to push."""
        if name:
            git(self.ours.side.common_dir, "update-ref", "--no-deref", self.there, name, timeout=_SECONDS)


def tracking(remote: str, shared: str = REF) -> str:
    """The ref that says what a remote had when we last looked."""
    return f"refs/tapehead/remotes/{slug(remote)}/{shared.rpartition('/')[2]}"


def _where(ours: Checkpoints) -> str:
    """Where git is started to talk to a remote: a remote's path may be told from the work tree (`../other.git`)."""
    above, name = os.path.split(ours.side.common_dir)
    return above if name == ".git" else ours.side.common_dir
