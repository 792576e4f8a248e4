"""The agent's sentences, and what each is worth to a successor."""

import pytest

from tapehead.brief.brief import brief
from tapehead.transcript import turns
from tapehead.transcript.turns import Call, Result, Said, Turn
from tapehead.work_record.sentence_worth import worth_of
from tapehead.work_record.work_record import gather_work


def told(*steps):
    return gather_work([Turn(1, (Said(turns.HUMAN, "go"), *steps), cwd="/w")])


def said(text):
    return Said(turns.AGENT, text)


@pytest.mark.parametrize(
    ("more", "less"),
    [
        ("Used Ark UI instead of Chakra because Chakra needs a provider.", "The tree view has three kinds of nodes."),
        ("The first remedy was wrong: both sessions live in one worktree.", "Both sessions live in one worktree here."),
        ("Removed the constant, since nothing uses it any more.", "There is a constant in the file."),
    ],
)
def test_reasons_and_corrections_are_worth_more(more, less):
    """A step says what was done, a reason why it must not be undone."""
    assert worth_of(more) > worth_of(less)


def test_the_report_of_a_turn_is_worth_more_than_what_was_said_on_the_way():
    """The same words in the last message of the turn count for more."""
    found = told(said("The cache was never the cause of it."), said("The cache was never the cause of that."))
    on_the_way, report = found.findings
    assert report.worth > on_the_way.worth


def test_greetings_and_announcements_are_no_findings():
    """What was about to be done is over by now."""
    found = told(
        said("You're absolutely right! The panel is respawned after a kill."),
        said("Let me look at the panel and its many processes."),
        said("I need to understand how the panel starts them."),
    )
    assert [one.text for one in found.findings] == ["The panel is respawned after a kill."]


def test_the_points_of_one_message_stand_in_their_order():
    """Also where a later one is worth more."""
    text = "The parser holds `state` between two files.\n\nThe cache was wrong because `reset` is never called."
    lines = brief(told(said(text), said("It is done.")), budget=2000, source="compact").splitlines()
    found = [line for line in lines if line.startswith("  →")]
    assert ["`state`" in line for line in found] == [True, False]


def test_what_a_subagent_reported_is_found_and_marked():
    """Nobody else may have said it."""
    found = told(
        Call("d", "Task", turns.DELEGATE, text="triage"),
        Result("d", "Issue 381 was deferred because the release is out already."),
    )
    assert [(one.text, one.from_subagent) for one in found.findings] == [
        ("Issue 381 was deferred because the release is out already.", True)
    ]


def test_a_sentence_that_was_said_again_counts_where_it_was_said_last():
    """Once, and as new as its last time."""
    found = told(
        said("The lexer is done and tested."), said("Now to the docs of it."), said("The lexer is done and tested.")
    )
    assert [one.text for one in found.findings].count("The lexer is done and tested.") == 1
    assert found.findings[-1].text == "The lexer is done and tested."


def test_what_the_user_was_told_to_run_comes_with_the_command():
    """The command itself is what a successor needs."""
    found = told(said("You need to run this yourself:\n\n```bash\n# as root\nsudo setcap cap_x=ep ./applet\n```\n"))
    assert [one.text for one in found.findings] == ["You need to run this yourself: `sudo setcap cap_x=ep ./applet`"]


def test_reasons_in_messages_to_others_are_found():
    """A reply says why; what it only praises is no reason."""
    comment = (
        'gh pr comment 7 --body "It is a great gate for all. No tests were added because the chunker only delegates."'
    )
    found = told(Call("2", "Bash", turns.RUN, text=comment), Result("2", "ok"))
    assert [one.text for one in found.findings] == ["No tests were added because the chunker only delegates."]


def test_an_order_is_kept_as_one():
    """A numbered list whose points name things is told in one line: each point alone says nothing of the order."""
    text = "Merge in this order:\n1. **PR #89** - logs\n   https://x/89\n2. **PR #90** - chunks\n3. **PR #91** - tokens\n\nReady."
    found = [one.text for one in told(said(text)).findings]
    assert "Merge in this order: 1. PR #89 - logs https://x/89; 2. PR #90 - chunks; 3. PR #91 - tokens" in found


def test_a_list_that_names_nothing_is_no_order():
    """Praise in three points is still praise."""
    found = told(said("Done:\n1. All is well\n2. All is fast\n3. All is safe\n")).findings
    assert not [one for one in found if "2." in one.text]


@pytest.mark.parametrize(
    "praise", ["Session Lanes - shown for every state", "Godoc Integration ensuring docs appear in godoc"]
)
def test_a_catalogue_of_features_is_worth_little(praise):
    """What is named like a product says nothing of how it came about."""
    assert worth_of(praise) < worth_of("The lanes are shown for every state of a session here.")


def test_an_option_that_is_chosen_by_number_is_told_with_its_words():
    """The number alone says nothing where the list is not told."""
    text = "Options:\n\n1. **Accept a snapshot** - document it\n2. **Flag what is stale** - not sure to work\n\nI'd go with option 1 here, since it needs no upkeep."
    told_of = [one.text for one in told(said(text)).findings]
    assert "I'd go with option 1 here, since it needs no upkeep. (that is “Accept a snapshot - document it”)" in told_of
