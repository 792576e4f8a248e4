"""Other words for the same thing."""

import pytest

from record import Record
from tapehead.history.kin import kin


@pytest.mark.parametrize(
    ("asked", "said"), [("pets", "dog"), ("deleting", "remove"), ("bought", "purchase"), ("puppy", "pet")]
)
def test_a_word_has_others(asked, said):
    """In any form of it, also one that no rule gives; and from the kind of thing to the thing as well as back."""
    assert said in kin(asked)


def test_members_of_a_group_do_not_stand_for_each_other():
    """A cat is a pet, and no dog."""
    assert "dog" not in kin("cat")


def test_a_word_is_none_of_its_own_others():
    """Nor is a form of it: what says the word itself counts in full anyhow."""
    assert not {"pet", "pets"} & set(kin("pets"))


def test_a_question_finds_the_other_word(memory):
    """Nobody said `pet`; what has the word itself comes first all the same."""
    memory.told(Record().turn("My dog learned to swim", "How nice.").turn("The pier is closed", "Noted."))
    assert memory.hits("which pet")[0].snippet.startswith("My dog")
    memory.told(Record("99999999-2222-4333-8444-555555555555").turn("The pet shop is closed", "Noted."))
    assert "pet shop" in memory.hits("which pet")[0].snippet


@pytest.mark.parametrize("asked", ['"pet" food', "pet"])
def test_a_word_that_is_quoted_or_alone_has_no_others(memory, asked):
    """Who quotes a word, or types nothing else, means the word."""
    memory.told(Record().turn("My dog learned to swim", "How nice."))
    assert not memory.hits(asked)
