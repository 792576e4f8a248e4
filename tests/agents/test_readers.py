"""Who reads which agent's record."""

from __future__ import annotations

import json

import chats
import other_records
import pytest
import rollouts

from tapehead.agents import readers
from tapehead.agents.readers import RECORDS, UNPROVEN, agent_of_file, deliveries_of, follower_of, places_of, reader_of
from tapehead.agents.registry import AGENTS

CLAUDE = {
    "type": "user",
    "uuid": "u",
    "parentUuid": None,
    "sessionId": "s",
    "message": {"role": "user", "content": "hello"},
}
FIRST_LINES = {
    "claude": [CLAUDE],
    "codex": rollouts.legacy(),
    "gemini": chats.lines(),
    "copilot": other_records.COPILOT,
    "opencode": other_records.OPENCODE,
    "droid": other_records.DROID,
    "qwen": other_records.QWEN,
    "cursor": other_records.CURSOR,
    "plain": other_records.PLAIN,
}


@pytest.mark.parametrize("agent", sorted(AGENTS.keys() & set(RECORDS)))
def test_every_agent_with_hooks_has_a_reader_and_a_record(agent):
    """A module with the functions that the actions call."""
    assert callable(reader_of(agent).read)
    assert agent in UNPROVEN or callable(deliveries_of(agent).received)


@pytest.mark.parametrize("agent", RECORDS)
def test_every_record_can_be_read_followed_and_found(agent):
    """Also of agents whose hooks are not known yet."""
    assert all(callable(getattr(reader_of(agent), name)) for name in ("read", "skim", "newest"))
    assert callable(follower_of(agent).follow)
    assert all(callable(getattr(places_of(agent), name)) for name in ("transcripts", "is_own", "session_of"))


def test_an_agent_that_nobody_knows_has_none():
    """That is no error: the tape is all that is known of it."""
    assert reader_of("") is None
    assert follower_of("") is None
    assert deliveries_of("an-agent-to-come") is None
    assert set(RECORDS) - set(UNPROVEN) == readers._DELIVERIES.keys() <= AGENTS.keys()


@pytest.mark.parametrize("agent", RECORDS)
def test_a_file_is_known_as_its_own_agents(tmp_path, agent):
    """By its first lines, under any name, and when it speaks of the others."""
    lines = [json.dumps(one) for one in FIRST_LINES[agent]]
    path = tmp_path / "copy.jsonl"
    path.write_text("\n".join(lines))
    assert agent_of_file(str(path)) == agent


@pytest.mark.parametrize("content", [b"", b"{}\n", b"# notes\n", b"\x00\xff", b'{"type":"user"}\n'])
def test_what_is_nobodys_is_nobodys(tmp_path, content):
    """Also where the name could be anybody's."""
    path = tmp_path / "notes.jsonl"
    path.write_bytes(content)
    assert agent_of_file(str(path)) is None
