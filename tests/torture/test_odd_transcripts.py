"""A transcript that is no file: no agent's hook or worker waits for it, or fills the memory with it, and the event is on the tape."""

import itertools
import os

import pytest
from arena import TAPEHEAD

HOSTS = {
    "claude": ("SessionStart", "UserPromptSubmit", "PreCompact", "Stop"),
    "codex": ("SessionStart", "UserPromptSubmit", "PreCompact", "Stop"),
    "gemini": ("SessionStart", "BeforeAgent", "AfterAgent"),
    "copilot": ("UserPromptSubmit", "PreCompact", "Stop"),
    "droid": ("SessionStart", "UserPromptSubmit", "PreCompact", "Stop"),
    "qwen": ("SessionStart", "UserPromptSubmit", "PreCompact", "Stop"),
    "opencode": ("SessionStart", "UserPromptSubmit", "Stop"),
    "cursor": ("sessionStart", "beforeSubmitPrompt", "stop"),
    "kiro": ("agentSpawn", "userPromptSubmit", "stop"),
}
LIMIT = 2_000_000
"""Kilobytes of memory: whoever reads /dev/zero to its end has none left long before the machine."""


def send(arena, host, record, hooks):
    script = f'ulimit -v {LIMIT}; exec "{TAPEHEAD}" hook {host}'
    for name in hooks:
        fields = {"conversation_id": "s", "workspace_roots": [arena.work]} if host == "cursor" else {}
        fields |= {"agent": "opencode"} if host == "opencode" else {}
        raw = arena.payload("s", name, prompt="x", transcript_path=record, source="startup", **fields)
        arena.hook(raw, script=script)
    arena.quiet()


def odd(arena, kind):
    path = os.path.join(arena.base, "record.jsonl")
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "directory":
        os.mkdir(path)
    else:
        os.symlink("/dev/zero" if kind == "zeros" else "nowhere", path)
    return path


@pytest.mark.parametrize(("host", "kind"), [*zip(HOSTS, itertools.cycle(("zeros", "pipe")))])
def test_what_is_no_file_is_no_transcript(arena, host, kind):
    """An endless device and a pipe that nobody writes into, in turns."""
    _recorded(arena, host, kind)


@pytest.mark.slow
@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("kind", ["zeros", "pipe", "directory", "dangling"])
def test_whatever_is_no_file_is_no_transcript(arena, host, kind):
    """The long form: nor is a directory, nor a link to nothing."""
    _recorded(arena, host, kind)


def _recorded(arena, host, kind):
    record, hooks = odd(arena, kind), HOSTS[host]
    send(arena, host, record, hooks[:1])
    if kind == "pipe":
        os.unlink(record)
        with open(record, "w", encoding="utf-8") as file:
            file.write("{}\n")  # a record that was one, when the hook before looked
        send(arena, host, record, hooks[1:2])
        os.unlink(record)
        os.mkfifo(record)
    send(arena, host, record, hooks[1:])
    events = {line.event.value for line in arena.lines("s") if line.event}
    assert "turn_start" in events
    assert arena.settled("s").failures == {}
