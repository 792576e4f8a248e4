"""Named tuples without `typing`, beside those that `typing` makes."""

from __future__ import annotations

import pickle
import typing

import pytest

from tapehead.startup.named_tuple import NamedTuple


class Ours(NamedTuple):
    """A pair."""

    left: int
    right: str = "r"

    def both(self) -> str:
        """The two."""
        return f"{self.left}{self.right}"

    @property
    def size(self) -> int:
        """How long."""
        return len(self)


class Theirs(typing.NamedTuple):
    """A pair."""

    left: int
    right: str = "r"

    def both(self) -> str:
        """The two."""
        return f"{self.left}{self.right}"

    @property
    def size(self) -> int:
        """How long."""
        return len(self)


def about(made):
    one = made(1)
    return (
        (tuple(one), one.left, one.right, one.both(), one.size, one._replace(left=2).left, one == (1, "r")),
        (made._fields, made._field_defaults, made.__doc__, made.__module__, made.__match_args__, one.__slots__),
        (isinstance(one, tuple), made.both.__doc__, repr(one).partition("(")[2], one._asdict(), made._make([2, "x"])),
        (hash(one), one < (2,), hasattr(one, "__dict__"), made(right="s", left=4)),
    )


def test_a_class_behaves_as_one_of_typing():
    """Fields, defaults, methods, properties, docstring, module and what it is made of are the same."""
    assert about(Ours) == about(Theirs)


def test_it_is_found_by_its_name_again():
    """A value can be pickled, which looks its class up in the module."""
    assert pickle.loads(pickle.dumps(Ours(3))) == Ours(3)


def test_what_is_no_field_cannot_be_replaced():
    """A slip of the pen is found."""
    with pytest.raises(ValueError, match="middle"):
        Ours(1)._replace(middle=2)


def test_a_field_without_a_default_must_be_given():
    """As with any function."""
    with pytest.raises(TypeError):
        Ours()
