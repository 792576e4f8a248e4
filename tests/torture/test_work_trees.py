"""Work trees of every kind through rewind, gc and undo: every byte, every mode and every link comes back."""

from __future__ import annotations

import os
import random
import stat
import subprocess
from pathlib import Path

import pytest

import scenes
from tapehead.attribution.snapshot_keeper import WorkTree
from tapehead.attribution.snapshots import END, START, Mark
from tapehead.git import layout as git_layout
from tapehead.rewind.rewind import Rewind
from tapehead.store.paths import Layout
from tapehead.store.state import State

NAMES = (
    "a.txt",
    "b.c",
    "d/e.txt",
    "d/f.id",
    "g/h/i.f",
    "j.u16",
    "k k.txt",
    "l\nm.txt",
    "n\xe9.txt",
    '"q".txt',
    "o.bin",
    "-r.f",
)
ATTRIBUTES = (
    "* text=auto\n",
    "*.txt text eol=crlf\n",
    "*.f filter=lossy\n",
    "*.id ident\n",
    "*.u16 text working-tree-encoding=UTF-16\n",
    "*.bin -text\n",
    "*.c text eol=lf\n",
)
CONTENTS = (
    b"one\ntwo\n",
    b"one\r\ntwo\r\n",
    b"one\r\ntwo\n",
    b"code # note\nmore\n",
    b"$Id$\n",
    b"$Id: 0123456789 $\nx\n",
    b"",
    b"\0\1\2\r\n\xff",
    "wide\n".encode("utf-16"),
    b"no newline",
)
SETTINGS = {
    "core.autocrlf": ("true", "false", "input"),
    "core.eol": ("lf", "crlf", "native"),
    "core.fileMode": ("true", "false"),
    "core.symlinks": ("true", "false"),
    "core.safecrlf": ("false", "warn"),
    "core.untrackedCache": ("true", "false"),
    "index.version": ("2", "3", "4"),
}


