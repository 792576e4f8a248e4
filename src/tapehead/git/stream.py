"""The language of `git fast-import`: blobs, trees and a commit in one process, which moves the ref only to a descendant.

That last is the compare-and-swap: where somebody else moved the ref meanwhile, the commit does not contain theirs, the ref
stays, and git says so. A stream that ends before its `done` (a kill) changes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

IMPORT = ("fast-import", "--quiet", "--done", "--date-format=raw-permissive", "--cat-blob-fd=1")
WHO = b"tapehead <tapehead@localhost>"

_PLAIN = frozenset(range(0x20, 0x7F)) - {*b'"\\'}


def quote_path(path: bytes) -> bytes:
    """A path as git reads it back, whatever bytes it has."""
    return b'"' + b"".join(bytes((b,)) if b in _PLAIN else b"\\%03o" % b for b in path) + b'"'


def commit(ref: str, at: int, message: bytes, parents: Iterable[str], changes: Iterable[bytes]) -> bytes:
    """A whole stream: one commit on a ref, whose name git answers with. The changes are made by the functions below."""
    first, *others = [*parents, ""]
    lines = [
        b"commit %s\nmark :1\ncommitter %s %d +0000\n%s" % (ref.encode(), WHO, at, _data(message)),
        b"from %s\n" % first.encode() if first else b"",
        *(b"merge %s\n" % other.encode() for other in others if other),
        *changes,
        b"\nget-mark :1\ndone\n",
    ]
    return b"".join(lines)


def root(tree: str) -> bytes:
    """All of a tree in the place of what was there."""
    return b'M 040000 %s ""\n' % tree.encode()


def known(mode: bytes, name: str, path: bytes) -> bytes:
    """An object that git already has."""
    return b"M %s %s %s\n" % (mode, name.encode(), quote_path(path))


def given(path: bytes, content: bytes, mode: bytes = b"100644") -> bytes:
    """A file whose content comes along."""
    return b"M %s inline %s\n%s" % (mode, quote_path(path), _data(content))


def remove_file(path: bytes) -> bytes:
    """A file that is gone."""
    return b"D %s\n" % quote_path(path)


def told(path: bytes = b"") -> bytes:
    """Asks for the name of the tree so far: git answers with a line of `ls-tree`."""
    return b"ls %s\n" % quote_path(path)


def _data(content: bytes) -> bytes:
    return b"data %d\n%s\n" % (len(content), content)
