"""What a hook loads is what it costs: the sets of modules are held here."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys

import pytest

import scenes
from tapehead.statemachine.vocabulary import Event
from tapehead.store import lock, tape
from tapehead.store.paths import Layout

LIGHT = {
    "tapehead",
    "tapehead.agents",
    "tapehead.agents.claude",
    "tapehead.agents.claude.hooks",
    "tapehead.agents.hook_defaults",
    "tapehead.agents.hook_event",
    "tapehead.agents.registry",
    "tapehead.cli",
    "tapehead.engine",
    "tapehead.engine.hook",
    "tapehead.engine.quiet_sessions",
    "tapehead.engine.recording",
    "tapehead.engine.spool",
    "tapehead.cli.main",
    "tapehead.engine.store_location",
    "tapehead.engine.stdin",
    "tapehead.door",
    "tapehead.git",
    "tapehead.git.layout",
    "tapehead.statemachine",
    "tapehead.statemachine.roles",
    "tapehead.statemachine.table",
    "tapehead.statemachine.vocabulary",
    "tapehead.store",
    "tapehead.store.off_switch",
    "tapehead.store.paths",
    "tapehead.store.tape",
    "tapehead.store.duplicate_hooks",
    "tapehead.startup",
    "tapehead.startup.bundle",
    "tapehead.startup.own_file",
    "tapehead.startup.patterns",
    "tapehead.startup.stand_ins",
    "tapehead.startup.warm_start",
    "tapehead.system",
}
"""What every hook loads."""
WITH_WORKER = LIGHT | {"tapehead.engine.background", "tapehead.store.lock"}
"""And those that leave work to a detached process."""
PROMPTED = WITH_WORKER | {"tapehead.system.processes"}
"""And one that says where the session is and who runs it."""
HEAVY = {
    "attr",
    "cattrs",
    "_typing",  # what typing itself loads: under its own name a stand-in may be there
    "pathlib",
    "subprocess",
    "logging",
    "dataclasses",
    "inspect",
    "click",
    "rich",
}
HEAVY |= {
    "contextlib",
    "datetime",
    "transitions",
    "tempfile",
    "shutil",
    "hashlib",
    "argparse",
    "sqlite3",
    "asyncio",
    "ctypes",
    "decimal",
}
TOO_HEAVY_TO_SPEAK = (HEAVY - {"contextlib", "datetime"}) | {
    "warnings",
    "importlib",
    "ast",
    "platform",
    "threading",
    "signal",
}
"""One that speaks works with times, and with locks."""

PROGRAM = """
import os, sys
real = os._exit
def told(code):
    os.write(2, "\\n".join(name for name, one in sys.modules.items() if type(one).__name__ != "StandIn").encode())
    real(code)
os._exit = told
sys.argv = ["tapehead", *sys.argv[1:]]
from tapehead.cli.main import main
main()
os._exit(0)
"""


def loaded(tmp_path, payload, words=("hook", "claude")):
    """The modules that a hook has loaded when it ends, beyond those of a bare Python."""
    return loaded_by(words, {"session_id": "s", "cwd": str(tmp_path), **payload})


def loaded_by(words, payload):
    """The modules that a command has loaded when it ends."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
    done = subprocess.run(
        [sys.executable, "-I", "-c", PROGRAM, *words],
        input=json.dumps(payload).encode(),
        capture_output=True,
        check=True,
        env=env,
    )
    bare = subprocess.run(
        [sys.executable, "-I", "-c", "import sys; print(*sys.modules)"], capture_output=True, check=True, env=env
    )
    return set(done.stderr.decode().split()) - set(bare.stdout.decode().split())


def ours(modules):
    return {name for name in modules if name.split(".")[0] == "tapehead"}


@pytest.mark.parametrize(
    ("hook", "exactly"),
    [("UserPromptSubmit", PROMPTED), ("SubagentStop", LIGHT), ("Stop", WITH_WORKER), ("SessionEnd", WITH_WORKER)],
)
def test_a_hook_with_nothing_to_say_is_light(tmp_path, hook, exactly):
    """It loads exactly these modules of ours, and none of the standard library's heavy ones."""
    scenes.repository(tmp_path / "repo")
    modules = loaded(tmp_path / "repo", {"hook_event_name": hook, "prompt": "x"})
    assert ours(modules) == exactly
    assert HEAVY & modules == set()


