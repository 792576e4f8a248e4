"""The same door as codec.py without cattrs, derived from the same classes by the words of their annotations.

cattrs takes longer to import than a whole hook may take. Nothing here is written down a second time: a field added to a
class is known here at once, and a kind of annotation that is not known here fails at import, in every test.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from tapehead.statemachine.vocabulary import Phase
from tapehead.store.state import Failure, PromptAttribution, State, TokenUsage, Waiting

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Door = tuple[Callable[[Any], Any], Callable[[Any], Any]]
    """How a kind of value is read and written."""


def _exactly(kind: type) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        if type(value) is not kind:
            raise ValueError(f"expected {kind.__name__}, found {type(value).__name__}")
        return value

    return read


def _as_is(value: Any) -> Any:
    return value


def _time(value: Any) -> datetime:
    at = datetime.fromisoformat(_exactly(str)(value))
    if at.tzinfo is None:
        raise ValueError(f"a time without its zone: {value}")
    return at


def _optional(door: Door) -> Door:
    read, write = door
    return (
        lambda value: None if value is None else read(value),
        lambda value: None if value is None else write(value),
    )


def _tuple_of(door: Door) -> Door:
    read, write = door
    listed = _exactly(list)
    return (
        lambda value: tuple(read(item) for item in listed(value)),
        lambda value: [write(item) for item in value],
    )


def _dict_of(door: Door) -> Door:
    read, write = door
    mapped = _exactly(dict)
    return (
        lambda value: {name: read(item) for name, item in mapped(value).items()},
        lambda value: {name: write(item) for name, item in value.items()},
    )


def _object(cls: Any) -> Door:
    doors = {name: _DOORS[kind] for name, kind in cls.__annotations__.items() if name != "unknown"}
    mapped = _exactly(dict)

    def read(value: Any) -> Any:
        known = {name: doors[name][0](item) for name, item in mapped(value).items() if name in doors}
        return cls(**known, unknown={name: item for name, item in value.items() if name not in doors})

    def write(value: Any) -> dict[str, Any]:
        return {**{name: door[1](getattr(value, name)) for name, door in doors.items()}, **value.unknown}

    return read, write


_STR: Door = (_exactly(str), _as_is)
_INT: Door = (_exactly(int), _as_is)
_TIME: Door = (_time, datetime.isoformat)
_DOORS: dict[str, Door] = {
    "str": _STR,
    "int": _INT,
    "bool": (_exactly(bool), _as_is),
    "int | None": _optional(_INT),
    "datetime | None": _optional(_TIME),
    "Phase": (Phase, lambda phase: phase.value),
    "tuple[str, ...]": _tuple_of(_STR),
    "tuple[str, ...] | None": _optional(_tuple_of(_STR)),
    "tuple[int, ...]": _tuple_of(_INT),
    "dict[str, int]": _dict_of(_INT),
    "dict[str, Any]": _dict_of((_as_is, _as_is)),
}
_DOORS["TokenUsage"] = _object(TokenUsage)
_DOORS["Failure"] = _object(Failure)
_DOORS["dict[str, Failure]"] = _dict_of(_DOORS["Failure"])
_DOORS["PromptAttribution"] = _object(PromptAttribution)
_DOORS["PromptAttribution | None"] = _optional(_DOORS["PromptAttribution"])
_DOORS["Waiting | None"] = _optional(_object(Waiting))
_DOORS["tuple[PromptAttribution, ...]"] = _tuple_of(_DOORS["PromptAttribution"])

_STATE = _object(State)


def structure(document: dict[str, Any]) -> State:
    """The state that an (upgraded) document describes; fields that we do not know are kept aside on it."""
    state: State = _STATE[0](document)
    return state


def unstructure(state: State) -> dict[str, Any]:
    """The document of a state."""
    document: dict[str, Any] = _STATE[1](state)
    return document
