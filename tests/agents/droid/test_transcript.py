"""Droid's own record as turns."""

import json

import other_records
import pytest
from other_records import droids, text

from tapehead.agents.droid import delivery, places, transcript
from tapehead.transcript import turns


@pytest.fixture
def written(tmp_path):
    def write(*entries):
        path = tmp_path / "one.jsonl"
        path.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
        return str(path)

    return write


def test_what_was_said_and_done(written):
    """Words, thoughts, calls, results with their exit status, the compaction and its summary, and where."""
    first, second = transcript.read(written(*other_records.DROID)).turns
    [call], [result] = first.calls, first.results
    assert (call.kind, call.text, result.failed) == (turns.RUN, "make test", True)
    assert (first.human, first.agent) == (("open the door",), ("Looking.", "It is shut."))
    assert list(first.words(turns.SUMMARY)) == ["a door was looked at"]
    assert (len(first.boundaries), first.cwd, second.human) == (1, "/home/me/project", ("go on",))


def test_what_hooks_told_the_model(written):
    """As the record says that they printed it."""
    odd = droids("m", "user", hookEventName="Stop", hookResults=[{"stdout": "not JSON"}, {"stdout": "{}"}, {}])
    assert list(delivery.received(written(*other_records.DROID, odd))) == ["tapehead: so far"]


def test_the_persons_words(written):
    """Not what the agent puts among them."""
    with open(
        written(*other_records.DROID, droids("x", "user", text("a"), text("<system-reminder>b")), {}), "rb"
    ) as file:
        assert list(transcript.prompts(file.read() + b'"message"')) == ["open the door", "go on", "a"]
    [turn] = transcript.read(written({"type": "message", "message": {"role": "user", "content": "plain"}})).turns
    assert turn.human == ("plain",)


@pytest.mark.parametrize(
    ("tool", "given", "kind", "path", "words"),
    [
        ("Edit", {"file_path": "a.py", "old_str": "x", "new_str": "y"}, turns.EDIT, "a.py", ""),
        ("ApplyPatch", {"input": "*** Begin"}, turns.EDIT, "", "*** Begin"),
        ("Create", {"file_path": "a.py", "content": "x"}, turns.WRITE, "a.py", "x"),
        ("Read", {"file_path": "a.py"}, turns.READ, "a.py", ""),
        ("LS", {"directory_path": "/a"}, turns.SEARCH, "/a", ""),
        ("Glob", {"patterns": ["*.py", "*.js"], "folder": "/a"}, turns.SEARCH, "/a", "*.py, *.js"),
        ("TodoWrite", {"todos": [{"content": "a"}]}, turns.TODOS, "", ""),
        ("Task", {"description": "look", "prompt": "look well"}, turns.DELEGATE, "", "look"),
        ("Skill", {"skill": "x"}, turns.OTHER, "", "skill: x"),
    ],
)
def test_tools(written, tool, given, kind, path, words):
    """Each in words that hold for any agent; one that nobody knows by its short words."""
    use = {"type": "tool_use", "id": "c", "name": tool, "input": given}
    [turn] = transcript.read(written(droids("m", "assistant", use))).turns
    [call] = turn.calls
    assert (call.kind, call.path, call.text) == (kind, path, words)


def test_where_they_are(tmp_path):
    """Below the user's home, by project."""
    path = tmp_path / ".factory" / "sessions" / "-home-me-project" / "one.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text("{}\n")
    assert list(places.transcripts(str(tmp_path), {})) == [str(path)]
    assert places.session_of(str(path)) == ""
