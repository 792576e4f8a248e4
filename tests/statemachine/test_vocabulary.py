"""The words of the machine, as they stand in files."""

from __future__ import annotations

import pytest

from tapehead.statemachine.vocabulary import Action, Event, Fact, Phase


@pytest.mark.parametrize("words", [Phase, Event, Fact, Action])
def test_a_word_in_a_file_is_its_name_in_lower_case(words):
    """A value is its name in lower case, so that a state file and the table are read with the same eyes."""
    assert [word.value for word in words] == [word.name.lower() for word in words]


def test_no_word_means_two_things():
    """No phase, event, fact or action shares its word with another: a search in a tape finds what it means."""
    words = [word.value for words in (Phase, Event, Fact, Action) for word in words]
    assert len(words) == len(set(words)) == 6 + 10 + 8 + 20
