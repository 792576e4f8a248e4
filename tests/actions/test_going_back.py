"""A session that goes on in another file, because the user went back: what was read stays counted once, and what was left is gone."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import attr
import pytest

import scenes
from tapehead.actions.absorb import absorb
from tapehead.actions.transcript_keeper import TranscriptKeeper
from tapehead.documents import notes_file as notes
from tapehead.memories.proposals import Rememberer
from tapehead.notes.notes_keeper import NoteKeeper
from tapehead.settings.loading import DEFAULTS
from tapehead.statemachine.vocabulary import Phase
from tapehead.store.paths import Layout
from tapehead.store.state import State

THREAD = "0197aaaa-0000-7000-8000-00000000000a"
LATER = "0197cccc-0000-7000-8000-00000000000c"


def line(kind, payload, minute):
    return {"timestamp": f"2026-03-01T10:{minute:02}:00.000Z", "type": kind, "payload": payload}


def turn(words, minute, spent):
    info = {"last_token_usage": {"input_tokens": spent, "output_tokens": 1}, "total_token_usage": {"n": minute}}
    texts = {"user": "input_text", "assistant": "output_text"}
    return [
        *(
            line("response_item", {"type": "message", "role": role, "content": [{"type": kind, "text": words}]}, minute)
            for role, kind in texts.items()
        ),
        line("event_msg", {"type": "token_count", "info": info}, minute),
    ]


def written(path, lines):
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))
    return str(path)


@pytest.fixture
def gone_back(tmp_path):
    """Two files of a thread: in the second the user went back to before the last prompt of the first."""
    meta = {"id": THREAD, "cwd": str(tmp_path)}
    kept = [line("session_meta", meta, 0), *turn("Build the tide table.", 1, 100)]
    left = turn("From now on, always use tabs. Remember: always use tabs.", 2, 200)
    first = tmp_path / f"rollout-2026-03-01T10-00-00-{THREAD}.jsonl"
    written(first, kept)
    end = first.stat().st_size
    written(first, [*kept, *left])
    base = {"thread_id": THREAD, "end_byte_offset": end}
    about = line("session_meta", {**meta, "history_base": base, "timestamp": "2026-03-01T10:03:00.000Z"}, 3)
    second = tmp_path / f"rollout-2026-03-01T10-03-00-{THREAD}_{LATER}.jsonl"
    written(second, [about, *turn("From now on, always use spaces. Remember: always use spaces.", 4, 300)])
    started = datetime(2026, 3, 1, 10, 0, tzinfo=UTC)
    state = State(THREAD, agent="codex", transcript_path=str(first), started_at=started, phase=Phase.IDLE)
    return state, attr.evolve(state, transcript_path=str(second))


def test_what_is_counted(gone_back):
    """The first file to its end, then the second from its own beginning: each token once, and the checkpoint's byte is forgotten."""
    before, after = gone_back
    first = TranscriptKeeper(1 << 30).ingest(before, None)
    state = absorb(before, scenes.line("ingest", data=first, host="tapehead"), Phase.IDLE)
    assert (state.token_usage.input, state.transcript_identifier) == (300, Path(before.transcript_path).name)
    state = attr.evolve(state, transcript_path=after.transcript_path, checkpoint_offset=77)
    second = TranscriptKeeper(1 << 30).ingest(state, None)
    assert (second["turns"], second["input"]) == (1, 300)
    assert "copied" not in second
    state = absorb(state, scenes.line("ingest", data=second, host="tapehead"), Phase.IDLE)
    assert (state.token_usage.input, state.checkpoint_offset) == (600, 0)
    assert (state.transcript_identifier, state.transcript_offset) == (
        Path(after.transcript_path).name,
        Path(after.transcript_path).stat().st_size,
    )
    assert TranscriptKeeper(1 << 30).ingest(state, None) is None


def test_what_is_noted_and_remembered(gone_back, tmp_path):
    """The rule that was left is in neither; that of the new branch is in both."""
    layout = Layout(str(tmp_path / "store"))
    for state in gone_back:
        NoteKeeper(layout, DEFAULTS).keep(state, now=True)
        Rememberer(layout, DEFAULTS).look_through(state)
        told = Path(notes.path(layout, THREAD)).read_text(encoding="utf-8")
        remembered = [memory.text for memory in Rememberer(layout, DEFAULTS).shelf.memories()]
        lives = "spaces" if state is gone_back[1] else "tabs"
        gone = {"spaces", "tabs"} - {lives}
        assert f"always use {lives}" in told
        assert "Build the tide table." in told
        assert [text for text in remembered if lives in text]
        assert not [word for word in gone if word in told or any(word in text for text in remembered)]
