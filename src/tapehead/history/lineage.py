"""Who goes on from whom: a session sees what its predecessors said and did, and no row is rewritten for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tapehead.history.database import Database

_FARTHEST = 1_000
"""A chain is followed this far: longer than any user's, shorter than for ever."""


def lineage(database: Database, session: str) -> list[str]:
    """The session and its predecessors, newest first, each once, whatever the table says."""
    chain = [session]
    while len(chain) < _FARTHEST:
        rows = database.rows("SELECT parent FROM lineage WHERE session = ?", (chain[-1],))
        if not rows or str(rows[0][0]) in chain:
            return chain
        chain.append(str(rows[0][0]))
    return chain
