"""The modes that git gives to what it makes in a repository that several users share (`core.sharedRepository`)."""

from __future__ import annotations

import os
import stat

from tapehead.git.run import GitFailed, git

_SECONDS = 10.0
_GROUP, _ALL = 0o660, 0o664
_WORDS = {"group": _GROUP, "true": _GROUP, "yes": _GROUP, "on": _GROUP, "1": _GROUP, "": _GROUP}
_WORDS |= dict.fromkeys(("all", "world", "everybody", "2"), _ALL)
_READ, _WRITE = 0o444, 0o222


def permissions(directory: str) -> int:
    """What a repository's files are given beside what they have; 0 where it is not shared, negative where it is all they get."""
    try:
        raw = git(directory, "config", "-z", "--get", "core.sharedRepository", timeout=_SECONDS)
    except GitFailed as error:
        error.raise_if_killed()
        return 0
    word = raw.decode("ascii", "replace").rstrip("\0").lower()
    if word in _WORDS:
        return _WORDS[word]
    try:
        return -int(word, 8)
    except ValueError:
        return 0


def adjust_mode(mode: int, given: int) -> int:
    """A file's mode as git would have it."""
    if not given:
        return mode
    bits = abs(given)
    if not mode & stat.S_IWUSR:
        bits &= ~_WRITE
    if mode & stat.S_IXUSR:
        bits |= (bits & _READ) >> 2
    return (mode & ~0o777) | bits if given < 0 else mode | bits


def make_folder(path: str, given: int) -> None:
    """A folder, with those above it, as git would make them: who may write there shares the group of it."""
    if os.path.isdir(path):
        return
    make_folder(os.path.dirname(path), given)
    os.mkdir(path)
    if given:
        os.chmod(path, adjust_mode(stat.S_IMODE(os.stat(path).st_mode), given) | stat.S_ISGID)
