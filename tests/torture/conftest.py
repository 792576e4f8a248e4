"""Makes the arena and the faults importable: pytest's importlib mode leaves sys.path alone."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from arena import Arena


@pytest.fixture
def arena(tmp_path):
    """A repository and a home that belong to one test, and every process that the test starts in them."""
    made = Arena(str(tmp_path))
    yield made
    made.close()
