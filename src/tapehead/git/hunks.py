"""What git's diff says of two trees, as numbers: which lines of a file are the same ones, and which are new. Pure, but for `between`.

Where lines are identical, git's own diff decides which is which: with the same algorithm that `git blame` has, so that the two
agree. A file that moved is followed as long as half of it is the same (`-M`).
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

import attrs

from tapehead.git.kept_lines import MOST, Change, bare, kept

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tapehead.git.kept_lines import Kept

DIFF = (
    *(
        "diff-tree",
        "-r",
        "-z",
        "--raw",
        "-p",
        "-U0",
        "-M",
        "--full-index",
        "--no-ext-diff",
        "--no-textconv",
        "--no-color",
    ),
    *("--diff-algorithm=myers", "--indent-heuristic", "--inter-hunk-context=0", "--submodule=short"),
)
LIST = ("diff-tree", "-r", "-z", "--raw", "-M", "--full-index")
_SUBMODULE = b"160000"


@attrs.frozen
class Hunk:
    """So many lines from here on became so many lines there; counted from 1."""

    old: int
    old_count: int
    new: int
    new_count: int


@attrs.frozen
class FileDiff:
    """How one file changed."""

    status: str
    """A added, D deleted, M modified, R renamed, T another kind of thing."""
    old: bytes
    new: bytes
    hunks: tuple[Hunk, ...] = ()
    opaque: str = ""
    """The new object, where git shows no lines of it: a binary file, or one that is too large."""
    is_large: bool = False
    """It is too large to say which of its lines changed."""
    kept: tuple[Kept, ...] = ()
    """Of the lines that are new to git those that were there before, set in otherwise or elsewhere."""

    @property
    def added(self) -> int:
        return sum(hunk.new_count for hunk in self.hunks)

    @property
    def removed(self) -> int:
        return sum(hunk.old_count for hunk in self.hunks)


def parse(raw: bytes) -> list[FileDiff]:
    """The files of a diff that was made with DIFF. The list of files comes first, and their hunks in the same order."""
    head, _, patch = raw.partition(b"\0\0") if not raw.startswith(b"\0") else (b"", b"", raw)
    files = list(_listed(head.split(b"\0")))
    sections = _sections(patch.split(b"\n"))
    found, changes = [], []
    for status, submodule, old, new, name in files:
        parts = [next(sections, _NOTHING) for _ in range(2 if status == "T" else 1)]
        lines = () if submodule else tuple(hunk for part in parts for hunk in part.hunks)
        opaque = name if any(part.is_opaque for part in parts) else ""
        found.append(FileDiff(status, old, new, lines, opaque))
        changes.append(Change(old, [] if submodule else [pair for part in parts for pair in part.texts]))
    if not any(old for change in changes for old, _ in change.hunks) or sum(diff.added for diff in found) > MOST:
        return found
    return [attrs.evolve(diff, kept=each) if each else diff for diff, each in zip(found, kept(changes), strict=True)]


def parse_list(raw: bytes) -> list[FileDiff]:
    """The files of a diff that was made with LIST, without their lines."""
    return [FileDiff(status, old, new) for status, _, old, new, _ in _listed(raw.split(b"\0"))]


def _listed(fields: list[bytes]) -> Iterator[tuple[str, bool, bytes, bytes, str]]:
    each = iter(fields)
    for field in each:
        if not field.startswith(b":"):
            continue
        old_mode, new_mode, _, name, status = field[1:].split(b" ")
        old = next(each, b"")
        new = next(each, b"") if status[:1] in (b"R", b"C") else old
        yield chr(status[0]), _SUBMODULE in (old_mode, new_mode), old, new, name.decode("ascii", "replace")


class _Section(NamedTuple):
    """One file's part."""

    hunks: tuple[Hunk, ...]
    is_opaque: bool
    """Git keeps its lines to itself."""
    texts: list[tuple[list[tuple[int, bytes]], list[tuple[int, bytes]]]]
    """By hunk, the lines that went and those that came."""


_NOTHING = _Section((), is_opaque=False, texts=[])


def _sections(lines: list[bytes]) -> Iterator[_Section]:
    """The hunks of one file after the other. The lines are passed over by their number."""
    found: list[Hunk] = []
    texts: list[tuple[list[tuple[int, bytes]], list[tuple[int, bytes]]]] = []
    begun = is_opaque = False
    each = iter(lines)
    for line in each:
        if line.startswith(b"diff --git ") or (not begun and line.startswith(b"\0diff --git ")):
            if begun:
                yield _Section(tuple(found), is_opaque, texts)
            found, texts, begun, is_opaque = [], [], True, False
        elif line.startswith(b"Binary files "):
            is_opaque = True
        elif line.startswith(b"@@ "):
            hunk = _hunk(line)
            found.append(hunk)
            texts.append(_texts(hunk, each))
    if begun:
        yield _Section(tuple(found), is_opaque, texts)


def _texts(hunk: Hunk, each: Iterator[bytes]) -> tuple[list[tuple[int, bytes]], list[tuple[int, bytes]]]:
    """The lines of a hunk, those that went first."""
    gone: list[tuple[int, bytes]] = []
    came: list[tuple[int, bytes]] = []
    left = hunk.old_count + hunk.new_count
    while left and (text := next(each, None)) is not None:
        if text.startswith(b"-"):
            gone.append((hunk.old + len(gone), bare(text[1:])))
        elif text.startswith(b"+"):
            came.append((hunk.new + len(came), bare(text[1:])))
        else:
            continue  # `\\ No newline at end of file` is no line
        left -= 1
    return gone, came


def _hunk(line: bytes) -> Hunk:
    """`@@ -a,b +c,d @@`: a count of 1 is left out, and with a count of 0 the number is that of the line before."""
    old, new = (tuple(map(int, (side[1:] + b",1").split(b",")[:2])) for side in line.split(b" ")[1:3])
    return Hunk(old[0] + (not old[1]), old[1], new[0] + (not new[1]), new[1])


class Origins:
    """Where the lines of the new file come from: looked up in the list of hunks, which may have tens of thousands."""

    def __init__(self, hunks: Sequence[Hunk]) -> None:
        self._hunks = hunks
        self._ends = [hunk.new + hunk.new_count for hunk in hunks]
        self._shifts = [0, *accumulate(hunk.new_count - hunk.old_count for hunk in hunks)]

    def of(self, start: int, count: int) -> Iterator[tuple[int, int, int]]:
        """A stretch of lines, piece by piece: (new line, count, old line), the old one 0 where they are new."""
        at, end = start, start + count
        first = bisect_right(self._ends, start)
        for number in range(first, len(self._hunks)):
            hunk = self._hunks[number]
            if hunk.new >= end:
                break
            if at < hunk.new:
                yield at, hunk.new - at, at - self._shifts[number]
                at = hunk.new
            if at < (inside := min(self._ends[number], end)):
                yield at, inside - at, 0
                at = inside
            first = number + 1
        if at < end:
            yield at, end - at, at - self._shifts[first]
