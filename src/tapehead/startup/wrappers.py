"""What hooks need of `contextlib`, `functools` and `types`, without the time that loading these takes.

`stand_ins.py` gives these names out under their own, to our modules alone. They do what the real ones do with what our modules ask for.
"""

from __future__ import annotations

import _functools  # type: ignore[import-not-found]
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from types import TracebackType
    from typing import Any

MappingProxyType = type(type.__dict__)
_NONE: Any = object()


class suppress:  # noqa: N801 - as contextlib calls it
    """End quietly what raises one of these errors."""

    def __init__(self, *errors: type[BaseException]) -> None:
        self._errors = errors

    def __enter__(self) -> None:
        """There is nothing to do."""

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> bool:
        return kind is not None and issubclass(kind, self._errors)


def contextmanager(function: Callable[..., Generator[Any, None, None]]) -> Callable[..., _Context]:
    """Make of a generator with one `yield` what `with` takes."""

    def made(*given: Any, **named: Any) -> _Context:
        return _Context(function(*given, **named))

    _named_like(made, function)
    return made


class _Context:
    def __init__(self, steps: Generator[Any, None, None]) -> None:
        self._steps = steps

    def __enter__(self) -> Any:
        try:
            return next(self._steps)
        except StopIteration:
            raise RuntimeError("generator didn't yield") from None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        try:
            if error is None:
                next(self._steps)
            else:
                self._steps.throw(error)
        except StopIteration as end:
            return error is not None and end is not error
        except BaseException as raised:
            # A generator may not raise StopIteration: Python wraps it.
            if error is not None and (
                raised is error or (isinstance(error, StopIteration) and raised.__cause__ is error)
            ):
                error.__traceback__ = trace
                return False
            raise
        try:
            raise RuntimeError("generator didn't stop" if error is None else "generator didn't stop after throw()")
        finally:
            self._steps.close()


def lru_cache(maxsize: int | None = 128, *, typed: bool = False) -> Callable[[Callable[..., Any]], Any]:
    """Keep what a function gave lately."""
    return lambda function: _named_like(_functools._lru_cache_wrapper(function, maxsize, typed, tuple), function)  # noqa: SLF001


class cached_property:  # noqa: N801 - as functools calls it
    """A value that is made when it is first asked for, and kept."""

    def __init__(self, make: Callable[[Any], Any]) -> None:
        self._make = make
        self.__doc__ = make.__doc__

    def __set_name__(self, _: type, name: str) -> None:
        self._name = name

    def __get__(self, value: Any, _: type | None = None) -> Any:
        if value is None:
            return self
        kept = value.__dict__
        found = kept.get(self._name, _NONE)
        if found is _NONE:
            found = kept[self._name] = self._make(value)
        return found


def _named_like(made: Any, function: Any) -> Any:
    for name in ("__module__", "__name__", "__qualname__", "__doc__"):
        setattr(made, name, getattr(function, name))
    made.__wrapped__ = function
    return made
