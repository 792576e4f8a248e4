"""Stand-ins for `typing`, `attrs`, and in hooks for some more. Loading these takes longer than a hook may run.

A module of ours writes `from typing import TYPE_CHECKING, NamedTuple` and `from attrs import evolve, field, frozen`, as usual. In a process
that has loaded neither, these few names come from the small modules beside this one. Any other name loads the real module, which then
takes the stand-in's place. So nothing is missing: it only comes later, and in most hooks never.

A hook has stand-ins for some of Python's own modules too. `re` takes two thirds of the time in which a bare Python starts, mostly for the
enumeration of its flags, and a hook that finds its expressions compiled needs none of it.
"""

import sys

TYPE_CHECKING = False  # here alone: nothing stands in for typing yet
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType
else:
    ModuleType = type(sys)  # `types` would have to be loaded

_WRAPPERS, _PLAIN_ENUM, _PATTERNS = (
    "tapehead.startup.wrappers",
    "tapehead.startup.plain_enum",
    "tapehead.startup.patterns",
)
_OFFERED = {
    "typing": {"TYPE_CHECKING": __name__, "NamedTuple": "tapehead.startup.named_tuple"},
    "attrs": dict.fromkeys(("evolve", "field", "frozen"), "tapehead.startup.frozen_class"),
}
_OFFERED_TO_HOOKS = {
    "re": dict.fromkeys(("compile", "escape", "ASCII", "DOTALL", "IGNORECASE", "MULTILINE", "VERBOSE"), _PATTERNS),
    "enum": dict.fromkeys(("Enum", "IntEnum"), _PLAIN_ENUM),
    "contextlib": dict.fromkeys(("contextmanager", "suppress"), _WRAPPERS),
    "functools": {
        **dict.fromkeys(("partial", "reduce"), "_functools"),
        **dict.fromkeys(("cached_property", "lru_cache"), _WRAPPERS),
    },
    "collections": {"deque": "_collections"},
    "datetime": dict.fromkeys(("UTC", "datetime", "timedelta", "timezone"), "_datetime"),
    "types": {"MappingProxyType": _WRAPPERS},
    "bisect": dict.fromkeys(("bisect_left", "bisect_right", "insort"), "_bisect"),
}
"""By module: its names that we have ourselves, and where."""
_ALL = {**_OFFERED, **_OFFERED_TO_HOOKS}
_ONLY_OURS = (_WRAPPERS, _PLAIN_ENUM)
"""Where names come from that do what our modules ask for, and no more: others get the real ones."""


class StandIn(ModuleType):
    """A module that is loaded when somebody asks for more than we have."""

    def __getattr__(self, name: str) -> object:
        """Give a name of the module: ours, or else the real one."""
        if name == "__path__":  # every import asks for it
            raise AttributeError(name)
        ours = _ALL[self.__name__].get(name)
        if not ours or not _stands_in(self.__name__):
            return getattr(load(self.__name__), name)
        if ours in _ONLY_OURS:
            if not _is_ours(sys._getframe(1).f_globals):  # noqa: SLF001 - it has no other name
                return getattr(load(self.__name__), name)
            return getattr(_loaded(ours), name)
        found = self.__dict__[name] = getattr(_loaded(ours), name)  # asked for often
        return found


class _Folders(list[str]):
    """Where the parts of a package are, for `import attrs.validators`: known once the real one is loaded."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __iter__(self) -> "Iterator[str]":
        return iter(load(self._name).__path__)


def install() -> None:
    """Stand in for what is not loaded yet."""
    _install(_OFFERED)


def install_for_hooks() -> None:
    """Stand in for what only hooks do without."""
    _install(_OFFERED_TO_HOOKS)
    if _stands_in("collections"):
        abc = sys.modules["collections.abc"] = _loaded("_collections_abc")  # as `collections` does itself
        vars(sys.modules["collections"])["abc"] = abc


def _install(offered: dict[str, dict[str, str]]) -> None:
    for name in offered:
        if name not in sys.modules:
            sys.modules[name] = StandIn(name)
            if name in ("attrs", "re", "collections"):
                sys.modules[name].__path__ = _Folders(name)


def load(name: str) -> "ModuleType":
    """The real module. Who holds its stand-in finds all in there as well."""
    if not _stands_in(name):
        return _loaded(name)
    stand_in = sys.modules.pop(name, None)  # another thread may be at it
    real = _loaded(name)
    if stand_in:
        stand_in.__dict__.update({**stand_in.__dict__, **real.__dict__})
        real.__dict__.update(stand_in.__dict__)  # parts of the package that were loaded before
    return real


def _stands_in(name: str) -> bool:
    return isinstance(sys.modules.get(name), StandIn)


def _is_ours(module: dict[str, object]) -> bool:
    return str(module.get("__name__")).startswith("tapehead.")


def _loaded(name: str) -> "ModuleType":
    __import__(name)
    return sys.modules[name]
