"""The same rig with the real Droid in it."""

import pytest
from rig.client import DROID
from rig.droid import DroidPlace


@pytest.fixture
def agent():
    return DROID, DroidPlace
