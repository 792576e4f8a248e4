"""A prompt that quotes a notice of the agent is still that prompt, on the tape, in the transcript and in the brief."""

import pytest

from tapehead.agents.claude import hooks

MARKED = [
    "why do I see <system-reminder>be good</system-reminder> in the log?",
    "<system-reminder>be good</system-reminder> and now rename the parser",
    "<bash-input>ls</bash-input> fails, find out why",
    "Caveat: I am in a hurry, so only fix the lexer",
    "[Request interrupted by user] is printed twice, remove one",
    "rename it to [Request interrupted by user]",
]


@pytest.mark.parametrize("prompt", MARKED)
def test_the_newest_prompt_is_told_as_asked_last(told, prompt):
    """The first one never comes back in its place."""
    told.asked("Write the first parser.", "It is written and tested.")
    told.asked("Now the second.", "The second is written, too.")
    told.asked(prompt, "That is done as well.")
    assert told.state().last_prompt.strip() == prompt
    handed = told.compacted("They work on parsers.", written="They work on parsers.")
    last = next(line for line in handed.splitlines() if "Asked last" in line)
    word = prompt.split()[-1].strip("?.")
    assert word in last
    assert "first parser" not in last


@pytest.mark.parametrize("prompt", MARKED)
def test_a_hook_hears_it_whole(prompt):
    """What the tape keeps is what was typed."""
    payload = {"hook_event_name": "UserPromptSubmit", "session_id": "one", "prompt": prompt, "cwd": "/w"}
    assert hooks.heard(payload, {}).data["prompt"] == prompt
