"""`rewind`: back to a turn, and forth again, byte for byte."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

import scenes


@pytest.fixture
def worked(repository):
    """Three turns: a file is made, changed together with another, and removed again."""
    root = Path(repository.root)
    (root / "base.txt").write_text("base\n")
    (root / ".gitattributes").write_text("*.crlf text eol=crlf\n")
    scenes.git(root, "add", "-A")
    scenes.git(root, "commit", "-qm", "base")
    (root / "notes.txt").write_text("mine, untracked\n")
    repository.hook("SessionStart", source="startup")
    repository.engine.take_survey("one")

    def first():
        (root / "deep" / "er").mkdir(parents=True)
        (root / "deep" / "er" / "a.txt").write_text("one\n")
        (root / "tool.sh").write_text("#!/bin/sh\n")
        (root / "tool.sh").chmod(0o755)

    def second():
        (root / "deep" / "er" / "a.txt").write_text("one\ntwo\n")
        (root / "base.txt").write_text("changed\n")
        (root / "dos.crlf").write_bytes(b"x\r\n")

    def third():
        (root / "deep" / "er" / "a.txt").unlink()
        (root / "deep" / "er").rmdir()
        (root / "deep").rmdir()
        (root / "link").symlink_to("base.txt")

    repository.seen = [files(root)]
    for turn in (first, second, third):
        repository.hook("UserPromptSubmit", prompt=turn.__name__)
        repository.engine.settle("one")
        turn()
        repository.hook("Stop", last_assistant_message="done")
        repository.engine.settle("one")
        repository.seen.append(files(root))
    return repository


def files(root):
    found = {}
    for directory, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name != ".git"]
        found[directory] = None
        for name in names:
            path = os.path.join(directory, name)
            mode = os.lstat(path).st_mode
            found[path] = (mode, os.readlink(path) if os.path.islink(path) else Path(path).read_bytes())
    return found


def test_the_turns_are_listed(worked):
    """With what each changed; before the first there is what was there."""
    rows = worked.json("rewind")
    assert [row["turn"] for row in rows] == [0, 1, 2, 3]
    assert [row["files"] for row in rows] == [
        [],
        ["deep/er/a.txt", "tool.sh"],
        ["base.txt", "deep/er/a.txt", "dos.crlf"],
        ["deep/er/a.txt", "link"],
    ]
    assert "before the first turn" in worked.run("rewind").stdout


@pytest.mark.parametrize("turn", range(4))
def test_there_and_back(worked, turn):
    """The files are what they were after that turn, modes and links and line ends included; index and HEAD stay; undo undoes."""
    root = Path(worked.root)
    index = (root / ".git" / "index").read_bytes()
    before = (scenes.git(root, "rev-parse", "HEAD"), scenes.git(root, "for-each-ref"))
    assert worked.run("rewind", "--to", str(turn)).exit_code == 0
    assert files(root) == worked.seen[turn]
    assert worked.run("rewind", "--undo").exit_code == 0
    assert files(root) == worked.seen[3]
    assert worked.run("rewind", "--undo").exit_code == 0
    assert files(root) == worked.seen[turn]
    assert (root / ".git" / "index").read_bytes() == index
    assert (scenes.git(root, "rev-parse", "HEAD"), scenes.git(root, "for-each-ref")) == before
    notes = [row for row in worked.json("log") if row.get("note") == "rewound" or row.get("what") == "rewound"]
    assert notes


def test_lines_keep_their_owners(worked):
    """What comes back is whose it was."""
    worked.run("rewind", "--to", "2")
    assert [line["session"] for line in worked.json("blame", "deep/er/a.txt")["lines"]] == ["one", "one"]
    worked.run("rewind", "--to", "1")
    worked.run("rewind", "--undo")
    assert [line["session"] for line in worked.json("blame", "deep/er/a.txt")["lines"]] == ["one", "one"]


def test_uncommitted_work_of_the_human_is_not_lost_without_a_word(worked):
    """It is refused, with the files' names; forced, it can be undone."""
    path = Path(worked.root, "base.txt")
    path.write_text("changed\nby me\n")
    done = worked.run("rewind", "--to", "1")
    assert done.exit_code == 1
    assert path.read_text() == "changed\nby me\n"
    assert worked.run("rewind", "--to", "1", "--force").exit_code == 0
    assert path.read_text() == "base\n"
    worked.run("rewind", "--undo")
    assert path.read_text() == "changed\nby me\n"


def test_a_change_of_ones_own_elsewhere_is_no_hindrance(worked):
    """A file that the rewind leaves alone may be as it is."""
    Path(worked.root, "tool.sh").write_text("#!/bin/sh\nmine\n")
    assert worked.run("rewind", "--to", "2").exit_code == 1  # it would go back to what turn 2 left
    Path(worked.root, "tool.sh").write_text("#!/bin/sh\n")
    Path(worked.root, "tool.sh").chmod(0o755)
    assert worked.run("rewind", "--to", "2").exit_code == 0


def test_while_an_agent_works_it_is_refused(worked):
    """And so is a turn that is not on record, and an undo of nothing."""
    assert worked.run("rewind", "--undo").exit_code == 1
    assert worked.run("rewind", "--to", "9").exit_code == 1
    worked.hook("UserPromptSubmit", prompt="x")
    worked.engine.settle("one")
    assert worked.run("rewind", "--to", "1").exit_code == 1
    assert files(Path(worked.root)) == worked.seen[3]


def test_the_brief_says_that_it_happened(worked):
    """One line under Now, with the turn and the time; an undo is said too; after five more turns it is no news."""
    assert "Rewound" not in worked.run("brief").stdout
    worked.run("rewind", "--to", "2")
    now = worked.run("brief").stdout.partition("## Now")[2].partition("\n## ")[0]
    assert re.search(r"- Rewound: at \S+Z the person put 2 files back to how turn 2 left them;", now)
    worked.run("rewind", "--undo")
    assert "the person took the last rewind back: 2 files as before it" in worked.run("brief").stdout
    for number in range(6):
        assert "Rewound" in worked.run("brief").stdout
        worked.hook("UserPromptSubmit", prompt=f"and then {number}")
        worked.hook("Stop", last_assistant_message="done")
        worked.engine.settle("one")
    assert "Rewound" not in worked.run("brief").stdout


def test_the_next_session_is_told_too(worked):
    """Whoever goes on from a session whose files were put back hears of it."""
    worked.run("rewind", "--to", "1")
    worked.run("handoff")
    said = worked.hook("SessionStart", "two", source="startup")
    assert "back to how turn 1 left them" in said
