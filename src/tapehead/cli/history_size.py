"""How much the history of a store holds: `status` tells it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tapehead.store.paths import Layout


def remembered(layout: Layout) -> dict[str, Any]:
    """How much a history holds; empty where there is none."""
    if not os.path.exists(layout.memory):
        return {}
    from tapehead.history.database import Database, Unusable  # noqa: PLC0415 - sqlite, where there is a history
    from tapehead.history.recall import Recall  # noqa: PLC0415 - as above

    try:
        with Database(layout.memory) as database:
            counts = Recall(database).counts()
    except Unusable as error:
        return {"problem": str(error)}
    files = (layout.memory + suffix for suffix in ("", "-wal"))
    total = sum(os.path.getsize(path) for path in files if os.path.exists(path))
    return {
        "sessions": counts.sessions,
        "turns": counts.turns,
        "rows": {str(layer): rows for layer, rows in counts.layers.items()},
        "bytes": total,
    }
