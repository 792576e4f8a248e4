"""What was recorded long ago goes: each chain is cut at its first mark that is young enough, and what nothing leads to is cleared away.

The cut is git's own: a commit named in `shallow` has no parents for anybody. What was written within the last hour stays,
since somebody may be about to point at it. Git's own `gc` would not do: it drops our copy of whatever the user's repository has, too.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from tapehead.git import packing
from tapehead.git.run import GitFailed
from tapehead.store import atomic, lock

if TYPE_CHECKING:
    from tapehead.git.side import Side

KEPT_SECONDS = 30 * 24 * 3600
_YOUNG = 3600.0
_WAIT = 60.0


def prune(side: Side, now: int) -> int:
    """Cuts off what is older than thirty days; how many chains were cut. Nothing is done where nothing is old."""
    if not os.path.isdir(os.path.join(side.path, "refs", "marks")):
        return 0
    atomic.remove(os.path.join(side.path, "refs", "import"))  # a former version's, which may name what is gone
    roots = [root for ref in _chains(side) if (root := _oldest(side, ref, now - KEPT_SECONDS))]
    shallow = os.path.join(side.path, "shallow")
    known = _text(shallow).split()
    if set(roots) <= set(known):
        return 0
    atomic.write(shallow, "".join(f"{root}\n" for root in sorted({*roots, *known})).encode())
    held = packing.held_by_us(side, _WAIT)
    try:
        _clear(side)
    finally:
        if held is not None:
            lock.release(held)
    return len(roots)


def _clear(side: Side) -> None:
    """One pack of all that is our own and led to; the rest goes, but for what is young."""
    raw = side.git("rev-list", "--objects", "--no-object-names", "--missing=allow-any", "--all", most=1 << 29)
    wanted = set(raw.decode("ascii").split())
    packs = packing.own_packs(side)
    old = {path: name for path, name in packing.loose_files(side) if time.time() - os.lstat(path).st_mtime >= _YOUNG}
    ours = {*old.values()}.union(*(packing.list_objects(side, pack) for pack in packs))
    made = packing.pack_objects(side, sorted(ours & wanted))
    for path in old:
        atomic.remove(path)
    packing.remove_packs(pack for pack in packs if pack != made)


def _chains(side: Side) -> list[str]:
    return (
        side.git("for-each-ref", "--format=%(refname)", "refs/marks")
        .decode("utf-8", "surrogateescape")
        .split("\n")[:-1]
    )


def _oldest(side: Side, ref: str, since: int) -> str:
    """The oldest mark to keep, where something older hangs on it: the newest one is always kept."""
    try:
        raw = side.git("log", "--format=%H %ct %P", ref, "--").decode("ascii")
    except GitFailed:
        return ""
    rows = [row.split() for row in raw.splitlines()]
    kept = [row for number, row in enumerate(rows) if not number or int(row[1]) >= since]
    return kept[-1][0] if kept and len(kept) < len(rows) else ""


def _text(path: str) -> str:
    try:
        return atomic.read(path).decode("ascii", "replace")
    except OSError:
        return ""
