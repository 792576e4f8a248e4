"""The injection log: every text that was handed to a model, with the decision behind it, over all sessions of a store.

The tapes say the same, session by session, until they are archived; this file stays.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tapehead.store import tape

if TYPE_CHECKING:
    from typing import Any

    from tapehead.store.paths import Layout

_LOOKED_AT = 4 * 1024 * 1024


def note(layout: Layout, injection: dict[str, Any]) -> None:
    """Write one down."""
    tape.append(layout.injections, injection)


def newest(layout: Layout) -> list[dict[str, Any]]:
    """The newest ones, in their order; a line that cannot be read is passed over."""
    found = []
    for line in tape.tail(layout.injections, _LOOKED_AT):
        try:
            value = json.loads(line)
        except ValueError:
            continue
        if isinstance(value, dict):
            found.append(value)
    return found