OTHERS = {
    "codex": ("UserPromptSubmit", "SessionEnd", set()),
    "gemini": ("BeforeAgent", "AfterAgent", {"tapehead.agents.gemini.compressions", "tapehead.agents.record_news"}),
    "copilot": (
        "UserPromptSubmit",
        "SessionEnd",
        {"tapehead.agents.copilot.missing_events", "tapehead.agents.record_news"},
    ),
    "opencode": ("UserPromptSubmit", "SessionEnd", set()),
    "cursor": ("beforeSubmitPrompt", "sessionEnd", set()),
    "kiro": ("userPromptSubmit", "stop", set()),
    "qwen": ("UserPromptSubmit", "SessionEnd", set()),
    "droid": (
        "UserPromptSubmit",
        "SessionEnd",
        {"tapehead.agents.droid.missing_events", "tapehead.agents.record_news"},
    ),
}
STARTS = ("copilot",)
"""Where the first prompt is a start, which has much to say: an earlier one stands on the tape."""


@pytest.mark.parametrize("host", OTHERS)
def test_another_agents_hook_loads_its_own_agent_alone(tmp_path, host):
    """And none of the heavy modules, where it has nothing to say; a transcript that grew is looked at without its reader."""
    root = scenes.repository(tmp_path / "repo")
    record = tmp_path / "record.jsonl"
    record.write_text("{}\n")
    prompt, end, more = OTHERS[host]
    own = {name.replace("claude", host) for name in LIGHT} | more
    if host in STARTS:
        loaded(root, {"hook_event_name": prompt, "prompt": "x"}, ("hook", host))
    for hook in (prompt, end):
        given = {"hook_event_name": hook, "prompt": "x", "transcript_path": str(record), "reason": "exit"}
        given |= {"conversation_id": "s"} if host == "cursor" else {}
        modules = loaded(root, given, ("hook", host))
        assert ours(modules) >= own
        assert ours(modules) - own <= PROMPTED
        assert not any(name.startswith("tapehead.agents.claude") for name in modules)
        assert HEAVY & modules == set()
        record.write_text("{}\n" * 9)


SPEAKING = {
    "claude": ("UserPromptSubmit", "Stop", "PreCompact", "SessionStart"),
    "codex": ("UserPromptSubmit", "Stop", "PreCompact", "SessionStart"),
    "gemini": ("BeforeAgent", "AfterAgent", "SessionStart"),
    "copilot": ("UserPromptSubmit", "Stop", "PreCompact"),
    "opencode": ("UserPromptSubmit", "Stop", "SessionStart"),
    "cursor": ("beforeSubmitPrompt", "stop", "sessionStart"),
    "kiro": ("userPromptSubmit", "stop", "agentSpawn"),
    "droid": ("UserPromptSubmit", "Stop", "SessionStart"),
    "qwen": ("UserPromptSubmit", "Stop", "PreCompact", "SessionStart"),
}
"""What each agent sends in a turn, and then those of its hooks that may have much to say."""


def spoken(root, host, hook, **given):
    """What a hook of an agent loads."""
    own = {"cursor": {"conversation_id": "s", "workspace_roots": [str(root)]}, "opencode": {"agent": "opencode"}}.get(
        host, {}
    )
    return loaded(root, {"hook_event_name": hook, "source": "startup", **own, **given}, ("hook", host))


@pytest.mark.parametrize("host", SPEAKING)
def test_a_hook_that_speaks_is_not_heavy(tmp_path, host):
    """It loads the engine, and still neither attrs nor typing, and nothing that only people's commands need."""
    root = scenes.repository(tmp_path / "repo")
    prompt, stop, *speaking = SPEAKING[host]
    for hook in (prompt, stop):
        spoken(root, host, hook, prompt="Please mend cache.py", last_assistant_message="done")
        settled(root)
    for hook in speaking:
        modules = spoken(root, host, hook)
        assert "tapehead.engine.engine" in modules
        assert TOO_HEAVY_TO_SPEAK & modules == set()
        assert not {name for name in ours(modules) if name.startswith(("tapehead.cli.commands", "tapehead.diagrams"))}
        assert "tapehead.store.codec" not in modules
        settled(root)


