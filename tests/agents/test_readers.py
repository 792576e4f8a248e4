"""Who reads which agent's record."""

from __future__ import annotations

import pytest

from tapehead.agents import readers
from tapehead.agents.readers import deliveries_of, reader_of
from tapehead.agents.registry import AGENTS


@pytest.mark.parametrize("agent", AGENTS)
def test_every_agent_has_a_reader_and_a_record(agent):
    """A module with the functions that the actions call."""
    assert callable(reader_of(agent).read)
    assert callable(reader_of(agent).skim)
    assert callable(deliveries_of(agent).received)


def test_an_agent_that_nobody_knows_has_none():
    """That is no error: the tape is all that is known of it."""
    assert reader_of("") is None
    assert deliveries_of("an-agent-to-come") is None
    assert readers._READERS.keys() >= readers._DELIVERIES.keys() == AGENTS.keys()
