"""The bytecode of modules in one file. Finding a hundred files, one after the other, takes a third of a speaking hook's time.

It holds our modules and those of Python's own that hooks load, each with its regular expressions, compiled (`patterns.py`).

Python looks for a module in a list of directories, lists them, and opens, checks and reads a file. `install` puts a finder before all that, which
knows where in the bundle a module is. A module counts only if its source has the time and size that it had when the bundle was made, which
is what Python itself asks of a `.pyc` file, and if its bytes are whole. Every other module is found as ever.
"""

from __future__ import annotations

import marshal
import os
import sys
from binascii import crc32
from typing import TYPE_CHECKING

from tapehead import system
from tapehead.startup import own_file, patterns

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from importlib.machinery import ModuleSpec
    from types import CodeType, ModuleType
    from typing import Any

    from tapehead.startup.patterns import Key, Made

    Entry = tuple[str, int, int, bool, int, int, int]
    """A module: its source file with time and size, whether it is a package, and its bytecode's start, length and check sum."""

NAME = "bundle"
_HEAD = 20
"""Bytes before the index: how long it is, how long the file is, and the index's check sum."""


class Finder:
    """Finds modules in a bundle, and loads them."""

    has_stale = False
    """Whether a module was asked for whose source has changed since."""

    def __init__(self, descriptor: int, start: int, modules: dict[str, Entry]) -> None:
        self._descriptor = descriptor
        self._start = start
        self._modules = modules

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> ModuleSpec | None:
        """Give the module's place, if its source is still the same."""
        entry = self._modules.get(name)
        if entry is None:
            return None
        found = self._load(entry)
        if found is None:
            self.has_stale = True
            return None
        make: Any = type(sys.__spec__)  # ModuleSpec: importlib.machinery would have to be loaded
        spec: ModuleSpec = make(name, self, origin=entry[0], is_package=entry[3], loader_state=found)
        if spec.submodule_search_locations is not None:
            spec.submodule_search_locations.append(os.path.dirname(entry[0]))
        return spec

    def create_module(self, _spec: ModuleSpec) -> None:
        """Leave it to Python."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's code."""
        spec: Any = module.__spec__
        module.__file__ = spec.origin
        (code, expressions), spec.loader_state = spec.loader_state, None
        if expressions:
            patterns.offer(expressions)
        exec(code, module.__dict__)  # noqa: S102 - what importing a module is

    def _load(self, entry: Entry) -> tuple[CodeType, dict[Key, Made]] | None:
        source, modified, size, _, start, length, checksum = entry
        try:
            now = os.stat(source)
            if (now.st_mtime_ns, now.st_size) != (modified, size):
                return None
            found = system.read_at(self._descriptor, length, self._start + start)
            # The disk may have lost some of it, and a forked process may have closed it.
            return marshal.loads(found) if _check(found) == checksum else None  # noqa: S302 - our own file, and whole
        except (OSError, ValueError, EOFError, TypeError):
            return None


def install(state: str) -> None:
    """Let Python look into the bundle first. Without one of this very Python and this very installation nothing changes.

    A user may have two installations with one state directory: modules of both in one process fit nowhere.
    """
    if find_installed() is None:
        try:
            descriptor = own_file.open_own(own_file.path_in(state, NAME))
        except OSError:
            return
        length, modules = _read_index(descriptor)
        if modules:
            finder: Any = Finder(descriptor, _HEAD + length, modules)
            sys.meta_path.insert(0, finder)
        else:
            os.close(descriptor)


def is_needed(state: str) -> bool:
    """Whether a bundle is to be made: there is none, or it is this installation's with other sources or another Python."""
    if finder := find_installed():
        return finder.has_stale
    try:
        descriptor = own_file.open_own(own_file.path_in(state, NAME))
    except FileNotFoundError:
        return True
    except OSError:
        return False
    try:
        maker = _read_all(descriptor)[1]
    finally:
        os.close(descriptor)
    return not maker or maker[1] == _name_maker()[1]


def find_installed() -> Finder | None:
    """Give the finder of this process, if there is one."""
    return next((one for one in sys.meta_path if isinstance(one, Finder)), None)


def keep(
    found: Iterable[tuple[str, str, os.stat_result, bool, CodeType]],
    state: str,
    expressions: Mapping[str, dict[Key, Made]] | None = None,
) -> None:
    """Write the bundle of modules, each with its name, its source file as it was, whether it is a package, and its code."""
    modules: dict[str, Entry] = {}
    parts: list[bytes] = []
    start = 0
    for name, source, about, is_package, code in found:
        data = marshal.dumps((code, (expressions or {}).get(name)))
        modules[name] = (source, about.st_mtime_ns, about.st_size, is_package, start, len(data), _check(data))
        parts.append(data)
        start += len(data)
    index = marshal.dumps((_name_maker(), modules))
    whole = _HEAD + len(index) + start
    head = b"".join(
        number.to_bytes(size, "little") for number, size in ((len(index), 8), (whole, 8), (crc32(index), 4))
    )
    own_file.write(own_file.path_in(state, NAME), [head, index, *parts])


def _check(data: bytes) -> int:
    """A check sum of every eighth byte: a disk loses blocks. Python's own `.pyc` files have none; one of all bytes took a millisecond."""
    return crc32(data[::8])


def _read_index(descriptor: int) -> tuple[int, dict[str, Entry]]:
    length, maker, modules = _read_all(descriptor)
    return length, modules if maker == _name_maker() else {}


def _read_all(descriptor: int) -> tuple[int, tuple[str, str] | None, dict[str, Entry]]:
    """The length of the index, who made it, and what is in it."""
    try:
        head = system.read_at(descriptor, _HEAD, 0)
        length, whole, checksum = (int.from_bytes(head[a:b], "little") for a, b in ((0, 8), (8, 16), (16, _HEAD)))
        if whole == os.fstat(descriptor).st_size and length <= whole:
            found = system.read_at(descriptor, length, _HEAD)
            if found and crc32(found) == checksum:
                maker, modules = marshal.loads(found)  # noqa: S302 - our own file, and whole
                return length, maker, modules
    except (OSError, ValueError, EOFError, TypeError):
        pass
    return 0, None, {}


def _name_maker() -> tuple[str, str]:
    """The Python and the installation whose modules a bundle has."""
    return sys.version, str(sys.modules["tapehead"].__file__)
