"""Small objects written as git itself writes them, one file each, without starting a process.

A mark is three of them. `git fast-import` would write a pack, flush it to the disk and start another git that takes it apart again;
`git hash-object` and its kin are a process for each. The form is git's own and never changed; only a repository of ours gets them,
and what makes them count, the move of a ref, is left to git.
"""

from __future__ import annotations

import os
import zlib

from tapehead.store import atomic

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from collections.abc import Sequence

_SHA1_LETTERS = 40


def blob(objects: str, like: str, content: bytes) -> str:
    """Write a file's content; `like` is any name of that repository, which says how names are made there."""
    return _written(objects, like, b"blob", content)


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
    form = "sha1" if len(like) == _SHA1_LETTERS else "sha256"
    name = hashlib.new(form, whole, usedforsecurity=False).hexdigest()
    path = os.path.join(objects, name[:2], name[2:])
    if not os.path.exists(path):
        # Not flushed, as git does not flush such files either; under a name that git's own housekeeping knows and removes.
        atomic.write(path, zlib.compress(whole, 1), flushed=False, scratch="tmp_obj_")
    return name
