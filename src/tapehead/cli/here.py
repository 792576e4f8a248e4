"""The store that a command is about: that of the working directory, or all that the registry names."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from attrs import frozen

from tapehead.cli.output import Failure, console
from tapehead.engine import crowding, store_registry
from tapehead.engine.engine import Engine
from tapehead.engine.store_location import Place, make_home, place_of, state_home, trouble
from tapehead.store.paths import Layout
from tapehead.store.sessions import Unreadable

if TYPE_CHECKING:
    from tapehead.store.state import State


@frozen
class Here:
    """Where the user stands."""

    place: Place
    engine: Engine
    now: datetime
    looked: dict[str, State] | None = None
    """The saved states, where whoever looks at many things has read them once for all: doctor's checks."""


def here(directory: str = "") -> Here:
    """The store of the working directory, or of another."""
    at = look_here(directory)
    with suppress(OSError):
        make_home(at.engine.layout.root, os.environ)
    _make_room(at.engine)
    return at


def look_here(directory: str = "") -> Here:
    """The same, for those who only look: nothing is made."""
    place = place_of(directory or _cwd(), os.environ)
    if not place.roots:
        raise Failure("No place to store anything: no repository and no home directory", "set HOME or XDG_STATE_HOME")
    return Here(place, Engine(Layout(place.roots[0]), time.time_ns), datetime.now(UTC))


def everywhere() -> list[Here]:
    """Every store that was ever used, and is still there."""
    found = []
    for root in store_registry.list_stores(state_home(os.environ)):
        if trouble(root):
            continue
        place = Place(os.path.dirname(root).removesuffix("/.git"), None, (root,))
        found.append(Here(place, Engine(Layout(root), time.time_ns), datetime.now(UTC)))
        _make_room(found[-1].engine)
    return found


def _make_room(engine: Engine) -> None:
    """Archives closed sessions where there are very many. The worker does that too, so it is seldom left to a command."""
    if not crowding.is_crowded(engine):
        return
    with suppress(OSError), console(stderr=True).status(_ARCHIVING) as shown:

        def show(done: int, every: int) -> None:
            if done % 500 == 0:
                shown.update(f"{_ARCHIVING} {done:,} of {every:,}")

        crowding.make_room(engine, show)


_ARCHIVING = "Archiving older sessions ..."


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
        except (Unreadable, OSError):
            continue  # doctor names it
        if state:
            found[session_id] = state
    return found


def states_of(at: Here) -> dict[str, State]:
    """The saved states, read now unless they were read for this look."""
    return known(at.engine) if at.looked is None else at.looked


def newest_first(states: dict[str, State]) -> list[State]:
    """By their last interaction, or their start."""
    return sorted(states.values(), key=lambda state: str(state.last_interaction_at or state.started_at), reverse=True)


def _cwd() -> str:
    try:
        return os.getcwd()
    except FileNotFoundError:
        raise Failure("The working directory no longer exists", "`cd` to another one") from None
