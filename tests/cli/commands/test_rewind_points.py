"""`rewind --before CALL`: the files as they were within a turn, where the record leaves no doubt."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

import scenes

SECOND = 1_000_000_000


class Turn:
    """An agent's turn, call by call: what it says in its transcript, and what it does to the files."""

    def __init__(self, repository):
        self.it = repository
        self.root = Path(repository.root)
        self.transcript = Path(repository.root).parent / "talk.jsonl"
        self.transcript.write_text("")
        self.count = 0
        for name in ("a.txt", "b.txt"):
            (self.root / name).write_text("one\ntwo\nthree\n")
        scenes.git(self.root, "add", "-A")
        scenes.git(self.root, "commit", "-qm", "base")
        where = {"transcript_path": str(self.transcript)}
        repository.hook("SessionStart", source="startup", **where)
        repository.hook("UserPromptSubmit", prompt="do it", **where)
        repository.engine.settle("one")
        self.seen = []

    def say(self, who, content, path=None, **more):
        when = datetime.fromtimestamp(time.time_ns() / SECOND, UTC).isoformat()
        entry = {"type": who, "timestamp": when, "message": {"role": who, "content": content}, **more}
        with (path or self.transcript).open("a") as file:
            file.write(json.dumps(entry) + "\n")

    def call(self, tool, given, work=lambda: None, *, path=None, failed=False, result=None):
        """A call, and what it does."""
        self.count += 1
        name = f"t{self.count}"
        self.seen.append(self.files())
        time.sleep(0.002)
        self.say("assistant", [{"type": "tool_use", "id": name, "name": tool, "input": given}], path)
        work()
        time.sleep(0.002)
        told = {"type": "tool_result", "tool_use_id": name, "content": "done", "is_error": failed}
        self.say("user", [told], path, **({"toolUseResult": result} if result else {}))

    def edit(self, name, old, new, **more):
        file = self.root / name
        given = {"file_path": str(file), "old_string": old, "new_string": new}
        self.call("Edit", given, lambda: file.write_text(file.read_text().replace(old, new, 1)), **more)

    def write(self, name, text, **more):
        self.call("Write", {"file_path": str(self.root / name), "content": text}, lambda: self.put(name, text), **more)

    def put(self, name, text):
        (self.root / name).parent.mkdir(exist_ok=True, parents=True)
        (self.root / name).write_text(text)

    def run(self, name, text):
        self.call("Bash", {"command": f"make {name}"}, lambda: self.put(name, text) if name else None)

    def files(self):
        return {
            str(path.relative_to(self.root)): (path.lstat().st_mode, path.read_bytes())
            for path in sorted(self.root.rglob("*"))
            if path.is_file() and ".git" not in path.relative_to(self.root).parts
        }

    def ends(self):
        time.sleep(0.002)
        self.it.hook("Stop", last_assistant_message="done", transcript_path=str(self.transcript))
        self.it.engine.settle("one")
        self.seen.append(self.files())
        return self.it.json("rewind", "--calls", "1")


@pytest.fixture
def turn(repository):
    return Turn(repository)


def test_before_each_edit(turn):
    """Files that were made, changed and made anew are what they were before each call, byte for byte; undo brings all back."""
    turn.edit("a.txt", "two", "zwei")
    turn.write("deep/new.txt", "new\n")
    turn.edit("a.txt", "zwei", "deux")
    turn.edit("deep/new.txt", "new", "newer")
    turn.write("b.txt", "all of it is new\n")
    turn.run("", "")
    rows = turn.ends()
    assert [(row["before"], row["sure"]) for row in rows] == [(f"1.{n}", True) for n in range(1, 7)]
    index = (turn.root / ".git" / "index").read_bytes()
    for number in (4, 1, 6, 3, 2, 5):
        assert turn.it.run("rewind", "--before", f"1.{number}").exit_code == 0
        assert turn.files() == turn.seen[number - 1]
    for _ in range(6):
        turn.it.run("rewind", "--undo")
    assert turn.files() == turn.seen[-1]
    assert (turn.root / ".git" / "index").read_bytes() == index
    assert "1.4" in turn.it.run("rewind", "--calls", "1").stdout


def test_lines_keep_their_owners(turn):
    """What the agent had written by then is its own, and the rest is not."""
    turn.edit("a.txt", "two", "zwei")
    turn.edit("a.txt", "three", "drei")
    turn.ends()
    turn.it.run("rewind", "--before", "1.2")
    assert (turn.root / "a.txt").read_text() == "one\nzwei\nthree\n"
    assert [line["session"] for line in turn.it.json("blame", "a.txt")["lines"]] == ["", "one", ""]


def test_what_a_command_wrote(turn):
    """Before all commands its files are as at the beginning, after all of them as at the end; between two nobody knows."""
    turn.edit("a.txt", "two", "zwei")
    turn.run("made.txt", "first\n")
    turn.run("made.txt", "second\n")
    turn.edit("a.txt", "zwei", "deux")
    assert [row["sure"] for row in turn.ends()] == [True, True, False, True]
    told = turn.it.run("rewind", "--before", "1.3")
    assert told.exit_code == 1
    assert "made.txt" in told.output
    assert turn.files() == turn.seen[-1]
    for number in (2, 4, 1):
        assert turn.it.run("rewind", "--before", f"1.{number}").exit_code == 0
        assert turn.files() == turn.seen[number - 1]


