"""The door between a State and JSON, and the only file that knows cattrs.

Importing cattrs costs a hook more than all of its work, so the store goes through codec_light.py, which is derived from the
same classes, and comes here to have an unreadable file explained. A test holds the two equal on every document.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, get_args, get_origin

import attrs
import cattrs
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

from tapehead.statemachine.vocabulary import Phase
from tapehead.store.state import Failure, PromptAttribution, State, TokenUsage, Waiting


def _exactly(kind: type) -> Any:
    """No guessing: a number is not a text and true is not 1. What is wrong is said, and the file is set aside."""

    def structure(value: Any, _: Any) -> Any:
        if type(value) is not kind:
            raise ValueError(f"expected {kind.__name__}, found {type(value).__name__}")
        return value

    return structure


def _time(value: Any, _: Any) -> datetime:
    at = datetime.fromisoformat(_exactly(str)(value, str))
    if at.tzinfo is None:
        raise ValueError(f"a time without its zone: {value}")
    return at


def _tuples(kind: Any, converter: cattrs.Converter) -> Any:
    """A text would pass for a tuple of its letters, if nobody asked for a list."""
    inner = get_args(kind)[0]
    item = converter.get_structure_hook(inner)
    listed = _exactly(list)
    return lambda value, _: tuple(item(each, inner) for each in listed(value, list))


def _object(cls: Any, converter: cattrs.Converter) -> Any:
    """An empty list or text has no wrong field, and would pass for an object of defaults, if nobody asked for an object.

    Fields that we do not know are kept aside on it.
    """
    fields = make_dict_structure_fn(cls, converter, unknown=override(omit=True))
    mapped = _exactly(dict)
    known = frozenset(field.name for field in attrs.fields(cls)) - {"unknown"}

    def structure(value: Any, _: Any) -> Any:
        made = fields({name: item for name, item in mapped(value, dict).items() if name in known}, cls)
        return attrs.evolve(made, unknown={name: item for name, item in value.items() if name not in known})

    return structure


def _document(cls: Any, converter: cattrs.Converter) -> Any:
    """With what was kept aside."""
    fields = make_dict_unstructure_fn(cls, converter, unknown=override(omit=True))
    return lambda value: {**fields(value), **value.unknown}


def _is_tuple(kind: Any) -> bool:
    return get_origin(kind) is tuple


def _list_of(converter: cattrs.Converter) -> Any:
    """JSON has no tuples: a tuple is written as a list, so that a document equals what is read back of it."""
    return lambda items: [converter.unstructure(item) for item in items]


def _converter() -> cattrs.Converter:
    made = cattrs.Converter()
    for kind in (str, int, bool):
        made.register_structure_hook(kind, _exactly(kind))
    made.register_structure_hook(datetime, _time)
    made.register_unstructure_hook(datetime, lambda at: at.isoformat())
    made.register_structure_hook(Phase, lambda value, _: Phase(value))
    made.register_unstructure_hook(Phase, lambda phase: phase.value)
    made.register_structure_hook_factory(_is_tuple, lambda kind: _tuples(kind, made))
    made.register_unstructure_hook_factory(_is_tuple, lambda _: _list_of(made))
    for cls in (PromptAttribution, TokenUsage, Failure, Waiting, State):
        attrs.resolve_types(cls, localns={"Any": Any})  # which the classes name for type checkers alone
    for cls in (PromptAttribution, TokenUsage, Failure, Waiting, State):  # the last one last: it is made of the others
        made.register_structure_hook(cls, _object(cls, made))
        made.register_unstructure_hook(cls, _document(cls, made))
    return made


CONVERTER = _converter()


def structure(document: dict[str, Any]) -> State:
    """The state that an (upgraded) document describes; fields that we do not know are kept aside on it."""
    return CONVERTER.structure(document, State)


def unstructure(state: State) -> dict[str, Any]:
    """The document of a state."""
    document: dict[str, Any] = CONVERTER.unstructure(state)
    return document


def complaint(document: Any) -> str:
    """What is wrong with a document, for a user; empty where nothing is."""
    try:
        structure(document)
    except Exception as error:  # noqa: BLE001 - whatever it is, telling it is the job here
        return "; ".join(cattrs.transform_error(error))
    return ""
