"""What hooks have in place of parts of contextlib and functools, beside the real ones."""

from __future__ import annotations

import contextlib
import functools
import types

import pytest

from tapehead.startup import wrappers

TOOLS = [wrappers, contextlib]


def told(tools, fails, swallows=()):
    """What a `with` around an error does, step by step."""
    steps = []

    @tools.contextmanager
    def around(word):
        """Around it."""
        steps.append(f"before {word}")
        try:
            yield word
        except swallows:
            steps.append("swallowed")
        finally:
            steps.append("after")

    try:
        with around("it") as given:
            steps.append(given)
            if fails:
                raise fails
    except Exception as error:  # noqa: BLE001 - whatever it is
        steps.append((type(error), str(error), error is fails))
    return steps, around.__name__, around.__doc__


@pytest.mark.parametrize("fails", [None, ValueError("no"), StopIteration("end"), RuntimeError("r"), KeyError("k")])
@pytest.mark.parametrize("swallows", [(), ValueError, RuntimeError, StopIteration])
def test_a_generator_stands_around_a_block(fails, swallows):
    """It sees the error, may swallow it, and else the error goes on unchanged."""
    assert told(wrappers, fails, swallows) == told(contextlib, fails, swallows)


@pytest.mark.parametrize("tools", TOOLS)
def test_a_generator_has_one_yield(tools):
    """None or two are a slip of the programmer, also after an error; another error takes the first one's place."""

    @tools.contextmanager
    def around(times, other=None):
        for _ in range(times):
            try:
                yield
            except ValueError:
                if other:
                    raise other from None

    for times in (0, 2):
        with pytest.raises(RuntimeError, match="generator didn't"), around(times):
            pass
    with pytest.raises(RuntimeError, match="didn't stop after throw"), around(2):
        raise ValueError
    with pytest.raises(KeyError), around(1, KeyError()):
        raise ValueError


@pytest.mark.parametrize("tools", TOOLS)
def test_named_errors_are_ended_quietly(tools):
    """And those below them, and no other."""
    with tools.suppress(OSError, ValueError):
        raise FileNotFoundError
    with pytest.raises(KeyError), tools.suppress(OSError):
        raise KeyError


@pytest.mark.parametrize("tools", [wrappers, functools])
def test_what_was_made_is_kept(tools):
    """A value for each object, and what a function gave for as many calls as asked."""
    made = []

    class Holder:
        @tools.cached_property
        def value(self):
            """Made once."""
            made.append(self)

    one, other = Holder(), Holder()
    assert (one.value, one.value, other.value, len(made)) == (None, None, None, 2)
    assert Holder.value.__doc__ == "Made once."

    @tools.lru_cache(maxsize=1)
    def double(number):
        """Twice."""
        made.append(number)
        return number * 2

    made.clear()
    assert [double(1), double(1), double(2), double(1)] == [2, 2, 4, 2]
    assert (made, double.__name__, double.__doc__) == ([1, 2, 1], "double", "Twice.")
    assert double.__wrapped__(3) == 6
    double.cache_clear()


def test_a_view_of_a_dict_is_that_of_types():
    """The very class."""
    assert wrappers.MappingProxyType is types.MappingProxyType
