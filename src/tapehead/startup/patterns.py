"""Compiled regular expressions, kept from one process to the next. Compiling those of a brief takes a third of a speaking hook's time.

Every module writes `re.compile(...)` as usual. `install` makes the `re` of a process look into a file first. The file holds what the compiler
makes of each expression: the numbers that it hands to its engine. An expression that is not there is compiled, as ever. An entry is
found by the whole expression and its flags, so none can be out of date. `warm_start.py` says who makes the file.
"""

from __future__ import annotations

import marshal
import sys
from binascii import crc32
from typing import TYPE_CHECKING

from tapehead.startup import own_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    Key = tuple[str | bytes, int]
    """An expression and its flags."""
    Made = tuple[int, bytes, int, dict[str, int], tuple[str | None, ...]]
    """What the engine is given: flags, numbers (packed), groups, and the groups' names both ways."""

NAME = "patterns"


def install(state: str) -> None:
    """Let `re` take what is kept. Without a file of this very Python nothing changes."""
    compiler = _compiler()
    if compiler.compile.__module__ != __name__ and (kept := _kept(own_file.path_in(state, NAME))):
        compiler.compile = _looking_first(kept, compiler.compile, compiler._sre.compile)  # noqa: SLF001 - no other way in


def listen(work: Callable[[], None]) -> list[Key]:
    """Do some work, and tell what was compiled on the way."""
    compiler = _compiler()
    seen: dict[Any, None] = {}
    really = compiler.compile

    def note(text: Any, flags: int = 0) -> Any:
        seen[text, flags] = None
        return really(text, flags)

    compiler.compile = note
    try:
        work()
    finally:
        compiler.compile = really
    return [key for key in seen if isinstance(key[0], str | bytes)]


def keep(expressions: Iterable[Key], state: str) -> None:
    """Write the file."""
    made = {(text, flags): _made(text, flags) for text, flags in expressions}
    data = marshal.dumps((sys.version, made))
    own_file.write(own_file.path_in(state, NAME), [crc32(data).to_bytes(4, "little"), data])


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
    """What the file holds."""
    try:
        found = own_file.read_own(path)
        if crc32(found[4:]) != int.from_bytes(found[:4], "little"):
            return {}
        python, made = marshal.loads(found[4:])  # noqa: S302 - our own file, and whole
    except (OSError, ValueError, EOFError, TypeError):
        return {}
    return made if python == sys.version and isinstance(made, dict) else {}
