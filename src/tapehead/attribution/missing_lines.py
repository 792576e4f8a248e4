"""The lines of HEAD that the work tree lacks, and who removed them; found out at each mark from what the one before said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.attribution import removals
from tapehead.checkpoints import line_owners
from tapehead.git.run import GitFailed

if TYPE_CHECKING:
    from tapehead.attribution.known_lines import Known, Late
    from tapehead.attribution.snapshots import Chain
    from tapehead.checkpoints.line_owners import Files
    from tapehead.git.hunks import FileDiff
    from tapehead.git.trees import Recorded


def of_head(  # noqa: PLR0913, PLR0917 - a step of the chain
    chain: Chain, before: Known, recorded: Recorded, diffs: list[FileDiff], owner: str, is_late: Late
) -> Files:
    """By file. Git is asked where that may have changed; nobody can say it where git has thrown the HEAD of before away (a reset and a prune)."""
    try:
        return _of_head(chain, before, recorded, diffs, owner, is_late)
    except GitFailed:
        if not before.head or _has(chain, before.head):
            raise
    return removals.gone({}, chain.between(recorded.head, recorded.tree), line_owners.NOT_KNOWN)


def _of_head(  # noqa: PLR0913, PLR0917 - as above
    chain: Chain, before: Known, recorded: Recorded, diffs: list[FileDiff], owner: str, is_late: Late
) -> Files:
    if not recorded.head:
        return {}
    if not before.mark:  # what was gone before anything was recorded is nobody's here
        return removals.gone({}, chain.between(recorded.head, recorded.tree), line_owners.NOT_KNOWN)
    known = before.gone
    if known is None:
        known = removals.gone({}, chain.between(before.head, before.work), line_owners.NOT_KNOWN)
    moved, went_on = None, True
    if recorded.head == before.head:
        if not diffs or not (known or any(diff.removed for diff in diffs)):
            return known
    else:
        moved = {diff.new: diff for diff in chain.between(before.head, recorded.head)}
        went_on = chain.leads_to(before.head, recorded.head)
    found: Files = {}
    for who, part in by_whom(chain.between(recorded.head, recorded.tree), owner, is_late):
        found |= removals.gone(known, part, who, moved, went_on=went_on)
    return found


def by_whom(diffs: list[FileDiff], owner: str, is_late: Late) -> list[tuple[str, list[FileDiff]]]:
    """The files that the owner changed, and those that changed later."""
    late = {diff.new for diff in diffs if is_late(diff.new)}
    return [
        (owner, [diff for diff in diffs if diff.new not in late]),
        (line_owners.HUMAN, [diff for diff in diffs if diff.new in late]),
    ]


def _has(chain: Chain, commit: str) -> bool:
    """Whether git still has a commit and its files' names."""
    try:
        chain.side.git("cat-file", "-e", f"{commit}^{{tree}}")
    except GitFailed as error:
        error.raise_if_killed()
        return not error.code  # no answer in time is no no
    return True
