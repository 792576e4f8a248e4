"""A ref of ours that names what git does not have, or nothing at all: it is mended from what there is, since the user's own gc fails for it.

From copies of our own; or else it goes back to what it last named that is whole; or else it is taken away, and what it named is noted.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tapehead.git import kept_packs, unreadable_refs
from tapehead.git.run import GitFailed, git
from tapehead.store import atomic

if TYPE_CHECKING:
    from tapehead.git.side import Side

OURS = "refs/tapehead"
_SECONDS = 60.0
_MOVES = "moves.json"
_WHOLE = "whole.json"
"""By ref, the newest commit of which everything was there."""
_FORMER = 50
"""Values of a ref that are remembered."""
LOST = "lost"
"""In the same file: what refs named that nobody could bring back."""


def refs(common_dir: str) -> dict[str, str]:
    """All refs of ours in the user's repository, with what they name, whole or not; nothing where the file of one cannot be read."""
    raw = git(common_dir, "for-each-ref", "--format=%(refname) %(objectname)", OURS, timeout=_SECONDS)
    rows = (row.split(" ") for row in raw.decode("utf-8", "surrogateescape").splitlines())
    found = {row[0]: row[1] for row in rows if len(row) > 1}
    return found | dict.fromkeys(unreadable_refs.find(common_dir, OURS), "")


def note(side: Side, ref: str, name: str) -> None:
    """Remembers what a ref named, for a day on which it names nothing."""
    found = side.recall(_MOVES)
    former = [one for one in _texts(found.get(ref)) if one != name]
    side.remember(_MOVES, {**found, ref: [*former, name][-_FORMER:]})


def broken(common_dir: str) -> dict[str, str]:
    """The refs of ours that name something of which git lacks a part."""
    found = refs(common_dir)
    if all(kept_packs.is_whole(common_dir, name) for name in set(found.values())):
        return {}
    return {ref: name for ref, name in found.items() if not kept_packs.is_whole(common_dir, name)}


def mend_all(side: Side) -> dict[str, str]:
    """Mends every ref of ours that is broken; each with what it names now."""
    return {ref: mend(side, ref, name) for ref, name in broken(side.common_dir).items()}


def mend_news(side: Side) -> dict[str, str]:
    """The same, by what came to a ref since all of it was looked at: what lies deeper stands in nobody's way until git says so."""
    known = side.recall(_WHOLE)
    found = refs(side.common_dir)
    whole = {
        ref: name for ref, name in found.items() if name and _is_whole_since(side.common_dir, name, known.get(ref))
    }
    if whole != known and os.path.isdir(side.path):
        side.remember(_WHOLE, whole)
    return {ref: mend(side, ref, name) for ref, name in found.items() if ref not in whole}


def _is_whole_since(common_dir: str, name: str, known: object) -> bool:
    before = f"{name}^" if name == known else known
    quick = isinstance(before, str) and before and kept_packs.is_whole(common_dir, name, before)
    return bool(quick) or kept_packs.is_whole(common_dir, name)


def mend(side: Side, ref: str, name: str) -> str:
    """Makes a broken ref whole; what it names then, nothing where it had to go."""
    for path in reversed(kept_packs.copies(side)):
        try:
            kept_packs.Kept(side, atomic.read(path)).let_go()
        except (GitFailed, OSError):
            continue  # a copy that is damaged itself
        if kept_packs.is_whole(side.common_dir, name):
            return name
    former = next((one for one in _former(side, ref, name) if kept_packs.is_whole(side.common_dir, one)), "")
    if not name:
        unreadable_refs.remove(side.common_dir, ref)
    words = (ref, former, *([name] if name else [])) if former else ("-d", ref, name)
    if former or name:
        git(side.common_dir, "update-ref", "--no-deref", *words, timeout=_SECONDS)
    found = side.recall(_MOVES)
    side.remember(_MOVES, {**found, LOST: [*_texts(found.get(LOST)), f"{ref} {name}"][-_FORMER:]})
    return former


def _former(side: Side, ref: str, name: str) -> list[str]:
    """What it may go back to, the best first: what it named before, what remotes had, what the copies lead to."""
    before = list(reversed(_texts(side.recall(_MOVES).get(ref))))
    ours = refs(side.common_dir)
    kind = ref.rpartition("/")[2]
    there = [one for other, one in ours.items() if other != ref and other.endswith(f"/{kind}")]
    return [one for one in (*before, *there) if one != name]


def _texts(found: object) -> list[str]:
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []
