"""What a settings file was before our hooks came, kept until they go.

In our own state directory and not beside the file: a copy in `.claude/` would turn up in `git status` and in the
repositories where people keep their dotfiles, and settings hold secrets.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from hashlib import sha256

from attrs import frozen

from tapehead.agents import settings_file

_RECORD = "record.json"


@frozen
class Backup:
    """One file's state without our hooks, and how to know that nobody touched it since they came."""

    path: str
    before: str | None
    """The file without our hooks; None where there was no file."""
    written: str
    """The fingerprint of what we wrote."""
    directories: tuple[str, ...] = ()
    """Directories that we made for the file, the deepest first."""


def fingerprint(text: str | None) -> str:
    """A short name for a text; of no text too."""
    return "" if text is None else sha256(text.encode()).hexdigest()


def copy_path(backups: str, path: str) -> str:
    """Where the copy of a file lies: a plain file, for a user who wants it back by hand."""
    return os.path.join(_directory(backups, path), os.path.basename(path))


def save(backups: str, backup: Backup) -> None:
    """Keep a backup; the record comes last and names the copy's fingerprint, so that half a backup is none."""
    settings_file.make_directories(settings_file.missing_directories(copy_path(backups, backup.path)))
    if backup.before is not None:
        settings_file.write(copy_path(backups, backup.path), backup.before)
    record = {
        "path": backup.path,
        "before": fingerprint(backup.before),
        "written": backup.written,
        "directories": backup.directories,
    }
    settings_file.write(os.path.join(_directory(backups, backup.path), _RECORD), json.dumps(record, indent=2) + "\n")


def load(backups: str, path: str) -> Backup | None:
    """The backup of a file, if there is one that is whole. One that cannot be read just now is an error: it is not lost."""
    try:
        record = json.loads(settings_file.read(os.path.join(_directory(backups, path), _RECORD)) or "")
        before = settings_file.read(copy_path(backups, path)) if record["before"] else None
        whole = record["path"] == path and record["before"] == fingerprint(before)
        return Backup(path, before, str(record["written"]), tuple(map(str, record["directories"]))) if whole else None
    except (ValueError, KeyError, TypeError, settings_file.SettingsFileError):
        return None


def drop(backups: str, path: str) -> None:
    """Forget a backup."""
    directory = _directory(backups, path)
    for file in (os.path.join(directory, _RECORD), copy_path(backups, path)):
        with suppress(OSError):
            os.unlink(file)
    settings_file.remove_directories((directory, backups))


def _directory(backups: str, path: str) -> str:
    return os.path.join(backups, sha256(os.fsencode(path)).hexdigest()[:16])
