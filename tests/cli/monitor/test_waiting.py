"""Agents that wait for their user, from the hook to the screen."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from datetime import UTC, datetime

import attrs
import pytest

from tapehead.agents.claude import answers
from tapehead.agents.hook_event import key_of
from tapehead.cli.commands.monitor import Calls
from tapehead.cli.here import here
from tapehead.cli.monitor.screen import shows_notices
from tapehead.cli.monitor.view import picture
from tapehead.cli.monitor.watch import StoreWatch
from tapehead.cli.upkeep import attend
from tapehead.engine import background, hook, notification, statusline
from tapehead.engine.current_state import look_at_state
from tapehead.engine.waiting import message, told
from tapehead.store.state import State, Waiting

GIVEN = {"command": "make deploy", "description": "deploys"}
LATER = "2099-01-01T00:00:00.000Z"
SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345"


@pytest.fixture
def asking(world):
    """A session in mid-turn whose agent asks whether it may run a command."""
    world.session("one")
    world.hook("UserPromptSubmit", "one", prompt="deploy it")
    world.writes("one", _called())
    assert world.hook("PermissionRequest", "one", tool_name="Bash", tool_input=GIVEN) == "", "the user decides"
    return world


def _called(ident="t1", given=GIVEN):
    block = {"type": "tool_use", "id": ident, "name": "Bash", "input": given}
    return {"type": "assistant", "timestamp": LATER, "message": {"content": [block]}}


def _result(ident="t1"):
    block = {"type": "tool_result", "tool_use_id": ident, "content": "done"}
    return {"type": "user", "timestamp": LATER, "message": {"role": "user", "content": [block]}}


def waiting(world, session="one"):
    """As the saved state has it, after `status` has looked."""
    return attend(world.engine)[session].waiting


def test_it_waits_until_the_record_has_the_result(asking):
    """By the very call: a result of another one, or a line of somebody else's, is no answer. The answer is on the tape then."""
    assert (waiting(asking).what, waiting(asking).tool, waiting(asking).detail) == ("approval", "Bash", "make deploy")
    asking.writes("one", _result("another"))
    asking.writes("one", {"type": "system", "subtype": "informational", "timestamp": LATER})
    assert waiting(asking)
    asking.writes("one", _result())
    assert waiting(asking) is None
    assert look_at_state(asking.engine.store, "one") == asking.engine.store.load("one")
    assert asking.engine.replayed("one").waiting is None, "a replay arrives there too"


@pytest.mark.parametrize(
    "event", ["UserPromptSubmit", "Stop", "StopFailure", "PreCompact", "SessionStart", "SessionEnd"]
)
def test_whatever_the_agent_does_next_ends_it(asking, event):
    """An agent that does something does not wait."""
    asking.hook(event, "one", prompt="x")
    assert waiting(asking) is None


def test_a_reminder_changes_nothing(asking):
    """Claude Code says it again after some seconds, with less in it: since when and what for stays."""
    before = waiting(asking)
    asking.hook("Notification", "one", notification_type="permission_prompt", message="Claude needs your permission")
    assert waiting(asking) == before


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"notification_type": "permission_prompt"}, "approval"),
        ({"notification_type": "elicitation_dialog"}, "question"),
        ({"notification_type": "idle_prompt"}, "prompt"),
        ({"message": "Claude needs your permission to use Bash"}, "approval"),
        ({"message": "Claude is waiting for your input"}, "prompt"),
        ({"notification_type": "auth_success", "message": "permission granted"}, None),
        ({"notification_type": 7, "message": []}, None),
    ],
)
def test_what_a_notice_says(world, fields, what):
    """By its kind, or by its words where an older client gives none; what is no wait is none."""
    world.session("one")
    world.hook("Notification", "one", **fields)
    found = waiting(world)
    assert (found.what if found else None) == what


def test_an_answer_to_a_server_is_told_by_the_agent(world):
    """A dialog of an MCP server: the agent says itself when it is over."""
    world.session("one")
    world.hook("Notification", "one", notification_type="elicitation_dialog")
    assert waiting(world)
    world.hook("Notification", "one", notification_type="elicitation_response")
    assert waiting(world) is None


def test_an_answer_to_an_older_question_ends_no_newer_one(asking):
    """Whoever found the first answer may write it down after the second question came."""
    old = waiting(asking).since.isoformat()
    asking.hook("PermissionRequest", "one", tool_name="Write", tool_input={"file_path": "/a"})
    asking.engine.append("one", {"note": "answered", "data": {"since": old}})
    assert waiting(asking).tool == "Write"


def test_a_subagents_question(asking):
    """Its user is the session's; its own transcript has the answer, and its end is one too."""
    asking.hook("PermissionRequest", "one", tool_name="Bash", tool_input=GIVEN, agent_id="a1", agent_type="general")
    assert waiting(asking).agent_id == "a1"
    asking.writes("one", _result())
    assert waiting(asking), "the session's own call is another one"
    asking.hook("SubagentStop", "one", agent_id="a2", agent_type="general")
    assert waiting(asking)
    asking.hook("SubagentStop", "one", agent_id="a1", agent_type="general")
    assert waiting(asking) is None


