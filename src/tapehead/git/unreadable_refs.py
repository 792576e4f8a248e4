"""Refs whose file names nothing: a power cut emptied it, or a disk changed it. git leaves them out of its lists, and its gc fails for them.

git does not overwrite such a file either, so it is removed before the ref is written again.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress

from tapehead import door

_LOCK = ".lock"
_NAME = re.compile(rb"(?!0+\s*\Z)(?:[0-9a-f]{40}|[0-9a-f]{64})\s*")
_LONGEST = 100
_NEVER_WRITTEN = 1 << 20
"""Bytes that no file of a ref has."""


def find(git_dir: str, folder: str) -> list[str]:
    """The refs below a folder, such as `refs/tapehead`."""
    found = []
    for directory, _, names in os.walk(os.path.join(git_dir, *folder.split("/"))):
        paths = (os.path.join(directory, name) for name in names if not name.endswith(_LOCK))
        found += [os.path.relpath(path, git_dir).replace(os.sep, "/") for path in paths if not _names_something(path)]
    return sorted(found)


def oversized(git_dir: str, folder: str) -> list[str]:
    """Those whose file is far larger than git writes it. git reads such a file into memory with whatever it is asked, so it must not be asked."""
    found = []
    for directory, _, names in os.walk(os.path.join(git_dir, *folder.split("/"))):
        for path in (os.path.join(directory, name) for name in names):
            with suppress(OSError):
                if os.lstat(path).st_size > _NEVER_WRITTEN:
                    found.append(os.path.relpath(path, git_dir).replace(os.sep, "/"))
    return found


def remove(git_dir: str, ref: str) -> None:
    """Takes the file away, if it still names nothing; what git packed of the ref earlier counts again."""
    path = os.path.join(git_dir, *ref.split("/"))
    if not _names_something(path):
        with suppress(FileNotFoundError):
            os.unlink(path)


def _names_something(path: str) -> bool:
    try:
        return _NAME.fullmatch(door.read(path, _LONGEST, follow=False)) is not None
    except door.NotRegular:
        return False
    except OSError:
        return True  # gone meanwhile, or not ours to read
