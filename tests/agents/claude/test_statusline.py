"""What Claude Code tells its status line."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.agents.claude.statusline import seen

# As Claude Code 2.1.325 sent it in mid-session, without what nobody here reads.
SENT = {
    "session_id": "2a7c6799-6c74-4b95-a1ae-4cb38712dd59",
    "transcript_path": "/home/someone/.claude/projects/x/y.jsonl",
    "cwd": "/project/below",
    "prompt_id": "88be7440-696f-4d48-8e50-106a40f972e9",
    "model": {"id": "claude-opus-5-5", "display_name": "Opus 5.5"},
    "workspace": {"current_dir": "/project/below", "project_dir": "/project", "added_dirs": []},
    "version": "2.1.325",
    "cost": {"total_cost_usd": 0.707004, "total_duration_ms": 2219, "total_lines_added": 0},
    "context_window": {
        "total_input_tokens": 150000,
        "total_output_tokens": 9,
        "context_window_size": 1000000,
        "current_usage": {
            "input_tokens": 149000,
            "output_tokens": 9,
            "cache_creation_input_tokens": 600,
            "cache_read_input_tokens": 400,
        },
        "used_percentage": 15,
        "remaining_percentage": 85,
    },
    "exceeds_200k_tokens": False,
}


def with_window(**fields):
    return {**SENT, "context_window": {**SENT["context_window"], **fields}}


def test_what_it_says():
    """The session, where it was started, its model, the window, how full that is, and the cost."""
    found = seen(SENT, {})
    assert (found.session_id, found.directory) == (SENT["session_id"], "/project")
    assert (found.model, found.window, found.used, found.cost) == ("claude-opus-5-5", 1_000_000, 150_000, 0.707004)


@pytest.mark.parametrize(
    ("payload", "used"),
    [
        (with_window(current_usage=None, used_percentage=None), None),
        (with_window(current_usage={"input_tokens": 0, "cache_read_input_tokens": 0}), None),
        (with_window(current_usage=None), 150_000),
        (with_window(current_usage=None, context_window_size=None), None),
        ({**SENT, "context_window": None}, None),
    ],
)
def test_how_full_is_not_known_at_all_times(payload, used):
    """Before the first answer it is null, after a compaction all zeros; an older agent gives the percentage alone."""
    assert seen(payload, {}).used == used


def test_a_smaller_window_to_compact_within():
    """The user may have told the agent to compact earlier; a larger one changes nothing."""
    assert seen(SENT, {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "300000"}).window == 300_000
    assert seen(SENT, {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "3000000"}).window == 1_000_000
    assert seen(SENT, {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "many"}).window == 1_000_000
    assert seen(with_window(context_window_size=0), {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "300000"}).window is None


@pytest.mark.parametrize("payload", [None, [], "x", {}, {"session_id": 1}, {"session_id": "../x"}])
def test_what_names_no_session(payload):
    """It is none of a session's."""
    assert seen(payload, {}) is None


_ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(st.sampled_from(["", "model", "workspace", "cost", "context_window"]), st.data())
def test_no_payload_breaks_it(part, data):
    """Whatever stands in the place of any field, what is found is right for its kind."""
    payload = json.loads(json.dumps(SENT))
    where = payload[part] if part else payload
    where[data.draw(st.sampled_from(sorted(where)))] = data.draw(_ANY)
    found = seen(payload, {})
    if found is not None:
        assert found.window is None or (type(found.window) is int and found.window > 0)
        assert found.used is None or (type(found.used) is int and found.used > 0)
        assert found.cost is None or found.cost >= 0
        assert found.directory == "" or found.directory.startswith("/")
