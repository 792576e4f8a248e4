"""Stand-ins for `typing` and `attrs`. Loading the two takes longer than a hook may run.

A module of ours writes `from typing import TYPE_CHECKING, NamedTuple` and `from attrs import evolve, field, frozen`, as usual. In a process
that has loaded neither, these few names come from the small modules beside this one. Any other name loads the real module, which then
takes the stand-in's place. So nothing is missing: it only comes later, and in most hooks never.
"""

import sys
from types import ModuleType

TYPE_CHECKING = False  # here alone: nothing stands in for typing yet
if TYPE_CHECKING:
    from collections.abc import Iterator

_OFFERED = {
    "typing": {"TYPE_CHECKING": __name__, "NamedTuple": "tapehead.startup.named_tuple"},
    "attrs": dict.fromkeys(("evolve", "field", "frozen"), "tapehead.startup.frozen_class"),
}
"""By module: its names that we have ourselves, and where."""


class StandIn(ModuleType):
    """A module that is loaded when somebody asks for more than we have."""

    def __getattr__(self, name: str) -> object:
        """Give a name of the module: ours, or else the real one."""
        if name == "__path__":  # every import asks for it
            raise AttributeError(name)
        ours = _OFFERED[self.__name__].get(name)
        module = _loaded(ours) if ours and _stands_in(self.__name__) else _real(self.__name__)
        return getattr(module, name)


class _Folders(list[str]):
    """Where the parts of a package are, for `import attrs.validators`: known once the real one is loaded."""

    def __iter__(self) -> "Iterator[str]":
        return iter(_real("attrs").__path__)


def install() -> None:
    """Stand in for what is not loaded yet."""
    for name in _OFFERED:
        if name not in sys.modules:
            sys.modules[name] = StandIn(name)
            if name == "attrs":
                sys.modules[name].__path__ = _Folders()


def _stands_in(name: str) -> bool:
    return isinstance(sys.modules.get(name), StandIn)


def _real(name: str) -> ModuleType:
    if _stands_in(name):
        del sys.modules[name]
    return _loaded(name)


def _loaded(name: str) -> ModuleType:
    __import__(name)
    return sys.modules[name]
