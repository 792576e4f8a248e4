"""Whose lines they are by the marks, the records and git's blame, against the oracle of tests/whose.py."""

from __future__ import annotations

import random
import shutil
import tempfile

import pytest
from hypothesis import HealthCheck, example, given, settings

from tapehead.attribution import commit_lines, snapshots
from tapehead.attribution.committed_lines import History
from tapehead.checkpoints.checkpoint import Record
from tapehead.checkpoints.line_owners import owner_at
from tapehead.git import layout
from tapehead.git.side import Side
from tapehead.git.trees import Trees
from whose import OPS, STEPS, Story


class Marked(Story):
    """Told to the parts that work out whose a line is, and to nothing above them."""

    def __init__(self, directory):
        super().__init__(directory)
        self.at = 0
        repository = layout.find(str(self.repo))
        side = Side(str(self.repo / ".git" / "tapehead" / "lines.git"), repository.common_dir)
        self.trees, self.chain = Trees(repository, side, "main"), snapshots.Chain(side, "main", repository.git_dir)
        self.chain.history = lambda: self.history
        self.records = {}
        self.mark(snapshots.END, "agent")

    def mark(self, kind, agent):
        self.at += 1
        self.chain.put(snapshots.Mark(kind, agent, self.at, f"line-{self.at}", self.at), self.trees.record())

    def begins(self, agent):
        self.mark(snapshots.START, agent)

    def ends(self, agent):
        self.mark(snapshots.END, agent)

    def made(self):
        self.record(self.head())

    def rewritten(self, pairs):
        olds = {}
        for old, new in pairs:
            olds.setdefault(new, []).append(old)
        for new, before in olds.items():
            self.record(new, *before)

    @property
    def history(self):
        return History(
            str(self.repo), lambda wanted: {name: self.records[name] for name in wanted & self.records.keys()}
        )

    def record(self, commit, *olds):
        read = commit_lines.read(self.chain, commit, olds)
        found = commit_lines.share(self.chain, read, self.history, self.working, str(self.repo / ".git"))
        self.records[commit] = Record(commit, files=found.files)

    # -- what must hold ---------------------------------------------------------------------------------------------

    def check(self):
        """Committed lines by blame and the records, uncommitted ones by the newest mark."""
        head = self.head()
        history = self.history
        for name in self.git("ls-tree", "--name-only", head).splitlines():
            lines = self.git("show", f"{head}:{name}").splitlines()
            told = [history.owner(head, name.encode(), number) for number in range(1, len(lines) + 1)]
            assert told == [self.who(line) for line in lines], name
        self.check_shares()
        self.check_work_tree()

    def check_shares(self):
        """What the record of each of our commits says of the lines that it brought."""
        for commit in self.own_commits():
            for name, runs in (self.records[commit].files if commit in self.records else {}).items():
                lines = self.git("show", f"{commit}:{name.decode()}").splitlines()
                for start, count, owner in runs:
                    assert {self.who(line) for line in lines[start - 1 : start - 1 + count]} == {owner}

    def check_work_tree(self):
        if self.working:
            self.switch(0)
        else:
            self.mark(snapshots.START, "agent")
            self.mark(snapshots.END, "agent")
        known = self.chain.known(self.chain.newest(1)[0][0])
        committed = {diff.new: diff for diff in self.chain.between(known.head, known.work) if diff.status != "D"}
        for path in self.tracked():
            diff = committed.get(path.name.encode())
            fresh = {
                line
                for start, count in (commit_lines.line_owners.find_added(diff) if diff else ())
                for line in range(start, start + count)
            }
            for number, text in enumerate(path.read_text().splitlines(), 1):
                if number in fresh:
                    assert owner_at(known.files.get(path.name.encode(), ()), number) == self.who(text), (path, text)

    def answers(self):
        """Of every line, committed or not, what is said and what is true."""
        self.mark(snapshots.END if self.working else snapshots.START, "agent")
        known = self.chain.tip()
        committed = {diff.new: diff for diff in self.chain.between(known.head, known.work) if diff.status != "D"}
        history, found = self.history, []
        for path in self.tracked():
            name = path.name.encode()
            diff = committed.get(name)
            lines = path.read_text().splitlines()
            _, there, new = commit_lines.line_owners.came_from(diff, (), [(1, len(lines))])
            same, new = commit_lines.line_owners.kept(diff, new)
            pieces = [*((first, many, diff.old if diff else name, old) for first, many, old in there), *same]
            for first, many, source, old in pieces:
                told = [history.owner(known.head, source, old + step) for step in range(many)]
                found += [(each, self.who(lines[first - 1 + step])) for step, each in enumerate(told)]
            for first, many in new:
                numbers = range(first, first + many)
                found += [
                    (owner_at(known.files.get(name, ()), number), self.who(lines[number - 1])) for number in numbers
                ]
        return found


