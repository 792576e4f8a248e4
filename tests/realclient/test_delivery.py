"""How the host takes what a hook says, and what it writes down of it: the facts that docs/agents/claude-code.md states."""

import json
import os

import pytest
from rig.evidence import texts, times

from tapehead.agents.claude.hooks import LIMIT


def test_how_a_story_travels(place, seen):
    """The brief reaches the model in a message of the system's, and stands in the transcript as what was printed and as what was taken."""
    place.tapehead("config", "set", "restore.on_resume", "full")
    place.print_mode("the number is 4711")
    [session] = seen.sessions()
    seen.state(session)
    place.print_mode("which number was it?", "--resume", session)
    [story] = seen.handed_back(session)
    request = seen.request_after("which number")
    [carrier] = [message for message in request["messages"] if times({"messages": message}, story)]
    assert carrier["role"] == "system"
    assert f"SessionStart hook additional context: {story.strip()}" in "\n".join(texts(carrier))
    [taken] = seen.attachments(session, "hook_additional_context")
    assert (taken["hookName"], taken["hookEvent"]) == ("SessionStart", "SessionStart")
    [printed] = [each for each in seen.attachments(session, "hook_success") if "tapehead" in each["command"]]
    assert (printed["hookName"], printed["content"], printed["exitCode"]) == ("SessionStart:resume", "", 0)
    said = json.loads(printed["stdout"])
    assert said == {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": story}}
    assert seen.notes(session, "restored")[-1]["characters"] == len(story)


def test_a_host_that_starts_sees_nothing_of_us(place, seen, terminal):
    """Where there is no story, neither the user nor the model reads a word of ours."""
    terminal.claude()
    terminal.enter("hello")
    seen.wait_for("Stop")
    screen = terminal.screen()
    terminal.leave()
    assert "tapehead" not in screen
    assert seen.told() == [], "the client itself lists our skill"


@pytest.mark.parametrize(("timeout", "runs_to_its_end"), [(None, False), (8, True)])
def test_what_a_session_end_waits_for(bare, seen, timeout, runs_to_its_end):
    """At a session's end a hook gets 1.5 seconds, or what its own timeout asks for; another hook's timeout does not help it."""
    mark = os.path.join(bare.root, "slow-hook-was-here")
    slow = {"type": "command", "command": f"sleep 3; touch {mark}"} | ({"timeout": timeout} if timeout else {})
    with bare.edited_settings() as settings:
        settings["hooks"]["SessionEnd"].append({"hooks": [slow]})
    bare.install()
    done = bare.print_mode("hello")
    assert os.path.exists(mark) is runs_to_its_end
    assert ("Hook cancelled" in done.stderr) is not runs_to_its_end
    [session] = seen.sessions()
    assert seen.state(session)["phase"] == "ended", "ours was done in time, and its worker outlived the host"


def test_it_rides_on_the_next_prompt(place, seen, terminal):
    """Where no start comes after a compaction, the brief waits for the next prompt, and reaches the model with it, once."""
    with place.edited_settings() as settings:
        del settings["hooks"]["SessionStart"]
    terminal.claude()
    terminal.enter("the number is 4711")
    seen.wait_for("Stop")
    terminal.enter("/compact")
    seen.wait_for("PostCompact(manual)")
    for prompt in ("which number was it?", "are you sure?"):
        terminal.enter(prompt)
        seen.wait_for_request(prompt)
    seen.wait_for(*["Stop"] * 3)
    terminal.leave()
    [session] = seen.sessions()
    assert seen.path(session)[:5] == [
        "turn_start -> active",
        "turn_end -> idle",
        "compaction -> compacting",
        "compacted -> restored",
        "turn_start -> active",
    ]
    assert "4711" in seen.story_told(session, "which number was it?")
    [taken] = seen.attachments(session, "hook_additional_context")
    assert (taken["hookName"], taken["hookEvent"]) == ("UserPromptSubmit", "UserPromptSubmit")


@pytest.mark.parametrize(("length", "arrives"), [(LIMIT, True), (10_001, False)])
def test_how_much_one_hook_may_say(bare, seen, length, arrives):
    """What we allow ourselves reaches the model whole; beyond 10,000 characters the agent shows it a preview alone."""
    text = "x" * (length - 10) + " and so on"
    said = {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": text}}
    with open(path := os.path.join(bare.root, "said.json"), "w", encoding="utf-8") as file:
        json.dump(said, file)
    with bare.edited_settings() as settings:
        settings["hooks"]["SessionStart"].append({"hooks": [{"type": "command", "command": f"cat {path}"}]})
    bare.print_mode("hello")
    [request] = seen.requests()
    assert (times(request, text), times(request, "<persisted-output>")) == ((1, 0) if arrives else (0, 1))
