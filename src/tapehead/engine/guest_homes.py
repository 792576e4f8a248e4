"""Guests: sessions that work in a repository and have their store elsewhere. Which stores those are, and where a session is a guest.

What a guest's checkpoints hold is redacted by the words of both repositories, since its prompts and transcript come from the other one.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from tapehead.engine.store_location import config_home, state_home, trouble
from tapehead.engine.store_registry import list_stores, register
from tapehead.settings.loading import load
from tapehead.store import tape
from tapehead.store.paths import Layout

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tapehead.settings.loading import Settings

_MOST = 200
"""Stores whose guests work in one repository."""


def welcome(guests: Layout, home: str, env: Mapping[str, str]) -> None:
    """Writes down where a guest comes from, and that there is a store: commands over all projects find it."""
    if home not in _homes(guests):
        tape.append(guests.homes, {"home": home})
    register(state_home(env), guests.shared)


def words_to_redact(layout: Layout, settings: Settings, env: Mapping[str, str]) -> tuple[str, ...]:
    """`checkpoints.mask` of a store; for its guests also of the stores that they come from."""
    words = [*settings.texts("checkpoints.mask")]
    for home in _homes(layout) if layout.is_guests else ():
        words += load(home, config_home(env), env).texts("checkpoints.mask")
    return tuple(dict.fromkeys(filter(None, words)))


def _homes(guests: Layout) -> list[str]:
    found = []
    with suppress(OSError):
        for raw in tape.unread(guests.homes, 0)[0][:_MOST]:
            with suppress(ValueError, RecursionError):
                line = json.loads(raw)
                found += [line["home"]] if isinstance(line, dict) and isinstance(line.get("home"), str) else []
    return found


def guests_of(layout: Layout) -> Layout | None:
    """What a store has of its guests; None where it has none, or what is there is not ours."""
    found = Layout(layout.guests)
    return found if not layout.is_guests and os.path.isdir(found.sessions) and not trouble(layout.root) else None


def where_guest(session_id: str, env: Mapping[str, str]) -> list[Layout]:
    """The stores in which a session is a guest, as far as they are known on this machine."""
    stores = filter(None, map(guests_of, map(Layout, list_stores(state_home(env)))))
    return [one for one in stores if any(map(os.path.exists, (one.tape(session_id), _archived(one, session_id))))]


def _archived(layout: Layout, session_id: str) -> str:
    return os.path.join(layout.archive, session_id + ".tape")
