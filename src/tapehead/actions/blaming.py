"""`blame`: every line of a file in the work tree with whose it is, and the checkpoint that says so."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from tapehead import door
from tapehead.git import attribution, trailers
from tapehead.git import layout as git_layout
from tapehead.git.checkpoints import Checkpoints
from tapehead.git.come_back import come_back
from tapehead.git.history import History
from tapehead.git.marks import Chain, Known
from tapehead.git.run import git
from tapehead.git.side import Side
from tapehead.git.trees import Trees
from tapehead.store.paths import place_name

if TYPE_CHECKING:
    from tapehead.git.hunks import FileDiff
    from tapehead.git.layout import Repository
    from tapehead.store.paths import Layout


_SECONDS = 20.0


class Blamed(NamedTuple):
    """One line."""

    number: int
    text: str
    session: str
    """Of the agent that wrote it; empty where no agent did."""
    commit: str
    """That brought it; empty where it is not committed."""
    checkpoints: tuple[str, ...]


class Blame:
    """One file as it lies there now: what is committed by history, what is not by the newest mark."""

    def __init__(self, layout: Layout, repository: Repository, path: str) -> None:
        side = Side(layout.lines, repository.common_dir)
        side.ready()
        name = place_name(repository.worktree_id)
        chain = Chain(side, name, repository.git_dir)
        self.file = path
        self.worktree = repository.worktree
        self.path = os.fsencode(os.path.relpath(os.path.realpath(path), os.path.realpath(repository.worktree)))
        self.kept = Checkpoints(side)
        self.history = History(repository.worktree, self.kept.records)
        now = Trees(repository, side, name).record()
        newest = chain.tip()
        self.seen = newest if newest.mark else Known(work=now.tree, head=now.head)
        again, since = come_back(chain, self.seen, now.head, now.tree)
        self.again, self.since = again.get(self.path, ()), since.get(self.path, [])
        self.head = now.head
        self.committed = self._diff(chain, now.head, now.tree)
        self.lately = self._diff(chain, self.seen.work, now.tree)
        self._found: dict[str, tuple[str, ...]] = {}

    def lines(self) -> list[Blamed]:
        """Every line. Raises OSError where the file cannot be read."""
        with door.opened(self.file) as file:
            texts = file.read().decode("utf-8", "replace").split("\n")
        texts = texts[:-1] if texts[-1] == "" else texts
        return [self._line(number, text) for number, text in enumerate(texts, 1)]

    def absent(self, commits: set[str]) -> dict[str, tuple[str, ...]]:
        """Of these commits, those whose trailer names checkpoints of which none is here: whose their lines are is not known."""
        unknown = sorted({*filter(None, commits)} - self.kept.records(commits).keys())
        if not unknown:
            return {}
        words = ("log", "--no-walk=unsorted", "--format=%x01%H%n%B", "--stdin")
        raw = git(self.worktree, *words, timeout=_SECONDS, stdin="\n".join(unknown).encode(), most=1 << 27)
        rows = [row.partition("\n") for row in raw.decode("utf-8", "replace").split("\x01")[1:]]
        named = {commit: tuple(trailers.found(message)) for commit, _, message in rows}
        return {commit: ids for commit, ids in named.items() if ids and not any(map(self.kept.get, ids))}

    def _line(self, number: int, text: str) -> Blamed:
        _, there, _ = attribution.came_from(self.committed, (), [(number, 1)])
        if there and self.head:
            return self._committed(number, text, there[0][2])
        runs = self.seen.files.get(self.lately.old if self.lately else self.path, ())
        named, _, absent = attribution.came_from(self.lately, runs, [(number, 1)])
        new = absent and not attribution.both(absent, self.since)
        unnamed = self.seen.at_work if new else attribution.owner_at(self.again, number)
        owner = named[0][2] if named else unnamed
        return Blamed(number, text, owner, "", ())

    def _committed(self, number: int, text: str, line: int) -> Blamed:
        name = self.committed.old if self.committed else self.path
        origins = self.history.blame(self.head, name)
        commit = origins[line - 1][0] if line <= len(origins) else ""
        session = self.history.owner(self.head, name, line)
        return Blamed(number, text, session, commit, self._checkpoints(commit) if session else ())

    def _checkpoints(self, commit: str) -> tuple[str, ...]:
        if commit not in self._found:
            record = self.kept.record(commit)
            self._found[commit] = record.checkpoints if record else ()
        return self._found[commit]

    def _diff(self, chain: Chain, old: str, new: str) -> FileDiff | None:
        return next((diff for diff in chain.between(old, new) if diff.new == self.path and diff.status != "D"), None)


def repository_of(path: str) -> Repository | None:
    """The repository that a file is in, if it has a work tree."""
    found = git_layout.find(os.path.dirname(os.path.abspath(path)))
    return found if found and found.worktree else None
