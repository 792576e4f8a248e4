"""Named tuples written as classes, as `typing` has them, without the time and the memory that loading `typing` takes.

`stand_ins.py` gives this one out under typing's own name. What `collections.namedtuple` writes anew for every class stands here once
for all of them.
"""

from __future__ import annotations

import _collections  # type: ignore[import-not-found]
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_Field: Any = _collections._tuplegetter  # noqa: SLF001  the fastest way to a field


class _Named(type):
    """Makes of a class with annotations a tuple with those names; its methods and its docstring come along."""

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
        fields = tuple(body.get("__annotations__", ()))
        defaults = {field: body.pop(field) for field in fields if field in body}
        body |= {"__slots__": (), "_fields": fields, "_field_defaults": defaults, "__match_args__": fields}
        if fields:
            body["__new__"] = _maker(fields, tuple(defaults.values()))
        body |= {field: _Field(place, "") for place, field in enumerate(fields)}
        return super().__new__(cls, name, bases, body)


def _maker(fields: tuple[str, ...], defaults: tuple[Any, ...]) -> Any:
    """Make a function that takes the fields by place or by name; compiled, since every value goes through it."""
    count = len(fields)
    if count not in _MAKERS:
        names = ", ".join(f"_{place}" for place in range(count))
        _MAKERS[count] = eval(f"lambda c, {names}: _new(c, ({names},))", {"_new": _new})  # noqa: S307  numbers
    like = _MAKERS[count]
    code = like.__code__.replace(co_varnames=("_cls", *fields))  # those of as many fields differ by the names only
    return type(like)(code, like.__globals__, "__new__", defaults)


_new = tuple.__new__
_FEW: Any = (
    lambda c, _0: _new(c, (_0,)),
    lambda c, _0, _1: _new(c, (_0, _1)),
    lambda c, _0, _1, _2: _new(c, (_0, _1, _2)),
    lambda c, _0, _1, _2, _3: _new(c, (_0, _1, _2, _3)),
    lambda c, _0, _1, _2, _3, _4: _new(c, (_0, _1, _2, _3, _4)),
    lambda c, _0, _1, _2, _3, _4, _5: _new(c, (_0, _1, _2, _3, _4, _5)),
    lambda c, _0, _1, _2, _3, _4, _5, _6: _new(c, (_0, _1, _2, _3, _4, _5, _6)),
    lambda c, _0, _1, _2, _3, _4, _5, _6, _7: _new(c, (_0, _1, _2, _3, _4, _5, _6, _7)),
    lambda c, _0, _1, _2, _3, _4, _5, _6, _7, _8: _new(c, (_0, _1, _2, _3, _4, _5, _6, _7, _8)),
)
_MAKERS: dict[int, Any] = dict(enumerate(_FEW, 1))
"""By number of fields. Most classes have few, and compiling these in every hook takes a millisecond."""


class NamedTuple(tuple, metaclass=_Named):  # type: ignore[type-arg]  # noqa: SLOT001  the metaclass sees to slots
    """What a named tuple is written under."""

    if TYPE_CHECKING:
        _fields: tuple[str, ...]

    @classmethod
    def _make(cls, values: Iterable[Any]) -> Any:
        return tuple.__new__(cls, values)

    def _replace(self, **changes: Any) -> Any:
        """Give the same with other values for some fields."""
        made = tuple.__new__(type(self), map(changes.pop, self._fields, self))
        if changes:
            raise ValueError(f"no such fields: {', '.join(changes)}")
        return made

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._fields, self, strict=True))

    def __repr__(self) -> str:
        told = ", ".join(f"{field}={value!r}" for field, value in zip(self._fields, self, strict=True))
        return f"{type(self).__name__}({told})"

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)
