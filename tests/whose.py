"""A repository in which a human and agents take turns, and an oracle that knows who typed what: every line's text is its own."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from hypothesis import strategies as st

FILES = ("a.txt", "b.txt", "c.txt")
HUMAN = ""
FEW = 6


class Story:
    """What people and agents do. Whoever listens says what becomes of it: `begins`, `ends`, `made`, `rewritten`.

    The oracle is `typed`: who typed each text.
    """

    def __init__(self, directory, agents=("agent",)):
        self.repo = Path(directory) / "repo"
        self.agents = agents
        self.typed, self.count = {}, 0
        self.working = HUMAN
        self.repo.mkdir()
        self.git("init", "-q")
        for name in FILES:
            (self.repo / name).write_text("".join(self.line(HUMAN) for _ in range(12)))
        self.git("add", "-A")
        self.git("commit", "-qm", "base")
        self.root = self.git("rev-parse", "HEAD")

    def git(self, *words, check=True, **env):
        done = subprocess.run(
            ["git", *words], cwd=self.repo, check=check, capture_output=True, text=True, env={**os.environ, **env}
        )
        return done.stdout.strip("\n") if check else done.returncode

    def line(self, who):
        self.count += 1
        text = f"this is text number {self.count}"
        self.typed[text] = who
        return text + "\n"

    def head(self):
        return self.git("rev-parse", "HEAD")

    # -- what is heard of it ----------------------------------------------------------------------------------------

    def begins(self, agent):
        """A turn."""
        raise NotImplementedError

    def ends(self, agent):
        """A turn."""
        raise NotImplementedError

    def made(self):
        """HEAD is a commit that was just made."""
        raise NotImplementedError

    def rewritten(self, pairs):
        """A rebase is over: which commit became which, as post-rewrite hears it."""
        raise NotImplementedError

    def message(self, text, amends):
        """The words that give a commit its message."""
        return ("-m", text)

    # -- what people and agents do ----------------------------------------------------------------------------------

    def switch(self, n):
        """A turn begins, or ends."""
        if self.working:
            self.ends(self.working)
            self.working = HUMAN
        else:
            agent = self.agents[n % len(self.agents)]
            self.begins(agent)
            self.working = agent

    def who(self, line):
        """Who typed a line, however it is set in by now."""
        return self.typed[line.strip()]

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
        """Of a file with some lines: one of two is a new file to git as soon as one of them changes."""
        files = [path for path in self.tracked() if path.read_text().count("\n") > FEW]
        files[n % len(files)].rename(self.repo / f"moved{self.count}-{n}.txt")
        self.count += 1

    def commit(self, n):
        """All of it, or one file, with what is gone: half of a rename is a copy, and that is whoever's who made it."""
        one = self.tracked()[n % len(self.tracked())].name
        gone = self.git("ls-files", "--deleted").splitlines()
        self.git("add", "-A") if n % 3 else self.git("add", "--", one, *gone)
        self._commit(f"commit {n}")

    def _commit(self, message, *words):
        if self.git("commit", "-q", *self.message(message, amends=bool(words)), *words, check=False) == 0:
            self.made()

    def amend(self, n):
        """With another message, or with its own."""
        if self.head() == self.root:
            return
        self.git("add", "-A")
        if n % 2:
            self._commit(f"amended {n}", "--amend")
        elif self.git("commit", "-q", "--amend", "--no-edit", check=False) == 0:
            self.made()

    def own_commits(self):
        return self.git("rev-list", "--first-parent", f"{self.root}..HEAD").split()

    def squash(self, n):
        """By a soft reset, as people do."""
        commits = self.own_commits()
        if len(commits) < 2:
            return
        self.git("reset", "-q", "--soft", commits[1 + n % (len(commits) - 1)] + "^")
        self._commit("squashed")

    def reset(self, n):
        """Commits are taken apart again: what they brought lies there uncommitted, for someone to commit it better."""
        commits = self.own_commits()
        if commits:
            self.git("reset", "-q", "--soft" if n % 2 else "--mixed", commits[n // 2 % min(len(commits), 3)] + "^")

    def squash_merge(self, n):
        """By `git merge --squash` of what was a branch."""
        commits = self.own_commits()
        if len(commits) < 2 or self.git("status", "--porcelain"):
            return
        tip = self.head()
        self.git("reset", "-q", "--hard", commits[1 + n % (len(commits) - 1)] + "^")
        self.git("merge", "-q", "--squash", tip)
        if n % 2:
            self._commit("squashed by a merge")

    def _rebase(self, onto, since, script="true"):
        """Runs a rebase, and hears of it what post-rewrite says."""
        heard = self.repo / ".git" / "heard"
        heard.write_text("")
        hook = self.repo / ".git" / "hooks" / "post-rewrite"
        hook.write_text(f"#!/bin/sh\ncat >> '{heard}'\n")
        hook.chmod(0o755)
        words = ("rebase", "-q", "-i", "--autostash", "--onto", onto, since)
        failed = self.git(*words, check=False, GIT_SEQUENCE_EDITOR=script, GIT_EDITOR="true")
        hook.unlink()
        if failed:
            self.git("rebase", "--abort", check=False)
            return
        pairs = [row.split()[:2] for row in heard.read_text().splitlines()]
        if pairs:
            self.rewritten(pairs)

    def rebase(self, n):
        """Onto a commit that somebody else made."""
        commits = self.own_commits()
        if not commits or self.git("status", "--porcelain").count("UU"):
            return
        since = commits[n % len(commits)] + "^"
        before = len(self.git("stash", "list").splitlines())
        self.git("stash", "-q", "-u", check=False)
        self._rebase(self._from_elsewhere(since), since)
        if len(self.git("stash", "list").splitlines()) > before and self.git("stash", "pop", "-q", check=False):
            self._solve()

    def _from_elsewhere(self, since):
        """A commit that was not made in this work tree, as a fetch brings it."""
        there = self.repo.parent / f"elsewhere{self.count}"
        self.git("worktree", "add", "-q", "--detach", str(there), since)
        (there / f"upstream{self.count}.txt").write_text(self.line(HUMAN) + self.line(HUMAN))
        self.git("-C", str(there), "add", "-A")
        self.git("-C", str(there), "commit", "-qm", "upstream")
        made = self.git("-C", str(there), "rev-parse", "HEAD")
        self.git("worktree", "remove", "--force", str(there))
        return made

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
        self.made()

    def reindent(self, n):
        """Some lines are set in, or a file gets other line ends: nobody wrote anything."""
        files = self.tracked()
        path = files[n % len(files)]
        lines = path.read_bytes().splitlines()
        first = n // 5 % (len(lines) + 1)
        part = range(first, first + 4) if n % 3 else range(len(lines))
        end = b"\r\n" if n % 3 == 0 and n % 2 else b"\n"
        more = b"    " if n % 3 else b""
        lines = [more * (at in part) + line + (end if at in part else b"\n") for at, line in enumerate(lines)]
        path.write_bytes(b"".join(lines))

    def move(self, n):
        """A block goes to another place, in the same file or another."""
        files = [path for path in self.tracked() if path.read_bytes().count(b"\n") > FEW]
        source, target = files[n % len(files)], files[n // 3 % len(files)]
        lines = source.read_bytes().splitlines(keepends=True)
        first = n // 7 % (len(lines) - 3)
        block = lines[first : first + 3]
        del lines[first : first + 3]
        source.write_bytes(b"".join(lines))
        lines = target.read_bytes().splitlines(keepends=True)
        place = n // 11 % (len(lines) + 1)
        lines[place:place] = block
        target.write_bytes(b"".join(lines))

    def stash(self, n):
        """All that is not committed is put aside, or what was is applied again, whatever happened meanwhile."""
        if self.git("stash", "list"):
            if self.git("stash", "pop", "-q", check=False):
                self._solve()
        elif self.git("status", "--porcelain"):
            self.git("stash", "push", "-q", *(("-u",) if n % 2 else ()))

    def _solve(self):
        """A conflict: both sides stay, without git's marks; where it would not even begin, the stash goes on lying there."""
        names = self.git("diff", "--name-only", "--diff-filter=U").splitlines()
        for name in names:
            path = self.repo / name
            if path.exists():
                marks = (b"<<<<<<<", b"=======", b">>>>>>>", b"|||||||")
                lines = path.read_bytes().splitlines(keepends=True)
                path.write_bytes(b"".join(dict.fromkeys(line for line in lines if not line.startswith(marks))))
        self.git("reset", "-q")
        if names:
            self.git("stash", "drop", "-q")

    def rewind(self, n):
        """The files are put back to how a turn left them, or that is undone; where nobody can, nothing happens."""


OPS = (
    "rewind",
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
    "squash_merge",
    "reset",
    "rebase",
    "fixup",
    "revert",
    "reindent",
    "move",
    "stash",
)
STEPS = st.lists(st.tuples(st.sampled_from(OPS), st.integers(0, 200)), min_size=8, max_size=24)
