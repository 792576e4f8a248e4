"""A transcript in the plain form, of an agent that nobody here knows: which fields are read, and what is followed."""

import json
import os
import subprocess
from pathlib import Path

import other_records
import pytest

from tapehead.agents.plain.places import session_of
from tapehead.agents.plain.transcript import read
from tapehead.agents.readers import agent_of_file
from tapehead.cli.watched_records import WatchedRecords
from tapehead.engine.record_watch import QUIET_SECONDS
from tapehead.statemachine.vocabulary import Event
from tapehead.transcript import turns


def written(path, *lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(path)


def steps_of(tmp_path, *lines):
    return [step for turn in read(written(tmp_path / "s.jsonl", *lines)).turns for step in turn.steps]


@pytest.mark.parametrize(
    "line",
    [
        {"role": "user", "content": "hello"},
        {"type": "human", "text": "hello"},
        {"message": {"role": "USER", "content": [{"type": "text", "text": "hello"}]}},
        {"speaker": "user", "content": ["hello"]},
        {"type": "user", "message": "hello"},
        {"role": "user", "parts": [{"text": "hello"}]},
    ],
)
def test_who_speaks_and_what(tmp_path, line):
    """However the fields are called, among those that docs/agents.md lists; and the file is known by it."""
    path = written(tmp_path / "s.jsonl", line)
    assert agent_of_file(path) == "plain"
    [turn] = read(path).turns
    assert turn.human == ("hello",)


@pytest.mark.parametrize(
    ("call", "answer"),
    [
        (
            {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "Bash", "input": {"command": "ls"}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": "a", "is_error": True}]},
        ),
        (
            {"role": "model", "tool_calls": [{"id": "c", "function": {"name": "exec", "arguments": '{"cmd": "ls"}'}}]},
            {"role": "tool", "tool_call_id": "c", "content": [{"type": "text", "text": "a"}], "error": "it failed"},
        ),
        (
            {"role": "agent", "parts": [{"type": "tool-call", "callId": "c", "toolName": "shell", "args": {"command": "ls"}}]},
            {"role": "function", "call_id": "c", "output": "a", "isError": True},
        ),
    ],
)  # fmt: skip
def test_calls_and_results(tmp_path, call, answer):
    """In the forms of three model APIs; a result belongs to its call."""
    asked = {"role": "user", "content": "list it"}
    _, called, result = steps_of(tmp_path, asked, call, answer)
    assert (called.id, called.kind, called.text) == ("c", turns.RUN, "ls")
    assert (result.id, result.text, result.failed) == ("c", "a", True)


def test_an_edit_has_its_file_and_both_texts(tmp_path):
    """As attribution and briefs want it."""
    part = {"type": "tool_use", "name": "edit_file", "input": {"path": "a.py", "old_string": "x", "new_string": "y"}}
    *_, edit = steps_of(tmp_path, {"role": "user", "content": "do"}, {"role": "assistant", "content": [part]})
    assert (edit.kind, edit.path, edit.pairs) == (turns.EDIT, "a.py", (("x", "y"),))


def test_a_compaction_and_times(tmp_path):
    """Its summary is no prompt; a time is text, or seconds or milliseconds since 1970."""
    told = read(written(tmp_path / "s.jsonl", *other_records.PLAIN)).turns
    assert [each.human for each in told] == [("open the door",), ("go on",)]
    found = [step for turn in told for step in turn.steps]
    assert turns.Boundary("manual", time="2025-11-13T02:13:20Z") in found
    assert turns.Said(turns.SUMMARY, "a door was looked at") in found
    assert (told[0].ended, told[1].began) == ("2025-11-13T02:13:20Z", "2025-11-13T02:13:21Z")
    assert told[0].cwd == "/home/me/project"


def test_a_session_without_a_name_is_called_after_its_file(tmp_path):
    """In letters that a session may have."""
    path = written(tmp_path / "..my chat: 1.jsonl", {"role": "user", "content": "hello"})
    assert session_of(path) == "my-chat--1"


@pytest.mark.parametrize(
    "content", [b'{"role":"user"}\n', b'{"role":"row","content":"x"}\n', b'["user"]\n', b'{"type":"user"}\n']
)
def test_what_is_no_message_is_nobodys(tmp_path, content):
    """Nobody's notes and tables are taken for a conversation."""
    path = tmp_path / "rows.jsonl"
    path.write_bytes(content)
    assert agent_of_file(str(path)) is None


@pytest.mark.parametrize("says_where", [True, False])
def test_it_is_watched(repository, tmp_path, monkeypatch, says_where):
    """Start, turn and compaction from the record alone; where it does not say in which directory, the user's own counts."""
    subprocess.run(["git", "init", "-q", repository.root], check=True)
    monkeypatch.chdir(repository.root)
    where = {"cwd": str(repository.root)} if says_where else {}
    lines = [{"role": "user", "content": "hello", **where}, {"role": "assistant", "content": "hi"}]
    path = written(tmp_path / "strange" / "one.jsonl", *lines)
    watch = WatchedRecords((path,), "", dict(os.environ), lambda *_: None)

    def look(clock, *more):
        lines.extend(more)
        written(Path(path), *lines)
        return [news.event for news in watch.look(clock)]

    assert look(1.0) == [Event.SESSION_START]
    called = {
        "role": "assistant",
        "content": "so",
        "tool_calls": [{"id": "c", "function": {"name": "sh", "arguments": "{}"}}],
    }
    assert look(2.0, {"role": "user", "content": "make it blue"}, called) == [Event.TURN_START]
    assert look(60.0) == [], "a tool runs"
    assert (
        look(61.0, {"role": "tool", "tool_call_id": "c", "content": "a"}, {"role": "assistant", "content": "blue"})
        == []
    )
    assert look(61.0 + QUIET_SECONDS) == [Event.TURN_END]
    assert look(70.0, {"type": "summary", "summary": "it is blue"}) == [Event.COMPACTION, Event.COMPACTED]
    tape = [json.loads(line) for line in Path(repository.tape("one")).read_text().splitlines()]
    told = {line["event"]: line["data"] for line in tape if "event" in line}
    assert told["turn_start"]["prompt"] == "make it blue"
    assert told["session_start"]["worktree"] == str(repository.root)
    repository.engine.settle("one")
    state = repository.engine.store.load("one")
    assert (state.agent, state.phase.value) == ("plain", "restored")
