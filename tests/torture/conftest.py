"""Makes the arena and the faults importable: pytest's importlib mode leaves sys.path alone."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "agents"))
sys.path.insert(0, str(Path(__file__).parents[1] / "agents" / "contract"))  # what is mutated is recorded there

from arena import Arena


@pytest.fixture
def arena(tmp_path):
    """A repository and a home that belong to one test, and every process that the test starts in them."""
    made = Arena(str(tmp_path))
    yield made
    made.close()
