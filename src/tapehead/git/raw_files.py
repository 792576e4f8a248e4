"""Files as they really lie there: raw bytes, permissions and link targets, whatever git is set to make of them.

A recorded tree has what git would commit: after filters, line ends, its own idea of modes and links, and past what it was told not
to look at. Where a file differs from that, a second, flat tree says how: an entry for each such path, with the name
`PERMISSIONS-PATH` (the path in hexadecimal letters). The blobs are ours, never borrowed.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING

import attrs

from tapehead.git import loose

if TYPE_CHECKING:
    from tapehead.git.side import Side

FILE, PROGRAM, LINK = b"100644", b"100755", b"120000"
_GONE = b"gone"
_USUAL = frozenset((0o644, 0o664, 0o755, 0o775))
"""Permissions that a file has by itself."""


@attrs.frozen
class Real:
    """One file or link."""

    mode: bytes
    name: str
    """The blob: its bytes, or where the link leads."""
    permissions: int = 0
    """All bits; 0 where they are the usual ones of the mode."""


Reals = dict[bytes, "Real | None"]
"""None: nothing lies there."""


def look(root: bytes, path: bytes, objects: str, like: str, *, exact: bool = False) -> Real | None:
    """What lies at a path, kept as a blob of our own; None where it is neither file nor link. Raises OSError."""
    full = os.path.join(root, path)
    try:
        found = os.lstat(full)
    except (FileNotFoundError, NotADirectoryError):
        return None
    if is_behind(root, path):
        return None
    if stat.S_ISLNK(found.st_mode):
        return Real(LINK, loose.blob(objects, like, os.readlink(full)))
    if not stat.S_ISREG(found.st_mode):
        return None
    permissions = stat.S_IMODE(found.st_mode)
    kept = permissions if exact or permissions not in _USUAL else 0
    return Real(mode_of(found.st_mode), loose.file(objects, like, full), kept)


def leads_astray(path: bytes) -> bool:
    """Whether a recorded path is none that git would record: it leads out of the work tree, or into git's own files."""
    return b"\0" in path or any(part in _NO_NAMES or _is_gits(part) for part in path.split(b"/"))


def _is_gits(part: bytes) -> bool:
    """Whether any file system takes a name for `.git`: some ignore letters that nobody sees, or an end of dots and blanks."""
    seen = part.decode("utf-8", "surrogateescape").lower().translate(_UNSEEN).partition(":")[0].rstrip(". ")
    return seen in _GITS


_NO_NAMES = (b"", b".", b"..")
_GITS = (".git", "git~1")
_UNSEEN = dict.fromkeys([*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF])


def is_behind(root: bytes, path: bytes) -> bool:
    """Whether a link leads to a path: what is there lies elsewhere."""
    folder = os.path.dirname(path)
    while folder:
        if os.path.islink(os.path.join(root, folder)):
            return True
        folder = os.path.dirname(folder)
    return False


def mode_of(mode: int) -> bytes:
    """As git notes it; nothing for what is neither a file nor a link."""
    if stat.S_ISLNK(mode):
        return LINK
    return (PROGRAM if mode & stat.S_IXUSR else FILE) if stat.S_ISREG(mode) else b""


def write(objects: str, like: str, found: Reals) -> str:
    """The flat tree of all these; nothing where there are none."""
    if not found:
        return ""
    nothing = loose.blob(objects, like, b"") if None in found.values() else ""
    rows = [
        (one.mode, b"%04o-%s" % (one.permissions, path.hex().encode()), one.name)
        if one
        else (FILE, b"%s-%s" % (_GONE, path.hex().encode()), nothing)
        for path, one in found.items()
    ]
    return loose.tree(objects, like, sorted(rows, key=lambda row: row[1]))


def read(side: Side, tree: str) -> Reals:
    """What a flat tree says."""
    found: Reals = {}
    for row in side.git("ls-tree", "-z", tree).split(b"\0") if tree else ():
        what, _, name = row.partition(b"\t")
        begin, _, path = name.partition(b"-")
        with suppress(ValueError):
            mode, _, blob = what.split(b" ")
            one = None if begin == _GONE else Real(mode, blob.decode("ascii"), int(begin, 8))
            found[bytes.fromhex(path.decode("ascii"))] = one
    return found
