"""Frozen values as attrs makes them, without the time that loading attrs takes: longer than all else that a speaking hook does.

`stand_ins.py` gives these names out under attrs' own. attrs knows such a class as one of its own: what it asks a class for is made when
it asks. So `attrs.fields`, `attrs.evolve` and cattrs do with it what they do with any. What these do not know is left to attrs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, ClassVar, NoReturn


class _Factory:
    """A default that is made anew for every value."""

    __slots__ = ("hash", "make")

    def __init__(self, make: Callable[[], Any], *, hash: bool | None) -> None:  # noqa: A002 - attrs calls it that
        self.make = make
        self.hash = hash


def field(**options: Any) -> Any:
    """A field whose default is made anew for every value; with `hash=False` it is compared, but is no part of the hash."""
    if {"factory"} <= options.keys() <= {"factory", "hash"}:
        return _Factory(options["factory"], hash=options.get("hash"))
    return _attrs().field(**options)


def frozen(cls: type | None = None, **options: Any) -> Any:
    """Make of a class with annotations a frozen one with those fields, and no other."""
    if options.keys() <= {"repr"}:
        has_repr = options.get("repr", True)
        return _made(cls, has_repr=has_repr) if cls else lambda given: _made(given, has_repr=has_repr)
    return _attrs().frozen(cls, **options)


def evolve(value: Any, **changes: Any) -> Any:
    """Give the same with other values for some fields."""
    if not isinstance(value, _Frozen):
        return _attrs().evolve(value, **changes)
    made = object.__new__(type(value))
    for name, set_field in value.__setters__.items():
        set_field(made, changes.pop(name) if name in changes else getattr(value, name))
    _none_left(value, changes)
    return made


def _attrs() -> Any:
    """The real one, under its older name, for which nothing stands in."""
    import attr  # noqa: PLC0415 - the point of this module

    return attr


def _none_left(value: object, left: dict[str, Any]) -> None:
    if left:
        raise TypeError(f"{type(value).__name__} has no field {', '.join(left)}")


def _made(cls: type, *, has_repr: bool) -> Any:
    fields = tuple(cls.__annotations__)
    if _needs_attrs(cls, fields):
        return _made_by_attrs(cls, has_repr=has_repr)
    body = {name: value for name, value in vars(cls).items() if name not in ("__dict__", "__weakref__")}
    body["__default_values__"] = {name: body.pop(name) for name in fields if name in body}
    body |= {"__slots__": fields, "__match_args__": fields, "__qualname__": cls.__qualname__}
    if has_repr:
        body.setdefault("__repr__", _described)
    made = type(cls.__name__, (_Frozen,), body)
    made.__setters__ = {name: vars(made)[name].__set__ for name in fields}  # type: ignore[attr-defined]  # as _Frozen has them
    return made


def _needs_attrs(cls: type, fields: tuple[str, ...]) -> bool:
    """Whether a class has something that only attrs knows: parents, fields that are none, values that are made later, its own steps."""
    body = vars(cls)
    return (
        cls.__bases__ != (object,)
        or any("ClassVar" in str(kind) for kind in cls.__annotations__.values())
        or any(type(body.get(name)).__module__.startswith("attr.") for name in fields)
        or any(type(value).__name__ == "cached_property" for value in body.values())
        or any(name.startswith("__attrs_") for name in body)
    )


def _described(self: Any) -> str:
    told = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__setters__)
    return f"{type(self).__qualname__.rpartition('>.')[2]}({told})"


def _made_by_attrs(cls: Any, *, has_repr: bool) -> Any:
    for name, value in [*vars(cls).items()]:
        if isinstance(value, _Factory):
            setattr(cls, name, _known_to_attrs(value))
    return _attrs().frozen(cls, repr=has_repr)


class _Fields:
    """What attrs asks a class for. It takes the place of this one the first time somebody does."""

    def __get__(self, value: object, cls: Any) -> Any:
        attrs = _attrs()
        fields = {name: _known_to_attrs(cls.__default_values__.get(name, attrs.NOTHING)) for name in cls.__setters__}
        made = attrs.fields(attrs.make_class(cls.__name__, fields, frozen=True))
        for each in made:
            object.__setattr__(each, "type", cls.__annotations__[each.name])  # as attrs itself resolves one
        cls.__attrs_attrs__ = made
        return made


def _known_to_attrs(default: Any) -> Any:
    if isinstance(default, _Factory):
        return _attrs().field(factory=default.make, hash=default.hash)
    return _attrs().field(default=default)


class _Frozen:
    """What such a value can do."""

    __slots__ = ()
    __attrs_attrs__ = _Fields()
    if TYPE_CHECKING:  # who resolves a class's annotations finds those of its fields alone
        __default_values__: ClassVar[dict[str, Any]]
        __setters__: ClassVar[dict[str, Callable[[object, Any], None]]]

    def __init__(self, *given: Any, **named: Any) -> None:
        values = {**dict(zip(self.__setters__, given, strict=False)), **named}
        if len(values) != len(given) + len(named):
            raise TypeError(f"{type(self).__name__} takes each of its {len(self.__setters__)} fields once")
        for name, set_field in self.__setters__.items():
            set_field(self, values.pop(name) if name in values else self._default(name))
        _none_left(self, values)

    def _default(self, name: str) -> Any:
        if name not in self.__default_values__:
            raise TypeError(f"{type(self).__name__} needs {name}")
        default = self.__default_values__[name]
        return default.make() if isinstance(default, _Factory) else default

    def _values(self) -> tuple[Any, ...]:
        return tuple([getattr(self, name) for name in self.__setters__])

    def __eq__(self, other: object) -> bool:
        return self._values() == other._values() if isinstance(other, type(self)) else NotImplemented

    def __hash__(self) -> int:
        defaults = self.__default_values__
        hashed = [name for name in self.__setters__ if getattr(defaults.get(name), "hash", None) is not False]
        return hash((type(self), *[getattr(self, name) for name in hashed]))

    def __reduce__(self) -> tuple[type, tuple[Any, ...]]:
        return type(self), self._values()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        from attrs.exceptions import FrozenInstanceError  # noqa: PLC0415 - the slip of a programmer

        raise FrozenInstanceError

    def __delattr__(self, name: str) -> NoReturn:
        self.__setattr__(name, None)
