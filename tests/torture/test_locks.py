"""Another process holds every lock of the store: each hook answers in time all the same, and nothing is lost."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from arena import TAPEHEAD, git, until

from tapehead import system
from tapehead.agents.registry import HOSTS
from tapehead.statemachine.vocabulary import Event

BOUND = 10.0
"""Seconds, on a machine that is busy with other tests. Two are promised; a hook that waits for a lock of ours waited thirty."""
RECORDED = Path(__file__).parents[1] / "agents" / "contract" / "recorded"


@contextmanager
def every_lock(arena, *sessions):
    """Holds all files of the store, and those that a session would make to lock: what comes asks in vain."""
    with open(arena.layout.memory, "ab"):
        pass
    names = [os.path.join(folder, name) for folder, _, files in os.walk(arena.root) for name in files]
    names = [name for name in names if "objects" not in name and not name.startswith(arena.layout.memory)]
    for session in sessions:
        names += [arena.layout.lock(session), arena.layout.worker(session), arena.layout.tape(session)]
    names += [os.path.join(arena.root, "kept.lock"), arena.layout.baton("main") + ".lock"]
    names += [os.path.join(arena.layout.lines, f"{name}.lock") for name in ("making", "checkpoints")]
    held = [_held(name) for name in dict.fromkeys(names)]
    try:
        with closing(sqlite3.connect(arena.layout.memory, isolation_level=None)) as database:
            database.execute("BEGIN EXCLUSIVE")
            yield
    finally:
        for descriptor in held:
            os.close(descriptor)


def _held(path):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    until(lambda: system.try_lock(descriptor), f"{path} to be ours")
    return descriptor


def timed(arena, raw, **options):
    """A hook, and what it printed; it was in time."""
    began = time.monotonic()
    said = arena.hook(raw, **options)
    assert time.monotonic() - began < BOUND
    return said


def work(arena, session, prompt):
    """A session that did something, and ended."""
    for hook, more in (
        ("SessionStart", {"source": "startup"}),
        ("UserPromptSubmit", {"prompt": prompt}),
        ("Stop", {"last_assistant_message": "done"}),
        ("SessionEnd", {"reason": "other"}),
    ):
        arena.hook(arena.payload(session, hook, **more))
    arena.quiet()


def told(said):
    return json.loads(said)["hookSpecificOutput"]["additionalContext"] if said else ""


def test_what_a_start_owed_comes_with_the_prompt(arena):
    """A start that cannot have its locks goes without a word; the first prompt that can brings it, once."""
    git(arena.work, "commit", "-q", "--allow-empty", "-m", "first")
    work(arena, "before", "find the leak")
    with every_lock(arena, "new"):
        assert timed(arena, arena.payload("new", "SessionStart", source="startup")) == ""
        assert timed(arena, arena.payload("new", "UserPromptSubmit", prompt="and now?")) == ""
    arena.env["TAPEHEAD_HOOK_SECONDS"] = "30"  # a busy machine: now it is about the words
    assert "find the leak" in told(timed(arena, arena.payload("new", "UserPromptSubmit", prompt="and now?")))
    assert timed(arena, arena.payload("new", "UserPromptSubmit", prompt="and now?")) == ""
    arena.quiet()
    arena.settled("new")
    events = [line.event for line in arena.lines("new") if line.event]
    assert events == [Event.SESSION_START, *[Event.TURN_START] * 3]


def every_hook(arena, host):
    """All that was recorded of an agent, as it comes to a hook; in time, each."""
    recorded = json.loads((RECORDED / host / "payloads.json").read_text(encoding="utf-8"))
    for one in recorded.values():
        payload = {
            **one["payload"],
            "cwd": arena.work,
            **({"workspace_roots": [arena.work]} if host == "cursor" else {}),
        }
        env = {name: arena.work if name.endswith("_DIR") else text for name, text in one["env"].items()}
        timed(
            arena,
            json.dumps(payload).encode(),
            words=(TAPEHEAD, "hook", host),
            cwd=arena.work,
            env={**arena.env, **env},
        )
    return len(recorded)


@pytest.mark.slow
def test_every_hook_of_every_agent(arena):
    """None waits for longer than it may, and all that they said is on a tape that replays."""
    git(arena.work, "commit", "-q", "--allow-empty", "-m", "first")
    work(arena, "before", "find the leak")
    sessions = {
        str(
            one["payload"].get("session_id") or one["payload"].get("conversation_id") or one["payload"].get("sessionId")
        )
        for host in HOSTS
        for one in json.loads((RECORDED / host / "payloads.json").read_text(encoding="utf-8")).values()
    }
    with every_lock(arena, *sessions), ThreadPoolExecutor(4) as pool:
        sent = sum(pool.map(lambda host: every_hook(arena, host), HOSTS))
    heard = sum(
        bool(line.event or line.host not in {"tapehead", ""}) for each in sessions for line in arena.lines(each)
    )
    assert heard >= sent - len(arena.strays())
    for session in sessions:
        arena.hook(arena.payload(session, "Notification"))
    arena.quiet()
    for session in arena.engine.store.list():
        arena.engine.settle(session)
        arena.sound(session)
