"""The trailer in messages that people write: the real git with our hooks, and beside it a twin without them that is asked the same."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import scenes
from tapehead.engine import amend
from tapehead.git import hooks_install, trailers
from tapehead.statemachine.vocabulary import Event
from tapehead.store import starts
from tapehead.store.paths import Layout

PROGRAM = str(Path(sys.executable).with_name("tapehead"))
ABOVE = '{{ printf "{}"; cat "$0"; }} > "$0.new" && mv "$0.new" "$0"'
EDITORS = {
    "leaves it": "true",
    "writes above": ABOVE.format("mended\\n"),
    "writes a comment": ABOVE.format("# mended\\n"),
    "writes an issue's number": ABOVE.format("Mended\\n\\n#5 is closed\\n"),
    "clears it": ': > "$0"',
    "clears all but trailers": 'sed -i -n "/^[A-Z][A-Za-z-]*: /p" "$0"',
}
WAYS = {
    "plain": (),
    "-v": ("-v",),
    "-s": ("-s",),
    "no status": ("--no-status",),
    "strip": ("--cleanup=strip",),
    "scissors": ("--cleanup=scissors", "-v"),
    "whitespace": ("--cleanup=whitespace",),
    "verbatim": ("--cleanup=verbatim", "--no-status"),
    "template": ("-t", "../template"),
    "given and edited": ("-m", "given", "-e"),
    "amended": ("--amend",),
    "copied": ("-c", "HEAD"),
    "unverified": ("--no-verify",),
    "given": ("-m", "given"),
    "given with a number": ("-m", "#5 given"),
    "given as a comment": ("-m", "# given", "--cleanup=whitespace"),
    "no editor for an amend": ("--amend", "--no-edit"),
    "given for an amend": ("--amend", "-m", "given"),
    "empty": ("--allow-empty-message",),
}
FROM_NOTHING_UNVERIFIED = "unverified"


class Writer:
    """A repository in which an agent is at work, and its twin in which nobody ever heard of us."""

    def __init__(self, base):
        self.twin = scenes.repository(base / "twin")
        self.repo = base / "repo"
        shutil.copytree(self.twin, self.repo)
        (base / "template").write_text("Template\n\nWhy:\n")
        self.layout = Layout(str(self.repo / ".git" / "tapehead"))
        starts.note(self.layout, "main", {"session": "one", "at": "2027-01-01T00:00:00.000000Z"})
        self.scene = scenes.Scene(self.layout.root)
        for event in (Event.SESSION_START, Event.TURN_START):
            self.scene.hear("one", event)
        self.scene.settled("one")
        hooks_install.install(str(self.repo), PROGRAM)

    def both(self, words, editor):
        """Our message and the twin's; None where no commit was made. Both go back to where they were."""
        found = [self.commit(where, words, editor) for where in (self.repo, self.twin)]
        unheard = found[0] is None and "--no-verify" in words  # the next message's hook takes it away
        assert unheard or not (self.repo / ".git" / "COMMIT_EDITMSG.tapehead").exists()
        return found

    def commit(self, where, words, editor):
        """What the user writes is committed; the branch, the index and the work tree come back by their files, without a git for each."""
        held = [where / name for name in (".git/refs/heads/main", ".git/index", "file.txt")]
        before = [path.read_bytes() for path in held]
        held[-1].write_text("changed\n")
        scenes.git(where, "add", "-A")
        env = {**os.environ, "GIT_EDITOR": f"sh -c '{editor}'"}
        done = subprocess.run(["git", "commit", *words], cwd=where, env=env, capture_output=True, check=False)
        made = held[0].read_bytes() != before[0]
        assert made == (done.returncode == 0), done.stderr
        message = scenes.git(where, "log", "-1", "--format=%B") if made else None
        for path, content in zip(held, before, strict=True):
            path.write_bytes(content)
        return message

    def reserved(self):
        path = Path(self.layout.reserved)
        return [json.loads(row)["id"] for row in path.read_text().splitlines()] if path.exists() else []


@pytest.fixture
def writer(tmp_path):
    return Writer(tmp_path)


def lines(message):
    return [line for line in trailers.without(message).split("\n") if line.strip()]


def has_editor(way):
    return "-e" in WAYS[way] or not {"-m", "--no-edit"} & {*WAYS[way]}


