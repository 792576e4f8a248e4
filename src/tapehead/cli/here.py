"""The store that a command is about: that of the working directory, or all that the registry names."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from attrs import frozen

from tapehead.cli import stores
from tapehead.cli.engine import Engine
from tapehead.cli.output import Failure
from tapehead.cli.places import Place, make_home, place_of, state_home, trouble
from tapehead.cli.telling import alike
from tapehead.store.paths import Layout
from tapehead.store.sessions import Unreadable

if TYPE_CHECKING:
    from tapehead.store.state import State


@frozen
class Here:
    """Where the person stands."""

    place: Place
    engine: Engine
    now: datetime


def here() -> Here:
    """The store of the working directory."""
    at = look_here()
    with suppress(OSError):
        make_home(at.engine.layout.root, os.environ)
    return at


def look_here() -> Here:
    """The same, for those who only look: nothing is made."""
    place = place_of(_cwd(), os.environ)
    if not place.roots:
        raise Failure("No place to store anything: no repository and no home directory", "set HOME or XDG_STATE_HOME")
    return Here(place, Engine(Layout(place.roots[0]), time.time_ns), datetime.now(UTC))


def everywhere() -> list[Here]:
    """Every store that was ever used, and is still there."""
    found = []
    for root in stores.registered(state_home(os.environ)):
        if trouble(root):
            continue
        place = Place(os.path.dirname(root).removesuffix("/.git"), None, (root,))
        found.append(Here(place, Engine(Layout(root), time.time_ns), datetime.now(UTC)))
    return found


def all_here() -> list[Here]:
    """Every store of the machine, that of the working directory first, whether or not it was ever named."""
    own = here()
    return [own, *(each for each in everywhere() if each.engine.layout.root != own.engine.layout.root)]


def known(engine: Engine) -> dict[str, State]:
    """The saved state of every session that has one which can be read."""
    found = {}
    for session_id in engine.store.list():
        try:
            state = engine.store.load(session_id)
        except Unreadable:
            continue
        if state:
            found[session_id] = state
    return found


def pick(at: Here, wanted: str | None) -> str:
    """The session that was meant: by its id, by the beginning of it, or the newest."""
    ids = at.engine.store.list()
    if not ids:
        raise _nothing_recorded(at)
    if wanted is None:
        states = newest_first(known(at.engine))
        return states[0].session_id if states else ids[0]
    found = [wanted] if wanted in ids else [name for name in ids if name.startswith(wanted)]
    if not found:
        raise Failure(f"No session {wanted!r} here", "`tapehead status --all` lists them")
    if len(found) > 1:
        raise Failure(f"{len(found)} sessions begin with {wanted!r}", alike(sorted(found)))
    return found[0]


def _nothing_recorded(at: Here) -> Failure:
    """What was imported is remembered, and has no state to go on from."""
    if os.path.exists(at.engine.layout.memory):
        return Failure(
            "No session recorded here yet, only imported ones",
            "`tapehead search` and `tapehead detail` show them; `tapehead brief --transcript FILE` prints a brief",
        )
    return Failure("No session recorded here yet", "`tapehead install`, then start your agent in this repository")


def newest_first(states: dict[str, State]) -> list[State]:
    """By their last interaction, or their start."""
    return sorted(states.values(), key=lambda state: str(state.last_interaction_at or state.started_at), reverse=True)


def _cwd() -> str:
    try:
        return os.getcwd()
    except FileNotFoundError:
        raise Failure("The working directory no longer exists", "`cd` to another one") from None
