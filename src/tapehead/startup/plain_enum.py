"""Enumerations as `enum` has them, without the time that loading `enum` takes: a tenth of what a bare Python needs to start.

`stand_ins.py` gives these names out under enum's own, to our modules alone. What they do not know is left to enum.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


class _Words(type):
    """Makes of every plain value in a class's body a member of it."""

    _members: dict[str, Any]
    _by_value: dict[object, Any]

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> Any:
        words = {key: value for key, value in body.items() if _is_word(key, value)}
        if not all(base is int or isinstance(base, _Words) for base in bases) or not {*map(type, words.values())} <= {
            str,
            int,
        }:
            return _real(name, bases, body)
        made: Any = super().__new__(cls, name, bases, {key: body[key] for key in body if key not in words})
        members: dict[str, Any] = {}
        by_value: dict[object, Any] = {}
        for key, value in words.items():
            member = by_value.get(value)  # a second name of the same
            if member is None:
                member = int.__new__(made, value) if issubclass(made, int) else object.__new__(made)
                member._name_, member._value_ = member.name, member.value = key, value
                by_value[value] = member
            type.__setattr__(made, key, member)
            members[key] = member
        made._members, made._by_value = members, by_value  # noqa: SLF001 - its own
        return made

    def __call__(cls, value: Any) -> Any:
        try:
            return value if type(value) is cls else cls._by_value[value]
        except (KeyError, TypeError):
            raise ValueError(f"{value!r} is not a valid {cls.__qualname__}") from None

    def __iter__(cls) -> Iterator[Any]:
        return iter(cls._by_value.values())

    def __len__(cls) -> int:
        return len(cls._by_value)

    def __getitem__(cls, name: str) -> Any:
        return cls._members[name]

    def __contains__(cls, value: object) -> bool:
        return isinstance(value, cls) or value in cls._by_value

    @property
    def __members__(cls) -> dict[str, Any]:
        return {**cls._members}

    def __setattr__(cls, name: str, value: object) -> None:
        if name in cls.__dict__.get("_members", ()):
            raise AttributeError(f"cannot reassign member {name!r}")
        super().__setattr__(name, value)


def _is_word(name: str, value: object) -> bool:
    return not name.startswith("_") and not hasattr(type(value), "__get__")


def _real(name: str, bases: tuple[type, ...], body: dict[str, Any]) -> Any:
    from tapehead.startup import stand_ins  # noqa: PLC0415 - what only enum knows

    enum = stand_ins.load("enum")
    real = tuple(getattr(enum, base.__name__) if base in (Enum, IntEnum) else base for base in bases)
    kind: Any = type(real[-1])
    given = kind.__prepare__(name, real)
    for key, value in body.items():
        given[key] = value
    return kind(name, real, given)


class Enum(metaclass=_Words):
    """What an enumeration is written under."""

    if TYPE_CHECKING:
        name: str
        value: Any

    def __repr__(self) -> str:
        return f"<{type(self).__name__}.{self.name}: {self.value!r}>"

    def __str__(self) -> str:
        return f"{type(self).__name__}.{self.name}"

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, _: object) -> Any:
        return self

    def __reduce_ex__(self, _: object) -> tuple[Any, tuple[Any]]:
        return type(self), (self.value,)


class IntEnum(int, Enum):
    """One whose members are numbers."""

    __repr__ = Enum.__repr__
    __str__ = int.__repr__
    __format__ = int.__format__
