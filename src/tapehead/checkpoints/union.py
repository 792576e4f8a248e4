"""Two sides' checkpoints become one: all of ours as it is, and of theirs what `growth` takes."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

import attrs

from tapehead.checkpoints import growth
from tapehead.checkpoints.handoff_ref import SHARED
from tapehead.checkpoints.shared_ref import REF as SHARED_BY_TEAM
from tapehead.checkpoints.tree_listing import listings
from tapehead.git import stream
from tapehead.git.blobs import Blobs
from tapehead.git.run import GitFailed, git
from tapehead.store.origin import is_on_tape, is_own
from tapehead.store.paths import Layout, is_session_id

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tapehead.checkpoints.checkpoint_ref import Checkpoints
    from tapehead.checkpoints.growth import Sides, Verdict

_SECONDS = 60.0
_READ = 1 << 20
"""Bytes of the biggest file that is read ahead: `growth` refuses unread what is too big."""
_LOOKED_UP = 200
"""Changed files of ours for which our own history is asked whether it is an older state of it."""


_JUDGES = {SHARED: growth.handoffs, SHARED_BY_TEAM: growth.judge_shared}
"""Who judges what came for a ref; checkpoints otherwise."""


@attrs.frozen
class United:
    """What came of it."""

    tip: str
    """What our ref names now."""
    refused: dict[str, str] = attrs.field(factory=dict)
    """By checkpoint, handoff or file, why it was not taken."""
    ahead: bool = False
    """Whether we have something that they have not."""


def unite(ours: Checkpoints, theirs: str, at: int) -> United:
    """Takes another side's commit into our ref. Nothing moves where nothing is new."""
    tip = ours.tip()
    if not theirs or theirs == tip or (tip and _contains(ours, tip, theirs)):
        return United(tip, ahead=tip != theirs)
    sides, verdict = _judged(ours, tip, theirs)
    refused = {path.decode("utf-8", "replace"): why for path, why in verdict.refused.items()}
    whole = not refused and not verdict.stayed
    # Where both only insist on what they have, no push ends it: it would go back and forth for ever.
    ahead = whole or bool(sides.ours.keys() - sides.theirs.keys()) or growth.CHANGED in refused.values()
    # What they have as we once had it is no change of theirs, but going on from there would lose ours.
    keeps = all(path in verdict.taken or sides.theirs.get(path) == entry for path, entry in sides.ours.items())
    if whole and keeps and (not tip or _contains(ours, theirs, tip)) and ours.moved(tip, theirs):
        return United(theirs)
    malformed = not (verdict.taken or verdict.stayed) and {*refused.values()} == {growth.MALFORMED}
    if (malformed and not _base(ours, tip, theirs)) or not (verdict.taken or ahead):
        return United(tip, refused)  # nothing of theirs is to become a part of ours, also not as its history
    rows = partial(_rows, ours, theirs, (tip, verdict))
    return United(ours.change(rows, "both sides\n", at, other=theirs), refused, ahead)


def _rows(ours: Checkpoints, theirs: str, judged: tuple[str, Verdict]) -> list[bytes]:
    """What is taken; judged anew where somebody else's checkpoint came between."""
    tip = ours.tip()
    taken = (judged[1] if tip == judged[0] else _judged(ours, tip, theirs)[1]).taken
    return [stream.known(entry.mode, entry.name, path) for path, entry in taken.items()]


def _judged(ours: Checkpoints, tip: str, theirs: str) -> tuple[Sides, Verdict]:
    read = Blobs(lambda *words, stdin=b"": _git(ours, *words, stdin=stdin))
    layout = Layout(os.path.dirname(ours.side.path))
    sides = growth.Sides(
        *listings(partial(_git, ours), tip, theirs, _base(ours, tip, theirs)),
        read,
        lambda session: is_session_id(session) and is_own(layout, session),
        lambda session, checkpoint: is_on_tape(layout, session, checkpoint),
    )
    changed = sides.changed()
    behind = {path: sides.theirs[path] for path in _older(ours, tip, sides, changed)}
    sides = attrs.evolve(sides, base={**sides.base, **behind})
    read.fetch(_worth_reading(sides, changed))
    return sides, _JUDGES.get(ours.shared, growth.checkpoints)(sides)


def _older(ours: Checkpoints, tip: str, sides: Sides, changed: Iterable[bytes]) -> list[bytes]:
    """What they have as we once had it: they are behind, and changed nothing."""
    both = [path for path in changed if path in sides.ours and path in sides.theirs]
    return [path for path in both[:_LOOKED_UP] if _was_ours(ours, tip, sides.theirs[path].name, os.fsdecode(path))]


def _was_ours(ours: Checkpoints, tip: str, name: str, path: str) -> bool:
    words = ("log", "--first-parent", "--max-count=1", "--format=%H", f"--find-object={name}", tip, "--", path)
    return bool(_git(ours, "--literal-pathspecs", *words).strip())


def _worth_reading(sides: Sides, changed: Iterable[bytes]) -> set[str]:
    """The small files that say what the others are, of either side."""
    paths = {*changed, *(path.rpartition(b"/")[0] + b"/checkpoint.json" for path in changed)}
    told = [path for path in paths if path.startswith(b"by-") or path.endswith(b"/checkpoint.json")]
    entries = (side[path] for path in told for side in (sides.ours, sides.theirs) if path in side)
    return {entry.name for entry in entries if entry.size <= _READ}


def _base(ours: Checkpoints, tip: str, theirs: str) -> str:
    """What both came from; nothing where they have nothing in common."""
    if not tip:
        return ""
    try:
        return _git(ours, "merge-base", tip, theirs).decode("ascii").strip()
    except GitFailed as error:
        error.raise_if_killed()
        return ""


def _contains(ours: Checkpoints, tip: str, commit: str) -> bool:
    try:
        _git(ours, "merge-base", "--is-ancestor", commit, tip)
    except GitFailed as error:
        error.raise_if_killed()
        return False
    return True


def _git(ours: Checkpoints, *words: str, stdin: bytes = b"") -> bytes:
    return git(ours.side.common_dir, *words, timeout=_SECONDS, most=1 << 28, stdin=stdin)
