"""save, thread and adr: what they say, what they write, and how they fail."""

import io
import json
import os
import re
import sys
from pathlib import Path

import pytest

from tapehead.cli.app import app
from tapehead.cli.commands import save
from tapehead.cli.output import run
from tapehead.documents import hand_edited
from tapehead.store.paths import Layout

OLD, NEW = "aaaa1111-old", "bbbb2222-new"
CHOSEN = re.compile(r"^session .*\n")


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Place:
    """A repository with a store, and a way to call the program in it."""

    def __init__(self, root, capsys, monkeypatch):
        self.root, self.capsys, self.monkeypatch = root, capsys, monkeypatch
        self.layout = Layout(str(root / ".git" / "tapehead"))

    def session(self, session_id, at):
        sessions = Path(self.layout.sessions)
        sessions.mkdir(parents=True, exist_ok=True)
        state = {"session_id": session_id, "phase": "idle", "last_interaction_at": f"2026-11-16T{at}:00:00+00:00"}
        (sessions / f"{session_id}.json").write_text(json.dumps(state))

    def call(self, *args, stdin=None):
        if stdin is not None:
            self.monkeypatch.setattr(
                sys, "stdin", stdin if isinstance(stdin, io.StringIO) else io.TextIOWrapper(io.BytesIO(stdin))
            )
        code = run(app, args, "tapehead")
        out, err = self.capsys.readouterr()
        return code, out, err

    def data(self, *args, **more):
        code, out, err = self.call(*args, "--json", **more)
        assert (code, CHOSEN.sub("", err)) == (0, "")
        return json.loads(out)