def settled(root):
    """Waits for the worker: a start while a turn still runs has more to do."""
    for end in ("worker", "lock"):
        with (root / ".git" / "tapehead" / "sessions" / f"s.{end}").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)


def test_a_reader_is_loaded_where_there_is_something_to_read(tmp_path):
    """A compaction of a session without a record loads nothing that reads one; with a record it does."""
    root = scenes.repository(tmp_path / "repo")
    record = tmp_path / "record.jsonl"
    named = {"transcript_path": str(record)}
    assert "tapehead.agents.codex.transcript" not in spoken(root, "codex", "PreCompact", **named)
    record.write_text("{}\n")
    assert "tapehead.agents.codex.transcript" in spoken(root, "codex", "PreCompact", **named)


STATUSLINE = {
    "tapehead",
    "tapehead.agents",
    "tapehead.agents.claude",
    "tapehead.agents.claude.statusline",
    "tapehead.cli",
    "tapehead.cli.main",
    "tapehead.engine.store_location",
    "tapehead.engine.current_phase",
    "tapehead.engine.spool",
    "tapehead.engine.statusline",
    "tapehead.engine.stdin",
    "tapehead.door",
    "tapehead.engine",
    "tapehead.git",
    "tapehead.git.layout",
    "tapehead.settings",
    "tapehead.settings.key_lines",
    "tapehead.settings.loading",
    "tapehead.settings.plain_toml",
    "tapehead.settings.setting_list",
    "tapehead.settings.setting_values",
    "tapehead.statemachine",
    "tapehead.statemachine.table",
    "tapehead.statemachine.transition",
    "tapehead.statemachine.vocabulary",
    "tapehead.store",
    "tapehead.store.atomic",
    "tapehead.store.off_switch",
    "tapehead.store.paths",
    "tapehead.store.agent_figures",
    "tapehead.store.tape",
    "tapehead.tokens",
    "tapehead.tokens.window",
    "tapehead.startup",
    "tapehead.startup.bundle",
    "tapehead.startup.own_file",
    "tapehead.startup.patterns",
    "tapehead.startup.stand_ins",
    "tapehead.startup.warm_start",
    "tapehead.system",
}


def test_the_status_line_is_light(tmp_path):
    """The agent runs it after every message: exactly these modules of ours, and none of the heavy ones."""
    root = scenes.repository(tmp_path / "repo")
    loaded(root, {"hook_event_name": "UserPromptSubmit", "prompt": "x"})
    store = Layout(str(root / ".git" / "tapehead"))
    lock.release(lock.take(store.worker("s"), 60))
    payload = {"context_window": {"context_window_size": 200_000}}
    assert ours(loaded(root, payload, ["statusline"])) == STATUSLINE - FOLDING
    tape.append(
        store.tape("s"), scenes.as_written(Event.TURN_END, scenes.NOON)
    )  # as a hook whose worker is still on its way
    modules = loaded(root, payload, ["statusline"])
    assert ours(modules) == STATUSLINE
    assert not HEAVY & modules


FOLDING = {name for name in STATUSLINE if name.startswith("tapehead.statemachine")}
"""What it takes to read lines that nobody has read yet."""
HEAVY_FOR_A_BRIEF = HEAVY | {"heapq", "shlex", "warnings"}
"""What takes more memory than a transcript of a megabyte: a brief may take three times its file, Python included."""


def test_a_brief_of_a_transcript_is_light(tmp_path):
    """The plain form loads neither click nor what only type checkers need."""
    transcript = tmp_path / "t.jsonl"
    transcript.write_text(json.dumps({"type": "user", "message": {"content": "Please look at cache.py"}}) + "\n")
    modules = loaded_by(["brief", "--transcript", str(transcript), "--budget", "500"], {})
    assert "tapehead.brief.brief" in modules
    assert not HEAVY_FOR_A_BRIEF & modules
    assert not {name for name in ours(modules) if name.startswith("tapehead.cli.commands")}


def test_before_an_edit_little_is_loaded(tmp_path):
    """A tool's hook costs what a silent one does: the list is read by itself, and nothing of the memory is loaded."""
    about = {"hook_event_name": "PreToolUse", "tool_name": "Edit", "tool_input": {"file_path": "/a"}}
    found = loaded(tmp_path, about)
    assert ours(found) == LIGHT | {"tapehead.engine.pointing"}
    assert not found & HEAVY
