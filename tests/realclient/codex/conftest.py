"""The same rig with the real Codex in it."""

import pytest
from rig.client import CODEX
from rig.codex import CodexPlace, CodexTerminal


@pytest.fixture
def agent():
    return CODEX, CodexPlace


@pytest.fixture
def terminal(place):
    """A terminal in which nothing runs yet."""
    return CodexTerminal(place, "one")
