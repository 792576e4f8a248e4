"""Work that stops in the middle: the client is killed, the window closed, the model fails, the user interrupts."""

import json
import subprocess
from pathlib import Path

import pytest
from rig.terminal import Terminal
from rig.waiting import until

from tapehead.git import trailers


@pytest.fixture
def killed(seen, terminal):
    """A terminal whose client died in mid-turn, after a first turn that went well."""
    terminal.claude()
    terminal.enter("the number is 4711")
    seen.wait_for("Stop")
    terminal.enter("now count to it {wait 40}")
    seen.wait_for_request("now count to it")
    terminal.kill()
    return terminal


def test_killed_then_continued(place, seen, killed):
    """After a kill in mid-turn `claude --continue` finds the session halted, and the model is told what was going on."""
    killed.claude("--continue")
    killed.enter("where were we?")
    seen.wait_for("SessionStart(resume)", "Stop")
    killed.leave()
    [session] = seen.sessions()
    assert seen.order()[3:6] == ["UserPromptSubmit", "SessionStart(resume)", "UserPromptSubmit"], (
        "nobody told us of the kill"
    )
    assert seen.path(session)[3:8] == [
        "turn_start -> active",
        "process_lost -> halted",
        "session_start -> restored",
        "turn_start -> active",
        "turn_end -> idle",
    ]
    assert "now count to it" in seen.story_told(session, "where were we?")


def test_killed_then_a_new_chat(place, seen, killed):
    """After a kill a new chat in the same terminal is told of the one that was halted there."""
    killed.claude()
    killed.enter("where were we?")
    seen.wait_for("SessionStart(startup)", "SessionStart(startup)", "Stop")
    killed.leave()
    _is_told_of_the_halted_one(seen, rule=3)


def test_killed_then_a_new_chat_elsewhere(place, seen, killed):
    """After a kill a new chat in another terminal is told of it too: the newest that was halted in this place."""
    other = Terminal(place, "two")
    other.claude()
    other.enter("where were we?")
    seen.wait_for("SessionStart(startup)", "SessionStart(startup)", "Stop")
    other.leave()
    _is_told_of_the_halted_one(seen, rule=4)


def _is_told_of_the_halted_one(seen, rule):
    old, new = seen.sessions()
    assert seen.path(old)[3:] == ["turn_start -> active", "process_lost -> halted"]
    assert seen.path(new)[:3] == ["session_start -> restored", "turn_start -> active", "turn_end -> idle"]
    assert seen.inheritance(new) == (old, rule)
    assert "now count to it" in seen.story_told(new, "where were we?")


def test_killed_before_the_host_wrote_anything(place, seen, terminal):
    """A prompt that dies with the client on its way to the model is nowhere but on the tape: the agent has nothing to continue."""
    terminal.claude()
    terminal.enter("the number is 4711 {hold}")
    seen.wait_for("UserPromptSubmit")
    [session] = seen.sessions()
    until(lambda: seen.path(session)[-1] == "turn_start -> active", "the prompt is on the tape")
    terminal.kill()
    terminal.enter("claude --continue")
    terminal.wait_for("No conversation found to continue")
    terminal.claude()
    terminal.enter("which number was it?")
    seen.wait_for("SessionStart(startup)", "SessionStart(startup)", "Stop")
    terminal.leave()
    assert "4711" in seen.story_told(seen.sessions()[-1], "which number was it?")


def test_window_closed_in_mid_turn(place, seen, terminal):
    """A client that is hung up on in mid-turn still sends its end: the session is halted, and what that asks for is done."""
    terminal.claude()
    terminal.enter("the number is 4711 {wait 40}")
    seen.wait_for_request("4711")
    terminal.close()
    seen.wait_for("SessionEnd(other)")
    [session] = seen.sessions()
    until(lambda: seen.state(session)["phase"] == "halted", "our own hook has heard of it too")
    assert seen.path(session) == ["session_start -> idle", "turn_start -> active", "session_stop -> halted"]
    assert seen.notes(session, "capture")


def test_model_fails(place, seen, terminal):
    """A turn that the model's API refuses is halted, with the reason on the tape; the next prompt goes on from there."""
    terminal.claude()
    terminal.enter("try it {fail 400}")
    seen.wait_for("StopFailure")
    terminal.enter("try it again")
    seen.wait_for("StopFailure", "Stop")
    terminal.leave()
    [session] = seen.sessions()
    assert seen.order()[:5] == ["SessionStart(startup)", "UserPromptSubmit", "StopFailure", "UserPromptSubmit", "Stop"]
    assert seen.path(session)[1:5] == [
        "turn_start -> active", "turn_failed -> halted", "turn_start -> active", "turn_end -> idle",
    ]  # fmt: skip
    [failed] = [move for move in seen.log(session) if move["event"] == "turn_failed"]
    assert "400" in failed["data"]["error_message"]