COMMON = ("switch", "edit", "edit", "create", "commit", "commit")
BY_OPERATION = [*dict.fromkeys(name for name in OPS if name not in {"rewind", "switch", "edit", "create", "commit"})]


def measured(operation, histories, seed=0):
    """Precision and recall of the agent's lines in random histories with much of one operation."""
    right = said = true = 0
    for number in range(histories):
        chance = random.Random(f"{operation} {seed} {number}")
        pool = (*COMMON, *(operation,) * 4)
        steps = [(chance.choice(pool), chance.randrange(200)) for _ in range(chance.randrange(8, 20))]
        with tempfile.TemporaryDirectory(prefix="whose") as directory:
            story = Marked(directory)
            for name, n in steps:
                getattr(story, name)(n)
            for told_owner, owner in story.answers():
                right += told_owner == owner == "agent"
                said += told_owner == "agent"
                true += owner == "agent"
    return right / (said or 1), right / (true or 1), true


@pytest.mark.slow
@pytest.mark.parametrize("operation", BY_OPERATION)
def test_each_operation_by_itself(operation):
    """Of the lines that are said to be the agent's, and of those that are, 95 in a hundred at least."""
    precision, recall, _ = measured(operation, 200)
    assert precision >= 0.95
    assert recall >= 0.95


def told(steps, *, reflog=True):
    with tempfile.TemporaryDirectory(prefix="whose") as directory:
        story = Marked(directory)
        if not reflog:
            story.git("config", "core.logAllRefUpdates", "false")
            shutil.rmtree(story.repo / ".git" / "logs")
        for name, n in steps:
            getattr(story, name)(n)
        story.check()


@given(STEPS)
@settings(max_examples=10, derandomize=True, suppress_health_check=[*HealthCheck])
@example([("switch", 0), ("edit", 8), ("switch", 0), ("commit", 1)])
@example([("edit", 8), ("switch", 0), ("edit", 17), ("commit", 1), ("edit", 11), ("amend", 0), ("switch", 0)])
@example([("switch", 0), ("edit", 3), ("commit", 0), ("rebase", 0), ("squash", 0)])
@example([("switch", 0), ("edit", 3), ("commit", 1), ("switch", 0), ("amend", 1)])
@example([("edit", 35), ("commit", 1), ("switch", 0), ("revert", 0)])
@example([("edit", 112), ("commit", 1), ("switch", 0), ("revert", 0), ("rename", 1), ("commit", 1)])
@example([("switch", 0), ("edit", 8), ("switch", 0), ("commit", 1), ("switch", 0), ("switch", 0), ("reset", 0)])
def test_every_line_is_whose_it_is(steps):
    """Whatever is edited, renamed, committed, amended, rebased, squashed and reverted by whom: blame, the records and the marks agree with the oracle."""
    told(steps)


def test_a_rebase_is_followed_without_a_reflog():
    """A line of the human's that a commit brought and the next one took away is still theirs when the agent rebases both."""
    steps = [("edit", 3), ("commit", 1), ("edit", 99), ("commit", 1), ("switch", 0), ("rebase", 1)]
    told(steps, reflog=False)
