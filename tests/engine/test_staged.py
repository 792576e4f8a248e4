"""With the real git and its hooks: a commit gets a trailer and a checkpoint where the session has a part in it, and nowhere else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import scenes
from tapehead.checkpoints.checkpoint_ref import Checkpoints
from tapehead.engine import commit_intake, deadline, git_hook
from tapehead.git import trailers
from tapehead.git.side import Side
from tapehead.store import lock

PROGRAM = str(Path(sys.executable).with_name("tapehead"))
TEN = "".join(f"{number}\n" for number in range(10))


class Work:
    """A repository with git's hooks, in which an agent left a scratch file that nobody commits."""

    def __init__(self, repository):
        self.it = repository
        self.root = Path(repository.root)
        self.write("mine.txt", TEN)
        self.write("theirs.txt", TEN)
        self.write("old.txt", TEN)
        self.write("run.sh", "true\n")
        self.git("add", "-A")
        self.git("commit", "-qm", "base")
        done = subprocess.run([PROGRAM, "install", "--git"], cwd=self.root, check=False, capture_output=True)
        assert done.returncode == 0, done.stderr
        repository.hook("SessionStart", source="startup")
        self.turn(lambda: self.write("scratch.txt", "agent\n"))

    def git(self, *words, **env):
        done = subprocess.run(
            ["git", *words], cwd=self.root, check=True, capture_output=True, text=True, env={**os.environ, **env}
        )
        return done.stdout

    def write(self, name, text):
        (self.root / name).write_text(text)

    def turn(self, change):
        self.begin()
        change()
        self.it.hook("Stop", last_assistant_message="done")
        self.it.engine.settle("one")

    def begin(self):
        self.it.hook("UserPromptSubmit", prompt="do it")
        self.it.engine.settle("one")

    def commit(self, *words, **env):
        """By a user; whether it has a trailer, and whether a checkpoint."""
        self.git("commit", "-q", *words, **env)
        commit_intake.take_in(self.it.engine.layout, os.environ)
        lock.release(lock.take(os.path.join(self.it.store, "sessions", "one.worker"), 60))  # its worker is done
        self.it.engine.settle("one")
        common = str(self.root / ".git")
        kept = Checkpoints(Side(os.path.join(common, "tapehead", "lines.git"), common))
        named = trailers.found(self.git("log", "-1", "--format=%B"))
        record = kept.record(self.git("rev-parse", "HEAD").strip())
        assert not named or record.checkpoints == tuple(named)
        return bool(named), bool(record and record.checkpoints)


NO, YES = (False, False), (True, True)


@pytest.fixture
def work(repository):
    return Work(repository)


def test_other_files_are_no_part(work):
    """A scratch file of the agent's lies about: what the user commits beside it is the user's, however it is committed."""
    work.write("mine.txt", TEN + "mine\n")
    work.git("add", "mine.txt")
    assert work.commit("-m", "staged") == NO
    work.write("mine.txt", TEN + "mine\nmore\n")
    assert work.commit("-am", "all that is tracked") == NO
    work.write("mine.txt", TEN)
    assert work.commit("-m", "one file", "mine.txt") == NO
    assert work.commit("--allow-empty", "-m", "nothing") == NO
    work.git("mv", "old.txt", "new.txt")
    assert work.commit("-m", "renamed") == NO
    (work.root / "new.txt").unlink()
    assert work.commit("-am", "removed") == NO
    (work.root / "run.sh").chmod(0o755)
    assert work.commit("-am", "a mode") == NO
    work.git("add", "scratch.txt")
    assert work.commit("-m", "the agent's") == YES


def test_the_lines_of_one_file(work, monkeypatch, tmp_path):
    """Both changed it: only a commit that takes a line of the agent's has it as a part. In this process, with all the time it needs."""
    monkeypatch.setattr(deadline, "HOOK_SECONDS", 120.0)
    message = tmp_path / "MSG"

    def has_part():
        message.write_text("subject\n")
        git_hook.run(["prepare-commit-msg", str(message), "message"], {**os.environ, "GIT_EDITOR": ":"})
        return bool(trailers.found(message.read_text()))

    work.turn(lambda: work.write("theirs.txt", TEN + "agent\n"))
    work.write("theirs.txt", "mine\n" + TEN + "agent\n")
    patch = "--- a/theirs.txt\n+++ b/theirs.txt\n@@ -0,0 +1 @@\n+mine\n"
    subprocess.run(["git", "apply", "--cached", "--unidiff-zero"], input=patch.encode(), cwd=work.root, check=True)
    assert not has_part()
    work.git("add", "theirs.txt")
    assert has_part()
    work.git("add", "scratch.txt")
    work.git("reset", "-q", "theirs.txt")
    assert has_part()


