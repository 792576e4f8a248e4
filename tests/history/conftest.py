"""A memory for a test."""

import pytest

from remembered import Memory


@pytest.fixture
def memory(tmp_path):
    made = Memory(tmp_path)
    yield made
    made.database.close()
