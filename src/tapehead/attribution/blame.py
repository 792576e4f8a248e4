"""`blame`: every line of a file in the work tree with whose it is, and the checkpoint that says so."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, NamedTuple

from tapehead import door
from tapehead.attribution import stashes
from tapehead.attribution.committed_lines import History
from tapehead.attribution.copies import Copies
from tapehead.attribution.evidence import gather, judge
from tapehead.attribution.last_work import is_late
from tapehead.attribution.snapshots import Chain, Known
from tapehead.attribution.unclear_commits import UnclearCommits
from tapehead.attribution.uncommitted_again import come_back
from tapehead.checkpoints import line_owners
from tapehead.checkpoints.checkpoint_ref import Checkpoints
from tapehead.git import layout as git_layout
from tapehead.git.run import git
from tapehead.git.side import Side
from tapehead.git.trees import Trees
from tapehead.store.paths import place_name
from tapehead.store.sessions import StateStore, Unreadable

if TYPE_CHECKING:
    from tapehead.git.hunks import FileDiff
    from tapehead.git.layout import Repository
    from tapehead.git.trees import Recorded
    from tapehead.store.paths import Layout


_SECONDS = 20.0


AGENT, HUMAN, UNKNOWN = "agent", "human", "not known"


class Blamed(NamedTuple):
    """One line."""

    number: int
    text: str
    who: str
    """AGENT, HUMAN or UNKNOWN."""
    session: str
    """Of the agent that wrote it; else empty."""
    commit: str
    """That brought it; empty where it is not committed."""
    checkpoints: tuple[str, ...]


class TooLarge(Exception):
    """A change of a file is too large to attribute."""


class Blame:
    """One file as it lies there now: what is committed by history, what is not by the newest mark."""

    def __init__(self, layout: Layout, repository: Repository, path: str, revision: str = "") -> None:
        """`revision` asks for how the file was at a commit. Raises GitFailed where git knows no such one."""
        side = Side(layout.lines, repository.common_dir)
        side.ready()
        name = place_name(repository.worktree_id)
        self.layout = layout
        self.chain = Chain(side, name, repository.git_dir)
        self.file = path
        self.worktree = repository.worktree
        self.common_dir = repository.common_dir
        self.path = os.fsencode(os.path.relpath(os.path.realpath(path), os.path.realpath(repository.worktree)))
        self.kept = Checkpoints(side)
        self.records = Copies(self.kept, repository.worktree)
        self.history = History(repository.worktree, self.records.records, side.path)
        self.revision = revision
        self.committed: FileDiff | None = None
        self.lately: FileDiff | None = None
        newest = self.chain.tip()
        if revision:
            words = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
            self.head, self.seen = git(self.worktree, *words, timeout=_SECONDS).decode("ascii").strip(), newest
        else:
            self._look_at_work_tree(Trees(repository, side, name).record(), newest)
        self._checkpoints: dict[str, tuple[str, ...]] = {}
        """By commit, of those that have a line in the file."""
        self.unclear = UnclearCommits(self.kept, repository)
        self._unclear: set[str] = set()
        """Those of them that have a line in the file."""

    def _look_at_work_tree(self, now: Recorded, newest: Known) -> None:
        self.head, self.tree = now.head, now.tree
        self.seen = newest if newest.mark else Known(work=now.tree, head=now.head)
        again, since = come_back(self.chain, self.seen, now.head, now.tree)
        self.again, self.since = again.get(self.path, ()), since.get(self.path, [])
        self.committed = self._diff(self.chain, now.head, now.tree)
        self.lately = self._diff(self.chain, self.seen.work, now.tree)

    def lines(self) -> list[Blamed]:
        """Every line. Raises OSError where the file cannot be read, TooLarge where nobody can say whose its lines are."""
        texts = self._content().decode("utf-8", "replace").split("\n")
        texts = texts[:-1] if texts[-1] == "" else texts
        if any(diff and diff.is_large for diff in (self.committed, self.lately)):
            raise TooLarge(self.file)
        owned = self._owned(len(texts))
        commits = {commit for _, commit in owned.values() if commit}
        self._checkpoints = {name: record.checkpoints for name, record in self.records.records(commits).items()}
        self._unclear = self.unclear.among(commits)
        return [self._line(number, text, *owned.get(number, ("", ""))) for number, text in enumerate(texts, 1)]

    def _content(self) -> bytes:
        if self.revision:
            name = f"{self.head}:{os.fsdecode(self.path)}"
            return git(self.worktree, "cat-file", "blob", name, timeout=_SECONDS, most=1 << 27)
        with door.open_reader(self.file) as file:
            return file.read()

    def _line(self, number: int, text: str, session: str, commit: str) -> Blamed:
        if not session and commit in self._unclear:
            session = line_owners.NOT_KNOWN
        if not line_owners.is_agent(session):
            return Blamed(number, text, UNKNOWN if session else HUMAN, "", commit, ())
        return Blamed(number, text, AGENT, session, commit, self._checkpoints.get(commit, ()))

    def _owned(self, count: int) -> dict[int, tuple[str, str]]:
        """By line, its session and the commit that brought it."""
        found: dict[int, tuple[str, str]] = {}
        every = [(1, count)]
        _, there, new = line_owners.came_from(self.committed, (), every)
        if not self.head:
            there, new = [], every
        name = self.committed.old if self.committed else self.path
        origins = self.history.blame(self.head, name) if there else []
        for first, many, old in there:
            for step in range(many):
                line = old + step
                commit = origins[line - 1][0] if line <= len(origins) else ""
                found[first + step] = (self.history.owner(self.head, name, line), commit)
        same, new = line_owners.kept(self.committed, new)
        for first, many, source, old in same:  # set in otherwise, or moved: it is not committed so, and whose it was
            found |= {first + step: (self.history.owner(self.head, source, old + step), "") for step in range(many)}
        for first, many, owner in self._uncommitted(new) if new else ():
            found |= dict.fromkeys(range(first, first + many), (owner, ""))
        return found

    def _uncommitted(self, lines: list[line_owners.Range]) -> list[line_owners.Run]:
        """Whose they are: by the newest mark; where that has not seen them, whoever's who is at work."""
        runs = self.seen.files.get(self.lately.old if self.lately else self.path, ())
        named, there, absent = line_owners.came_from(self.lately, runs, lines)
        same, absent = line_owners.kept(self.lately, absent)
        for first, many, source, old in same:
            cut = line_owners.cut(self.seen.files.get(source, ()), old, many)
            named += [(start - old + first, length, owner) for start, length, owner in cut]
        out: dict[bytes, list[line_owners.Run]] = {}
        if absent and self.seen.stashes:
            absent = stashes.taken(self.chain, self.seen.stashes, self.tree, {self.path: absent}, out).get(
                self.path, []
            )
        named += out.get(self.path, [])
        fresh = line_owners.minus(absent, self.since)
        known = [(first, many) for first, many, _ in there] + line_owners.both(absent, self.since)
        again = [piece for first, many in known for piece in line_owners.cut(self.again, first, many)]
        return [*named, *self._lately(fresh), *again]

    def _lately(self, fresh: list[line_owners.Range]) -> list[line_owners.Run]:
        """Whose lines are that no mark has seen."""
        some = bool(fresh and self.seen.open)
        evidence = gather(self.layout, None, self.seen, self.worktree, time.time_ns()) if some else None
        if evidence:
            return judge(self.chain.side, evidence, self.tree, {self.path: fresh}, self.seen.at_work)[self.path]
        return [(first, many, self._at_work()) for first, many in fresh]

    def _at_work(self) -> str:
        """Whoever is, unless its turn was over when the file was last written."""
        session = self.seen.at_work
        try:
            state = StateStore(self.layout).load(session) if session else None
        except Unreadable:
            state = None
        late = state is not None and is_late(state, self.seen, self.worktree)(self.path)
        return line_owners.HUMAN if late else session

    def _diff(self, chain: Chain, old: str, new: str) -> FileDiff | None:
        return next((diff for diff in chain.between(old, new) if diff.new == self.path and diff.status != "D"), None)


def repository_of(path: str) -> Repository | None:
    """The repository that a file is in, if it has a work tree."""
    found = git_layout.find(os.path.dirname(os.path.abspath(path)))
    return found if found and found.worktree else None
