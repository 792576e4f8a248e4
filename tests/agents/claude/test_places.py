"""Where Claude Code keeps its transcripts, and whose they are."""

import gzip

import pytest

from record import SESSION, Record
from tapehead.agents.claude import places

OTHER = "99999999-2222-4333-8444-555555555555"


def test_all_that_are_kept(tmp_path):
    """Below the agent's own directory or the one that the environment names, those of subagents included, in order."""
    root = tmp_path / ".claude" / "projects" / "-srv-boat"
    Record().prompt("x").write(root)
    Record().prompt("x").write(root / SESSION / "subagents", "agent-a1.jsonl")
    (root / "notes.txt").write_text("no transcript")
    expected = [f"{SESSION}.jsonl", f"{SESSION}/subagents/agent-a1.jsonl"]
    for env in ({}, {"CLAUDE_CONFIG_DIR": str(tmp_path / ".claude")}):
        home = str(tmp_path) if not env else "/nowhere"
        assert [path.removeprefix(f"{root}/") for path in places.transcripts(home, env)] == expected
    assert list(places.transcripts("/nowhere", {})) == []


@pytest.mark.parametrize(
    ("name", "head", "own"),
    [
        ("a.jsonl", Record().prompt("x").bytes(), True),
        ("a.jsonl", b'{"type":"summary","summary":"T","leafUuid":"x"}\n', True),
        ("a.jsonl", b'{"sessionId" : "abc"}\n', True),
        ("a.jsonl", b'{"name":"somebody else"}\n', False),
        ("a.json", Record().prompt("x").bytes(), False),
        ("a.jsonl", b"", False),
    ],
)
def test_whether_a_file_is_one(name, head, own):
    """By its name and the first bytes in it."""
    assert places.is_own(name, head) is own


def test_whose_a_file_is(tmp_path):
    """It is named after its session, or lies below it, or says so in its last lines."""
    assert places.session_of(f"/x/{SESSION}.jsonl") == SESSION
    assert places.session_of(f"/x/{SESSION}.jsonl.gz") == SESSION
    assert places.session_of(f"/x/{SESSION}/subagents/agent-a1.jsonl") == SESSION
    resumed = Record(OTHER).prompt("old").bytes() + Record().prompt("new").bytes()
    path = tmp_path / "copy.jsonl"
    path.write_bytes(resumed)
    assert places.session_of(str(path)) == SESSION
    packed = tmp_path / "copy.jsonl.gz"
    packed.write_bytes(gzip.compress(resumed))
    assert places.session_of(str(packed)) == SESSION


def test_a_last_line_that_is_long(tmp_path):
    """The word stands farther from the end than one usually looks."""
    path = tmp_path / "copy.jsonl"
    path.write_bytes(Record().prompt("x" * 300_000).bytes())
    assert places.session_of(str(path)) == SESSION


def test_a_file_that_does_not_say(tmp_path):
    """Its name must do."""
    path = tmp_path / "copy.jsonl"
    path.write_bytes(b'{"type":"summary"}\n')
    assert places.session_of(str(path)) == "copy"
