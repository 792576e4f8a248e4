"""`rewind`: back to a turn, and forth again, byte for byte."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

import scenes
from tapehead.engine.chores import take_survey


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
    take_survey(repository.engine, "one")

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
    told = worked.run("rewind").stdout
    assert "before the first turn" in told
    assert [row["now"] for row in rows] == [False, False, False, True]
    assert [row["prompt"] for row in rows] == ["", "first", "second", "third"]
    assert told.count("<- current files") == 1
    assert "asked: third" in told
    worked.run("rewind", "--to", "1")
    assert [row["now"] for row in worked.json("rewind")] == [False, True, False, False]


@pytest.mark.parametrize("turn", range(3))
def test_there_and_back(worked, turn):
    """The files are what they were after that turn, modes and links and line ends included; index and HEAD stay; undo undoes."""
    root = Path(worked.root)
    index = (root / ".git" / "index").read_bytes()
    before = (scenes.git(root, "rev-parse", "HEAD"), scenes.git(root, "for-each-ref"))
    assert worked.run("rewind", "--to", str(turn)).exit_code == 0
    assert files(root) == worked.seen[turn]
    assert worked.run("rewind", "--undo").exit_code == 0
    assert files(root) == worked.seen[3]
    assert worked.run("rewind", "--undo").exit_code == 1
    assert worked.run("rewind", "--redo").exit_code == 0
    assert files(root) == worked.seen[turn]
    assert worked.run("rewind", "--redo").exit_code == 1
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


def test_every_rewind_can_be_undone(worked):
    """One after the other, the newest first, down to what the human had there; and forth again."""
    root = Path(worked.root)
    (root / "human.txt").write_text("mine\n")
    mine = files(root)
    for words in (("--to", "2", "--force"), ("--to", "0"), ("--to", "1")):
        assert worked.run("rewind", *words).exit_code == 0
    for seen in (worked.seen[0], worked.seen[2], mine):
        assert worked.run("rewind", "--undo").exit_code == 0
        assert files(root) == seen
    for seen in (worked.seen[2], worked.seen[0], worked.seen[1]):
        assert worked.run("rewind", "--redo").exit_code == 0
        assert files(root) == seen


def test_a_rewind_that_changes_nothing_is_none(worked):
    """It uses up no undo, and the tape and the brief do not speak of it."""
    for words in (("--to", "3"), ("--to", "3", "--force")):
        done = worked.run("rewind", *words)
        assert (done.exit_code, done.stdout) == (0, "The files are already like that.\n")
    assert worked.run("rewind", "--undo").exit_code == 1
    assert "Rewound" not in worked.run("brief").stdout
    worked.run("rewind", "--to", "0")
    worked.run("rewind", "--to", "0", "--force")
    assert worked.run("rewind", "--undo").exit_code == 0
    assert files(Path(worked.root)) == worked.seen[3]


def test_what_the_human_did_after_a_rewind_is_not_undone_without_a_word(worked):
    """An undo that would take it away is refused; forced, a redo brings it back, and after another rewind, an undo."""
    root = Path(worked.root)
    worked.run("rewind", "--to", "1")
    (root / "base.txt").write_text("mine\n")
    mine = files(root)
    done = worked.run("rewind", "--undo")
    assert done.exit_code == 1
    assert "base.txt" in done.stderr
    assert "--redo" in done.stderr
    assert files(root) == mine
    assert worked.run("rewind", "--undo", "--force").exit_code == 0
    assert files(root) == worked.seen[3]
    assert worked.run("rewind", "--redo").exit_code == 0
    assert files(root) == mine
    worked.run("rewind", "--undo", "--force")
    worked.run("rewind", "--to", "2")
    worked.run("rewind", "--undo")
    assert files(root) == worked.seen[3]
    worked.run("rewind", "--undo")
    assert files(root) == mine


def test_what_only_a_turn_left_waits_for_no_redo(worked):
    """A rewind after an undo: undoing it twice does not come by what `--to` finds anyhow."""
    for words in (("--to", "2"), ("--undo",), ("--to", "1"), ("--undo",)):
        assert worked.run("rewind", *words).exit_code == 0
    assert files(Path(worked.root)) == worked.seen[3]
    assert worked.run("rewind", "--undo").exit_code == 1


def test_the_one_safety_of_former_versions_is_still_gone_back_to(worked):
    """It is the oldest of the stack."""
    root = Path(worked.root)
    worked.run("rewind", "--to", "2")
    side = Path(worked.store, "lines.git")
    (ref,) = scenes.git(side, "for-each-ref", "--format=%(refname)", "refs/undo").splitlines()
    scenes.git(side, "update-ref", "refs/safety/main", ref)
    scenes.git(side, "update-ref", "-d", ref)
    worked.run("rewind", "--to", "0")
    for seen in (worked.seen[2], worked.seen[3]):
        assert worked.run("rewind", "--undo").exit_code == 0
        assert files(root) == seen
    assert worked.run("rewind", "--undo").exit_code == 1


@pytest.mark.parametrize("where", ["tool.sh", "tool.sh/made.o", "deep"])
def test_what_no_record_has_stays(worked, where):
    """An ignored file in the way, below it, or where a folder must be: no undo could bring it back, so it stays, and is named."""
    root = Path(worked.root)
    (root / "tool.sh").unlink()
    (root / ".git" / "info" / "exclude").write_text("tool.sh\n*.o\ndeep\n")
    (root / where).parent.mkdir(exist_ok=True)
    (root / where).write_text("mine\n")
    done = worked.run("rewind", "--to", "1", "--force")
    assert done.exit_code == 0
    assert (root / where).read_text() == "mine\n"
    assert (
        f"not restored (ignored by git, or too large): {'deep/er/a.txt' if where == 'deep' else 'tool.sh'}"
        in done.stderr
    )
    assert (root / "base.txt").read_text() == "base\n"


def test_another_worktree_is_left_alone(worked, tmp_path, monkeypatch):
    """A session's turns are of the worktree that it worked in: elsewhere they are not offered, and asked for by name, refused."""
    scenes.git(worked.root, "worktree", "add", "-q", str(tmp_path / "other"))
    monkeypatch.chdir(tmp_path / "other")
    for words in ((), ("--to", "1"), ("--undo",), ("--session", "one"), ("--session", "one", "--to", "1")):
        done = worked.run("rewind", *words)
        assert done.exit_code == 1
        assert (worked.root if "one" in words else "No session worked in this worktree") in done.stderr
    assert files(Path(worked.root)) == worked.seen[3]
    monkeypatch.chdir(Path(worked.root, ".git").parent)
    assert worked.run("rewind", "--session", "one", "--to", "2").exit_code == 0


@pytest.mark.parametrize("words", [("--to", "1", "--undo"), ("--undo", "--redo"), ("--force",)])
def test_what_makes_no_sense_is_refused(worked, words):
    """And nothing is done."""
    done = worked.run("rewind", *words)
    assert done.exit_code == 1
    assert done.stdout == ""
    assert files(Path(worked.root)) == worked.seen[3]


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
    assert re.search(r"- Rewound: at \S+Z the user put 2 files back to how turn 2 left them;", now)
    worked.run("rewind", "--undo")
    assert "the user took the last rewind back: 2 files as before it" in worked.run("brief").stdout
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


def test_an_undo_of_what_was_undone_by_hand(worked):
    """Nothing is left to put back, and the next undo is about the rewind before."""
    root = Path(worked.root)
    assert worked.run("rewind", "--to", "2").exit_code == 0
    (root / "deep" / "er" / "a.txt").unlink()
    (root / "deep" / "er").rmdir()
    (root / "deep").rmdir()
    (root / "link").symlink_to("base.txt")
    assert files(root) == worked.seen[3]
    assert worked.run("rewind", "--undo").exit_code == 0
    assert files(root) == worked.seen[3]
    assert worked.run("rewind", "--undo").exit_code == 1
