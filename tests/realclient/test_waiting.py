"""An agent that waits for its user: seen while it waits, and no longer."""

import json
import os
import re
import stat

import pytest
from rig.terminal import Terminal
from rig.waiting import until

ASKS = "Do you want to proceed?"


def status(place):
    """The one session, as `status` has it."""
    [store] = json.loads(place.tapehead("status", "--json").stdout)
    [session] = store["sessions"]
    return session


def monitored(place):
    """The same, as the monitor has it, which only looks."""
    [session] = json.loads(place.tapehead("monitor", "--json").stdout)
    return session


def waits(place, what="approval"):
    """Both say that the agent waits, and for what; the phase stays what it was."""
    until(lambda: monitored(place)["waiting"], "the monitor sees it")
    until(lambda: status(place)["waiting"], "status sees it")
    seen = [status(place), monitored(place)]
    assert [(one["waiting"]["for"], one["phase"]) for one in seen] == [(what, "active")] * 2
    return seen[0]["waiting"]


def is_over(place):
    """The monitor, which writes nothing, sees it first; then status, which writes it down."""
    until(
        lambda: monitored(place)["waiting"] is None,
        "the monitor sees that it is over",
        show=lambda: str(monitored(place)),
    )
    until(lambda: status(place)["waiting"] is None, "status sees it too", show=lambda: str(status(place)))


@pytest.fixture
def asking(place, seen):
    """A client that asks whether it may run a command that takes long."""
    terminal = Terminal(place, "one")
    terminal.start("claude --permission-mode default", "? for shortcuts")
    terminal.enter("do it {run touch made; tail -f /dev/null}")
    terminal.wait_for(ASKS)
    return terminal


def test_a_prompt_for_permission_shows(place, seen, asking):
    """By tool and command, in status, in the monitor and in words; nothing of it was printed to the client."""
    waiting = waits(place)
    assert (waiting["tool"], waiting["detail"]) == ("Bash", "touch made; tail -f /dev/null")
    assert "waits for your approval" in place.tapehead("status").stdout
    assert "1 waiting for you" in place.tapehead("monitor", "--once").stdout
    [asked] = [hook for hook in seen.hooks() if hook["hook_event_name"] == "PermissionRequest"]
    assert asked["tool_name"] == "Bash"
    assert not os.path.exists(os.path.join(place.project, "made")), "the user decides, not a hook"


def test_answered_yes(place, asking):
    """It is over while the command still runs: no hook and no line of the transcript says so, but its shell does."""
    waits(place)
    asking.press("1")
    until(lambda: os.path.exists(os.path.join(place.project, "made")), "the command runs")
    is_over(place)
    assert status(place)["phase"] == "active"


def test_answered_no(place, asking):
    """The number of the answer is on the screen."""
    waits(place)
    asking.press(re.search(r"(\d)\. No", asking.screen())[1])
    asking.wait_for("Interrupted")
    is_over(place)


def test_escaped(place, asking):
    """Escape sends no hook; the transcript has it."""
    waits(place)
    asking.press("Escape")
    asking.wait_for("Interrupted")
    is_over(place)


def test_killed(place, asking):
    """An agent that is gone waits for nobody."""
    waits(place)
    asking.kill()
    is_over(place)
    assert status(place)["phase"] == "halted"


def test_a_question_waits_for_an_answer(place, seen):
    """A question of the agent's own is no approval, and the mark goes with the answer."""
    terminal = Terminal(place, "one")
    terminal.start("claude --permission-mode default", "? for shortcuts")
    terminal.enter("do it {ask Which one do you mean?}")
    terminal.wait_for("1. This")
    assert waits(place, "question")["detail"] == "Which one do you mean?"
    terminal.press("1")
    seen.wait_for("Stop")
    is_over(place)


def test_the_users_command_is_run(place, seen):
    """Once, when the agent has waited long enough, with what it asks in the environment; the agent is not held up by it."""
    told = os.path.join(place.root, "told")
    script = os.path.join(place.root, "bin", "tell-me")
    with open(script, "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\nprintf "%s\\n" "$TAPEHEAD_MESSAGE" >> {told}\n')
    os.chmod(script, stat.S_IRWXU)
    assert place.tapehead("config", "set", "--user", "notify.command", script).returncode == 0
    assert place.tapehead("config", "set", "--user", "notify.after", "0s").returncode == 0
    terminal = Terminal(place, "one")
    terminal.start("claude --permission-mode default", "? for shortcuts")
    terminal.enter("do it {run touch made}")
    terminal.wait_for(ASKS)
    until(lambda: os.path.exists(told), "the command was run")
    seen.wait_for("PermissionRequest", "Notification")
    until(lambda: seen.notes(seen.sessions()[0], "waiting")[1:], "the reminder is on the tape too")
    terminal.press("1")
    seen.wait_for("Stop")
    with open(told, encoding="utf-8") as file:
        assert file.read() == "Claude Code in project waits for your approval: Bash: touch made\n"
    assert len(seen.notes(seen.sessions()[0], "notified")) == 1
