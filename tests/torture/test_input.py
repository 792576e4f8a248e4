"""Bad input: whatever comes on stdin, the hook exits 0 in silence, writes only into its store, and doctor can say what came."""

import json
import os
import shutil
import subprocess

import pytest
from arena import PATIENCE, TAPEHEAD, tree
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tapehead.agents.claude.hooks import HOOKS
from tapehead.engine.hook import run
from tapehead.store.paths import is_session_id

BAD_IDS = (
    "../../x", "x" * 10_000, "a\nb", "a\0b", "", ".", "..", "-x", "/etc/passwd", "ünïcode", "a/b", "a\\b", " ", "\ud800",
    None, 7, 1.5, True, [], {}, ["x"],
)  # fmt: skip
GOOD_IDS = ("con", "x" * 128, "0", "a.b", "a.json", "a..b", "A-1_b.c")
NOT_A_VALUE = {
    "nothing": b"",
    "blanks": b" \n\t ",
    "words": b"hello",
    "half": b'{"session_id": "x"',
    "two values": b"{}{}",
    "invalid UTF-8": b'{"session_id": "\xff\xfe"}',
    "binary": bytes(range(256)),
    "deep objects": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "deep lists": b"[" * 100_000 + b"]" * 100_000,
    "a number too long": b'{"context_tokens": ' + b"9" * 10_000 + b"}",
}
NOT_OURS = {"a list": b"[1, 2]", "a text": b'"x"', "null": b"null", "a number": b"1", "an object": b"{}"}


def _outside(arena):
    """All of the arena but the store."""
    return {path: found for path, found in tree(arena.base).items() if not (path + "/").startswith(arena.root + "/")}


@pytest.mark.parametrize("raw", [*NOT_A_VALUE.values(), *NOT_OURS.values()], ids=[*NOT_A_VALUE, *NOT_OURS])
def test_what_is_no_payload(arena, raw):
    """It is kept among the strays, with the reason, and nothing else is written."""
    before = _outside(arena)
    assert arena.hook(raw, cwd=arena.work) == ""
    assert _outside(arena) == before
    assert os.listdir(arena.root) == ["strays.tape"]
    (reason,) = arena.strays()
    assert reason


@pytest.mark.parametrize("session", BAD_IDS, ids=lambda word: repr(word)[:20])
def test_session_ids_that_are_no_names(arena, session):
    """A session id that cannot be a file name becomes none."""
    before = _outside(arena)
    _run(arena, {"session_id": session, "hook_event_name": "Stop", "cwd": arena.work})
    assert _outside(arena) == before
    assert os.listdir(arena.root) == ["strays.tape"]
    assert arena.strays() == ["no session id that can be used"]


@pytest.mark.parametrize("session", GOOD_IDS, ids=lambda word: word[:20])
def test_session_ids_that_look_odd(arena, session):
    """Odd but harmless names are names."""
    _run(arena, {"session_id": session, "hook_event_name": "UserPromptSubmit", "cwd": arena.work})
    assert arena.engine.store.list() == [session]


def test_a_hundred_megabytes(arena):
    """A payload of 100 MB, full of what looks like its end, is taken in, and shortened to what is needed."""
    raw = arena.payload("large", "UserPromptSubmit", prompt="} {" * 33_000_000 + "the end")
    assert len(raw) > 99_000_000
    words = [TAPEHEAD, "hook", "claude"]
    done = subprocess.run(words, input=raw, env=arena.env, capture_output=True, timeout=PATIENCE, check=True)
    assert (done.stdout, done.stderr) == (b"", b"")
    (line,) = [one for one in arena.lines("large") if one.event]  # the worker may have noted something already
    assert line.text("prompt").endswith("the end")
    assert os.stat(arena.layout.tape("large")).st_size < 100_000


