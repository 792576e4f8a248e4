"""INGEST: only what is new, counted once."""

from __future__ import annotations

import attr

from record import Record
from tapehead.actions.transcript_keeper import TranscriptKeeper
from tapehead.store.state import State


def ingested(told, state, most=1 << 30):
    return TranscriptKeeper(most).ingest(state, None)


def test_it_reads_on_from_where_it_stopped(told):
    """Files edited, turns and tokens since the last time; then nothing is new."""
    told.script.human("one").edit("a.py", "x", "y").edit("a.py", "y", "z").read("b.py", "x")
    usage = {"input_tokens": 5, "output_tokens": 7, "cache_read_input_tokens": 11, "cache_creation_input_tokens": 13}
    told.script._line("assistant", {"id": "m", "role": "assistant", "model": "x", "usage": usage, "content": []})
    told.write()
    state = State("one", agent="claude", transcript_path=told.path)
    first = ingested(told, state)
    assert first["files"] == ["/srv/tidewatch/a.py"]
    assert (first["turns"], first["input"], first["output"], first["cache_read"], first["cache_creation"]) == (
        1,
        5,
        7,
        11,
        13,
    )
    assert first["context_tokens"] == 5 + 11 + 13
    state = attr.evolve(state, transcript_offset=first["offset"])
    assert ingested(told, state) is None
    told.script.human("two").agent("fine")
    told.write()
    second = ingested(told, state)
    assert (second["turns"], second["files"], second["input"]) == (1, [], 0)
    assert "context_tokens" not in second


def test_without_a_reader_or_a_file_there_is_nothing(told):
    """An agent that nobody can read yet, a file that is not there."""
    told.script.human("one")
    told.write()
    assert ingested(told, State("one", agent="an-agent-to-come", transcript_path=told.path)) is None
    assert ingested(told, State("one", agent="claude", transcript_path=told.path + ".gone")) is None


def test_of_more_than_it_may_read_it_takes_the_end_and_says_so(told):
    """A transcript that nobody has read yet may be hundreds of megabytes: a hook of the same session waits for the lock."""
    for number in range(50):
        told.script.human(f"prompt {number}").edit(f"{number}.py", "x", "y")
    told.write()
    state = State("one", agent="claude", transcript_path=told.path)
    found = ingested(told, state, most=3_000)
    assert found["files"][-1] == "/srv/tidewatch/49.py"
    assert found["passed_over"] > 3_000
    assert ingested(told, attr.evolve(state, transcript_offset=found["offset"]), most=3_000) is None


def test_the_model_is_what_the_host_says(told):
    """The one that answered last in the session itself, not a subagent's; the window is not guessed from its name."""
    told.script.human("one")
    for model, sidechain in (("first", False), ("second", False), ("another", True)):
        message = {"id": model, "role": "assistant", "model": model, "usage": {"input_tokens": 5}, "content": []}
        told.script._line("assistant", message, isSidechain=sidechain, **({"agentId": "a"} if sidechain else {}))
    told.write()
    found = ingested(told, State("one", agent="claude", transcript_path=told.path))
    assert (found["model"], "context_window" in found) == ("second", False)


def test_the_agents_version_is_the_newest_that_its_record_says(tmp_path):
    """Claude Code's from its lines, Codex's from the first line of its rollout; said once, and not again."""
    record = Record().turn("one", "done")
    path = record.line("assistant", version="2.1.325", message={"role": "assistant", "content": []}).write(tmp_path)
    state = State("one", agent="claude", transcript_path=path)
    keeper = TranscriptKeeper(1 << 20)
    assert keeper.ingest(state, None)["agent_version"] == "2.1.325"
    assert "agent_version" not in keeper.ingest(attr.evolve(state, agent_version="2.1.325"), None)
    rollout = tmp_path / "rollout-2026-07-15T20-40-16-019f6782-3ad8-7d42-93c6-5400faf21b7f.jsonl"
    rollout.write_text('{"timestamp":"x","type":"session_meta","payload":{"id":"a","cli_version":"0.144.2"}}\n')
    found = keeper.ingest(State("two", agent="codex", transcript_path=str(rollout)), None)
    assert found["agent_version"] == "0.144.2"
