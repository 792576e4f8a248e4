"""An author with an agent, a server that merges, and a colleague: what each is told of whose lines they are."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from repositories import Repository
from tapehead.engine import git_hook

AGENT, HUMAN = "one", ""


class World:
    """The author's clone with a branch, the server, and what everybody typed."""

    def __init__(self, folder, home):
        self.folder, self.home = Path(folder), home
        self.server, self.author = self.folder / "server.git", self.folder / "author"
        self.typed, self.count = {}, 0

    def build(self):
        """Main with the human's lines; a branch with two commits of the agent's, one of the human's, and what both changed again."""
        self.git(self.folder, "init", "-q", "--bare", "-b", "main", str(self.server))
        self.git(self.folder, "clone", "-q", str(self.server), str(self.author))
        self.git(self.author, "checkout", "-q", "-b", "main")
        (self.author / "a.py").write_text(self.lines(HUMAN, 8))
        (self.author / "b.py").write_text(self.lines(HUMAN, 4))
        self.commit("base")
        self.git(self.author, "push", "-q", "-u", "origin", "main")
        self.git(self.author, "checkout", "-q", "-b", "feature")
        at = self.repository(self.author)
        os.chdir(self.author)
        at.hook("SessionStart", source="startup")
        self.turn(at, lambda: (self.put("a.py", 4, AGENT, 3), self.put("b.py", 2, AGENT, 2)))
        self.put("a.py", 0, HUMAN, 2)
        self.commit("first", at)
        self.put("b.py", 6, HUMAN, 2)
        self.commit("second", at)
        self.turn(at, lambda: (self.put("a.py", 7, AGENT, 3, gone=1), self.new("c.py", AGENT, 5)))
        self.commit("third", at)
        self.git(self.author, "push", "-q", "-u", "origin", "feature")

    def repository(self, path):
        return Repository(path, self.home)

    def turn(self, at, work):
        at.hook("UserPromptSubmit", prompt="write it")
        at.engine.settle("one")
        work()
        at.hook("Stop", last_assistant_message="done")
        at.engine.settle("one")

    def lines(self, who, many):
        """Of the agent's in a block every other one is what anybody could write."""
        found = []
        for _ in range(many):
            self.count += 1
            found.append(f"    text_number_{self.count} = {self.count}")
            self.typed[found[-1].strip()] = who
        return "".join(f"{line}\n" for line in found)

    def put(self, name, place, who, many, gone=0):
        path = self.author / name
        lines = path.read_text().splitlines(keepends=True)
        lines[place : place + gone] = [self.lines(who, many)]
        path.write_text("".join(lines))

    def new(self, name, who, many):
        (self.author / name).write_text(self.lines(who, many))

    def commit(self, message, at=None):
        file = self.author / ".git" / "MSG"
        file.write_text(message + "\n")
        self.git(self.author, "add", "-A")
        if at:
            git_hook.run(["prepare-commit-msg", str(file), "message"], os.environ)
        self.git(self.author, "commit", "-q", "-F", str(file))
        if at:
            git_hook.run(["post-commit"], os.environ)
            at.engine.settle("one")

    @staticmethod
    def git(directory, *words, **more):
        who = {
            "GIT_COMMITTER_EMAIL": os.environ["GIT_AUTHOR_EMAIL"],
            **more.pop("env", {}),
        }  # people commit what they wrote
        done = subprocess.run(
            ["git", "-C", str(directory), *words],
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, **who},
            **more,
        )
        return done.stdout.strip()

    # -- what a server does -----------------------------------------------------------------------------------------

    def merge(self, how, *, moved):
        """As a forge does it, in a clone of its own; the branch is deleted."""
        work = self.folder / "forge"
        self.git(self.folder, "clone", "-q", str(self.server), str(work))
        if moved:
            path = work / "a.py"
            path.write_text(path.read_text() + self.lines(HUMAN, 2))
            (work / "other.py").write_text(self.lines(HUMAN, 2))
            self.git(work, "add", "-A")
            self.git(work, "commit", "-qm", "meanwhile")
        getattr(self, f"_{how}")(work)
        self.git(work, "push", "-q", "origin", "main")
        self.git(work, "push", "-q", "origin", "--delete", "feature")

    def _squash(self, work):
        """The title, and the messages of all commits as a list."""
        raw = self.git(work, "log", "--reverse", "--format=* %B", "main..origin/feature")
        self._squashed(work, f"Feature (#1)\n\n{raw}\n")

    def _squash_title(self, work):
        self._squashed(work, "Feature (#1)\n")

    def _squash_bare(self, work):
        """By another than its author."""
        self.git(work, "merge", "-q", "--squash", "origin/feature")
        self.git(work, "commit", "-qm", "Feature", env={"GIT_COMMITTER_EMAIL": "other@example.invalid"})

    def _squash_by_gitlab(self, work):
        """A commit with the title, and a merge of it that names the request."""
        base = self.git(work, "rev-parse", "HEAD")
        self._squashed(work, "Feature\n")
        made = self.git(work, "rev-parse", "HEAD")
        self.git(work, "reset", "-q", "--hard", base)
        self.git(work, "merge", "-q", "--no-ff", "-m", "Merge branch\n\nSee merge request team/app!1", made)

    def _squashed(self, work, message):
        self.git(work, "merge", "-q", "--squash", "origin/feature")
        self.git(work, "commit", "-q", "-F", "-", input=message)

    def _merge(self, work):
        self.git(work, "merge", "-q", "--no-ff", "-m", "Merge pull request #1", "origin/feature")

    def _rebase(self, work):
        self.git(work, "checkout", "-q", "-B", "rebased", "origin/feature")
        self.git(work, "rebase", "-q", "--force-rebase", "main")
        self.git(work, "checkout", "-q", "main")
        self.git(work, "merge", "-q", "--ff-only", "rebased")

    def _pick(self, work):
        self.git(work, "cherry-pick", "main..origin/feature")

    def _mail(self, work):
        raw = self.git(work, "format-patch", "--stdout", "main..origin/feature")
        self.git(work, "am", "-q", input=raw + "\n")

    def _filter(self, work):
        """The whole history of the branch written anew, with other messages and names, as filter-repo does."""
        self.git(work, "checkout", "-q", "-B", "main", "origin/feature")
        raw = self.git(work, "fast-export", "--no-data", "main").replace("committer Committer", "committer Other")
        self.git(work, "fast-import", "--quiet", "--force", input=raw + "\n")
        self.git(work, "reset", "-q", "--hard")
        self.git(work, "push", "-q", "--force", "origin", "main")

    def _split(self, work):
        """The last commit of the branch in two, by its files, and the others picked; nobody keeps the messages."""
        *firsts, last = self.git(work, "rev-list", "--reverse", "main..origin/feature").split()
        self.git(work, "cherry-pick", *firsts)
        for name in ("a.py", "c.py"):
            self.git(work, "cherry-pick", "--no-commit", last) if name == "a.py" else None
            if name == "a.py":
                self.git(work, "reset", "-q")
            self.git(work, "add", name)
            self.git(work, "commit", "-qm", f"part of {name}")

    # -- who looks --------------------------------------------------------------------------------------------------

    def as_author(self, monkeypatch):
        monkeypatch.chdir(self.author)
        self.git(self.author, "checkout", "-q", "main")
        self.git(self.author, "fetch", "-q", "--prune")
        self.git(self.author, "reset", "-q", "--hard", "origin/main")
        self.git(self.author, "branch", "-q", "-D", "feature")
        return self.repository(self.author)

    def as_colleague(self, monkeypatch):
        path = self.folder / "colleague"
        self.git(self.folder, "clone", "-q", str(self.server), str(path))
        monkeypatch.chdir(path)
        return self.repository(path)

    def files(self, at):
        return sorted(path.name for path in Path(at.root).glob("*.py"))


def kept(folder, home):
    """A world that was built once for this process: it comes back to where it was."""
    place, saved = Path(folder) / "world", Path(folder) / "saved"
    shutil.rmtree(place, ignore_errors=True)
    if saved.exists():
        shutil.copytree(saved, place, symlinks=True)
        world = World(place, home)
        world.typed, world.count = dict(_TYPED), len(_TYPED)
        return world
    place.mkdir(parents=True)
    world = World(place, home)
    world.build()
    _TYPED.update(world.typed)
    shutil.copytree(place, saved, symlinks=True)
    return world


_TYPED: dict[str, str] = {}
