"""What a setting may be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.settings import setting_list
from tapehead.settings.setting_list import SETTINGS, Setting
from tapehead.settings.setting_values import Wrong, describe_allowed, duration, seconds, value_of, written_of

KINDS = (
    setting_list.BOOL,
    setting_list.INT,
    setting_list.FLOAT,
    setting_list.DURATION,
    setting_list.TEXT,
    setting_list.CHOICE,
    setting_list.TEXTS,
    setting_list.DIRECTORY,
)


def of(kind, **more):
    return Setting("x.y", kind, None, "", choices=("whole", "pointer"), **more)


@pytest.mark.parametrize("name", SETTINGS)
def test_every_default_is_a_value_of_its_own_setting(name):
    """The registry is right about itself, and says of each setting what it means and what is allowed."""
    setting = SETTINGS[name]
    assert value_of(setting, setting.default) is not None
    assert setting.meaning
    assert describe_allowed(setting)


def test_no_variable_serves_two_settings():
    """Each has its own."""
    variables = [row.variable for row in SETTINGS.values()]
    assert len(set(variables)) == len(variables)
    assert all(name.startswith("TAPEHEAD_") for name in variables)


@pytest.mark.parametrize(
    ("kind", "written", "value"),
    [
        (setting_list.BOOL, False, False),
        (setting_list.INT, 7, 7),
        (setting_list.FLOAT, 7, 7.0),
        (setting_list.FLOAT, 0.5, 0.5),
        (setting_list.DURATION, "1h", 3600.0),
        (setting_list.DURATION, "1h30m", 5400.0),
        (setting_list.DURATION, "1h 30min", 5400.0),
        (setting_list.DURATION, "250ms", 0.25),
        (setting_list.DURATION, "2d", 172_800.0),
        (setting_list.DURATION, "90", 90.0),
        (setting_list.DURATION, 90, 90.0),
        (setting_list.TEXT, "a b", "a b"),
        (setting_list.CHOICE, "whole", "whole"),
        (setting_list.TEXTS, ["a", "b"], ("a", "b")),
        (setting_list.DIRECTORY, "/home/me", "/home/me"),
        (setting_list.DIRECTORY, "~/notes", "~/notes"),
        (setting_list.DIRECTORY, "~", "~"),
        (setting_list.DIRECTORY, "", ""),
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
        (setting_list.BOOL, 1),
        (setting_list.BOOL, "true"),
        (setting_list.INT, True),
        (setting_list.INT, 1.0),
        (setting_list.INT, -1),
        (setting_list.INT, 10**20),
        (setting_list.FLOAT, float("nan")),
        (setting_list.FLOAT, float("inf")),
        (setting_list.FLOAT, "1"),
        (setting_list.DURATION, "1x"),
        (setting_list.DURATION, "h"),
        (setting_list.DURATION, ""),
        (setting_list.DURATION, "-1h"),
        (setting_list.DURATION, "1h and more"),
        (setting_list.DURATION, "1 h 2"),
        (setting_list.DURATION, "9" * 400 + "d"),
        (setting_list.DURATION, True),
        (setting_list.TEXT, 1),
        (setting_list.CHOICE, "all"),
        (setting_list.CHOICE, 1),
        (setting_list.TEXTS, "a"),
        (setting_list.DIRECTORY, "notes"),
        (setting_list.DIRECTORY, "./notes"),
        (setting_list.DIRECTORY, "~somebody/notes"),
        (setting_list.DIRECTORY, 1),
        (setting_list.TEXTS, ["a", 1]),
    ],
)
def test_what_is_wrong(kind, written):
    """What a kind is not meant for is refused, and not guessed at."""
    with pytest.raises(Wrong):
        value_of(of(kind), written)


@pytest.mark.parametrize(
    ("kind", "text", "written"),
    [
        (setting_list.BOOL, "YES", True),
        (setting_list.BOOL, " off ", False),
        (setting_list.INT, "2_000", 2000),
        (setting_list.FLOAT, "0.5", 0.5),
        (setting_list.DURATION, "30m", "30m"),
        (setting_list.TEXT, "my command", "my command"),
        (setting_list.CHOICE, "pointer", "pointer"),
        (setting_list.TEXTS, "a, b,", ["a", "b"]),
        (setting_list.TEXTS, '["a b", "c"]', ["a b", "c"]),
        (setting_list.TEXTS, " ['a, b'] ", ["a, b"]),
        (setting_list.TEXTS, "[]", []),
    ],
)
def test_text_from_outside_a_file(kind, text, written):
    """Where there are no quotes, a kind is spelt as people spell it."""
    assert written_of(of(kind), text) == written


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (setting_list.BOOL, "maybe"),
        (setting_list.INT, "1.5"),
        (setting_list.INT, "-1"),
        (setting_list.FLOAT, "x"),
        (setting_list.CHOICE, ""),
        (setting_list.TEXTS, "[a, b]"),
        (setting_list.TEXTS, '["a"'),
        (setting_list.TEXTS, '["a", 1]'),
        (setting_list.TEXTS, '["a"]\nsteer = false'),
        (setting_list.TEXTS, "[" * 5000),
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
