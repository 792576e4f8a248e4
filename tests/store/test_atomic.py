"""Files that are whole or not there."""

from __future__ import annotations

import os
from types import SimpleNamespace

import pytest

from tapehead.store import atomic


@pytest.mark.parametrize("size", [0, 1, 10, 100_000])
@pytest.mark.parametrize("seen", [0, 1, 9])
def test_all_of_a_file_is_read_however_it_grew_meanwhile(tmp_path, monkeypatch, size, seen):
    """Its size is only where reading begins."""
    path, data = str(tmp_path / "file"), os.urandom(size)
    atomic.write(path, data)
    assert atomic.read(path) == data
    monkeypatch.setattr(atomic.os, "fstat", lambda _: SimpleNamespace(st_size=min(seen * 1_000, size)))
    assert atomic.read(path) == data
