"""What a shell offers for a session: the ids that are known here."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from click import Context, Parameter

_MOST = 200
"""More than anyone picks from."""


def session_ids(ctx: Context, param: Parameter, incomplete: str) -> list[str]:  # noqa: ARG001 - click's shape
    """The ids that begin so. A shell that asks is told nothing of what goes wrong."""
    try:
        return sorted(_known(incomplete))[:_MOST]
    except Exception:  # noqa: BLE001 - a traceback in the middle of what someone types helps nobody
        return []


def _known(beginning: str) -> set[str]:
    from tapehead.cli.here import here  # noqa: PLC0415 - only where a shell asks
    from tapehead.history.database import Database  # noqa: PLC0415 - as above
    from tapehead.history.recall import Recall  # noqa: PLC0415 - as above

    at = here()
    found = {each for each in at.engine.store.list() if each.startswith(beginning)}
    if os.path.exists(at.engine.layout.memory):
        with Database(at.engine.layout.memory, wait=0.5) as database:
            found |= {*Recall(database).known(beginning)}
    return found
