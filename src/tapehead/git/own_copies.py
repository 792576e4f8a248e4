"""What a recorded tree borrows from the user's objects, copied before git may throw it away.

What is new since the last record is copied at once: a commit that is reset, or a file that was staged, goes with the next prune. What
was there when recording began is left where it is (a copy of everything would be too much) until HEAD leaves its commit behind.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tapehead.git import loose, packing
from tapehead.git.run import GitFailed, git

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.git.side import Side

_SECONDS = 60.0
_MOST = 2_000
"""Objects: more than these came with a pull or a switch of branches, and are git's own."""
_AT_ONCE = 1 << 26
"""Bytes that are copied at once; an object that is larger goes into a pack."""
_SUBMODULE = b"160000"


def keep(side: Side, before: str, tree: str) -> None:
    """Copies what a tree has and the one before had not."""
    try:
        fields = iter(side.git("diff-tree", "-r", "-t", "-z", "--no-renames", before, tree).split(b"\0"))
    except GitFailed as error:
        error.raise_if_killed()
        return  # the one before is gone
    rows = []
    for field in fields:
        if field:
            rows.append(field.split(b" "))
            next(fields)  # the path, whatever it begins with
    copy(side, [tree, *(row[3].decode("ascii") for row in rows if row[1] != _SUBMODULE and set(row[3]) != {0x30})])


def rescue(side: Side, ref: str) -> None:
    """HEAD went elsewhere: copies all that our marks borrow and that none of the user's refs leads to any more."""
    theirs = git(side.common_dir, "for-each-ref", "--format=^%(objectname)", timeout=_SECONDS, most=1 << 26)
    heads = git(side.common_dir, "worktree", "list", "--porcelain", timeout=_SECONDS).split(b"\n")
    now = b"".join(b"^%s\n" % row[5:] for row in heads if row.startswith(b"HEAD ") and set(row[5:]) != {0x30})
    words = ("rev-list", "--objects", "--no-object-names", "--missing=allow-any", "--ignore-missing", "--stdin")
    try:
        raw = side.git(*words, stdin=ref.encode() + b"\n" + theirs + now, most=1 << 28)
    except GitFailed as error:
        error.raise_if_killed()
        return  # there are no marks yet
    packed = packing.Packed(side)
    copy(side, [name for name in raw.decode("ascii").split() if not packed.holds(name)], 10 * _MOST)


def copy(side: Side, names: list[str], most: int = _MOST) -> None:
    """Copies of these objects into our own store."""
    objects = os.path.join(side.path, "objects")
    asked = [name for name in dict.fromkeys(names) if not loose.is_here(objects, name)]
    if not asked or len(asked) > most:
        return
    raw = side.git("cat-file", "--batch-check", stdin="".join(f"{name}\n" for name in asked).encode())
    chunk: list[str] = []
    large: list[str] = []
    room = _AT_ONCE
    for name, size in _sizes(raw):
        if size > _AT_ONCE:
            large.append(name)
            continue
        if size > room and chunk:
            _copied(side, objects, chunk)
            chunk, room = [], _AT_ONCE
        chunk.append(name)
        room -= size
    if chunk:
        _copied(side, objects, chunk)
    packed = packing.Packed(side) if large else None
    if packed and (new := [name for name in large if not packed.holds(name)]):
        packing.pack_objects(side, new)  # git passes them through piece by piece


def _sizes(raw: bytes) -> Iterator[tuple[str, int]]:
    """`NAME KIND SIZE`; others are missing."""
    for row in raw.decode("ascii").splitlines():
        words = row.split(" ")
        if words[-1].isdigit():
            yield words[0], int(words[-1])


def _copied(side: Side, objects: str, names: list[str]) -> None:
    raw = side.git("cat-file", "--batch", stdin="".join(f"{name}\n" for name in names).encode(), most=2 * _AT_ONCE)
    at = 0
    while at < len(raw):
        end = raw.index(b"\n", at)
        words = raw[at:end].split(b" ")
        at = end + 1
        if len(words) == 3 and words[2].isdigit():  # noqa: PLR2004 - a name, a kind and a size; others are missing
            size = int(words[2])
            loose.copy(objects, words[0].decode("ascii"), words[1], raw[at : at + size])
            at += size + 1
