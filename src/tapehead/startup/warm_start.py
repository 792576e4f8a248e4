"""What one process leaves for the next so that it starts faster: bytecode (`bundle.py`) and regular expressions (`patterns.py`).

Both files lie in the user's state directory. `tapehead install` makes them, and the worker when it replaces the hook script of an older version
or sees that our source files have changed, as after an upgrade.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.startup import bundle, own_file, patterns

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType


def install(state: str) -> None:
    """Take what is there."""
    try:
        bundle.install(state)
        patterns.install(state)
    except Exception:  # noqa: BLE001 - whatever is wrong with them, all works without
        return


def files_in(state: str) -> tuple[str, ...]:
    """Name the files, below the state directory."""
    return tuple(own_file.path_in(state, name) for name in (bundle.NAME, patterns.NAME))


def is_stale() -> bool:
    """Whether this process met a module that has changed since its bytecode was kept."""
    finder = bundle.find_installed()
    return finder is not None and finder.has_stale


def main(state: str) -> None:
    """Make the files, in a process of its own: it must not have loaded any of our modules."""
    patterns.keep(patterns.listen(_import_all), state)
    bundle.keep(_find_code(), state)


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


def _find_code() -> Iterator[tuple[str, str, bool, CodeType]]:
    import importlib.util  # noqa: PLC0415 - as above
    from importlib.machinery import SourceFileLoader  # noqa: PLC0415 - as above

    for name in _modules():
        spec = importlib.util.find_spec(name)
        if spec and isinstance(spec.loader, SourceFileLoader) and (code := spec.loader.get_code(name)):
            yield name, spec.loader.path, spec.submodule_search_locations is not None, code