def test_a_deletion_is_a_part_of_whoever_deleted(work):
    """Lines, and whole files."""
    work.turn(lambda: work.write("theirs.txt", TEN.removeprefix("0\n")))
    work.write("mine.txt", TEN.removeprefix("0\n"))
    work.git("add", "mine.txt")
    assert work.commit("-m", "I removed a line") == NO
    work.git("add", "theirs.txt")
    assert work.commit("-m", "the agent did") == YES
    work.turn((work.root / "old.txt").unlink)
    assert work.commit("-am", "the agent removed a file") == YES
    parts = work.it.json("explain")["parts"]
    assert [part["attribution"]["agent_removed"] for part in parts] == [10]


def test_a_file_without_lines(work):
    """A picture, a mode: by who touched it."""
    work.turn(lambda: (work.root / "picture.bin").write_bytes(b"\0\1\2"))
    (work.root / "photo.bin").write_bytes(b"\0\3")
    work.git("add", "photo.bin")
    assert work.commit("-m", "mine") == NO
    work.git("add", "picture.bin")
    assert work.commit("-m", "the agent's") == YES
    work.turn(lambda: (work.root / "run.sh").chmod(0o755))
    assert work.commit("-am", "a mode") == YES


def test_while_the_agent_works(work):
    """What lay there before its turn is not its own; what changed since is."""
    work.write("mine.txt", TEN + "mine\n")
    work.begin()
    work.git("add", "mine.txt")
    assert work.commit("-m", "mine") == NO
    work.write("theirs.txt", TEN.removeprefix("0\n"))
    assert work.commit("-am", "the agent's deletion") == YES
    work.write("theirs.txt", TEN.removeprefix("0\n") + "agent\n")
    assert work.commit("-am", "the agent's line") == YES


def test_what_cannot_be_looked_at_counts_as_a_part(work):
    """The newest mark cannot be read, or git does not tell: a trailer too many leads somewhere."""
    os.unlink(os.path.join(work.it.store, "lines.git", "main.tip.json"))
    work.write("mine.txt", TEN + "mine\n")
    assert work.commit("-am", "mine") == YES


EDITORS = {
    "sed -i 1s/^/written/": YES,
    "printf 'written anew' >": YES,
    "sed -i -e 1s/^/written/ -e /Tapehead/d": NO,
}


@pytest.mark.parametrize("words", [(), ("-m", "subject", "-e")])
@pytest.mark.parametrize("editor", EDITORS)
def test_removing_the_trailer_in_the_editor_is_a_no(work, editor, words):
    """From nothing a comment announces it, with a message it stands there; one that is written anew as a whole says nothing."""
    work.git("add", "scratch.txt")
    expected = NO if words and editor.startswith("printf") else EDITORS[editor]
    assert work.commit(*words, GIT_EDITOR=editor) == expected
    message = work.git("log", "-1", "--format=%B")
    assert "will be added" not in message
    assert "written" in message


def test_the_announcement_fills_no_empty_message(work):
    """Git gives up a commit whose message was left as it was."""
    work.git("add", "scratch.txt")
    with pytest.raises(subprocess.CalledProcessError) as failed:
        work.commit(GIT_EDITOR="true")
    assert "empty commit message" in failed.value.stderr.lower()
    work.git("config", "commit.cleanup", "whitespace")
    assert work.commit(GIT_EDITOR="sed -i 1s/^/written/") == YES
    assert "will be added" not in work.git("log", "-1", "--format=%B")


def test_a_first_commit(tmp_path, repository):
    """Before it there is nothing to compare with."""
    root = Path(repository.root)
    subprocess.run([PROGRAM, "install", "--git"], cwd=root, check=True, capture_output=True)
    repository.hook("SessionStart", source="startup")
    repository.hook("UserPromptSubmit", prompt="do it")
    repository.engine.settle("one")
    (root / "theirs.txt").write_text("agent\n")
    (root / "mine.txt").write_text("agent\n")
    repository.hook("Stop", last_assistant_message="done")
    repository.engine.settle("one")
    scenes.git(root, "add", "theirs.txt")
    scenes.git(root, "commit", "-qm", "first")
    assert trailers.found(scenes.git(root, "log", "-1", "--format=%B"))
