"""Whose lines they are, in a real repository, against an oracle that knows who typed what: every line's text is its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tapehead.git import commit_lines, layout, marks
from tapehead.git.attribution import owner_at
from tapehead.git.history import History
from tapehead.git.side import Side
from tapehead.git.trees import Trees

FILES = ("a.txt", "b.txt", "c.txt")
AGENT = "agent"


class Story:
    """A repository in which a human and an agent take turns. The oracle is `typed`: who typed each text."""

    def __init__(self, directory):
        self.repo = Path(directory) / "repo"
        self.typed, self.count, self.at = {}, 0, 0
        self.repo.mkdir()
        self.git("init", "-q")
        for name in FILES:
            (self.repo / name).write_text("".join(self.line("") for _ in range(12)))
        self.git("add", "-A")
        self.git("commit", "-qm", "base")
        self.root = self.git("rev-parse", "HEAD")
        repository = layout.find(str(self.repo))
        side = Side(str(self.repo / ".git" / "tapehead" / "lines.git"), repository.common_dir)
        self.trees, self.chain = Trees(repository, side, "main"), marks.Chain(side, "main")
        self.records = {}
        self.working = ""
        self.mark(marks.END)

    def git(self, *words, check=True, **env):
        done = subprocess.run(
            ["git", *words], cwd=self.repo, check=check, capture_output=True, text=True, env={**os.environ, **env}
        )
        return done.stdout.strip() if check else done.returncode

    def line(self, who):
        self.count += 1
        text = f"text number {self.count}"
        self.typed[text] = who
        return text + "\n"

    # -- what tapehead does -----------------------------------------------------------------------------------------

    def mark(self, kind):
        self.at += 1
        self.chain.put(marks.Mark(kind, AGENT, self.at, f"line-{self.at}", self.at), self.trees.record())

    @property
    def history(self):
        return History(
            str(self.repo), lambda wanted: {name: self.records[name] for name in wanted & self.records.keys()}
        )

    def record(self, commit, *olds):
        read = commit_lines.read(self.chain, commit, olds)
        found = commit_lines.share(self.chain, read, self.history, self.working, str(self.repo / ".git"))
        self.records[commit] = found.files

    # -- what people and agents do ----------------------------------------------------------------------------------

    def switch(self, _n):
        """A turn begins, or ends."""
        self.mark(marks.END if self.working else marks.START)
        self.working = "" if self.working else AGENT

    def tracked(self):
        return sorted(path for path in self.repo.iterdir() if path.is_file())

    def edit(self, n):
        files = self.tracked()
        path = files[n % len(files)]
        lines = path.read_text().splitlines(keepends=True)
        place = n // 7 % (len(lines) + 1)
        new = [self.line(self.working) for _ in range(n // 3 % 3)]
        gone = n // 5 % 3 if len(lines) > 8 else 0
        lines[place : place + gone] = new
        path.write_text("".join(lines))

    def create(self, n):
        (self.repo / f"new{self.count}.txt").write_text("".join(self.line(self.working) for _ in range(1 + n % 9)))

    def rename(self, n):
        files = self.tracked()
        files[n % len(files)].rename(self.repo / f"moved{self.count}-{n}.txt")
        self.count += 1

    def commit(self, n):
        """All of it, or one file."""
        self.git("add", "-A") if n % 3 else self.git("add", self.tracked()[n % len(self.tracked())].name)
        if self.git("commit", "-qm", f"commit {n}", check=False) == 0:
            self.record(self.git("rev-parse", "HEAD"))

    def amend(self, n):
        if self.git("rev-parse", "HEAD") == self.root:
            return
        self.git("add", "-A")
        if self.git("commit", "-q", "--amend", "-m", f"amended {n}", check=False) == 0:
            self.record(self.git("rev-parse", "HEAD"))

    def own_commits(self):
        return self.git("rev-list", "--first-parent", f"{self.root}..HEAD").split()

    def squash(self, n):
        """By a soft reset, as people do."""
        commits = self.own_commits()
        if len(commits) < 2:
            return
        self.git("reset", "-q", "--soft", commits[1 + n % (len(commits) - 1)] + "^")
        if self.git("commit", "-qm", "squashed", check=False) == 0:
            self.record(self.git("rev-parse", "HEAD"))

    def _rebase(self, onto, since, script="true"):
        """Runs a rebase, and hears of it what post-rewrite says."""
        heard = self.repo / ".git" / "heard"
        heard.write_text("")
        hook = self.repo / ".git" / "hooks" / "post-rewrite"
        hook.write_text(f"#!/bin/sh\ncat >> '{heard}'\n")
        hook.chmod(0o755)
        words = ("rebase", "-q", "-i", "--autostash", "--onto", onto, since)
        if self.git(*words, check=False, GIT_SEQUENCE_EDITOR=script, GIT_EDITOR="true"):
            self.git("rebase", "--abort", check=False)
            return
        olds = {}
        for row in heard.read_text().splitlines():
            old, new = row.split()[:2]
            olds.setdefault(new, []).append(old)
        hook.unlink()
        for new in reversed(self.git("rev-list", f"{onto}..HEAD").split()):
            if new in olds:
                self.record(new, *olds[new])

    def rebase(self, n):
        """Onto a commit that somebody else made."""
        commits = self.own_commits()
        if not commits or self.git("status", "--porcelain").count("UU"):
            return
        since = commits[n % len(commits)] + "^"
        self.git("stash", "-q", "-u", check=False)
        head = self.git("rev-parse", "HEAD")
        branch = self.git("symbolic-ref", "HEAD")
        self.git("checkout", "-q", "--detach", since)
        (self.repo / f"upstream{self.count}.txt").write_text(self.line("") + self.line(""))
        self.git("add", "-A")
        self.git("commit", "-qm", "upstream")
        onto = self.git("rev-parse", "HEAD")
        self.git("checkout", "-q", branch.removeprefix("refs/heads/"))
        assert self.git("rev-parse", "HEAD") == head
        self._rebase(onto, since)
        if self.git("stash", "list"):
            self.git("stash", "pop", "-q")

    def fixup(self, n):
        """Two commits become one in an interactive rebase."""
        commits = self.own_commits()
        if len(commits) < 2:
            return
        since = commits[1 + n % (len(commits) - 1)] + "^"
        self._rebase(since, since, "sed -i '2s/^pick/squash/'")

    def revert(self, n):
        commits = self.own_commits()
        if not commits or self.git("status", "--porcelain"):
            return
        if self.git("revert", "--no-edit", commits[n % len(commits)], check=False):
            self.git("revert", "--abort", check=False)
            return
        self.record(self.git("rev-parse", "HEAD"))

    # -- what must hold ---------------------------------------------------------------------------------------------

    def check(self):
        """Committed lines by blame and the records, uncommitted ones by the newest mark."""
        head = self.git("rev-parse", "HEAD")
        history = self.history
        for name in self.git("ls-tree", "--name-only", head).splitlines():
            lines = self.git("show", f"{head}:{name}").splitlines()
            told = [history.owner(head, name.encode(), number) for number in range(1, len(lines) + 1)]
            assert told == [self.typed[line] for line in lines], name
        self.check_shares()
        self.check_work_tree()

    def check_shares(self):
        """What the record of each of our commits says of the lines that it brought."""
        for commit in self.own_commits():
            for name, runs in (self.records.get(commit) or {}).items():
                lines = self.git("show", f"{commit}:{name.decode()}").splitlines()
                for start, count, owner in runs:
                    assert {self.typed[line] for line in lines[start - 1 : start - 1 + count]} == {owner}

    def check_work_tree(self):
        if self.working:
            self.switch(0)
        else:
            self.mark(marks.START)
            self.mark(marks.END)
        known = self.chain.known(self.chain.newest(1)[0][0])
        committed = {diff.new: diff for diff in self.chain.between(known.head, known.work) if diff.status != "D"}
        for path in self.tracked():
            diff = committed.get(path.name.encode())
            fresh = {
                line
                for start, count in (commit_lines.attribution.added(diff) if diff else ())
                for line in range(start, start + count)
            }
            for number, text in enumerate(path.read_text().splitlines(), 1):
                if number in fresh:
                    assert owner_at(known.files.get(path.name.encode(), ()), number) == self.typed[text], (path, text)


OPS = (
    "switch",
    "edit",
    "edit",
    "edit",
    "create",
    "rename",
    "commit",
    "commit",
    "amend",
    "squash",
    "rebase",
    "fixup",
    "revert",
)
STEPS = st.lists(st.tuples(st.sampled_from(OPS), st.integers(0, 200)), min_size=8, max_size=24)


def told(steps, *, reflog=True):
    with tempfile.TemporaryDirectory(prefix="whose") as directory:
        story = Story(directory)
        if not reflog:
            story.git("config", "core.logAllRefUpdates", "false")
            shutil.rmtree(story.repo / ".git" / "logs")
        for name, n in steps:
            getattr(story, name)(n)
        story.check()


@given(STEPS)
@settings(max_examples=25, suppress_health_check=[*HealthCheck])
@example([("switch", 0), ("edit", 8), ("switch", 0), ("commit", 1)])
@example([("edit", 8), ("switch", 0), ("edit", 17), ("commit", 1), ("edit", 11), ("amend", 0), ("switch", 0)])
@example([("switch", 0), ("edit", 3), ("commit", 0), ("rebase", 0), ("squash", 0)])
@example([("switch", 0), ("edit", 3), ("commit", 1), ("switch", 0), ("amend", 1)])
@example([("edit", 35), ("commit", 1), ("switch", 0), ("revert", 0)])
@example([("edit", 112), ("commit", 1), ("switch", 0), ("revert", 0), ("rename", 1), ("commit", 1)])
def test_every_line_is_whose_it_is(steps):
    """Whatever is edited, renamed, committed, amended, rebased, squashed and reverted by whom: blame, the records and the marks agree with the oracle."""
    told(steps)


def test_a_rebase_is_followed_without_a_reflog():
    """A line of the human's that a commit brought and the next one took away is still theirs when the agent rebases both."""
    steps = [("edit", 3), ("commit", 1), ("edit", 99), ("commit", 1), ("switch", 0), ("rebase", 1)]
    told(steps, reflog=False)
