"""What one process leaves for the next so that it starts faster: bytecode and regular expressions (`bundle.py`).

The file lies in the user's state directory. `tapehead install` makes it, and the worker when it replaces the hook script of an older version
or sees that our source files have changed, as after an upgrade.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from tapehead.startup import bundle, own_file, patterns

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType


_LIBRARY = (
    *("json", "json.decoder", "json.encoder", "json.scanner"),
    *("collections", "contextlib", "functools", "keyword", "operator", "reprlib", "types"),
    *("re", "re._casefix", "re._compiler", "re._constants", "re._parser", "copyreg", "enum"),
)
"""What hooks load of Python's own modules, and what most of these load."""


def install(state: str) -> None:
    """Take what is there."""
    try:
        bundle.install(state)
    except Exception:  # noqa: BLE001 - whatever is wrong with it, all works without
        return


def files_in(state: str) -> tuple[str, ...]:
    """Name the files below the state directory: of any Python, and what a killed process left of one."""
    try:
        names = os.listdir(state)
    except OSError:
        return ()
    return tuple(os.path.join(state, name) for name in sorted(names) if name.partition(".")[0] == bundle.NAME)


def is_needed(state: str) -> bool:
    """Whether the file is to be made: it is missing, or our source files or Python have changed since."""
    return bundle.is_needed(state)


def main(state: str) -> None:
    """Make the file, in a process of its own: it must not have loaded any of our modules. One process at a time does."""
    descriptor = own_file.claim(own_file.path_in(state, bundle.NAME))
    if descriptor is not None:
        try:
            seen = patterns.listen(_import_all)
            expressions = {name: {key: patterns.make(*key) for key in keys} for name, keys in seen.items()}
            bundle.keep(_find_code(), state, expressions)
        finally:
            os.close(descriptor)


def _modules() -> Iterator[str]:
    import pkgutil  # noqa: PLC0415 - never in a hook

    import tapehead  # noqa: PLC0415 - as above

    yield "tapehead"
    yield from (module.name for module in pkgutil.walk_packages(tapehead.__path__, "tapehead."))


def _import_all() -> None:
    """Load what hooks load, and all else but the commands for people: they load too much that is not ours."""
    import importlib  # noqa: PLC0415 - as above

    for name in _modules():
        if not name.startswith(("tapehead.cli", "tapehead.report", "tapehead.benchmark", "tapehead.diagrams")):
            try:
                importlib.import_module(name)
            except ImportError:
                continue  # what only another system has


def _find_code() -> Iterator[tuple[str, str, os.stat_result, bool, CodeType]]:
    import importlib.util  # noqa: PLC0415 - as above
    from importlib.machinery import SourceFileLoader  # noqa: PLC0415 - as above

    for name in (*_modules(), *filter(sys.modules.__contains__, _LIBRARY)):
        spec = importlib.util.find_spec(name)
        if not spec or not isinstance(spec.loader, SourceFileLoader):
            continue
        before = os.stat(spec.loader.path)
        code = spec.loader.get_code(name)
        after = os.stat(spec.loader.path)
        if code and before.st_mtime_ns == after.st_mtime_ns:  # else an upgrade is under way
            yield name, spec.loader.path, before, spec.submodule_search_locations is not None, code
