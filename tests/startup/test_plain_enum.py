"""Enumerations without `enum`, beside those that it makes."""

from __future__ import annotations

import copy
import enum
import pickle
from enum import Enum as RealEnum
from enum import IntEnum as RealIntEnum

import pytest

from tapehead.startup.plain_enum import Enum, IntEnum


class Ours(Enum):
    """Two words."""

    LEFT = "left"
    """The one."""
    RIGHT = "right"

    @property
    def is_left(self):
        return self is type(self).LEFT


class OursInt(IntEnum):
    """Two numbers, one of them by two names."""

    LOW = 1
    HIGH = 2
    TOP = 2


class Theirs:
    """The same made by enum, under the same names."""

    class Ours(RealEnum):
        """Two words."""

        LEFT = "left"
        RIGHT = "right"

        @property
        def is_left(self):
            return self is type(self).LEFT

    class OursInt(RealIntEnum):
        """Two numbers, one of them by two names."""

        LOW = 1
        HIGH = 2
        TOP = 2


def about(words, numbers):
    left = words.LEFT
    return (
        ([one.name for one in words], [one.value for one in words], len(words), [*words.__members__], words.__doc__),
        (words("left") is left, words["LEFT"] is left, words(left) is left, left in words, repr(left), str(left)),
        (left == "left", left != words.RIGHT, left.is_left, words.RIGHT.is_left, bool(left), isinstance(left, words)),
        (
            copy.copy(left) is left,
            copy.deepcopy([left])[0] is left,
            {left: 1}[words("left")],
            left._name_,
            left._value_,
        ),
        ([*numbers], len(numbers), numbers.TOP is numbers.HIGH, [*numbers.__members__], numbers(2) is numbers.HIGH),
        (
            numbers.LOW < numbers.HIGH,
            numbers.LOW + 1,
            f"{numbers.HIGH}",
            str(numbers.LOW),
            repr(numbers.LOW),
            min(numbers) is numbers.LOW,
        ),
    )


def test_a_class_behaves_as_one_of_enum():
    """Names, values, order, looks, and what is done with numbers are the same."""
    assert about(Ours, OursInt) == about(Theirs.Ours, Theirs.OursInt)
    assert pickle.loads(pickle.dumps(Ours.RIGHT)) is Ours.RIGHT


@pytest.mark.parametrize("words", [Ours, Theirs.Ours])
def test_what_is_no_word_is_refused(words):
    """By value and by name; nor can a word be another one later."""
    for value in ("up", None, [], "LEFT"):
        with pytest.raises(ValueError, match="is not a valid"):
            words(value)
    with pytest.raises(KeyError):
        words["left"]
    with pytest.raises(AttributeError):
        words.LEFT = "other"
    with pytest.raises(AttributeError):
        words.UP  # noqa: B018 - the question is what it does


def test_what_ours_do_not_have_is_left_to_enum():
    """Other values than words and numbers, and other parents."""

    class Odd(Enum):
        FIRST = enum.auto()
        PAIR = (1, 2)

    class Worded(str, Enum):  # noqa: SLOT000 - as it may be written
        ONE = "one"

    assert isinstance(Odd.FIRST, RealEnum)
    assert (Odd.FIRST.value, Odd.PAIR.value) == (1, (1, 2))
    assert isinstance(Worded.ONE, RealEnum)
    assert Worded.ONE == "one"