def checked(writer, way, editor):
    """What the twin does is done, with the trailer on it; returns whether it has one."""
    ours, twins = writer.both(WAYS[way], EDITORS[editor])
    if twins is None or ours is None:
        assert ours == twins, (way, editor)
        return False
    assert lines(ours) == lines(twins), (way, editor)
    ids = trailers.found(ours)
    assert len(ids) <= 1
    assert set(ids) <= set(writer.reserved())
    written = trailers.said(twins, "#" if has_editor(way) else "")
    assert bool(ids) == bool(written and way != FROM_NOTHING_UNVERIFIED) or "comment" in way + editor, (way, editor)
    if ids and "--cleanup" not in " ".join(WAYS[way]):
        assert ours.rstrip("\n").endswith(f"{trailers.NAME}: {ids[0]}")
    return bool(ids)


@pytest.mark.parametrize("way", WAYS)
def test_every_way_to_write_a_message(writer, way):
    """A commit is made, or given up, as without us, with the same message; and with its trailer where a user wrote a word."""
    had = [checked(writer, way, editor) for editor in (EDITORS if has_editor(way) else ["leaves it"])]
    assert any(had) == (way != FROM_NOTHING_UNVERIFIED)


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="only /proc tells how git was called")
@pytest.mark.parametrize("words", [("-m", "other"), ("-m", "other", "-e"), ("-F", "../template")])
def test_an_amend_keeps_the_trailer_whatever_the_message(writer, words):
    """It is the same commit: also where nobody is at work any more, and not where a commit is a new one."""
    ids = []
    env = {**os.environ, "GIT_EDITOR": "true"}
    for more in (("-m", "first"), ("--amend", *words), ("-m", "another")):
        (writer.repo / "file.txt").write_text(f"changed {more}\n")
        subprocess.run(["git", "commit", "-qa", *more], cwd=writer.repo, env=env, check=True)
        ids.append(trailers.found(scenes.git(writer.repo, "log", "-1", "--format=%B")))
        writer.scene.hear("one", Event.TURN_END)
        writer.scene.settled("one")
    assert len(ids[0]) == 1
    assert ids == [ids[0], ids[0], []]
    assert lines(scenes.git(writer.repo, "log", "-1", "--skip=1", "--format=%B"))[0] in ("other", "Template")


def test_who_amends_is_read_from_the_nearest_git(tmp_path):
    """A git further above is another's; without anything to read it is no amend."""
    for pid, parent, command in ((5, 4, "sh\0hook"), (4, 3, "git\0commit\0-m\0x"), (3, 2, "git\0commit\0--amend")):
        (tmp_path / str(pid)).mkdir()
        (tmp_path / str(pid) / "stat").write_text(f"{pid} (a) b) S {parent} 1 1")
        (tmp_path / str(pid) / "cmdline").write_text(command + "\0")
    assert [amend.amends(pid, str(tmp_path)) for pid in (5, 4, 3, 2, 99)] == [False, False, True, False, False]


@pytest.mark.parametrize("sign", [";", "auto"])
def test_another_sign_for_comments(writer, sign):
    """As git is set up, or as it chooses."""
    for where in (writer.repo, writer.twin):
        scenes.git(where, "config", "core.commentChar", sign)
    had = [checked(writer, way, editor) for way in ("plain", "-v", "given and edited") for editor in EDITORS]
    assert any(had)


def test_comments_that_git_was_told_to_strip(writer):
    """A message that is all comments is none to git then, and ours does not make it one."""
    for where in (writer.repo, writer.twin):
        scenes.git(where, "config", "commit.cleanup", "strip")
    assert writer.both(("-m", "# given"), "true") == [None, None]
    assert trailers.found(writer.both(("-m", "given\n\n# more"), "true")[0])


@pytest.mark.parametrize("how", ["--no-ff", "--squash"])
def test_what_git_wrote_of_a_merge(writer, how):
    """A merge and a squash get none, whatever is written over their message, and none that was meant for another one either."""
    checked(writer, "unverified", "clears it")
    scenes.git(writer.repo, "checkout", "-q", "-b", "other")
    (writer.repo / "other.txt").write_text("other\n")
    scenes.git(writer.repo, "add", "-A")
    scenes.git(writer.repo, "commit", "-qm", "on the other")
    assert trailers.found(scenes.git(writer.repo, "log", "-1", "--format=%B"))
    scenes.git(writer.repo, "checkout", "-q", "main")
    (writer.repo / ".git" / "COMMIT_EDITMSG.tapehead").write_text('{"promised": {"one": "0123456789ab"}}')
    env = {**os.environ, "GIT_EDITOR": f"sh -c '{EDITORS['writes above']}'"}
    ways = {"--no-ff": [("merge", "-q", "-e", how, "other")], "--squash": [("merge", how, "other"), ("commit", "-q")]}
    for words in ways[how]:
        subprocess.run(["git", *words], cwd=writer.repo, env=env, check=True, capture_output=True)
    message = scenes.git(writer.repo, "log", "-1", "--format=%B")
    assert message.startswith("mended\n")
    assert not trailers.found(message)