@pytest.fixture
def place(tmp_path, capsys, monkeypatch):
    for name in ("objects", "refs"):
        (tmp_path / "repo" / ".git" / name).mkdir(parents=True)
    (tmp_path / "repo" / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    for name in ("CLAUDE_CODE_SESSION_ID", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path / "repo")
    return Place(tmp_path / "repo", capsys, monkeypatch)


@pytest.fixture
def two(place):
    place.session(OLD, "10")
    place.session(NEW, "12")
    return place


def test_saving_and_showing(two):
    """What was saved is counted, with its file, and shown when nothing is given."""
    code, out, err = two.call("save", "--focus", "the parser", "--note", "a", "--note", "b", "--next", "run")
    path = two.layout.captures(NEW) + "/notes.md"
    assert (code, out) == (0, f"saved for session {NEW[:8]}: the focus, 2 notes, 1 next step\n{path}\n")
    assert err.startswith(f"session {NEW[:8]}, the newest in this worktree, ")
    assert two.call("save")[1] == "Focus\n- the parser\nNotes\n- a\n- b\nNext steps\n- run\n"
    assert two.call("save", "--session", "aaaa")[1].startswith(f"Nothing saved for session {OLD[:8]}")


def test_saving_as_data(two):
    """Programs get all that is saved now, and where."""
    two.call("save", "--note", "a", "--next", "x")
    found = two.data("save", "--next", "y", "--replace")
    assert found == {
        "session": NEW,
        "path": two.layout.captures(NEW) + "/notes.md",
        "saved": True,
        "focus": [],
        "notes": ["a"],
        "next_steps": ["y"],
    }
    assert two.data("save")["saved"] is False


def test_saving_what_a_pipe_brings_unasked(two, monkeypatch):
    """Alone behind a pipe, it is the pipe's text that is saved; with options nothing is waited for."""
    monkeypatch.setattr(save, "read_pipe", lambda: "- mind the gap\n")
    assert two.call("save")[0] == 0
    monkeypatch.setattr(save, "read_pipe", lambda: pytest.fail("it waits"))
    two.call("save", "--next", "the parser")
    monkeypatch.setattr(save, "read_pipe", lambda: "")
    found = json.loads(two.call("save", "--json")[1])
    assert (found["notes"], found["next_steps"], found["saved"]) == (["mind the gap"], ["the parser"], False)


def test_saving_from_stdin(two):
    """Below our headings, or else as notes; options come on top."""
    found = two.data("save", "-", "--focus", "mine", stdin=b"## Focus\ntheirs\n## Notes\n- a\n")
    assert (found["focus"], found["notes"]) == (["mine"], ["a"])
    assert two.data("save", "-", stdin=b"plain \xff\n")["notes"] == ["a", "plain \ufffd"]


@pytest.mark.parametrize(("known", "wanted"), [(OLD, OLD), ("unknown", NEW), ("../../x", NEW), ("", NEW)])
def test_inside_an_agent_it_is_the_agents_own_session(two, known, wanted):
    """The environment names it; one that is not known here is not meant."""
    two.monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", known)
    assert two.data("save", "--note", "a")["session"] == wanted
    assert two.data("save", "--session", NEW)["session"] == NEW


@pytest.mark.parametrize(
    ("args", "stdin", "code", "said"),
    [
        (["save", "--session", "zzz"], None, 1, "No session 'zzz' here"),
        (["save", "--focus", " "], None, 1, "Nothing to save"),
        (["save", "-"], b" \n", 1, "Nothing to save"),
        (["save", "-"], Terminal(), 1, "Nothing on stdin"),
        (["save", "-"], b"x" * (1 << 20) + b"y", 1, "more than a million characters"),
        (["save", "text"], None, 2, "for stdin"),
        (["thread", "done", "1"], None, 1, "No open thread '1'"),
        (["thread", "add", " \t"], None, 1, "needs a text"),
        (["thread", "add"], None, 2, "Missing argument 'TEXT'"),
        (["adr", "new"], None, 2, "needs a title"),
        (["adr", "new", "-"], b"## Decision\nx\n", 1, "has no title"),
        (["adr", "show", "1"], None, 1, "No decision '1'"),
        (["adr", "show", "../x"], None, 1, "No decision '../x'"),
    ],
)
def test_errors_say_what_to_do(two, args, stdin, code, said):
    """Every refusal has its exit code, its reason and a hint, and writes nothing."""
    found, out, err = two.call(*args, stdin=stdin)
    assert (found, out) == (code, "")
    assert err.startswith("error: ")
    assert said in err
    assert "\nhint: " in err
    assert not Path(two.layout.root, "captures").exists()


def test_where_no_session_ever_was(place):
    """There is nothing to save for; threads and decisions need no session."""
    assert place.call("save", "--note", "x")[0] == 1
    assert place.call("thread", "add", "open")[0] == 0
    assert place.data("adr", "new", "First")["session"] == ""


def test_threads(place):
    """Noted with today's date, listed with numbers that stay, ticked by number or by how they begin."""
    assert place.call("thread", "list")[1].startswith("No open threads")
    assert place.data("thread", "add", "limit", "the rate")["number"] == 1
    place.call("thread", "add", "limit the size")
    today = place.data("thread", "list")[0]["date"]
    assert place.call("thread", "done", "LIMIT THE RATE")[1] == f"done:   1 [x] limit the rate ({today})\n"
    assert place.call("thread", "list")[1] == f"  2 [ ] limit the size ({today})\n"
    assert place.data("thread", "done", "2") == {"number": 2, "text": "limit the size", "date": today, "done": True}
    assert [each["done"] for each in place.data("thread", "list", "--all")] == [True, True]
    assert place.call("thread", "list", "--all")[1].count("[x]") == 2


def test_which_thread(place):
    """The number, else the exact words, else the only one that begins so; where two do, neither is ticked."""
    for text in ("2 things", "fix", "fix it", "fix that"):
        place.call("thread", "add", text)
    code, _, err = place.call("thread", "done", "fix ")
    assert (code, "[x] fix (" in place.call("thread", "list", "--all")[1]) == (0, True)
    code, _, err = place.call("thread", "done", "fi")
    assert code == 1
    assert "2 open threads begin with 'fi'" in err
    assert place.data("thread", "done", "2 t")["number"] == 1
    assert place.call("thread", "done", "9" * 400)[0] == 1


def test_a_thread_that_changed_meanwhile(place):
    """Someone edited the file between our look and our tick: nothing is ticked, and it is said."""
    place.call("thread", "add", "x")
    place.monkeypatch.setattr("tapehead.documents.threads.tick", lambda *_: False)
    assert "changed in the meantime" in place.call("thread", "done", "1")[2]


def test_decisions(two):
    """Recorded with number, date, status and session; listed with their gist; shown as they stand in the file."""
    code, out, _ = two.call("adr", "new", "Use\nSQLite", "--tldr", "one\nfile", "--decision", "WAL")
    path = two.layout.root + "/adrs/ADR-0001-use-sqlite.md"
    assert (code, out) == (0, f"recorded ADR-0001: Use SQLite\n{path}\n")
    [found] = two.data("adr", "list")
    assert (found["name"], found["tldr"], found["status"], found["session"], found["path"]) == (
        "ADR-0001",
        "one file",
        "Accepted",
        NEW,
        path,
    )
    assert two.call("adr", "list")[1] == f"ADR-0001 Use SQLite: one file ({found['date']}, Accepted)\n"
    for name in ("1", "0001", "ADR-0001", "adr1"):
        assert two.call("adr", "show", name)[1] == Path(path).read_text()
    assert two.data("adr", "show", "1") == found


def test_decisions_from_stdin(place):
    """The whole text, with what is missing filled in and options on top."""
    found = place.data(
        "adr",
        "new",
        "-",
        "--status",
        "Rejected",
        stdin=b"# ADR-7: Use X\nDate: 2026-01-01\n\n## Context\nc\n## Links\nz\n",
    )
    assert (found["number"], found["title"], found["date"], found["status"]) == (1, "Use X", "2026-01-01", "Rejected")
    assert (found["context"], found["rest"], found["holds"]) == ("c", "## Links\nz", False)


def test_decisions_by_hand(place):
    """A file that a user wrote, of whatever bytes, is listed and shown."""
    assert place.call("adr", "list")[1].startswith("No decisions yet")
    folder = Path(place.layout.root, "adrs")
    folder.mkdir(parents=True)
    (folder / "ADR-0004.md").write_bytes(b"Mine \xff\n")
    assert place.call("adr", "list")[1].endswith("(no status)\n")
    assert place.call("adr", "show", "4")[1] == "Mine \ufffd\n"


@pytest.mark.parametrize("args", [["thread", "add", "x"], ["adr", "new", "x"], ["save", "--note", "x"]])
def test_a_store_that_cannot_be_written(two, args):
    """The reason and a hint, and exit code 1."""

    def refuse(*_):
        raise PermissionError(13, "Permission denied", "somewhere")

    two.monkeypatch.setattr(hand_edited, "put", refuse)
    code, _, err = two.call(*args)
    assert code == 1
    assert "Can't save: [Errno 13] Permission denied: 'somewhere'" in err


def test_someone_else_is_writing(two):
    """Nobody waits for ever."""
    two.monkeypatch.setattr(hand_edited.lock, "take", lambda *_: None)
    code, _, err = two.call("thread", "add", "x")
    assert (code, "try again in a moment" in err) == (1, True)


def test_the_files_are_private(two):
    """What people keep is for nobody else."""
    two.call("save", "--note", "x")
    two.call("adr", "new", "x")
    two.call("thread", "add", "x")
    kept = [
        Path(folder, name) for folder, _, names in os.walk(two.layout.root) for name in names if name.endswith(".md")
    ]
    assert len(kept) == 3
    assert {path.stat().st_mode & 0o777 for path in kept} == {0o600}


@pytest.mark.parametrize(
    "command",
    [
        ["save"],
        ["thread"],
        ["thread", "add"],
        ["thread", "done"],
        ["thread", "list"],
        ["adr"],
        ["adr", "new"],
        ["adr", "list"],
        ["adr", "show"],
    ],
)
def test_help_has_examples(place, command):
    """Everyone learns by example."""
    code, out, _ = place.call(*command, "--help")
    assert code == 0
    assert f"Examples:\n    tapehead {command[0]}" in out


def test_without_a_word_the_groups_list(repository):
    """`thread` and `adr` alone show what there is, as `list` does."""
    repository.run("thread", "add", "limit the rate")
    repository.run("adr", "new", "Use SQLite")
    assert repository.run("thread").stdout == repository.run("thread", "list").stdout
    assert "limit the rate" in repository.run("thread").stdout
    assert repository.run("adr").stdout == repository.run("adr", "list").stdout
    assert "Use SQLite" in repository.run("adr").stdout
