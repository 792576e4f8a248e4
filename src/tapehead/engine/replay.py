"""Whether a saved state is what its tape gives.

Both are written down by cattrs (store/codec.py), and not by the codec that saved the state: an error of that one shows here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from tapehead.store.codec import unstructure
from tapehead.store.sessions import Unreadable
from tapehead.store.state import SCHEMA_VERSION

if TYPE_CHECKING:
    from tapehead.engine.engine import Engine


def differences(engine: Engine, session_id: str) -> dict[str, tuple[Any, Any]]:
    """The fields in which the saved state is not what its part of the tape gives: (saved, replayed).

    What a newer version added is not ours to judge. A state that cannot be read differs as a whole.
    """
    with engine.store.transaction(session_id, 5.0):  # a state and a tape of the same moment
        try:
            saved = engine.store.load(session_id)
        except Unreadable as error:
            return {"(all of it)": (str(error), "see the tape")}
        if saved is None or saved.schema_version < SCHEMA_VERSION:
            return {}  # what an older version did not know is made again at the next settle
        mine, again = (
            unstructure(_without_unknown(each)) for each in (saved, engine.replayed(session_id, saved.tape_offset))
        )
    return {name: (mine.get(name), value) for name, value in again.items() if mine.get(name) != value}


def _without_unknown(value: Any) -> Any:
    """A state, or a part of one, with our own fields alone."""
    if isinstance(value, tuple):
        return tuple(map(_without_unknown, value))
    if isinstance(value, dict):
        return {name: _without_unknown(each) for name, each in value.items()}
    if not attrs.has(type(value)):
        return value
    ours = [field.name for field in attrs.fields(type(value)) if field.name != "unknown"]
    changes = {name: _without_unknown(getattr(value, name)) for name in ours}
    return attrs.evolve(value, **changes, **({"unknown": {}} if hasattr(value, "unknown") else {}))
