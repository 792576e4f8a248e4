"""`copilot -p`: one prompt, and out."""

import json
import os
import signal
import subprocess

from rig.evidence import briefs, times
from rig.place import write

from tapehead.actions.injection import NOTHING_CHANGED


def test_one_prompt(place, seen):
    """A run goes from start to end, tools included; the start is known by the prompt."""
    done = place.print_mode("add one and one {run echo $((1+1))}")
    assert (done.returncode, "Answer 2." in done.stdout) == (0, True)
    [session] = seen.sessions()
    assert sorted(seen.order()[:2]) == ["SessionStart(new)", "UserPromptSubmit"], "in no order"
    assert seen.order()[2:] == ["Stop", "SessionEnd(complete)"]
    assert seen.path(session) == [
        "session_start -> idle", "turn_start -> active", "turn_end -> idle", "session_stop -> ended",
    ]  # fmt: skip
    state = seen.state(session)
    assert (state["phase"], state["agent"], state["turn_number"]) == ("ended", "copilot", 1)
    assert seen.told() == [], "there was no story to tell"


def test_resume(place, seen):
    """`copilot --continue` goes on in the same session; the conversation is loaded again, and nothing is told beside it."""
    place.print_mode("the number is 4711")
    [session] = seen.sessions()
    seen.state(session)
    place.print_mode("which number was it?", "--continue")
    assert seen.sessions() == [session]
    assert seen.path(session)[4:] == [
        "session_start -> restored", "turn_start -> active", "turn_end -> idle", "session_stop -> ended",
    ]  # fmt: skip
    request = seen.request_after("which number was it?")
    assert (times(request, "the number is 4711"), briefs(request)) == (1, [])
    assert seen.notes(session, "restored")[-1]["why"] == NOTHING_CHANGED


def test_a_new_session_in_the_same_place(place, seen):
    """It is told whom it could go on from."""
    place.print_mode("the number is 4711")
    place.print_mode("hello again")
    old, new = seen.sessions()
    assert seen.inheritance(new)[0] == old
    [story] = briefs(seen.request_after("hello again"))
    assert "4711" in story


def test_a_long_story_arrives_whole(place, seen):
    """In whatever script and however much may be told: within the agent's limit."""
    place.tapehead("config", "set", "restore.budget", "20000")
    place.tapehead("config", "set", "restore.on_resume", "full")
    for part in range(2):
        rules = " ".join(f"Niemals Äpfel №{n} mit Öl {part} 数字を足す。" for n in range(200))
        place.print_mode(f"{rules} Always mind part {part}.", *(["--continue"] if part else []))
    [session] = seen.sessions()
    [story] = seen.told()
    assert 1_000 < len(story.encode()) <= 10_000
    assert seen.delivery(session) == "delivered"


def test_hang_up_in_mid_turn(place, seen):
    """Whatever the client still says, whoever looks next knows that it is gone, and a resume is told."""
    command = place.inside(place.client, *place.print_words("the number is 4711 {wait 30}"))
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    client = subprocess.Popen(command, cwd=place.project, env=place.env, **quiet)
    seen.wait_for_request("4711")
    client.send_signal(signal.SIGKILL)
    client.wait()
    [session] = seen.sessions()
    place.tapehead("status")
    assert seen.path(session)[-1] == "process_lost -> halted"
    place.print_mode("go on", "--continue")
    [story] = briefs(seen.request_after("go on"))
    assert "4711" in story


def test_claude_codes_hooks_beside_ours(place, seen):
    """Copilot runs a project's hooks for Claude Code too, in Claude Code's words: they are left alone, and nothing comes twice."""
    done = place.tapehead("install", "--agent", "claude", "--scope", "local")
    assert done.returncode == 0, done.stderr
    place.print_mode("the number is 4711")
    place.print_mode("which number was it?", "--continue")
    [session] = seen.sessions()
    assert seen.state(session)["agent"] == "copilot"
    assert [step.split()[0] for step in seen.path(session)] == [
        "session_start",
        "turn_start",
        "turn_end",
        "session_stop",
    ] * 2
    assert briefs(seen.request_after("which number was it?")) == []
    findings = json.loads(place.tapehead("doctor", "--json").stdout)["findings"]
    assert any("sent by Copilot, not by Claude Code" in each["what"] for each in findings), findings


def test_uninstall(place):
    """Our file goes, and the user's stay as they are."""
    beside = os.path.join(os.path.dirname(place.settings), "recorder.json")
    with open(beside, "rb") as file:
        before = file.read()
    assert os.path.exists(place.settings)
    assert place.tapehead("uninstall", "--agent", "copilot").returncode == 0
    assert not os.path.exists(place.settings)
    with open(beside, "rb") as file:
        assert file.read() == before


def test_hooks_that_are_switched_off(place):
    """Doctor says so."""
    write(os.path.join(place.home, ".copilot", "settings.json"), {"disableAllHooks": True})
    findings = json.loads(place.tapehead("doctor", "--json").stdout)["findings"]
    assert any("disableAllHooks" in each["what"] for each in findings)
