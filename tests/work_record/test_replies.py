"""Short replies of the user: what they decide stands in the agent's words before them."""

import pytest

from tapehead.transcript.turns import AGENT, HUMAN, Said, Turn
from tapehead.work_record.asks import asks
from tapehead.work_record.step_row import Conversation

OPTIONS = """Two ways to keep the ids apart:

### Option 1: `session/` package
It owns the state files already.

### Option 2: a new `ids/` package
Cleaner, but everything imports it.

Which one do you prefer?"""
NUMBERED = """What next?

1. **Push to GitHub (`git push origin main`)
2. **Import Your GPG Key and sign it
3. Clean up the branches"""
LETTERS = """How shall it get the text?

- **A) Full transcript** (complete, expensive)
- **B) Pre-extract key content**

Which one?"""
QUESTIONS = """1. Which lane is first?
2. Where do the lines go?
3. What if there are more than three?"""
PROPOSAL = """`checkpoint` validates the ids, so it needs the validators.

The best solution is to move the validators to `checkpoint`. Both packages import it already.

Want me to implement this?"""


def meant(said, reply):
    """The option that a reply chooses, and what it answers."""
    told = [Said(HUMAN, "keep the ids apart"), *(Said(AGENT, text) for text in said)]
    conversation = Conversation([Turn(0, tuple(told)), Turn(1, (Said(HUMAN, reply),))])
    last = asks(conversation)[-1]
    return last.chooses, last.answers


@pytest.mark.parametrize(
    ("said", "reply", "option"),
    [
        ([OPTIONS], "yes do option 1", "`session/` package"),
        ([OPTIONS], "ok, option 2, for now", "a new `ids/` package"),
        ([OPTIONS], "option 2 then", "a new `ids/` package"),
        ([NUMBERED], "1", "Push to GitHub (`git push origin main`)"),
        ([NUMBERED], "2 import GPG key", "Import Your GPG Key and sign it"),
        ([NUMBERED], "1 and 3", "Push to GitHub (`git push origin main`) / Clean up the branches"),
        ([NUMBERED, "I looked at the branches meanwhile."], "3, and take your time", "Clean up the branches"),
        ([NUMBERED], "yeah let's do the fix for 3 first", "Clean up the branches"),
        ([NUMBERED], "I think 2 is the right approach. Each branch has its own key", "Import Your GPG Key and sign it"),
        ([LETTERS], "I think B), and keep it small", "Pre-extract key content"),
        ([LETTERS], "I think A) is fine", "Full transcript (complete, expensive)"),
        ([LETTERS], "I think a test is missing", ""),
        ([OPTIONS], "let's go with 1", "`session/` package"),
        ([NUMBERED], "I think 2 of them are wrong", ""),
        ([NUMBERED], "wait for 3 seconds", ""),
        ([NUMBERED], "2 tests fail now", ""),
        ([OPTIONS, QUESTIONS], "1. i like option 3, 2. left most", ""),
        ([OPTIONS, NUMBERED], "option 4", ""),
        (["It is done."], "1", ""),
    ],
)
def test_a_number_stands_for_the_option_of_the_newest_list(said, reply, option):
    """However it is said; a number that counts something else, or answers a question, stands for none, and no older list is asked."""
    assert meant(said, reply)[0] == option


@pytest.mark.parametrize(
    ("said", "reply", "answers"),
    [
        (
            PROPOSAL,
            "yes",
            "The best solution is to move the validators to `checkpoint`. Want me to implement this?",
        ),
        ("Should I set `gc.auto 0` on your repository?", "no don't", "Should I set `gc.auto 0` on your repository?"),
        (
            "That would need:\n- a list of lanes\n\nWould you like me to draw several lanes for each checkpoint?",
            "that was the idea, yes",
            "Would you like me to draw several lanes for each checkpoint?",
        ),
        (
            "All checks pass. Want me to merge it and go on with the parser?",
            "I'll do that myself. what comes after it?",
            "All checks pass. Want me to merge it and go on with the parser?",
        ),
        (
            "Shall I raise the timeout of the server to 60 s?",
            "leave it for now",
            "Shall I raise the timeout of the server to 60 s?",
        ),
        ("Merged. The conflict was in one call.", "I'll look at that tomorrow", ""),
        ("Merged. The conflict was in one call.", "okay, now the review", ""),
        (PROPOSAL, "what does checkpoint do with them?", ""),
        (PROPOSAL, "now show me the list of all the validators that are in there", ""),
    ],
)
def test_a_yes_comes_with_what_it_says_yes_to(said, reply, answers):
    """The question at the end, with the proposal where the question names nothing; a prompt that speaks for itself needs neither."""
    assert meant([said], reply) == ("", answers)


def test_a_yes_to_something_else_is_another_one():
    """Both are told, where a prompt that was typed again counts once."""
    steps = [
        Said(AGENT, "Shall the cache live in memory?"),
        Said(HUMAN, "yes"),
        Said(AGENT, "Shall the index live on disk?"),
    ]
    conversation = Conversation([Turn(0, (Said(HUMAN, "plan it"), *steps, Said(HUMAN, "yes"), Said(HUMAN, "plan it")))])
    assert [ask.answers for ask in asks(conversation) if ask.text == "yes"] == [
        "Shall the cache live in memory?",
        "Shall the index live on disk?",
    ]
    assert [ask.text for ask in asks(conversation)].count("plan it") == 2, (
        "the first of all, and where it was typed last"
    )
