"""What recorded lines say, as short digests: so that a copy of them is known where the commit itself never came to.

Without white space: a line that was only set in, or ends otherwise, is the same one.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

from tapehead.git import batch
from tapehead.git.run import GitFailed

if TYPE_CHECKING:
    from tapehead.checkpoints.line_owners import Files
    from tapehead.git.side import Side

SIZE = 8
"""Hexadecimal letters of one digest. Lines are compared within a file: that few tell them apart."""
_TELLING = 12
"""Characters, without white space, of a line that two people hardly write alike."""
_LARGEST = 5_000
"""Lines of one file that are kept: what is longer was generated."""

Texts = dict[bytes, tuple[str, ...]]
"""By file, for each run of lines the digests of these, one after the other."""


def digest(line: bytes) -> str:
    """Of one line."""
    return blake2b(b"".join(line.split()), digest_size=SIZE // 2).hexdigest()


def is_telling(line: bytes) -> bool:
    """Whether a line is one of a kind, as far as one can see: a bracket is not."""
    return len(b"".join(line.split())) >= _TELLING


def split(text: str) -> list[str]:
    """The digests of a run."""
    return [text[at : at + SIZE] for at in range(0, len(text), SIZE)]


def of_commit(side: Side, commit: str, files: Files) -> Texts:
    """What the recorded lines of a commit say."""
    some = {path: runs for path, runs in files.items() if runs and b"\n" not in path and _count(runs) <= _LARGEST}
    found = {}
    for (path, runs), content in zip(some.items(), contents(side, commit, list(some)), strict=False):
        lines = content.split(b"\n")
        found[path] = tuple("".join(map(digest, lines[start - 1 : start - 1 + count])) for start, count, _ in runs)
    return found


def _count(runs: tuple[tuple[int, int, str], ...]) -> int:
    return sum(count for _, count, _ in runs)


def contents(side: Side, commit: str, paths: list[bytes]) -> list[bytes]:
    """The files, in order; empty ones where git does not have them."""
    if not paths:
        return []
    asked = b"".join(commit.encode("ascii") + b":" + path + b"\n" for path in paths)
    try:
        raw = side.git("cat-file", "--batch", stdin=asked, most=1 << 28)
    except GitFailed as error:
        error.raise_if_killed()
        return []
    return [content or b"" for content in batch.blobs(raw)]
