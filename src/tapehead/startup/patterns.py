"""Compiled regular expressions, kept from one process to the next. Compiling those of a brief takes a third of a speaking hook's time.

Every module writes `re.compile(...)` as usual. `install` makes the `re` of a process look into a file first. The file holds what the compiler
makes of each expression: the numbers that it hands to its engine. An expression that is not there is compiled, as ever. An entry is
found by the whole expression and its flags, so none can be out of date. The file lies in the user's state directory, one for each
version of Python. `tapehead install` makes it, and the worker when it replaces the hook script of an older version.
"""

from __future__ import annotations

import marshal
import os
import stat
import sys
from typing import TYPE_CHECKING

from tapehead import system

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    Key = tuple[str | bytes, int]
    """An expression and its flags."""
    Made = tuple[int, bytes, int, dict[str, int], tuple[str | None, ...]]
    """What the engine is given: flags, numbers (packed), groups, and the groups' names both ways."""

_NOT_OURS = ("cli", "report", "benchmark", "diagrams")
"""Packages that no hook loads."""


def file_in(state: str) -> str:
    """Where the file of this Python is, below the state directory."""
    return os.path.join(state, f"patterns.{sys.implementation.cache_tag}") if state else ""


def install(state: str) -> None:
    """Let `re` take what is kept. Without a file of this very Python nothing changes."""
    compiler = _compiler()
    if compiler.compile.__module__ != __name__ and (kept := _kept(file_in(state))):
        compiler.compile = _looking_first(kept, compiler.compile, compiler._sre.compile)  # noqa: SLF001 - no other way in


def main(state: str) -> None:
    """Make the file: load what hooks load, in a process of its own, and keep what was compiled on the way."""
    import importlib  # noqa: PLC0415 - never in a hook
    import pkgutil  # noqa: PLC0415 - as above

    import tapehead  # noqa: PLC0415 - as above

    compiler = _compiler()
    seen: dict[Any, None] = {}
    really = compiler.compile

    def listen(text: Any, flags: int = 0) -> Any:
        seen[text, flags] = None
        return really(text, flags)

    compiler.compile = listen
    for module in pkgutil.walk_packages(tapehead.__path__, "tapehead."):
        if module.name.split(".")[1] not in _NOT_OURS:
            try:
                importlib.import_module(module.name)
            except ImportError:
                continue  # what only another system has
    compiler.compile = really
    keep([key for key in seen if isinstance(key[0], str | bytes)], state)


def keep(expressions: Iterable[Key], state: str) -> None:
    """Write the file. Where that is not possible there is none."""
    made = {(text, flags): _made(text, flags) for text, flags in expressions}
    path = file_in(state)
    scratch = f"{path}.{os.getpid()}"
    try:
        descriptor = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "wb") as file:
            file.write(marshal.dumps((sys.version, made)))
        os.replace(scratch, path)
    except OSError:
        return


def _compiler() -> Any:
    from re import _compiler  # type: ignore[attr-defined]  # noqa: PLC0415 - typeshed leaves it out; only where it is needed

    return _compiler


def _looking_first(kept: dict[Key, Made], really: Callable[..., Any], engine: Callable[..., Any]) -> Callable[..., Any]:
    def compile_pattern(text: Any, flags: int = 0) -> Any:
        made = kept.get((text, flags)) if isinstance(text, str | bytes) else None
        if made is None:
            return really(text, flags)
        try:
            return engine(text, made[0], marshal.loads(made[1]), *made[2:])  # noqa: S302 - our own file, see `_kept`
        except Exception:  # noqa: BLE001 - whatever a damaged file holds, the expression is compiled
            return really(text, flags)

    return compile_pattern


def _made(text: str | bytes, flags: int) -> Made:
    """What the compiler hands to the engine for an expression."""
    compiler = _compiler()
    given: list[Any] = []
    engine = compiler._sre  # noqa: SLF001 - as above

    class Listening:
        def __getattr__(self, name: str) -> Any:
            return getattr(engine, name)

        def compile(self, _text: object, *more: Any) -> None:
            given.append(more)

    compiler._sre = Listening()  # noqa: SLF001 - as above
    try:
        compiler.compile(text, flags)
    finally:
        compiler._sre = engine  # noqa: SLF001 - as above
    final, numbers, groups, by_name, by_number = given[0]
    return int(final), marshal.dumps([*map(int, numbers)]), groups, dict(by_name), by_number


def _kept(path: str) -> dict[Key, Made]:
    """What the file holds. Only a file of the user's own is believed: whoever writes it decides what our expressions find."""
    try:
        descriptor = system.open_at_once(path, os.O_RDONLY, follow=False)
    except OSError:
        return {}
    with open(descriptor, "rb", buffering=0) as file:
        about = os.fstat(descriptor)
        if not stat.S_ISREG(about.st_mode) or about.st_uid != system.user_id():
            return {}
        try:
            python, made = marshal.loads(file.read())  # noqa: S302 - our own file
        except (OSError, ValueError, EOFError, TypeError):
            return {}
    return made if python == sys.version and isinstance(made, dict) else {}
