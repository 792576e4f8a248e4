"""A value that others watch."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tapehead.observable import Observable


@given(st.integers(), st.lists(st.integers(-2, 2)))
def test_listeners_hear_every_change_and_nothing_else(first, steps):
    """What is heard is each new value with the old one, in order; `set` says whether there was one."""
    watched = Observable(first)
    heard = []
    watched.subscribe(lambda new, old: heard.append((new, old)))
    values = [first]
    for step in steps:
        assert watched.set(lambda value, step=step: value + step) is bool(step)
        if step:
            values.append(values[-1] + step)
    assert heard == list(zip(values[1:], values, strict=False))
    assert watched.get() == values[-1]


def test_equal_is_unchanged():
    """Another object that is equal is no news, and the old one stays."""
    one = [1]
    watched = Observable(one)
    watched.subscribe(lambda *_: (_ for _ in ()).throw(AssertionError))
    assert watched.set(lambda _: [1]) is False
    assert watched.get() is one


def test_a_listener_is_registered_once():
    """However often it subscribes; dismissed, it hears no more, and dismissed again, nothing happens."""
    watched, heard = Observable(0), []

    def listen(new, _):
        heard.append(new)

    dismiss = watched.subscribe(listen)
    watched.subscribe(listen)
    watched.set(lambda _: 1)
    assert heard == [1]
    dismiss()
    dismiss()
    watched.set(lambda _: 2)
    assert heard == [1]


def test_a_listener_may_dismiss_another():
    """Which then is not told of the change that is being told."""
    watched, heard = Observable(0), []
    rest = []
    watched.subscribe(lambda *_: rest[0]())
    rest.append(watched.subscribe(lambda new, _: heard.append(new)))
    watched.set(lambda _: 1)
    assert heard == []


def test_a_listener_may_set_it_again():
    """Nobody hears of an older value after a newer one."""
    watched, heard = Observable(0), []
    watched.subscribe(lambda *_: watched.set(lambda _: 5))
    watched.subscribe(lambda new, _: heard.append(new))
    watched.set(lambda _: 1)
    assert heard == [5]
    assert watched.get() == 5
