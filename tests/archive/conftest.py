"""What the tests of the archive share stands in growing.py."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # pytest's importlib mode leaves sys.path alone

from growing import Shelf

from tapehead.archive import segments


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    """An archive whose segments are a sixteenth of the usual, so that small transcripts have several."""
    monkeypatch.setattr(segments, "LEAST", segments.LEAST // 16)
    monkeypatch.setattr(segments, "MOST", segments.MOST // 16)
    return Shelf(tmp_path / "shelf")
