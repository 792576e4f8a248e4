"""Old state files are brought to today's shape at the door, one function per version; the rest knows only today's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.statemachine.vocabulary import Phase
from tapehead.store.state import SCHEMA_VERSION

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_PHASES = frozenset(phase.value for phase in Phase)


def _from_unversioned(document: dict[str, Any]) -> dict[str, Any]:
    """A file without a version: written by hand or by a relative of this program, with that family's names."""
    renamed = {"last_interaction_time": "last_interaction_at", "checkpoint_count": "step_count", "tty": "terminal"}
    return {renamed.get(name, name): value for name, value in document.items()} | {"schema_version": 1}


def _as_it_is(document: dict[str, Any]) -> dict[str, Any]:
    """A file that lacks fields: they have their defaults, and it keeps its version, by which the next settle makes it again from the tape."""
    return document


UPGRADES: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {
    0: _from_unversioned,
    1: _as_it_is,
    2: _as_it_is,
    3: _as_it_is,
    4: _as_it_is,
}
"""From each older version to the next one."""


def upgrade(document: dict[str, Any]) -> dict[str, Any]:
    """A document in today's shape. One of a newer version passes as it is: what we do not know of it survives."""
    version = document.get("schema_version", 0)
    if type(version) is not int or version < 0:
        raise ValueError(f"no version that ever was: {version!r}")
    for step in range(version, SCHEMA_VERSION):
        document = UPGRADES[step](document)
    return _with_known_phase(document)


def _with_known_phase(document: dict[str, Any]) -> dict[str, Any]:
    """No phase, or one that we do not know, is read as idle, and doctor is left a word about it."""
    found, before = document.get("phase"), document.get("phase_before")
    known = dict(document)
    if isinstance(before, str) and before not in _PHASES:
        known["phase_before"] = Phase.IDLE.value
    if isinstance(found, str) and found not in _PHASES:
        known |= {"phase": Phase.IDLE.value, "phase_as_found": found}
    return known
