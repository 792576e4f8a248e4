"""Frozen values without attrs, beside those that attrs makes."""

from __future__ import annotations

import copy
import functools
import pickle
import subprocess
import sys

import attrs
import pytest

from tapehead.startup.frozen_class import evolve, field, frozen
from tapehead.store import state

CLASSES = (state.State, state.PromptAttribution, state.TokenUsage, state.Failure)


@frozen(repr=False)
class Ours:
    """A pair, and what belongs to it."""

    left: int
    right: str = "r"
    more: dict[str, int] = field(factory=dict)

    def both(self) -> str:
        """The two."""
        return f"{self.left}{self.right}"


@attrs.frozen(repr=False)
class Theirs:
    """A pair, and what belongs to it."""

    left: int
    right: str = "r"
    more: dict[str, int] = attrs.field(factory=dict)

    def both(self) -> str:
        """The two."""
        return f"{self.left}{self.right}"


def about(made):
    one = made(1)
    return (
        (one.left, one.right, one.more, one.both(), made(1, "s").right, made(left=2, more={"a": 1}).more),
        (one == made(1), one != made(2), one == (1, "r", {}), one.more is made(1).more, hasattr(one, "__dict__")),
        (made.__doc__, made.__module__, made.both.__doc__, made.__match_args__, hasattr(made, "right")),
        (attrs.has(made), attrs.asdict(one), attrs.evolve(one, right="x").right, copy.deepcopy(one) == one),
    )


def test_a_class_behaves_as_one_of_attrs():
    """Fields, defaults, methods, docstring, equality and what attrs itself does with a value are the same."""
    assert about(Ours) == about(Theirs)


def test_attrs_knows_the_same_fields():
    """What attrs is told of a class that it did not make is what it knows of one that it did."""
    assert list(attrs.fields(Ours)) == list(attrs.fields(Theirs))
    assert attrs.fields(Ours).right.default == "r"


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_the_classes_of_a_state_have_the_fields_of_their_body(cls):
    """In its order: made by attrs here, and by us in a hook."""
    body = {name: value.default for name, value in attrs.fields_dict(cls).items() if value.default is not attrs.NOTHING}
    factories = {name: field(factory=one.factory) for name, one in body.items() if isinstance(one, attrs.Factory)}
    ours = frozen(repr=False)(type(cls.__name__, (), {**body, **factories, "__annotations__": cls.__annotations__}))
    assert (
        [each.name for each in attrs.fields(cls)] == [each.name for each in attrs.fields(ours)] == list(ours.__slots__)
    )
    assert attrs.asdict(ours("s")) == attrs.asdict(cls("s"))


def test_a_value_is_evolved_into_another():
    """The one that it came from stays as it is, and attrs would have made the same."""
    one = Ours(1, "s", {"a": 1})
    assert evolve(one, left=2) == attrs.evolve(one, left=2) == Ours(2, "s", {"a": 1})
    assert one == Ours(1, "s", {"a": 1})


@pytest.mark.parametrize("cls", [Ours, Theirs])
def test_a_value_cannot_be_changed(cls):
    """Neither by setting a field nor by removing one; the error is the one of attrs."""
    one = cls(1)
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        one.left = 2
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        del one.left
    assert one.left == 1


@pytest.mark.parametrize("cls", [Ours, Theirs])
@pytest.mark.parametrize(
    ("given", "named"),
    [((), {}), ((1, "r", {}, 4), {}), ((1,), {"left": 1}), ((1,), {"middle": 2}), ((), {"right": "r"})],
)
def test_a_slip_of_the_pen_is_found(cls, given, named):
    """A field too many, too few, twice, or none of ours: as with any function."""
    with pytest.raises(TypeError):
        cls(*given, **named)


def test_what_is_no_field_cannot_be_evolved():
    """Here too."""
    with pytest.raises(TypeError, match="middle"):
        evolve(Ours(1), middle=2)


def test_equal_values_have_one_hash():
    """So that they can be members of a set, where their fields can."""
    assert len({state.TokenUsage(1), state.TokenUsage(1), state.TokenUsage(2)}) == 2
    newer = state.TokenUsage(1, unknown={"x": 1})
    assert newer != state.TokenUsage(1)
    assert len({newer, state.TokenUsage(1, unknown={"x": 1}), state.TokenUsage(1)}) == 2
    with pytest.raises(TypeError):
        hash(Ours(1))


def test_a_value_of_another_class_is_another():
    """Even where all fields are equal."""
    assert Ours(1) != Theirs(1)
    assert hash(state.TokenUsage()) != hash((0, 0, 0, 0))


def test_it_is_found_by_its_name_again():
    """A value can be pickled, which looks its class up in the module."""
    assert pickle.loads(pickle.dumps(Ours(3))) == Ours(3)


def test_a_repr_is_the_one_of_attrs():
    """Where one is wanted."""

    @frozen
    class Told:
        left: int
        more: dict[str, int] = field(factory=dict)

    @attrs.frozen
    class Theirs:
        left: int
        more: dict[str, int] = attrs.field(factory=dict)

    assert repr(Told(1)) == repr(Theirs(1)).replace("Theirs", "Told") == "Told(left=1, more={})"


class Parent:
    """What our own classes do not have."""


NEEDY = {
    "a parent": lambda: type("Needy", (Parent,), {"__annotations__": {"left": "int"}}),
    "what is no field": lambda: type(
        "Needy", (), {"__annotations__": {"left": "int", "all": "ClassVar[int]"}, "all": 1}
    ),
    "a value made later": lambda: type(
        "Needy", (), {"__annotations__": {"left": "int"}, "later": functools.cached_property(len)}
    ),
    "steps of its own": lambda: type(
        "Needy", (), {"__annotations__": {"left": "int"}, "__attrs_post_init__": lambda self: None}
    ),
    "a field of attrs": lambda: type(
        "Needy", (), {"__annotations__": {"left": "int"}, "left": attrs.field(converter=int)}
    ),
}


@pytest.mark.parametrize("why", NEEDY)
def test_what_ours_do_not_have_is_left_to_attrs(why):
    """Nobody is given a class that lacks what they asked for."""
    made = frozen(NEEDY[why]())
    assert [each.name for each in attrs.fields(made)] == ["left"]
    assert "__setters__" not in dir(made)


def test_the_state_is_there_without_attrs():
    """And can be made, evolved, read and written; attrs comes when somebody asks it for the fields."""
    program = """
import sys
from tapehead.store import codec_light
from attrs import evolve
from tapehead.store.state import State
made = codec_light.structure(codec_light.unstructure(evolve(State("s"), turn_number=3)))
assert made.turn_number == 3 and not {"attr", "_typing", "inspect"} & {*sys.modules}
import attrs
assert attrs.fields(State)[0].name == "session_id"
"""
    subprocess.run([sys.executable, "-I", "-c", program], check=True)
