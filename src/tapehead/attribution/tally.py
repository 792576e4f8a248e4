"""How many lines are not committed, by file and by who added and removed them. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.checkpoints import line_owners

if TYPE_CHECKING:
    from tapehead.git import hunks

Tally = dict[bytes, tuple[int, int, int, int]]
"""By file: lines that agents added, removed, and that the human added, removed."""


def count_row(
    diff: hunks.FileDiff, runs: line_owners.Runs, before: tuple[int, int, int, int] | None
) -> tuple[int, int, int, int]:
    """A file's row after HEAD moved: what is not committed now. Who removed what is known as far as it was counted."""
    new = line_owners.find_added(diff)
    agents = sum(
        count
        for _, count in line_owners.both(
            new, [(start, count) for start, count, owner in runs if line_owners.is_agent(owner)]
        )
    )
    _, by_agents, _, by_human = before or (0, 0, 0, 0)
    by_agents = min(by_agents, diff.removed)
    return agents, by_agents, max(diff.added - agents, 0), min(by_human, diff.removed - by_agents)


def count_change(
    tally: Tally, diffs: list[hunks.FileDiff], owner: str, fresh: dict[bytes, list[line_owners.Range]] | None
) -> Tally:
    """The rows after a change by one owner; `fresh` limits it to the lines that are in no commit."""
    found = dict(tally)
    for diff in diffs:
        counts = [*found.pop(diff.old, (0, 0, 0, 0))]
        new = (
            line_owners.find_added(diff)
            if fresh is None
            else line_owners.both(line_owners.find_added(diff), fresh.get(diff.new, []))
        )
        side = 0 if owner else 2
        counts[side] += sum(count for _, count in new)
        counts[side + 1] += diff.removed if fresh is None or diff.new in fresh else 0
        found[diff.new] = (counts[0], counts[1], counts[2], counts[3])
    return found
