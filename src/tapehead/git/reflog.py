"""Where HEAD was before a commit was made: a reset, a rebase or a pull may have brought lines that no mark saw."""

from __future__ import annotations

import os

_LOOKED_AT = 64 * 1024
_MOST = 30


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


def _time(rest: bytes) -> int:
    """`NEW Name <mail> SECONDS ZONE`, and after a tab why."""
    seconds = rest.partition(b"\t")[0].rpartition(b"> ")[2].partition(b" ")[0]
    return int(seconds) if seconds.isdigit() else 0


def _rows(path: str) -> list[bytes]:
    try:
        with open(path, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _LOOKED_AT))
            return file.read().splitlines()
    except OSError:
        return []
