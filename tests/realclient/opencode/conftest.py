"""The same rig with the real OpenCode in it."""

import pytest
from rig.client import OPENCODE
from rig.opencode import OpenCodePlace, OpenCodeTerminal


@pytest.fixture
def agent():
    return OPENCODE, OpenCodePlace


@pytest.fixture
def terminal(place):
    """A terminal in which nothing runs yet."""
    return OpenCodeTerminal(place, "one")
