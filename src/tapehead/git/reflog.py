"""Where HEAD was before a commit was made, and what was made here at all: a reset, a rebase or a pull may have brought lines that no mark saw."""

from __future__ import annotations

import os
import re

from tapehead import door

_LOOKED_AT = 64 * 1024
_MOST = 30
_STASHES = 8
_MADE = re.compile(
    rb"(?:commit|cherry-pick|revert|am)\b|.*\((?:pick|reword|edit|squash|fixup|continue)\)|.*: Merge made by"
)
"""Why HEAD moved where the commit was made by that. A pull, a switch or a reset brings what was made elsewhere, or before."""


def made_here(git_dir: str) -> set[str] | None:
    """The commits that were made in this work tree of late; None where git keeps no such list, or it was emptied."""
    moves = [row.partition(b"\t") for row in _rows(os.path.join(git_dir, "logs", "HEAD"))]
    if not moves:
        return None
    return {moved.split(b" ")[1].decode("ascii", "replace") for moved, _, why in moves if _MADE.match(why)}


def made_since(git_dir: str, since: float) -> list[str]:
    """The commits that were made in this work tree since a time, oldest first; nothing where git keeps no such list."""
    found: dict[str, None] = {}
    for row in _rows(os.path.join(git_dir, "logs", "HEAD")):
        moved, _, why = row.partition(b"\t")
        words = moved.split(b" ")
        if len(words) > 1 and _MADE.match(why) and _time(row.partition(b" ")[2]) >= since:
            found[words[1].decode("ascii", "replace")] = None
    return list(found)


def moved_since(git_dir: str, since: float) -> dict[str, tuple[str, int]]:
    """Where HEAD went since a time without a word why, from where and when: tools that write commits by git's inner commands say none."""
    found: dict[str, tuple[str, int]] = {}
    for row in _rows(os.path.join(git_dir, "logs", "HEAD")):
        moved, _, why = row.partition(b"\t")
        old, new = (*moved.split(b" "), b"")[:2]
        if new and not why.strip() and (at := _time(row.partition(b" ")[2])) >= since:
            found[new.decode("ascii", "replace")] = (old.decode("ascii", "replace"), at)
    return found


def find_amended(git_dir: str, commit: str) -> str:
    """The commit that this one took the place of by an amend, where it was the last that HEAD came to by one; else nothing."""
    for row in reversed(_rows(os.path.join(git_dir, "logs", "HEAD"))):
        moved, _, why = row.partition(b"\t")
        old, new = (*moved.split(b" "), b"")[:2]
        if new == commit.encode("ascii", "replace"):
            return old.decode("ascii", "replace") if why.startswith(b"commit (amend)") else ""
    return ""


def born(git_dir: str) -> int:
    """When the first commit of all was made, in seconds, if it was made here; else 0."""
    first = next(iter(_rows(os.path.join(git_dir, "logs", "HEAD"))), b"")
    old, _, rest = first.partition(b" ")
    return _time(rest) if b"\tcommit (initial)" in rest and not old.strip(b"0") else 0


def heads_before(git_dir: str, commit: str, since: int) -> tuple[str, ...]:
    """The commits that HEAD stood at before this one, newest first, back to a time; read from git's own file."""
    found: dict[str, None] = {}
    begun = False
    for row in reversed(_rows(os.path.join(git_dir, "logs", "HEAD"))):
        old, _, rest = row.partition(b" ")
        begun = begun or rest.startswith(commit.encode("ascii", "replace"))
        if begun and (len(found) == _MOST or _time(rest) < since):
            break
        if begun and old.strip(b"0"):
            found[old.decode("ascii", "replace")] = None
    return tuple(found)


def head_at(git_dir: str, moment: float) -> str | None:
    """The commit that HEAD stood at at a time (empty before the first one); None where git keeps no such list, or it does not go back so far."""
    found = None
    for row in _rows(os.path.join(git_dir, "logs", "HEAD")):
        old, _, rest = row.partition(b" ")
        if _time(rest) > moment:
            return (
                found
                if found is not None
                else old.decode("ascii", "replace").strip("0") and old.decode("ascii", "replace")
            )
        found = rest.partition(b" ")[0].decode("ascii", "replace")
    return found


def stashes(common_dir: str) -> list[tuple[str, int]]:
    """The commits of the stashes that are there, newest first, each with when it was made."""
    found = []
    for row in reversed(_rows(os.path.join(common_dir, "logs", "refs", "stash"))):
        _, _, rest = row.partition(b" ")
        found.append((rest.partition(b" ")[0].decode("ascii", "replace"), _time(rest)))
    return found[:_STASHES]


def _time(rest: bytes) -> int:
    """`NEW Name <mail> SECONDS ZONE`, and after a tab why."""
    seconds = rest.partition(b"\t")[0].rpartition(b"> ")[2].partition(b" ")[0]
    return int(seconds) if seconds.isdigit() else 0


def _rows(path: str) -> list[bytes]:
    try:
        with door.open_reader(path) as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _LOOKED_AT))
            return file.read().splitlines()
    except OSError:
        return []
