"""The same rig with the real Copilot CLI in it."""

import pytest
from rig.client import COPILOT
from rig.copilot import CopilotPlace, CopilotTerminal


@pytest.fixture
def agent():
    return COPILOT, CopilotPlace


@pytest.fixture
def terminal(place):
    """A terminal in which nothing runs yet."""
    return CopilotTerminal(place, "one")
