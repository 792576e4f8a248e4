"""Where a session comes from that another machine handed over, in the words of a brief."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.store import origin
from tapehead.text.fence import clean, put_in_quotes, quote

if TYPE_CHECKING:
    from tapehead.store.paths import Layout


def came_from(layout: Layout, session_id: str) -> str:
    """`from REMOTE, by NAME, not checked`; nothing for a session that was recorded here."""
    found = origin.sender(layout, session_id)
    if found is None:
        return ""
    remote, by = found
    name = put_in_quotes(by, 60) if by.strip() else "somebody unnamed"
    return clean(f"from {quote(remote, 60) or 'another machine'}, by {name}, not checked")
