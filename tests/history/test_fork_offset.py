"""What a fork copied is counted once: where it was said."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from attrs import evolve

import scenes
from tapehead.actions.transcript_keeper import TranscriptKeeper
from tapehead.history.database import Database
from tapehead.history.intake import MemoryKeeper
from tapehead.settings.loading import DEFAULTS
from tapehead.store.paths import Layout
from tapehead.store.state import State

STARTED = scenes.when()


def said(number, when, text):
    time = when.isoformat().replace("+00:00", "Z")
    words = {"type": "user", "message": {"role": "user", "content": text}}
    answer = {"model": "m", "id": f"m{number}", "role": "assistant", "usage": {"input_tokens": 10, "output_tokens": 1}}
    reply = {"type": "assistant", "message": {**answer, "content": [{"type": "text", "text": f"Answer {number}."}]}}
    return [{**each, "uuid": f"u{number}{each['type']}", "timestamp": time} for each in (words, reply)]


COPIED = said(1, STARTED - timedelta(minutes=1), "the number is 4711")
OWN = said(2, STARTED + timedelta(minutes=1), "which number was it?")


@pytest.fixture
def state(tmp_path):
    path = tmp_path / "f.jsonl"
    path.write_text("".join(json.dumps(entry) + "\n" for entry in (*COPIED, *OWN)), encoding="utf-8")
    return State(
        "f", agent="claude", forked=True, started_at=STARTED, transcript_path=str(path), turn_number=1, predecessor="a"
    )


def test_usage_and_turns(state):
    """INGEST counts what came after the fork, and says how much it passed over."""
    noted = TranscriptKeeper(1 << 20).ingest(state, None)
    assert (noted["turns"], noted["input"], noted["output"]) == (1, 10, 1)
    assert noted["copied"] == sum(len(json.dumps(entry)) + 1 for entry in COPIED)
    assert "passed_over" not in noted


def test_history(state, tmp_path):
    """The history has the fork's own turns under its name; what was copied stays the other session's."""
    MemoryKeeper(Layout(str(tmp_path / "store")), DEFAULTS).remember(state)
    with Database(str(tmp_path / "store" / "memory.db")) as database:
        sources = {str(row[0]).partition("/")[0] for row in database.rows("SELECT source FROM entries")}
    assert {entry["uuid"] for entry in OWN} <= sources
    assert not {entry["uuid"] for entry in COPIED} & sources


def test_a_session_that_is_no_fork_is_counted_from_its_first_byte(state):
    """A resumed one may have old lines too, and they are its own."""
    assert TranscriptKeeper(1 << 20).ingest(evolve(state, forked=False), None)["turns"] == 2
