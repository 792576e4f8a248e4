"""Cursor's own record as turns, as others describe it."""

import json

import other_records
import pytest

from tapehead.agents.cursor import places, steps, transcript
from tapehead.agents.readers import deliveries_of
from tapehead.transcript import turns


@pytest.fixture
def written(tmp_path):
    def write(*entries, name=f"{other_records.CURSOR_SESSION}.jsonl"):
        path = tmp_path / name
        path.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
        return str(path)

    return write


def test_what_was_said_and_done(written):
    """The user's words without the agent's mark around them; a command; nothing where there is nothing."""
    first, second = transcript.read(written(*other_records.CURSOR)).turns
    assert (first.human, first.agent, second.human) == (("open the door",), ("Looking.", "It is shut."), ("go on",))
    [call] = first.calls
    assert (call.kind, call.text) == (turns.RUN, "make test")
    assert deliveries_of("cursor") is None, "it does not say what hooks told the model"


def test_a_tool_that_nobody_knows(written):
    """By its path and its short words."""
    use = {"type": "tool_use", "name": "Odd", "input": {"path": "a.py", "n": 3, "none": None}}
    [turn] = transcript.read(written({"role": "assistant", "message": {"content": [use]}})).turns
    [call] = turn.calls
    assert (call.kind, call.path, call.text) == (turns.OTHER, "a.py", "path: a.py, n: 3")


def test_the_same_words_twice_are_two(written):
    """A line has no name but its number, over several readings too."""
    say = {"role": "user", "message": {"content": "go on"}}
    [half] = steps.follow(written(say, say))
    [rest] = steps.follow(written(say, say, say), half.cursor)
    sources = [each.source for each in (*half.steps, *rest.steps)]
    assert (len(sources), len(set(sources)), rest.cursor.turn) == (3, 3, 3)


def test_where_they_are(tmp_path):
    """By project and conversation; a file of another name is nobody's conversation."""
    session = other_records.CURSOR_SESSION
    path = tmp_path / ".cursor" / "projects" / "p" / "agent-transcripts" / session / f"{session}.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text("{}\n")
    assert list(places.transcripts(str(tmp_path), {})) == [str(path)]
    assert (places.session_of(str(path)), places.session_of("/x/other.jsonl")) == (session, "")
