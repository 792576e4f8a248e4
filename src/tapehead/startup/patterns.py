"""Compiled regular expressions, kept from one process to the next. Compiling those of a brief takes a third of a speaking hook's time.

Every module writes `re.compile(...)` as usual. The bundle holds, beside a module's bytecode, what the compiler makes of its expressions: the
numbers that it hands to its engine. `offer` takes them when the module is loaded, and `re` looks there first. An expression that is not
there is compiled, as ever. One is found by the whole expression and its flags, so none can be out of date.

`compile` stands in for that of `re` (`stand_ins.py`), so a hook that finds all of its expressions does not load `re` at all.
"""

from __future__ import annotations

import sys
from _sre import compile as _engine  # type: ignore[import-not-found]  # what `re` itself hands its numbers to
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Key = tuple[str | bytes, int]
    """An expression and its flags."""
    Made = tuple[int, bytes, int, dict[str, int], tuple[str | None, ...]]
    """What the engine is given: flags, numbers (packed), groups, and the groups' names both ways."""

IGNORECASE, MULTILINE, DOTALL, VERBOSE, ASCII = 2, 8, 16, 64, 256
"""The flags of `re`, as numbers."""
_ESCAPED = {letter: f"\\{letter:c}" for letter in b"()[]{}?*+-|^$\\.&~# \t\n\r\v\f"}
_KEPT: dict[Key, Made] = {}


def offer(made: dict[Key, Made]) -> None:
    """Let `re` take these."""
    _KEPT.update(made)
    if "re._compiler" in sys.modules:
        _attach()


def compile(text: Any, flags: int = 0) -> Any:  # noqa: A001 - as `re` calls it
    """Give the expression compiled, from what is kept or by the compiler."""
    found = _find(text, flags)
    if found is None:
        from tapehead.startup import stand_ins  # noqa: PLC0415 - rarely needed

        found = stand_ins.load("re").compile(text, flags)
        _attach()
    return found


def escape(text: Any) -> Any:
    """Put a backslash before what would mean something in an expression."""
    if isinstance(text, str):
        return text.translate(_ESCAPED)
    from tapehead.startup import stand_ins  # noqa: PLC0415 - rarely needed

    return stand_ins.load("re").escape(text)


def listen(work: Callable[[], None]) -> dict[str, set[Key]]:
    """Do some work, and tell what modules compiled on the way."""
    compiler = _compiler()
    seen: dict[str, set[Key]] = {}
    really = compiler.compile

    def note(text: Any, flags: int = 0) -> Any:
        if isinstance(text, str | bytes):
            seen.setdefault(_asking(), set()).add((text, flags))
        return really(text, flags)

    compiler.compile = note
    try:
        work()
    finally:
        compiler.compile = really
    return seen


def make(text: str | bytes, flags: int) -> Made:
    """What the compiler hands to the engine for an expression."""
    compiler = _compiler()
    given: list[Any] = []
    engine = compiler._sre  # noqa: SLF001 - no other way in

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
    return (
        int(final),
        b"".join(int(each).to_bytes(4, sys.byteorder) for each in numbers),
        groups,
        dict(by_name),
        by_number,
    )


def _find(text: Any, flags: int) -> Any:
    made = _KEPT.get((text, flags)) if isinstance(text, str | bytes) else None
    if made is None:
        return None
    try:
        return _engine(text, made[0], memoryview(made[1]).cast("I").tolist(), *made[2:])
    except Exception:  # noqa: BLE001 - whatever is kept there, the expression is compiled
        return None


def _attach() -> None:
    """Where `re` is loaded, its compiler looks first, too."""
    compiler = _compiler()
    really = compiler.compile
    if really.__module__ != __name__:

        def compile_pattern(text: Any, flags: int = 0) -> Any:
            return _find(text, flags) or really(text, flags)

        compiler.compile = compile_pattern


def _compiler() -> Any:
    from re import _compiler  # type: ignore[attr-defined]  # noqa: PLC0415 - typeshed leaves it out; only where it is needed

    return _compiler


def _asking() -> str:
    """The module that asks `re` for an expression."""
    frame: Any = sys._getframe(2)  # noqa: SLF001 - it has no other name
    while frame.f_globals["__name__"].partition(".")[0] == "re":
        frame = frame.f_back
    name: str = frame.f_globals["__name__"]
    return name
