"""The same rig with the real Qwen Code in it."""

import pytest
from rig.client import QWEN
from rig.qwen import QwenPlace, QwenTerminal


@pytest.fixture
def agent():
    return QWEN, QwenPlace


@pytest.fixture
def terminal(place):
    """A terminal in which nothing runs yet."""
    return QwenTerminal(place, "one")
