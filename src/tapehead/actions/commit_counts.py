"""How many lines of a commit are whose: of the whole commit, and of each of its files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tapehead.attribution.removals import BY_HUMAN
from tapehead.checkpoints.line_owners import NOT_KNOWN, is_agent

if TYPE_CHECKING:
    from tapehead.attribution.commit_lines import Share

_FILES = 200


def line_counts(share: Share, session: str) -> dict[str, int]:
    """How many lines of a commit are whose."""
    brought = sum(count for ranges in share.brought.values() for _, count in ranges)
    by_agents = sum(sum(share.by(owner).values()) for owner in _sessions(share))
    unknown = sum(share.by(NOT_KNOWN).values())
    removers = [row for by in share.removed_by.values() for row in by.items()]
    removed = {
        "agent_removed": sum(count for owner, count in removers if owner != BY_HUMAN),
        "human_removed": sum(count for owner, count in removers if owner == BY_HUMAN),
        "session_removed": sum(count for owner, count in removers if owner == session),
    }
    return {
        "agent_added": by_agents,
        "human_added": brought - by_agents - unknown,
        "session_added": sum(share.by(session).values()),
        "removed": sum(share.removed.values()),
        **({"not_known_added": unknown} if unknown else {}),
        **(removed if removers else {}),
    }


def _sessions(share: Share) -> set[str]:
    return {owner for runs in share.files.values() for _, _, owner in runs if is_agent(owner)}


def per_file(share: Share, session: str) -> dict[str, dict[str, int]]:
    """The same for each file."""
    counts = {owner: share.by(owner) for owner in _sessions(share)}
    return {
        os.fsdecode(path): {
            "added": sum(count for _, count in share.brought.get(path, [])),
            "agent": sum(by.get(path, 0) for by in counts.values()),
            "session": counts.get(session, {}).get(path, 0),
            "removed": share.removed.get(path, 0),
            **_removers(share.removed_by.get(path)),
            **({"too_large": 1} if path in share.too_large else {}),
        }
        for path in sorted({*share.brought, *share.removed})[:_FILES]
    }


def _removers(by: dict[str, int] | None) -> dict[str, int]:
    return {"agent_removed": sum(count for owner, count in by.items() if owner != BY_HUMAN)} if by else {}
