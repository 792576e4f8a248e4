"""The same rig with the real Gemini in it."""

import pytest
from rig.client import GEMINI
from rig.gemini import GeminiPlace, GeminiTerminal


@pytest.fixture
def agent():
    return GEMINI, GeminiPlace


@pytest.fixture
def terminal(place):
    """A terminal in which nothing runs yet."""
    return GeminiTerminal(place, "one")
