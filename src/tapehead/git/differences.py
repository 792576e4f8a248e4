"""How two trees differ, file by file. One file that is too large to compare is given up on, and named; never all for one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import attrs

from tapehead.git import hunks
from tapehead.git.run import GitFailed

if TYPE_CHECKING:
    from tapehead.git.hunks import FileDiff
    from tapehead.git.side import Side

LARGEST = 16 * 1024 * 1024
"""Bytes of a file whose lines are still compared."""
_FILES = 400
"""Names on one command line."""


def between(side: Side, old: str, new: str) -> list[FileDiff]:
    """From one tree (or commit) to another."""
    try:
        found = hunks.parse(side.git(*_limited(), *hunks.DIFF, old, new))
    except GitFailed as error:
        if error.code:
            raise  # it said no, or was killed
        listed = hunks.parse_list(side.git(*hunks.LIST, old, new, most=1 << 28))
        parts = [listed[at : at + _FILES] for at in range(0, len(listed), _FILES)]
        found = [diff for part in parts for diff in _compared(side, old, new, part)]
    return _told_large(side, found)


def _limited() -> tuple[str, ...]:
    return "-c", f"core.bigFileThreshold={LARGEST}"


def _compared(side: Side, old: str, new: str, files: list[FileDiff]) -> list[FileDiff]:
    """Some of the files by themselves; one that takes git too long, or has too much to say, is given up on."""
    names = dict.fromkeys(os.fsdecode(path) for diff in files for path in (diff.old, diff.new))
    try:
        return hunks.parse(side.git("--literal-pathspecs", *_limited(), *hunks.DIFF, old, new, "--", *names))
    except GitFailed as error:
        if error.code:
            raise
    if len(files) == 1:
        return [attrs.evolve(files[0], is_large=True)]
    half = len(files) // 2
    return _compared(side, old, new, files[:half]) + _compared(side, old, new, files[half:])


def _told_large(side: Side, diffs: list[FileDiff]) -> list[FileDiff]:
    """Of the files that git shows no lines of, some are no text, and some are too large."""
    asked = [diff.opaque for diff in diffs if diff.opaque and diff.status != "D"]
    if not asked:
        return diffs
    raw = side.git("cat-file", "--batch-check", stdin="".join(f"{name}\n" for name in asked).encode())
    rows = [row.split(" ") for row in raw.decode("ascii", "replace").splitlines()]
    large = {row[0] for row in rows if row[-1].isdigit() and int(row[-1]) > LARGEST}
    return [attrs.evolve(diff, is_large=True) if diff.opaque in large else diff for diff in diffs]