def test_a_subagents_answer_is_in_its_own_record(asking):
    """Below the session's transcript."""
    asking.hook("PermissionRequest", "one", tool_name="Bash", tool_input=GIVEN, agent_id="a1")
    below = os.path.join(asking.transcript("one").removesuffix(".jsonl"), "subagents")
    os.makedirs(below)
    with open(os.path.join(below, "agent-a1.jsonl"), "w", encoding="utf-8") as file:
        file.write(json.dumps(_called()) + "\n")
        file.flush()
        assert waiting(asking)
        file.write(json.dumps(_result()) + "\n")
    assert waiting(asking) is None


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="only where the system lists a process's children")
def test_a_command_that_runs_was_approved(tmp_path):
    """Claude Code's own shell is known by how its command line ends; a hook that runs meanwhile is none, nor is another command."""
    asked = {"what": "approval", "tool": "Bash", "key": "-", "detail": "echo 'here'; sleep 60", "since": LATER}

    def answered_while(line, *, is_meant=False):
        child = subprocess.Popen(["sh", "-c", f"read x; : {line}"], stdin=subprocess.PIPE)
        try:
            until = time.monotonic() + 5  # the system may list a new child, or its words, a moment later
            while not (told := answers.is_answered(str(tmp_path / "none"), asked, os.getpid())) and is_meant:
                if time.monotonic() > until:
                    break
                time.sleep(0.01)
            return told
        finally:
            child.communicate(b"\n")

    quoted = "eval 'echo '\"'\"'here'\"'\"'; sleep 60' < /dev/null"
    assert answered_while(f"{quoted} && pwd -P >| {tmp_path}/cwd", is_meant=True)
    assert not answered_while(quoted)
    assert not answered_while(f"eval 'echo there' && pwd -P >| {tmp_path}/cwd")


def test_the_monitor_sees_it_and_writes_nothing(asking):
    """It stands first, above a newer session, says what for, and the picture is plain again after the answer."""
    asking.session("two")
    watch = StoreWatch(here())
    before = os.stat(asking.layout.tape("one")).st_size
    lines = [line.plain for line in picture(watch.look(time.time()), datetime.now(UTC), 100)]
    assert lines[0].endswith("2 sessions · 1 active · 1 waiting for you")
    assert lines[2].startswith("ACTIVE     one")
    assert lines[3].lstrip().startswith("▶ waits for your approval since ")
    assert lines[3].endswith(": Bash: make deploy")
    asking.writes("one", _result())
    assert [row.waiting for row in watch.look(time.time())] == [None, None]
    assert os.stat(asking.layout.tape("one")).st_size == before


def test_a_wait_for_a_prompt_does_not_stand_out(world):
    """IDLE says it, and every session comes to it."""
    world.session("one")
    world.hook("Notification", "one", notification_type="idle_prompt")
    lines = [line.plain for line in picture(StoreWatch(here()).look(time.time()), datetime.now(UTC), 100)]
    assert not [line for line in lines if "wait" in line]


def test_the_bell_rings_once(asking):
    """Not for what was there before, once for what is new, and again for the next question."""
    watch, calls, heard = StoreWatch(here()), Calls(), []
    rows = watch.look(time.time())
    calls.look(rows, heard.append)
    calls.look(rows, heard.append)
    assert heard == []
    asking.session("two")
    asking.hook("PermissionRequest", "two", tool_name="Write", tool_input={"file_path": "/srv/a\x1b]0;x\x07"})
    rows = watch.look(time.time())
    calls.look(rows, heard.append)
    calls.look(rows, heard.append)
    assert len(heard) == 1
    assert "Write: /srv/a" in heard[0]
    assert heard[0].isprintable()


@pytest.mark.parametrize(
    ("env", "shows"),
    [
        ({"TERM_PROGRAM": "iTerm.app"}, True),
        ({"TERM_PROGRAM": "WezTerm", "TMUX": "x"}, False),
        ({"TERM": "xterm-kitty"}, True),
        ({"TERM": "xterm-256color"}, False),
    ],
)
def test_where_a_notice_is_shown(env, shows):
    """Only where a terminal is known to show one."""
    assert shows_notices(env) is shows


def test_the_status_line_says_it(asking, monkeypatch):
    """While it waits; with the answer on record, no longer."""

    def line():
        reading, writing = os.pipe()
        told = {"session_id": "one", "cwd": asking.root, "transcript_path": asking.transcript("one")}
        os.write(writing, json.dumps(told).encode())
        os.close(writing)
        try:
            return statusline.run(reading, {"HOME": asking.root})
        finally:
            os.close(reading)

    assert line().startswith("tapehead ACTIVE, waits for you")
    asking.engine.settle("one")
    assert line().startswith("tapehead ACTIVE, waits for you")
    asking.writes("one", _result())
    assert "waits" not in line()


