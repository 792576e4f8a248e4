"""OpenCode's conversations, as our plugin writes them down."""

import json

import other_records
import pytest
from other_records import message, text

from tapehead.agents.opencode import delivery, places, setup, steps, transcript
from tapehead.transcript import turns
from tapehead.transcript.recorded_steps import HOOK, SYSTEM


@pytest.fixture
def written(tmp_path):
    def write(*entries):
        path = tmp_path / "ses.jsonl"
        path.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
        return str(path)

    return write


def test_what_was_said_and_done(written):
    """Words, thoughts, calls and what came of them, the compaction with its summary, what it cost, and where."""
    first, second = transcript.read(written(*other_records.OPENCODE)).turns
    [call], [result] = first.calls, first.results
    assert (call.kind, call.text, result.failed) == (turns.RUN, "make test", True)
    assert first.agent == ("Looking.", "It is shut.")
    assert list(first.words(turns.SUMMARY)) == ["a door was looked at"]
    assert [(each.trigger, each.tokens) for each in first.boundaries] == [("auto", 7_803)]
    assert (first.usage.input, first.usage.output, first.usage.context) == (7_698, 10, 7_803)
    assert (first.cwd, first.began[:19], second.human) == ("/home/me/project", "2026-11-16T06:53:54", ("go on",))


def test_the_person_and_the_others(written):
    """What the agent and we put behind a prompt is not the user's."""
    [batch] = steps.follow(written(*other_records.OPENCODE))
    said = {each.step.text: each.step.who for each in batch.steps if isinstance(each.step, turns.Said)}
    assert said["tapehead: so far"] == said["tapehead: in mid-turn"] == HOOK
    assert said["Continue if you have next steps"] == SYSTEM
    assert list(delivery.received(written(*other_records.OPENCODE))) == ["tapehead: so far", "tapehead: in mid-turn"]
    assert batch.cursor.about["model"] == "m1"


@pytest.mark.parametrize(("name", "who"), [("MessageAbortedError", turns.INTERRUPTED), ("APIError", None)])
def test_errors(written, name, who):
    """A turn that the user stopped is known as one."""
    path = written(message("m", "user", text("go")), message("n", "assistant", error={"name": name, "data": {}}))
    [turn] = transcript.read(path).turns
    assert list(turn.words(turns.INTERRUPTED)) == ([name] if who else [])


@pytest.mark.parametrize(
    ("tool", "given", "kind", "path", "words"),
    [
        ("edit", {"filePath": "a.py", "oldString": "x", "newString": "y"}, turns.EDIT, "a.py", ""),
        ("write", {"filePath": "a.py", "content": "x"}, turns.WRITE, "a.py", "x"),
        ("patch", {"patchText": "*** Begin"}, turns.EDIT, "", "*** Begin"),
        ("read", {"filePath": "a.py"}, turns.READ, "a.py", ""),
        ("grep", {"pattern": "x", "path": "a"}, turns.SEARCH, "a", "x"),
        ("webfetch", {"url": "http://x"}, turns.SEARCH, "", "http://x"),
        ("todowrite", {"todos": [{"content": "a", "status": "pending"}]}, turns.TODOS, "", ""),
        ("task", {"description": "look", "prompt": "look well"}, turns.DELEGATE, "", "look"),
        ("question", {"questions": [{"question": "which?"}]}, turns.QUESTION, "", "which?"),
        ("skill", {"name": "x"}, turns.OTHER, "", "name: x"),
    ],
)
def test_tools(written, tool, given, kind, path, words):
    """Each in words that hold for any agent; one that nobody knows by its short words."""
    part = {"type": "tool", "tool": tool, "callID": "c", "state": {"status": "running", "input": given}}
    [turn] = transcript.read(written(message("m", "assistant", part))).turns
    [call] = turn.calls
    assert (call.kind, call.path, call.text, turn.results) == (kind, path, words, ())


def test_where_they_are(tmp_path):
    """In the user's state directory, wherever that is."""
    for root, env in ((tmp_path / ".local" / "state", {}), (tmp_path / "x", {"XDG_STATE_HOME": str(tmp_path / "x")})):
        path = root / "tapehead" / "opencode" / "ses_1.jsonl"
        path.parent.mkdir(parents=True)
        path.write_text("{}\n")
        assert list(places.transcripts(str(tmp_path), env)) == [str(path)]
        assert places.session_of(str(path)) == ""


def test_complaints(tmp_path):
    """A plugin of another version of ours, and a switch that keeps all of them from running."""
    text_ = setup.ENTRIES.with_hooks(None, "/opt/bin/tapehead hook opencode")
    place = {"home": str(tmp_path), "project": "/home/me/project"}
    assert setup.complaints("", text_, env={}, **place) == []
    [(what, hint)] = setup.complaints("", text_ + "// old\n", env={}, **place)
    assert ("another version" in what, hint) == (True, "`tapehead install --agent opencode`")
    assert "OPENCODE_PURE" in setup.complaints("", text_, env={"OPENCODE_PURE": "1"}, **place)[0][0]
