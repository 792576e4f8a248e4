"""Copilot's own record as turns."""

import json

import other_records
import pytest

from tapehead.agents.copilot import delivery, places, steps, transcript
from tapehead.transcript import turns
from tapehead.transcript.recorded_steps import HOOK

SESSION = other_records.COPILOT_SESSION


@pytest.fixture
def written(tmp_path):
    def write(*entries):
        path = tmp_path / "the-session" / "events.jsonl"
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
        return str(path)

    return write


def test_what_was_said_and_done(written):
    """Words, thoughts, calls, results with their exit status, the compaction and its summary, what it cost, and where."""
    first, second = transcript.read(written(*other_records.COPILOT)).turns
    [call], [result] = first.calls, first.results
    assert (call.kind, call.text, result.failed) == (turns.RUN, "make test", True)
    assert first.agent == ("Looking.", "It is shut.")
    assert list(first.words(turns.SUMMARY)) == ["a door was looked at"]
    assert [(each.trigger, each.tokens) for each in first.boundaries] == [("auto", 10_602)]
    assert (first.usage.input, first.usage.cache_read, first.usage.context, first.usage.window) == (
        12_003, 100, 12_103, 64_000,
    )  # fmt: skip
    assert (first.cwd, first.branch, second.human) == ("/home/me/project", "main", ("go on",))
    assert all(
        turns.THINKING not in [s.who for s in t.steps if isinstance(s, turns.Said)]
        for t in transcript.skim(written(*other_records.COPILOT))
    )


def test_a_subagents_own_words_are_not_the_sessions(written):
    """They stand in the same file, and say whose they are."""
    said = other_records.COPILOT[5]
    path = written(
        *other_records.COPILOT[:3],
        {**said, "agentId": "a1"},
        {**said, "data": {**said["data"], "parentToolCallId": "c"}},
    )
    [turn] = transcript.read(path).turns
    assert turn.agent == ()


@pytest.mark.parametrize(
    ("tool", "arguments", "kind", "path", "text"),
    [
        ("edit", {"path": "a.py", "old_str": "x", "new_str": "y"}, turns.EDIT, "a.py", ""),
        ("create", {"path": "a.py", "file_text": "x"}, turns.WRITE, "a.py", "x"),
        ("view", {"path": "a.py"}, turns.READ, "a.py", ""),
        ("grep", {"pattern": "x", "paths": ["a", "b"]}, turns.SEARCH, "a, b", "x"),
        ("glob", {"pattern": "*.py", "paths": "a"}, turns.SEARCH, "a", "*.py"),
        ("task", {"description": "look", "prompt": "look well"}, turns.DELEGATE, "", "look"),
        ("apply_patch", {"input": "*** Begin Patch"}, turns.EDIT, "", "*** Begin Patch"),
        ("ask_user", {"question": "which?"}, turns.QUESTION, "", "which?"),
        ("sql", {"query": "select 1"}, turns.OTHER, "", "query: select 1"),
    ],
)
def test_tools(written, tool, arguments, kind, path, text):
    """Each in words that hold for any agent; one that nobody knows by its short words."""
    request = {"toolCallId": "c", "name": tool, "arguments": arguments}
    [turn] = transcript.read(written({"type": "assistant.message", "data": {"toolRequests": [request]}})).turns
    [call] = turn.calls
    assert (call.kind, call.path, call.text) == (kind, path, text)


def test_what_hooks_put_behind_a_prompt(written):
    """It is known as what the model got, and not as the user's words."""
    path = written(*other_records.COPILOT)
    assert list(delivery.received(path)) == ["tapehead: so far"]
    [batch] = steps.follow(path)
    assert [each.step.text for each in batch.steps if getattr(each.step, "who", "") == HOOK] == ["tapehead: so far"]


def test_followed_from_where_it_stopped(written):
    """In two goes as in one."""
    whole = [each.source for batch in steps.follow(written(*other_records.COPILOT)) for each in batch.steps]
    [half] = steps.follow(written(*other_records.COPILOT[:6]))
    [rest] = steps.follow(written(*other_records.COPILOT), half.cursor)
    assert [each.source for each in (*half.steps, *rest.steps)] == whole
    assert rest.cursor.turn == 2
    assert (rest.cursor.about["model"], rest.cursor.about["cwd"]) == ("gpt-4.1", "/home/me/project")


def test_where_they_are(tmp_path):
    """In the user's home, or where they say; a record without its first line is its directory's."""
    for root in (tmp_path / ".copilot", tmp_path / "else"):
        path = root / "session-state" / SESSION / "events.jsonl"
        path.parent.mkdir(parents=True)
        path.write_text("{}\n")
        env = {"COPILOT_HOME": str(root)} if root.name == "else" else {}
        assert list(places.transcripts(str(tmp_path), env)) == [str(path)]
        assert places.session_of(str(path)) == SESSION


def test_what_the_host_says_beside_it(written):
    """A turn that the user stopped is known as one; errors go to the memory alone."""
    stopped = {"type": "abort", "data": {"reason": "user initiated"}, "id": "a"}
    error = {"type": "session.error", "data": {"message": "no answer"}, "id": "b"}
    path = written(*other_records.COPILOT[:3], error, stopped)
    [turn] = transcript.read(path).turns
    assert list(turn.words(turns.INTERRUPTED)) == ["user initiated"]
    [batch] = steps.follow(path)
    assert "no answer" in [getattr(each.step, "text", "") for each in batch.steps]
