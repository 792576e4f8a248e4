"""What a setting may be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.settings import registry
from tapehead.settings.registry import SETTINGS, Setting
from tapehead.settings.values import Wrong, allowed, duration, seconds, value_of, written_of

KINDS = (
    registry.BOOL,
    registry.INT,
    registry.FLOAT,
    registry.DURATION,
    registry.TEXT,
    registry.CHOICE,
    registry.TEXTS,
    registry.DIRECTORY,
)


def of(kind, **more):
    return Setting("x.y", kind, None, "", choices=("whole", "pointer"), **more)


@pytest.mark.parametrize("name", SETTINGS)
def test_every_default_is_a_value_of_its_own_setting(name):
    """The registry is right about itself, and says of each setting what it means and what is allowed."""
    setting = SETTINGS[name]
    assert value_of(setting, setting.default) is not None
    assert setting.meaning
    assert allowed(setting)


def test_no_variable_serves_two_settings():
    """Each has its own."""
    variables = [row.variable for row in SETTINGS.values()]
    assert len(set(variables)) == len(variables)
    assert all(name.startswith("TAPEHEAD_") for name in variables)


@pytest.mark.parametrize(
    ("kind", "written", "value"),
    [
        (registry.BOOL, False, False),
        (registry.INT, 7, 7),
        (registry.FLOAT, 7, 7.0),
        (registry.FLOAT, 0.5, 0.5),
        (registry.DURATION, "1h", 3600.0),
        (registry.DURATION, "1h30m", 5400.0),
        (registry.DURATION, "1h 30min", 5400.0),
        (registry.DURATION, "250ms", 0.25),
        (registry.DURATION, "2d", 172_800.0),
        (registry.DURATION, "90", 90.0),
        (registry.DURATION, 90, 90.0),
        (registry.TEXT, "a b", "a b"),
        (registry.CHOICE, "whole", "whole"),
        (registry.TEXTS, ["a", "b"], ("a", "b")),
        (registry.DIRECTORY, "/home/me", "/home/me"),
        (registry.DIRECTORY, "~/notes", "~/notes"),
        (registry.DIRECTORY, "~", "~"),
        (registry.DIRECTORY, "", ""),
    ],
)
def test_what_is_right(kind, written, value):
    """Each kind takes what it is meant for."""
    found = value_of(of(kind), written)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("kind", "written"),
    [
        (registry.BOOL, 1),
        (registry.BOOL, "true"),
        (registry.INT, True),
        (registry.INT, 1.0),
        (registry.INT, -1),
        (registry.INT, 10**20),
        (registry.FLOAT, float("nan")),
        (registry.FLOAT, float("inf")),
        (registry.FLOAT, "1"),
        (registry.DURATION, "1x"),
        (registry.DURATION, "h"),
        (registry.DURATION, ""),
        (registry.DURATION, "-1h"),
        (registry.DURATION, "1h and more"),
        (registry.DURATION, "1 h 2"),
        (registry.DURATION, "9" * 400 + "d"),
        (registry.DURATION, True),
        (registry.TEXT, 1),
        (registry.CHOICE, "all"),
        (registry.CHOICE, 1),
        (registry.TEXTS, "a"),
        (registry.DIRECTORY, "notes"),
        (registry.DIRECTORY, "./notes"),
        (registry.DIRECTORY, "~somebody/notes"),
        (registry.DIRECTORY, 1),
        (registry.TEXTS, ["a", 1]),
    ],
)
def test_what_is_wrong(kind, written):
    """What a kind is not meant for is refused, and not guessed at."""
    with pytest.raises(Wrong):
        value_of(of(kind), written)


@pytest.mark.parametrize(
    ("kind", "text", "written"),
    [
        (registry.BOOL, "YES", True),
        (registry.BOOL, " off ", False),
        (registry.INT, "2_000", 2000),
        (registry.FLOAT, "0.5", 0.5),
        (registry.DURATION, "30m", "30m"),
        (registry.TEXT, "my command", "my command"),
        (registry.CHOICE, "pointer", "pointer"),
        (registry.TEXTS, "a, b,", ["a", "b"]),
        (registry.TEXTS, '["a b", "c"]', ["a b", "c"]),
        (registry.TEXTS, " ['a, b'] ", ["a, b"]),
        (registry.TEXTS, "[]", []),
    ],
)
def test_text_from_outside_a_file(kind, text, written):
    """Where there are no quotes, a kind is spelt as people spell it."""
    assert written_of(of(kind), text) == written


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (registry.BOOL, "maybe"),
        (registry.INT, "1.5"),
        (registry.INT, "-1"),
        (registry.FLOAT, "x"),
        (registry.CHOICE, ""),
        (registry.TEXTS, "[a, b]"),
        (registry.TEXTS, '["a"'),
        (registry.TEXTS, '["a", 1]'),
        (registry.TEXTS, '["a"]\nsteer = false'),
        (registry.TEXTS, "[" * 5000),
    ],
)
def test_wrong_text_from_outside_a_file(kind, text):
    """It is refused like a wrong value in a file."""
    with pytest.raises(Wrong):
        written_of(of(kind), text)


@pytest.mark.parametrize("kind", KINDS)
@given(
    written=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.datetimes(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=5,
    )
)
def test_nothing_but_wrong_is_ever_raised(kind, written):
    """Whatever a file holds, the answer is a value or Wrong."""
    try:
        value_of(of(kind), written)
    except Wrong:
        return


@pytest.mark.parametrize("kind", KINDS)
@given(text=st.text())
def test_nothing_but_wrong_is_ever_raised_for_text(kind, text):
    """Whatever the environment holds, too."""
    try:
        written_of(of(kind), text)
    except Wrong:
        return


@given(st.integers(0, 10**9) | st.integers(0, 10**6).map(lambda ms: ms / 1000))
def test_a_duration_that_is_written_down_is_read_again(amount):
    """Nothing is lost on the way."""
    assert abs(seconds(duration(float(amount))) - amount) <= amount * 1e-9
