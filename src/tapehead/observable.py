"""A value that others watch: got, set through an updater, and announced only when it has really changed.

The monitor draws from one; whatever else watches something may, too. It knows nothing of what it holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Held = TypeVar("Held")


class Observable(Generic[Held]):
    """One value and its listeners. For one thread."""

    def __init__(self, value: Held) -> None:
        self._value = value
        self._listeners: list[Callable[[Held], None]] = []

    def get(self) -> Held:
        """The value of this moment."""
        return self._value

    def set(self, updater: Callable[[Held], Held]) -> bool:
        """Puts what the updater makes of the value in its place, and tells the listeners; False where it is equal to the old one.

        A listener may set it again: then all hear of the newest value, and none hears of an older one after a newer.
        """
        new = updater(self._value)
        if new == self._value:
            return False
        self._value = new
        for listener in tuple(self._listeners):
            if self._value is not new:
                break
            if listener in self._listeners:  # it may have been dismissed by one before it
                listener(new)
        return True

    def subscribe(self, listener: Callable[[Held], None]) -> Callable[[], None]:
        """Has a listener told of every change from now on; what is returned dismisses it, once or more."""
        heard = _Once(listener)
        self._listeners.append(heard)

        def dismiss() -> None:
            if heard in self._listeners:
                self._listeners.remove(heard)

        return dismiss


class _Once:
    """A listener as it subscribed: the same function twice is two of them."""

    def __init__(self, listener: Callable[..., None]) -> None:
        self._listener = listener

    def __call__(self, value: object) -> None:
        self._listener(value)