def test_a_file_that_something_else_wrote_to(turn):
    """A hand, a formatter: what the calls make is not what lay there, so no point of that file is sure."""
    turn.edit("a.txt", "two", "zwei")
    turn.put("a.txt", "one\nzwei\nthree\nby hand\n")
    turn.edit("b.txt", "two", "zwei")
    rows = turn.ends()
    assert [row["sure"] for row in rows] == [False, False]
    assert "a.txt" in rows[0]["doubts"][0]
    assert turn.it.run("rewind", "--before", "1.2").exit_code == 1
    assert turn.files() == turn.seen[-1]


def test_what_the_agent_read_before_its_edit_is_proof(turn):
    """Whatever happened to the file later."""
    turn.edit("a.txt", "two", "zwei")
    turn.edit("a.txt", "three", "drei", result={"originalFile": "one\nzwei\nthree\n"})
    turn.put("a.txt", "something else\n")
    assert [row["sure"] for row in turn.ends()] == [False, True]
    assert turn.it.run("rewind", "--before", "1.2").exit_code == 0
    assert turn.files() == turn.seen[1]


def test_a_call_that_failed_wrote_nothing(turn):
    """The agent's record says so."""
    given = {"file_path": str(turn.root / "a.txt"), "old_string": "nowhere", "new_string": "x"}
    turn.call("Edit", given, failed=True)
    turn.edit("a.txt", "two", "zwei")
    assert all(row["sure"] for row in turn.ends())
    assert turn.it.run("rewind", "--before", "1.2").exit_code == 0
    assert turn.files() == turn.seen[1]


def test_subagents_are_named(turn):
    """Their calls stand in a file of their own; the call that began one says nothing that they do not."""
    below = turn.transcript.with_suffix("") / "subagents"
    below.mkdir(parents=True)
    own = below / "agent-abc.jsonl"
    turn.edit("a.txt", "two", "zwei")
    given = {"description": "look after b", "subagent_type": "helper"}
    turn.call("Task", given, lambda: turn.edit("b.txt", "two", "zwei", path=own), result={"agentId": "abc"})
    rows = turn.ends()
    told = {row["what"].rpartition("/")[2]: row["subagent"] for row in rows}
    assert told["a.txt"] == ""
    assert told["b.txt"] == "subagent look after b"
    assert "(subagent look after b)" in turn.it.run("rewind", "--calls", "1").stdout
    [number] = [row["before"] for row in rows if row["subagent"]]
    assert turn.it.run("rewind", "--before", number).exit_code == 0
    assert (turn.root / "a.txt").read_text() == "one\nzwei\nthree\n"
    assert (turn.root / "b.txt").read_text() == "one\ntwo\nthree\n"


def test_the_agent_prompts_itself_when_a_subagent_is_done(turn):
    """To the tape that is one more turn; to the user it is the same one, with the calls before it and after it."""
    below = turn.transcript.with_suffix("") / "subagents"
    below.mkdir(parents=True)
    turn.edit("a.txt", "two", "zwei")
    turn.edit("b.txt", "two", "zwei", path=below / "agent-x.jsonl")
    where = {"transcript_path": str(turn.transcript)}
    turn.it.hook("SubagentStop", agent_type="general-purpose", agent_id="x", **where)
    turn.it.hook("UserPromptSubmit", prompt="<task-notification>done</task-notification>", **where)
    turn.it.engine.settle("one")
    turn.edit("a.txt", "three", "drei")
    assert [row["sure"] for row in turn.ends()] == [True, True, True]
    for number in (3, 2, 1):
        assert turn.it.run("rewind", "--before", f"1.{number}").exit_code == 0
        assert turn.files() == turn.seen[number - 1]


def test_what_no_snapshot_has_stays(turn):
    """An ignored file, and one outside of the work tree."""
    turn.put(".git/info/exclude", "ignored.txt\n")
    turn.write("ignored.txt", "kept\n")
    turn.edit("a.txt", "two", "zwei")
    turn.ends()
    told = turn.it.run("rewind", "--before", "1.1")
    assert told.exit_code == 0
    assert "ignored.txt" in told.output
    assert turn.files() == {**turn.seen[0], "ignored.txt": turn.seen[1]["ignored.txt"]}


def test_it_is_refused_like_any_rewind(turn):
    """Changes of one's own are not lost without a word; the brief says what happened; nonsense is said to be nonsense."""
    turn.edit("a.txt", "two", "zwei")
    turn.ends()
    turn.put("a.txt", "mine\n")
    assert turn.it.run("rewind", "--before", "1.1").exit_code == 1
    assert (turn.root / "a.txt").read_text() == "mine\n"
    assert turn.it.run("rewind", "--before", "1.1", "--force").exit_code == 0
    assert "before 1.1" in turn.it.run("log").stdout
    for words in (("--before", "1.9"), ("--before", "7.1"), ("--before", "x"), ("--calls", "0"), ("--calls", "9")):
        assert turn.it.run("rewind", *words).exit_code == 1
    assert turn.it.run("rewind", "--before", "1.1", "--to", "1").exit_code == 1
