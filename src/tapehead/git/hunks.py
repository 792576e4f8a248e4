"""What git's diff says of two trees, as numbers: which lines of a file are the same ones, and which are new. Pure, but for `between`.

Where lines are identical, git's own diff decides which is which: with the same algorithm that `git blame` has, so that the two
agree. A file that moved is followed as long as half of it is the same (`-M`).
"""

from __future__ import annotations

import attrs

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
    hunks = _sections(patch.split(b"\n"))
    found = []
    for status, submodule, old, new in files:
        parts = [next(hunks, ()) for _ in range(2 if status == "T" else 1)]
        lines = () if submodule else tuple(hunk for part in parts for hunk in part)
        found.append(FileDiff(status, old, new, lines))
    return found


def _listed(fields: list[bytes]) -> Iterator[tuple[str, bool, bytes, bytes]]:
    each = iter(fields)
    for field in each:
        if not field.startswith(b":"):
            continue
        old_mode, new_mode, _, _, status = field[1:].split(b" ")
        old = next(each, b"")
        new = next(each, b"") if status[:1] in (b"R", b"C") else old
        yield chr(status[0]), _SUBMODULE in (old_mode, new_mode), old, new


def _sections(lines: list[bytes]) -> Iterator[tuple[Hunk, ...]]:
    """The hunks of one file after the other. The lines themselves are passed over by their number, whatever they say."""
    found: list[Hunk] = []
    begun = False
    each = iter(lines)
    for line in each:
        if line.startswith(b"diff --git ") or (not begun and line.startswith(b"\0diff --git ")):
            if begun:
                yield tuple(found)
            found, begun = [], True
        elif line.startswith(b"@@ "):
            hunk = _hunk(line)
            found.append(hunk)
            left = hunk.old_count + hunk.new_count
            while left and (text := next(each, None)) is not None:
                left -= not text.startswith(b"\\")  # `\ No newline at end of file` is no line
    if begun:
        yield tuple(found)


def _hunk(line: bytes) -> Hunk:
    """`@@ -a,b +c,d @@`: a count of 1 is left out, and with a count of 0 the number is that of the line before."""
    old, new = (tuple(map(int, (side[1:] + b",1").split(b",")[:2])) for side in line.split(b" ")[1:3])
    return Hunk(old[0] + (not old[1]), old[1], new[0] + (not new[1]), new[1])


def origins(hunks: Sequence[Hunk], start: int, count: int) -> Iterator[tuple[int, int, int]]:
    """Where lines of the new file come from: (new line, count, old line), the old one 0 where they are new."""
    at, end, shift = start, start + count, 0
    for hunk in hunks:
        if at < (before := min(hunk.new, end)):
            yield at, before - at, at - shift
            at = before
        if at < (inside := min(hunk.new + hunk.new_count, end)) and at >= hunk.new:
            yield at, inside - at, 0
            at = inside
        shift += hunk.new_count - hunk.old_count
    if at < end:
        yield at, end - at, at - shift