def test_person_interrupts(place, seen, terminal):
    """Escape in mid-turn sends no hook at all: the session stays active in our books until the next prompt puts it right."""
    terminal.claude()
    terminal.enter("the number is 4711 {run tail -f /dev/null}")
    terminal.wait_for("ctrl+b to run in background")
    terminal.press("Escape")
    terminal.wait_for("Interrupted")
    [session] = seen.sessions()
    assert seen.path(session)[-1] == "turn_start -> active"
    terminal.enter("which number was it?")
    seen.wait_for("Stop")
    terminal.leave()
    assert seen.order()[1:4] == ["UserPromptSubmit", "UserPromptSubmit", "Stop"]
    assert seen.path(session)[2:4] == ["turn_start -> active", "turn_end -> idle"]


def message(place):
    words = ("git", "-C", place.project, "log", "-1", "--format=%B")
    return subprocess.run(words, check=True, capture_output=True, text=True, env=place.env).stdout


def test_person_interrupts_edits_and_commits(place, seen, terminal):
    """After Escape no hook comes: each line's owner is right all the same, in what is committed and in what is not."""
    place.run("git", "config", "user.name", "A")
    place.run("git", "config", "user.email", "a@example.invalid")
    assert place.tapehead("install", "--git").returncode == 0
    terminal.claude()
    terminal.enter("write it {run echo agent > agent.txt; tail -f /dev/null}")
    terminal.wait_for("ctrl+b to run in background")
    project = Path(place.project)
    until((project / "agent.txt").exists, "the agent has written")
    terminal.press("Escape")
    terminal.wait_for("Interrupted")
    [session] = seen.sessions()
    until(lambda: "interrupted by user" in json.dumps(seen.transcript(session)), "the client wrote that down")
    (project / "human.txt").write_text("human\n")
    place.run("git", "add", "human.txt")
    place.run("git", "commit", "-qm", "mine")
    assert not trailers.found(message(place))
    place.run("git", "add", "agent.txt")
    place.run("git", "commit", "-qm", "the agent's")
    assert trailers.found(message(place))
    (project / "human.txt").write_text("human\nand more\n")
    owners = {
        name: [line["session"] for line in json.loads(place.tapehead("blame", name, "--json").stdout)["lines"]]
        for name in ("agent.txt", "human.txt")
    }
    assert owners == {"agent.txt": [session], "human.txt": ["", ""]}
    terminal.leave()


def test_compaction_fails(place, seen, terminal):
    """A `/compact` that the model's API refuses leaves the session waiting, and leaving it then is an ordinary end."""
    terminal.claude()
    terminal.enter("the number is 4711")
    seen.wait_for("Stop")
    terminal.enter("/compact {summary fail 400}")
    seen.wait_for("PreCompact(manual)", "StopFailure")
    [session] = seen.sessions()
    until(lambda: seen.path(session)[-1] == "compaction_failed -> idle", "it waits for a prompt again")
    terminal.leave()
    until(lambda: seen.state(session)["phase"] == "ended", "nothing was in flight")
    [failed] = [move for move in seen.log(session) if move["event"] == "compaction_failed"]
    assert "400" in failed["data"]["error_message"]


def test_compaction_fails_in_mid_turn(place, seen, terminal):
    """The prompt has no answer, so the turn is still under way; leaving it is a halt."""
    terminal.claude()
    terminal.enter("fill the window {claim 985000} {run echo full} {summary fail 400}")
    seen.wait_for("PreCompact(auto)", "StopFailure")
    [session] = seen.sessions()
    until(lambda: seen.path(session)[-1] == "compaction_failed -> active", "the turn has no answer")
    terminal.leave()
    until(lambda: seen.state(session)["phase"] == "halted", "the work was in flight")


def test_person_interrupts_a_compaction(place, seen, terminal):
    """Escape sends no hook; the next look at the session finds it waiting, and leaving is an ordinary end."""
    terminal.claude()
    terminal.enter("the number is 4711")
    seen.wait_for("Stop")
    terminal.enter("/compact {summary wait 40}")
    seen.wait_for("PreCompact(manual)")
    seen.wait_for_request("summary wait")
    terminal.press("Escape")
    [session] = seen.sessions()
    until(lambda: place.tapehead("status") and seen.path(session)[-1] == "compaction_failed -> idle", "status sees it")
    terminal.press("C-u")
    terminal.leave()
    until(lambda: seen.state(session)["phase"] == "ended", "nothing was in flight")


def test_left_after_a_compaction_in_mid_turn(place, seen, terminal):
    """A turn that goes on after an automatic compaction and is left without an answer is halted, not ended."""
    terminal.claude()
    terminal.enter("fill the window {claim 985000} {run echo full} {summary then wait 40}")
    seen.wait_for("PostCompact(auto)")
    [session] = seen.sessions()
    until(lambda: seen.path(session)[-1] == "compacted -> restored", "the compaction is over")
    terminal.close()
    seen.wait_for("SessionEnd(other)")
    until(lambda: seen.state(session)["phase"] == "halted", "the work was in flight")
    assert "Stop" not in seen.order()