def test_secrets_and_escapes_are_not_shown(world):
    """What an agent asks for may hold anything."""
    found = Waiting("approval", datetime.now(UTC), "Bash\x1b[2J", f"curl -H 'token: {SECRET}'\n\x1b]0;x\x07")
    for text in (told(found), message(State("s", agent="claude", worktree_path="/srv/a\x1bb"), found)):
        assert SECRET not in text
        assert text.isprintable()


def test_status_tells_it_in_json(asking):
    """The mark beside the phase, with what is needed to act on it and no more."""
    [store] = json.loads(_run(asking, "status", "--json"))
    found = store["sessions"][0]["waiting"]
    assert found.keys() == {"for", "since", "tool", "detail", "subagent"}
    assert (found["for"], found["tool"], found["detail"]) == ("approval", "Bash", "make deploy")


def _run(world, *words):
    program = [sys.executable, "-c", "from tapehead.cli.main import main; main()", *words]
    return subprocess.run(program, cwd=world.root, capture_output=True, text=True, check=True).stdout


@pytest.fixture
def started(monkeypatch):
    """What a hook starts beside the agent."""
    found = []
    monkeypatch.setattr(background, "run_detached", lambda module, words, _env: found.append((module, words)))
    return found


def test_a_hook_starts_nothing_unless_the_user_asked(world, started):
    """Without a command there is no process: the note costs what a silent hook costs."""
    world.session("one")
    world.hook("PermissionRequest", "one", tool_name="Bash", tool_input=GIVEN)
    assert started == []
    _configure(world, "echo")
    world.hook("PermissionRequest", "one", tool_name="Bash", tool_input=GIVEN)
    assert started == [("tapehead.engine.notification", [world.layout.root, "one"])]
    world.hook("Stop", "one")
    assert len(started) == 1


def _configure(world, command, **more):
    told = {"command": command, "after": "0s", "timeout": "600s", **more}
    lines = [f'{name} = "{value}"' for name, value in told.items()]
    directory = os.path.join(world.root, ".config", "tapehead")
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, "config.toml"), "w", encoding="utf-8") as file:
        file.write("[notify]\n" + "\n".join(lines) + "\n")


def _notify(world, monkeypatch):
    monkeypatch.setenv("HOME", world.root)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setattr("tapehead.system.alarms.end_after", lambda *_: None)
    notification.main(world.layout.root, "one")


def test_the_command_runs_once_for_a_wait(asking, monkeypatch, tmp_path):
    """With the message in its environment, where a shell takes it for what it is: text."""
    asking.hook("PermissionRequest", "one", tool_name="Bash", tool_input={"command": "$(touch pwned)`touch pwned`"})
    _configure(asking, f"printf '%s' \\\"$TAPEHEAD_MESSAGE\\\" >> {tmp_path}/told; cat > {tmp_path}/stdin")
    _notify(asking, monkeypatch)
    _notify(asking, monkeypatch)
    said = (tmp_path / "told").read_text()
    assert said == "Claude Code in project waits for your approval: Bash: $(touch pwned)`touch pwned`"
    assert json.loads((tmp_path / "stdin").read_text())["message"] == said
    assert not os.path.exists(os.path.join(asking.root, "pwned"))
    assert waiting(asking).told


def test_no_command_runs_for_what_was_answered(asking, monkeypatch, tmp_path):
    """The user was quicker."""
    _configure(asking, f"touch {tmp_path}/told")
    asking.writes("one", _result())
    _notify(asking, monkeypatch)
    assert not (tmp_path / "told").exists()


def test_a_repository_names_no_command(asking, monkeypatch, tmp_path):
    """A project's own file may have come with the repository."""
    with open(os.path.join(asking.layout.root, "config.toml"), "w", encoding="utf-8") as file:
        file.write(f'[notify]\ncommand = "touch {tmp_path}/told"\nafter = "0s"\n')
    _notify(asking, monkeypatch)
    assert not (tmp_path / "told").exists()


@pytest.mark.parametrize(
    ("command", "timeout", "reason"),
    [("exit 3", "600s", "ended with 3"), ("sleep 600", "0.2s", "longer than 0.2 s")],
)
def test_a_command_that_fails_is_told_by_doctor(asking, monkeypatch, command, timeout, reason):
    """It is ended when its time is up, and the session's failures say so."""
    _configure(asking, command, timeout=timeout)
    _notify(asking, monkeypatch)
    assert reason in attend(asking.engine)["one"].failures["notify"].reason


def test_a_call_is_known_by_all_that_it_is_given():
    """Whatever the order of its fields."""
    assert key_of({"a": 1, "b": 2}) == key_of({"b": 2, "a": 1}) != key_of({"a": 1, "b": 3})


def test_no_notice_is_started_where_it_cannot_be(asking, monkeypatch):
    """A system that is out of processes fails no agent."""

    def none(*_):
        raise OSError("no more processes")

    monkeypatch.setattr(background, "run_detached", none)
    _configure(asking, "echo")
    assert asking.hook("PermissionRequest", "one", tool_name="Bash", tool_input=GIVEN) == ""
    assert attrs.evolve(waiting(asking), since=None).tool == "Bash"
    assert hook._notifies(asking.layout, {"TAPEHEAD_NOTIFY_COMMAND": "x"})
