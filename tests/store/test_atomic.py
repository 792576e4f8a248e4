"""Files that are whole or not there."""

from __future__ import annotations

import os
import stat
from types import SimpleNamespace

import pytest

from tapehead import system
from tapehead.store import atomic


@pytest.mark.parametrize("size", [0, 1, 10, 100_000])
@pytest.mark.parametrize("seen", [0, 1, 9])
def test_all_of_a_file_is_read_however_it_grew_meanwhile(tmp_path, monkeypatch, size, seen):
    """Its size is only where reading begins."""
    path, data = str(tmp_path / "file"), os.urandom(size)
    atomic.write(path, data)
    assert atomic.read(path) == data
    monkeypatch.setattr(
        atomic.os, "fstat", lambda _: SimpleNamespace(st_mode=stat.S_IFREG, st_size=min(seen * 1_000, size))
    )
    assert atomic.read(path) == data


def test_a_directory_that_cannot_be_flushed_is_no_reason_to_fail(tmp_path, monkeypatch):
    """The file is in place by then: some file systems know no flush of a directory."""
    flushed = os.fsync

    def of_files_alone(descriptor):
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(22, "not here")
        flushed(descriptor)

    monkeypatch.setattr(os, "fsync", of_files_alone)
    atomic.write(str(tmp_path / "file"), b"whole")
    assert (tmp_path / "file").read_bytes() == b"whole"


def test_what_is_written_survives_a_power_cut(tmp_path, monkeypatch):
    """The file is flushed before it takes its place, and its directory after that; for what can be made again neither is."""
    seen = []

    def noted(descriptor):
        seen.append((stat.S_ISDIR(os.fstat(descriptor).st_mode), (tmp_path / "file").exists()))

    monkeypatch.setattr(os, "fsync", noted)
    atomic.write(str(tmp_path / "file"), b"whole")
    of_directory = [(True, True)] if system.IS_POSIX else []  # Windows keeps a journal of names itself
    assert seen == [(False, False), *of_directory]
    seen.clear()
    atomic.write(str(tmp_path / "file"), b"again", flushed=False)
    assert seen == []


def test_a_file_that_could_not_be_written_leaves_nothing(tmp_path, monkeypatch):
    """Neither half of itself nor a scratch file, and what was there before stays."""
    atomic.write(str(tmp_path / "file"), b"before")

    def full(*_):
        raise OSError(28, "no space left")

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(OSError, match="no space"):
            atomic.write(str(tmp_path / "file"), b"after")
    assert [each.name for each in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_bytes() == b"before"


def test_what_is_not_there_is_removed_already(tmp_path):
    """Nobody is told of it."""
    atomic.remove(str(tmp_path / "none"))
    (tmp_path / "one").write_bytes(b"")
    atomic.remove(str(tmp_path / "one"))
    assert list(tmp_path.iterdir()) == []
