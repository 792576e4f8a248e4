"""Whether what a hook loads is compiled: reading source anew in every process triples a hook's time.

Some installers do not compile, and with PYTHONDONTWRITEBYTECODE nobody ever does; `install` does it once, `doctor` looks.
"""

from __future__ import annotations

import compileall
import importlib.util
import os
import subprocess
import sys
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING

import tapehead
from tapehead.engine.store_location import state_home
from tapehead.startup import warm_start

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PACKAGES = ("tapehead", "attr", "attrs")
_ROOT = os.path.dirname(os.path.dirname(os.path.abspath(tapehead.__file__)))
_HEADER = 16
_BY_HASH = 1


def missing(packages: Iterable[str] = PACKAGES) -> tuple[str, ...]:
    """The source files of these packages that have no bytecode that this interpreter would take."""
    return tuple(source for source in _sources(packages) if not _is_compiled(source))


def compile_now(packages: Iterable[str] = PACKAGES) -> tuple[str, ...]:
    """Compile what is missing, and tell what is missing still (where the place cannot be written, all of it)."""
    for source in missing(packages):
        compileall.compile_file(source, force=True, quiet=2)
    keep_for_hooks(state_home(os.environ))
    return missing(packages)


def keep_for_hooks(state: str) -> None:
    """Make the files that let hooks start faster, in a process of its own: it must not have loaded what they hold."""
    program = f"import sys; sys.path.insert(0, {_ROOT!r}); from {warm_start.__name__} import main; main(*sys.argv[1:])"
    command = [sys.executable, "-I", "-c", program, state]
    subprocess.run(command, check=False, capture_output=True)  # noqa: S603 - our own program


def _sources(packages: Iterable[str]) -> Iterator[str]:
    for package in packages:
        spec = PathFinder.find_spec(
            package
        )  # not importlib.util's: it asks the module in memory, and attrs' may be a stand-in
        for root in (spec and spec.submodule_search_locations) or ():
            yield from _python_files(root)


def _python_files(root: str) -> Iterator[str]:
    for directory, below, files in os.walk(root):
        below.sort()
        yield from (os.path.join(directory, name) for name in sorted(files) if name.endswith(".py"))


def _is_compiled(source: str) -> bool:
    """Whether Python's own check at import would pass."""
    try:
        with open(importlib.util.cache_from_source(source), "rb") as file:
            header = file.read(_HEADER)
        now = os.stat(source)
    except OSError:
        return False
    magic, flags, stamp = header[:4], int.from_bytes(header[4:8], "little"), header[8:]
    fresh = (int(now.st_mtime) & 0xFFFFFFFF, now.st_size & 0xFFFFFFFF)
    written = (int.from_bytes(stamp[:4], "little"), int.from_bytes(stamp[4:], "little"))
    return magic == importlib.util.MAGIC_NUMBER and (bool(flags & _BY_HASH) or written == fresh)
