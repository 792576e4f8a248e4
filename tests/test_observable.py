"""A value that others watch."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tapehead.observable import Observable


@given(st.integers(), st.lists(st.integers(-2, 2)))
def test_listeners_hear_every_change_and_nothing_else(first, steps):
    """What is heard is the list of values without repetitions, in order; `set` says whether there was one."""
    watched = Observable(first)
    heard = []
    watched.subscribe(heard.append)
    values = [first]
    for step in steps:
        assert watched.set(lambda value, step=step: value + step) is bool(step)
        if step:
            values.append(values[-1] + step)
    assert heard == values[1:]
    assert watched.get() == values[-1]


def test_equal_is_unchanged():
    """Another object that is equal is no news, and the old one stays."""
    one = [1]
    watched = Observable(one)
    watched.subscribe(lambda _: (_ for _ in ()).throw(AssertionError))
    assert watched.set(lambda _: [1]) is False
    assert watched.get() is one


def test_who_is_dismissed_hears_no_more():
    """Only that one, also where the same function listens twice; dismissed again, nothing happens."""
    watched, heard = Observable(0), []
    dismiss = watched.subscribe(heard.append)
    watched.subscribe(heard.append)
    dismiss()
    dismiss()
    watched.set(lambda _: 1)
    assert heard == [1]


def test_a_listener_may_dismiss_another():
    """Which then is not told of the change that is being told."""
    watched, heard = Observable(0), []
    rest = []
    watched.subscribe(lambda _: rest[0]())
    rest.append(watched.subscribe(heard.append))
    watched.set(lambda _: 1)
    assert heard == []


def test_a_listener_may_set_it_again():
    """Nobody hears of an older value after a newer one."""
    watched, heard = Observable(0), []
    watched.subscribe(lambda _: watched.set(lambda _: 5))
    watched.subscribe(heard.append)
    watched.set(lambda _: 1)
    assert heard == [5]
    assert watched.get() == 5
