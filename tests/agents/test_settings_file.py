import os

import pytest

from tapehead.agents import settings_file
from tapehead.agents.settings_file import ChangedMeanwhileError, NotTextError, WriteProtectedError


def mode(path):
    return path.stat().st_mode & 0o777


def test_every_byte_is_read(tmp_path):
    """Line ends and a byte order mark come through; no file is None; what is not UTF-8 is said, with its place."""
    path = tmp_path / "settings.json"
    assert settings_file.read(str(path)) is None
    path.write_bytes(b"\xef\xbb\xbf{}\r\n")
    assert settings_file.read(str(path)) == "\ufeff{}\r\n"
    path.write_bytes(b"{}\xff")
    with pytest.raises(NotTextError, match=r"is not UTF-8 text \(byte 2\)"):
        settings_file.read(str(path))


def test_a_new_file_is_private(tmp_path):
    """A new file is the user's alone; an old one keeps its mode; nothing else is left in the directory."""
    new, old = tmp_path / "new", tmp_path / "old"
    old.write_text("a")
    old.chmod(0o640)
    settings_file.write(str(new), "b\r\n")
    settings_file.write_if_unchanged(str(old), "b\r\n", "a")
    assert (mode(new), mode(old)) == (0o600, 0o640)
    assert new.read_bytes() == old.read_bytes() == b"b\r\n"
    assert sorted(os.listdir(tmp_path)) == ["new", "old"]


def test_the_owner_stays(tmp_path, monkeypatch):
    """A file of another owner or group is handed back to them, and where that is not allowed, it is written all the same."""
    path = tmp_path / "settings.json"
    path.write_text("a")
    asked = []
    real = os.stat(path)
    foreign = os.stat_result([*real[:4], real.st_uid + 1, real.st_gid + 1, *real[6:]])
    monkeypatch.setattr(settings_file.os, "stat", lambda *_: foreign)

    def refuse(_descriptor, *owner):
        asked.append(owner)
        raise PermissionError

    monkeypatch.setattr(settings_file.os, "fchown", refuse)
    settings_file.write(str(path), "b")
    monkeypatch.undo()
    assert asked == [(real.st_uid + 1, real.st_gid + 1)]
    assert path.read_text() == "b"


@pytest.mark.parametrize("found", [None, "c"])
def test_somebody_elses_change_is_not_lost(tmp_path, found):
    """A file that changed, came or went since it was read is left alone, by a write and by a removal."""
    path = tmp_path / "settings.json"
    if found:
        path.write_text(found)
    for attempt in (
        lambda: settings_file.write_if_unchanged(str(path), "b", "a"),
        lambda: settings_file.remove_if_unchanged(str(path), "a"),
    ):
        with pytest.raises(ChangedMeanwhileError):
            attempt()
    assert settings_file.read(str(path)) == found
    assert os.listdir(tmp_path) == (["settings.json"] if found else [])


def test_write_protection_is_meant(tmp_path, monkeypatch):
    """A write-protected file is not replaced, though the directory would allow it."""
    path = tmp_path / "settings.json"
    path.write_text("a")
    monkeypatch.setattr(settings_file.os, "access", lambda *_: False)
    with pytest.raises(WriteProtectedError):
        settings_file.write_if_unchanged(str(path), "b", "a")
    assert path.read_text() == "a"
    assert os.listdir(tmp_path) == ["settings.json"]


def test_directories_come_and_go(tmp_path):
    """Missing directories are listed deepest first, made private, and removed as far as they are empty."""
    deep = tmp_path / "a" / "b" / "settings.json"
    made = settings_file.missing_directories(str(deep))
    assert made == (str(tmp_path / "a" / "b"), str(tmp_path / "a"))
    settings_file.make_directories(made)
    settings_file.make_directories(made)
    assert mode(tmp_path / "a") == 0o700
    assert settings_file.missing_directories(str(deep)) == ()
    assert settings_file.missing_directories("settings.json") == ()
    (tmp_path / "a" / "kept").touch()
    settings_file.remove_directories(made)
    assert os.listdir(tmp_path / "a") == ["kept"]
