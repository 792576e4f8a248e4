"""Prompts that say nothing by themselves, and what is pasted into others."""

import pytest

from tapehead.text.pastes import without_pastes
from tapehead.work_record.empty_prompts import says_nothing


@pytest.mark.parametrize(
    "prompt", ["yes", "ok, go on", "Yeah do it!", "proceed", "continue", "go ahead please", "looks good, thanks"]
)
def test_a_yes_says_nothing(prompt):
    """It never stands for what the user wants."""
    assert says_nothing(prompt)


@pytest.mark.parametrize(
    "prompt", ["yes, but keep the old API", "rebase first", "no", "stop", "use pnpm", "go with option 2"]
)
def test_a_yes_with_more_in_it_says_something(prompt):
    """A refusal and a choice are directions."""
    assert not says_nothing(prompt)


def test_logs_traces_and_code_are_only_named():
    """Every sentence around them stays, whole."""
    prompt = (
        "It crashes here:\n```\nTraceback (most recent call last):\n  boom\n```\nand the log says\n"
        "2026-01-01 10:00:00 ERROR boom\n2026-01-01 10:00:01 ERROR boom\nWhat is wrong? Do not touch the cache."
    )
    assert without_pastes(prompt) == (
        "It crashes here:\n[pasted: 4 lines]\nand the log says\n[pasted: 2 lines]\nWhat is wrong? Do not touch the cache."
    )


def test_a_prompt_that_is_all_paste_stays():
    """There is nothing else to show."""
    log = "2026-01-01 10:00:00 one\n2026-01-01 10:00:01 two"
    assert without_pastes(log) == log
    assert without_pastes("plain words") == "plain words"