def _run(arena, payload):
    """The hook in this process, through a pipe, as the console script calls it."""
    raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    path = os.path.join(arena.base, "payload")
    with open(path, "wb") as file:
        file.write(raw)
    descriptor = os.open(path, os.O_RDONLY)
    os.unlink(path)
    try:
        return run("claude", descriptor, arena.env | {"PWD": arena.work})
    finally:
        os.close(descriptor)


FIELDS = [
    "session_id",
    "hook_event_name",
    "cwd",
    "transcript_path",
    "prompt",
    "prompt_id",
    "source",
    "model",
    "context_tokens",
    "trigger",
    "reason",
    "custom_instructions",
    "last_assistant_message",
    "background_tasks",
    "error",
    "error_details",
    "compact_summary",
    "agent_id",
    "agent_type",
    "permission_mode",
    "stop_hook_active",
    "timestamp",
    "turn_id",
]
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.integers(10**4000, 10**4001), st.floats(),
    st.text(st.characters(), max_size=50),  # lone surrogates included
    st.sampled_from(["", "/", "/tmp/../etc", "/\ud800", "a\0b", "\n", "compact", "clear", "<summary>", "/" + "a/" * 5000]),
)  # fmt: skip
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)
PAYLOADS = st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=8)
ADDRESSED = st.builds(
    lambda payload, session, hook: payload | {"session_id": session, "hook_event_name": hook},
    PAYLOADS, st.sampled_from(["one", "two"]), st.sampled_from([*HOOKS, "PostToolUse"]),
)  # fmt: skip


@pytest.fixture
def here(arena, monkeypatch):
    """Payloads without a usable cwd belong to the working directory; nobody is let loose from this process."""
    monkeypatch.chdir(arena.work)
    monkeypatch.setattr("tapehead.system.spawn_detached", lambda *words: None)
    return arena


_MANY = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
_VERY_MANY = settings(_MANY, max_examples=5_000)


def _is_taken(arena, payload):
    """Never raises; says nothing or what an agent can read; writes nothing outside the store."""
    shutil.rmtree(arena.root, ignore_errors=True)
    before = _outside(arena)
    said = _run(arena, payload)
    hook = payload.get("hook_event_name")
    if said and hook != "PreCompact":
        assert set(json.loads(said)) <= {"systemMessage", "hookSpecificOutput"}
    for session in arena.engine.store.list():
        assert is_session_id(session)
        arena.engine.settle(session)
        state = arena.settled(session)
        assert state.failures == {}
    assert _outside(arena) == before


def _inside(payload, arena):
    """Directories that exist on this machine are no place for a test to write to."""
    return payload | {"cwd": arena.work} if isinstance(payload.get("cwd"), str) else payload


@given(payload=PAYLOADS | ADDRESSED)
@_MANY
def test_any_payload_is_taken(here, payload):
    """Fields that are missing, null or of the wrong type, of any size and any letters, in any order of events."""
    _is_taken(here, _inside(payload, here))


@pytest.mark.slow
@given(payload=PAYLOADS | ADDRESSED)
@_VERY_MANY
def test_very_many_payloads_are_taken(here, payload):
    """The same with a larger sample."""
    _is_taken(here, _inside(payload, here))


@given(
    raw=st.binary(max_size=200) | st.builds(lambda p, cut: json.dumps(p).encode()[:cut], ADDRESSED, st.integers(0, 400))
)
@_MANY
def test_any_bytes_are_taken(here, raw):
    """Bytes of any kind, and payloads that were cut off."""
    shutil.rmtree(here.root, ignore_errors=True)
    assert isinstance(_run(here, raw), str)
    for session in here.engine.store.list():
        here.engine.settle(session)
        here.settled(session)


@pytest.mark.parametrize("cwd", ["/\ud800", "/" + "a/" * 3_000_000, "a\0b", "/a\0b", "relative", 7, None, ["/"], ""])
def test_a_cwd_that_is_no_place(arena, cwd):
    """The session is recorded for the working directory instead, at once."""
    assert arena.hook(arena.payload("placed", "UserPromptSubmit", cwd=cwd), cwd=arena.work) == ""
    assert len(arena.lines("placed")) == 1
