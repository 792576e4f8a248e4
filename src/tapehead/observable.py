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
        self._listeners: dict[Callable[[Held, Held], None], None] = {}
        """Each once, in the order in which they came."""

    def get(self) -> Held:
        """The value of this moment."""
        return self._value

    def set(self, updater: Callable[[Held], Held]) -> bool:
        """Puts what the updater makes of the value in its place, and tells the listeners; False where it is equal to the old one.

        A listener may set it again: then all hear of the newest value, and none hears of an older one after a newer.
        """
        old = self._value
        new = updater(old)
        if new == old:
            return False
        self._value = new
        for listener in tuple(self._listeners):
            if self._value is not new:
                break
            if listener in self._listeners:  # it may have been dismissed by one before it
                listener(new, old)
        return True

    def subscribe(self, listener: Callable[[Held, Held], None]) -> Callable[[], None]:
        """Has a listener told of every change from now on, with the new and the old value; what is returned dismisses it.

        One that is there already is not told twice.
        """
        self._listeners.setdefault(listener)

        def dismiss() -> None:
            self._listeners.pop(listener, None)

        return dismiss
