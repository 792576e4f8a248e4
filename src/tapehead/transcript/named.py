"""Named tuples written as classes, as `typing` has them, without the time and the memory that loading `typing` takes.

A type checker is shown the original; what runs is this:

    if TYPE_CHECKING:
        from typing import NamedTuple
    else:
        from tapehead.transcript.named import NamedTuple
"""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from typing import Any

_OF_THE_CLASS_ITSELF = ("__module__", "__qualname__", "__classcell__", "__dict__", "__weakref__")


class _Named(type):
    """Makes of a class with annotations a tuple with those names; its methods and its docstring come along."""

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
        if not bases:
            return super().__new__(cls, name, bases, body)
        fields = body.get("__annotations__", {})
        defaults = [body.pop(field) for field in fields if field in body]
        made: type = namedtuple(name, fields, defaults=defaults, module=body["__module__"])  # type: ignore[misc]  # noqa: PYI024  this is what makes them
        for key, value in body.items():
            if key not in _OF_THE_CLASS_ITSELF:
                setattr(made, key, value)
        return made


class NamedTuple(metaclass=_Named):
    """What a named tuple is written under."""
