"""Small objects written as git itself writes them, one file each, without starting a process.

A mark is three of them. `git fast-import` would write a pack, flush it to the disk and start another git that takes it apart again;
`git hash-object` and its kin are a process for each. The form is git's own and never changed; only a repository of ours gets them,
and what makes them count, the move of a ref, is left to git.
"""

from __future__ import annotations

import os
import zlib
from typing import TYPE_CHECKING

from tapehead import door, system
from tapehead.store import atomic

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import BinaryIO

_SHA1_LETTERS = 40
_AT_ONCE = 1 << 22
_TRIES = 3


def blob(objects: str, like: str, content: bytes) -> str:
    """Write a file's content; `like` is any name of that repository, which says how names are made there."""
    return _written(objects, like, b"blob", content)


def file(objects: str, like: str, path: bytes) -> str:
    """Write what a file holds, byte for byte. A large one passes through in pieces, twice: its name comes before its content."""
    if os.lstat(path).st_size <= _AT_ONCE:
        return blob(objects, like, atomic.read(os.fsdecode(path)))
    for _ in range(_TRIES):
        name = _passed(path, like, None)
        target = os.path.join(objects, name[:2], name[2:])
        if _is_fresh(target):
            return name
        os.makedirs(os.path.dirname(target), mode=0o700, exist_ok=True)
        scratch = os.path.join(os.path.dirname(target), f"tmp_obj_{os.getpid()}")
        try:
            with open(os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | system.PRIVATELY, 0o600), "wb") as out:
                again = _passed(path, like, out)
            if again == name:
                os.replace(scratch, target)
                return name
        finally:
            atomic.remove(scratch)
    raise OSError(f"{os.fsdecode(path)} does not stand still")


def _passed(path: bytes, like: str, out: BinaryIO | None) -> str:
    """Reads all of a file; its name as a blob. What `out` gets is the object."""
    import hashlib  # noqa: PLC0415 - OpenSSL comes with it, and only here

    hashed = hashlib.new(_form(like), usedforsecurity=False)
    packed = zlib.compressobj(1)
    with door.open_reader(os.fsdecode(path)) as content:
        piece = b"blob %d\0" % os.fstat(content.fileno()).st_size
        while piece:
            hashed.update(piece)
            if out:
                out.write(packed.compress(piece))
            piece = content.read(_AT_ONCE)
    if out:
        out.write(packed.flush())
    return hashed.hexdigest()


def name_blob(path: bytes, like: str) -> str:
    """The name that a file's bytes, or a link's target, have as a blob; nothing is written."""
    import hashlib  # noqa: PLC0415 - as below

    if not os.path.islink(path):
        return _passed(path, like, None)
    target = os.readlink(path)
    return hashlib.new(_form(like), b"blob %d\0%s" % (len(target), target), usedforsecurity=False).hexdigest()


def is_here(objects: str, name: str) -> bool:
    """Whether an object is a file of this very store; it is as good as new then, and nobody clears it away."""
    return _is_fresh(os.path.join(objects, name[:2], name[2:]))


def _is_fresh(path: str) -> bool:
    try:
        os.utime(path)
    except OSError:
        return False
    return True


def copy(objects: str, like: str, kind: bytes, content: bytes) -> str:
    """Write any object, by its kind."""
    return _written(objects, like, kind, content)


def _form(like: str) -> str:
    return "sha1" if len(like) == _SHA1_LETTERS else "sha256"


def tree(objects: str, like: str, entries: Sequence[tuple[bytes, bytes, str]]) -> str:
    """Write a folder, from (mode, name, object) in git's order."""
    rows = [b"%s %s\0%s" % (mode, name, bytes.fromhex(named)) for mode, name, named in entries]
    return _written(objects, like, b"tree", b"".join(rows))


def commit(objects: str, folder: str, parents: Sequence[str], who: bytes, message: bytes) -> str:
    """Write a commit; `who` is a name, an address and a time."""
    lines = [
        b"tree %s\n" % folder.encode(),
        *(b"parent %s\n" % parent.encode() for parent in parents),
        b"author %s\ncommitter %s\n\n%s" % (who, who, message),
    ]
    return _written(objects, folder, b"commit", b"".join(lines))


def _written(objects: str, like: str, kind: bytes, content: bytes) -> str:
    import hashlib  # noqa: PLC0415 - OpenSSL comes with it, and only here

    whole = b"%s %d\0%s" % (kind, len(content), content)
    name = hashlib.new(_form(like), whole, usedforsecurity=False).hexdigest()
    path = os.path.join(objects, name[:2], name[2:])
    if not _is_fresh(path):
        # Not flushed, as git does not flush such files either; under a name that git's own housekeeping knows and removes.
        atomic.write(path, zlib.compress(whole, 1), flushed=False, scratch="tmp_obj_")
    return name