class Tree:
    """One random work tree with a random history."""

    def __init__(self, base, seed):
        self.random = random.Random(seed)
        self.root = base / "repo"
        scenes.repository(self.root)
        self.git("config", "filter.lossy.clean", "sed -e 's/ *#.*//'")
        self.git("config", "filter.lossy.smudge", "sed -e 's/$/ /'")
        for name, values in SETTINGS.items():
            if self.random.random() < 0.4:
                self.git("config", name, self.random.choice(values))
        chosen = [row for row in ATTRIBUTES if self.random.random() < 0.4]
        if chosen:
            (self.root / ".gitattributes").write_text("".join(chosen))
        (self.root / ".gitignore").write_text("*.log\n")
        (self.root / "keep.log").write_bytes(b"ignored\n")
        self.nested()
        self.mutate(8)
        self.git("add", "-A", ":!nested")
        self.git("commit", "-qm", "base", "--allow-empty")
        self.flags()
        layout = Layout(str(self.root / ".git" / "tapehead"))
        repository = git_layout.find(str(self.root))
        state = State(session_id="one", worktree_path=str(self.root))
        self.tree = WorkTree(layout, state, repository)
        self.rewind = Rewind(layout, state, self.tree)
        self.number = 0

    def git(self, *words):
        return subprocess.run(["git", *words], cwd=self.root, check=False, capture_output=True)

    def nested(self):
        if self.random.random() < 0.3:
            scenes.repository(self.root / "nested")

    def path(self):
        return os.path.join(os.fsencode(self.root), os.fsencode(self.random.choice(NAMES)))

    def mutate(self, times):
        for _ in range(times):
            path = self.path()
            what = self.random.random()
            try:
                if os.path.lexists(path) and what < 0.6:
                    if what < 0.15 and not os.path.islink(path):
                        os.chmod(path, self.random.choice((0o644, 0o755, 0o600, 0o700, 0o444)))
                        continue
                    os.unlink(path)
                    if what < 0.3:
                        continue
                os.makedirs(os.path.dirname(path), exist_ok=True)
                if what > 0.9:
                    os.symlink(self.random.choice(("a.txt", "nowhere", "..")), path)
                    continue
                Path(os.fsdecode(path)).write_bytes(self.random.choice(CONTENTS) * self.random.randint(1, 3))
            except OSError:
                continue

    def flags(self):
        """Some files git is told not to look at; some it is told to leave out of the work tree."""
        tracked = [row for row in self.git("ls-files", "-z").stdout.split(b"\0") if row and not row.startswith(b".git")]
        for path in tracked:
            if self.random.random() < 0.15:
                flag = self.random.choice(("--skip-worktree", "--assume-unchanged"))
                self.git("update-index", flag, "--", os.fsdecode(path))
                if self.random.random() < 0.3:
                    os.unlink(os.path.join(os.fsencode(self.root), path))

    def history(self):
        """What a user or an agent does with git in between."""
        what = self.random.random()
        if what < 0.2:
            self.git("add", "-A", ":!nested")
        elif what < 0.4:
            self.git("add", "-A", ":!nested")
            self.git("commit", "-qm", "on")
        elif what < 0.5:
            self.git("add", "-A", ":!nested")
            self.git("reset", "-q")
        elif what < 0.6:
            self.git("add", "-A", ":!nested")
            self.git("commit", "-qm", "on")
            self.git("reset", "-q", "--soft", "HEAD~1")

    def mark(self, kind):
        self.number += 1
        return self.tree.chain.put(
            Mark(kind, "one", self.number, f"line-{self.number}", self.number), self.tree.trees.record()
        )

    def sweep(self):
        for words in (("reflog", "expire", "--expire=now", "--all"), ("gc", "-q", "--prune=now")):
            assert not self.git(*words).returncode

    def stamp(self):
        self.number += 1
        return f"line-{self.number}", self.number

    def seen(self, *, exactly=True):
        """Every file outside of `.git`, with its kind, its permissions and its bytes."""
        found = {}
        for folder, folders, names in os.walk(os.fsencode(self.root)):
            folders[:] = [name for name in folders if name != b".git" or b"nested" in folder]
            links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
            for name in (*names, *links):
                path = os.path.join(folder, name)
                mode = os.lstat(path).st_mode
                link = stat.S_ISLNK(mode)
                content = os.readlink(path) if link else Path(os.fsdecode(path)).read_bytes()
                bits = mode if exactly and not link else (stat.S_IFMT(mode), 0 if link else mode & 0o100)
                found[os.path.relpath(path, os.fsencode(self.root))] = (bits, content)
        return found


def went_there_and_back(base, seed):
    one = Tree(base, seed)
    seen, marks = [], []
    for kind in (START, END, START, END):
        marks.append(one.mark(kind).mark)
        seen.append(one.seen(exactly=False))
        one.mutate(one.random.randint(0, 6))
        one.history()
        if one.random.random() < 0.3:
            one.sweep()
    # the last END closed the turn: what came after it is the user's own
    number = one.random.randrange(4)
    before = one.seen()
    plan = one.rewind.to(marks[number], *one.stamp(), force=True)
    after = one.seen(exactly=False)
    left = {*plan.left, b"keep.log"}
    differing = {path for path in {*after, *seen[number]} - left if after.get(path) != seen[number].get(path)}
    assert not {path: (seen[number].get(path), after.get(path)) for path in differing}
    there = one.seen()
    if one.random.random() < 0.5:
        one.sweep()
    if plan.files:
        assert one.rewind.undo(*one.stamp(), force=True) is not None
        assert one.seen() == before
        one.sweep()
        assert one.rewind.redo(*one.stamp(), force=True) is not None
        assert one.seen() == there
        assert one.rewind.undo(*one.stamp(), force=True) is not None
    assert one.seen() == before
    assert not one.git("fsck", "--full", "--no-dangling").returncode


@pytest.mark.parametrize("seed", range(4))
def test_there_and_back(tmp_path, seed):
    """Over filters, line ends, encodings, flags, links, modes and names; beside a gc that throws away what it can."""
    went_there_and_back(tmp_path, seed)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(20))
def test_two_thousand_work_trees(tmp_path, block):
    """The same, two thousand times."""
    for seed in range(1000 + block * 100, 1100 + block * 100):
        went_there_and_back(tmp_path / str(seed), seed)
