"""A settings file of another program on the disk: read whole, replaced whole, and never under somebody's hands."""

from __future__ import annotations

import os
from contextlib import suppress

from tapehead import system


class SettingsFileError(Exception):
    """A settings file that cannot be changed as it is; says why."""


class NotTextError(SettingsFileError):
    """It is not UTF-8."""


class WriteProtectedError(SettingsFileError):
    """Somebody took the right to write away. The directory would let us replace it all the same: it was meant."""


class ChangedMeanwhileError(SettingsFileError):
    """Somebody else wrote it since it was read."""


def read(path: str) -> str | None:
    """All of a file, line ends and byte order mark included; None where there is none."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        return None
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise NotTextError(f"{path} is not UTF-8 text (byte {error.start})") from None


def write(path: str, text: str) -> None:
    """Put a text into a file in one step, whoever else writes there."""
    scratch = _scratch(path, text)
    _move(scratch, path)


def write_if_unchanged(path: str, text: str, expected: str | None) -> None:
    """Put a text into a file in one step, if it still says what it said when it was read."""
    scratch = _scratch(path, text)
    try:
        _check(path, expected)
    except BaseException:
        _discard(scratch)
        raise
    _move(scratch, path)


def remove_if_unchanged(path: str, expected: str | None) -> None:
    """Remove a file, if it still says what it said when it was read."""
    _check(path, expected)
    os.unlink(path)
    _flush(os.path.dirname(path))


def missing_directories(path: str) -> tuple[str, ...]:
    """The directories above a file that are not there yet, the deepest first."""
    directory = os.path.dirname(path)
    if not directory or os.path.isdir(directory):
        return ()
    return (directory, *missing_directories(directory))


def make_directories(directories: tuple[str, ...]) -> None:
    """Make directories that are listed deepest first."""
    for directory in reversed(directories):
        with suppress(FileExistsError):
            os.mkdir(directory, 0o700)


def remove_directories(directories: tuple[str, ...]) -> None:
    """Remove directories that are listed deepest first, as far as nothing is in them."""
    for directory in directories:
        with suppress(OSError):
            os.rmdir(directory)


def _check(path: str, expected: str | None) -> None:
    if read(path) != expected:
        raise ChangedMeanwhileError(f"{path} was changed by somebody else at the same time")
    if expected is not None and not os.access(path, os.W_OK):
        raise WriteProtectedError(f"{path} is write-protected")


def _scratch(path: str, text: str) -> str:
    """Write the text beside the file, under a name of its own, with the file's mode and owner."""
    data = text.encode()
    scratch = f"{path}.tapehead-{os.getpid()}-{os.urandom(4).hex()}"
    descriptor = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL | system.PRIVATELY, 0o600)
    try:
        with open(descriptor, "wb") as file:
            _take_after(path, descriptor)
            file.write(data)
            file.flush()
            os.fsync(descriptor)
    except BaseException:
        _discard(scratch)
        raise
    return scratch


def _take_after(path: str, descriptor: int) -> None:
    try:
        model = os.stat(path)
    except FileNotFoundError:
        return
    system.take_after(descriptor, model)


def _move(scratch: str, path: str) -> None:
    try:
        system.replace(scratch, path)
    except BaseException:
        _discard(scratch)
        raise
    _flush(os.path.dirname(path))


def _discard(scratch: str) -> None:
    with suppress(OSError):
        os.unlink(scratch)


def _flush(directory: str) -> None:
    """Make the new name last; where a file system has no such thing, the file is as good as it gets."""
    with suppress(OSError):
        system.flush_directory(directory)
