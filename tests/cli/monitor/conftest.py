"""What the monitor looks at."""

from __future__ import annotations

import pytest

import scenes
from world import World


@pytest.fixture
def world(tmp_path, monkeypatch):
    root = scenes.repository(tmp_path / "project")
    monkeypatch.setattr("tapehead.engine.hook._work", lambda *_: None)
    monkeypatch.chdir(root)
    return World(root)
