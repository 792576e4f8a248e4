"""One setting changed in a file of a user's own."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.settings.editing import CannotEdit, change_setting, remove_setting
from tapehead.settings.setting_values import literal


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '[baton]\nttl = "2h"\n'),
        ("steer = false\n", 'steer = false\n\n[baton]\nttl = "2h"\n'),
        ("steer = false", 'steer = false\n\n[baton]\nttl = "2h"\n'),
        ("[baton]\n# how long\n", '[baton]\n# how long\nttl = "2h"\n'),
        ('[baton]\n  ttl="1h"  # an hour # or so\nx = 1\n', '[baton]\n  ttl="2h"  # an hour # or so\nx = 1\n'),
        ('baton.ttl = "#"#x\n', 'baton.ttl = "2h"#x\n'),
        ('[baton]\r\nttl = "1h"\r\n', '[baton]\r\nttl = "2h"\r\n'),
        ("[baton]\r\n", '[baton]\r\nttl = "2h"\r\n'),
        ('[baton]\nttl = [\n "1h",\n]\n[window]\n', '[baton]\nttl = "2h"\n[window]\n'),
        ('[baton]\nttl = """\n[x]\n"""\n', '[baton]\nttl = "2h"\n'),
        ('baton = { ttl = "1h", x = 1 }', 'baton = { ttl = "2h", x = 1 }'),
        ('[a]\nx = """\n[baton]\n"""', '[a]\nx = """\n[baton]\n"""\n\n[baton]\nttl = "2h"\n'),
        ("x = '''\nbaton.ttl = [\n'''\n", "x = '''\nbaton.ttl = [\n'''\n\n[baton]\nttl = \"2h\"\n"),
    ],
)
def test_only_the_one_line_changes(before, after):
    """Comments, blanks, line ends and other keys stay."""
    assert change_setting(before, "baton.ttl", "2h") == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "steer = false\n"),
        ("# mine\n\n# about it\n[baton]\n", "# mine\n\nsteer = false\n\n# about it\n[baton]\n"),
        ("x = 1\n[baton]\n", "x = 1\nsteer = false\n\n[baton]\n"),
    ],
)
def test_a_key_without_a_table_stands_before_the_tables(before, after):
    """And above the comment that belongs to the first of them."""
    assert change_setting(before, "steer", written=False) == after


@pytest.mark.parametrize(
    "text", ["baton = 1", "[[baton]]\nttl = 1\n", "[baton.ttl]\nx = 1\n", "[baton]\nttl = { x = 1 }"]
)
def test_what_cannot_be_changed_alone_is_refused(text):
    """Rather than to write something that says something else."""
    with pytest.raises(CannotEdit):
        change_setting(text, "baton.ttl", "2h")


def test_what_is_no_toml_is_not_touched():
    """A user corrects it first."""
    with pytest.raises(ValueError, match="line 1"):
        change_setting("= 1", "steer", written=True)


def test_a_setting_is_taken_out():
    """With its line and nothing else; where it is not there, nothing changes."""
    text = '# a\n[baton]\nttl = "1h" # b\n# c\n'
    assert remove_setting(text, "baton.ttl") == "# a\n[baton]\n# c\n"
    assert remove_setting(text, "steer") == text
    assert remove_setting('baton = { ttl = "1h", x = 1 }', "baton.ttl") == "baton = {  x = 1 }"


@given(st.booleans() | st.integers(0, 2**60) | st.floats(0, 1e9) | st.text() | st.lists(st.text()))
def test_what_was_written_is_read_again(written):
    """Every value in TOML, whatever letters it has (but for halves of letters, which no file can hold)."""
    assert tomllib.loads(f"x = {literal(written)}")["x"] == written


_KEYS = st.sampled_from(["a", "ttl", "b.c", '"q r"'])
_VALUES = st.sampled_from(
    ["1", "'x # y'", '"""\n[baton]\nttl = 1\n"""', "[\n1, # one\n2]", "{ ttl = 1 }", "true # yes"]
)
_PARTS = st.sampled_from(["# a comment", "", "[baton]", "[window] # w", "[[many]]", "  "]) | st.builds(
    "{} = {}".format, _KEYS, _VALUES
)


@given(
    st.lists(_PARTS, max_size=8),
    st.sampled_from(["baton.ttl", "steer", "window.error"]),
    st.sampled_from(["\n", "\r\n"]),
)
def test_nothing_else_is_ever_changed(parts, name, end):
    """For any file: it is refused, or it says what it said before and the one new thing, and comments are still there."""
    text = end.join(parts)
    try:
        after = change_setting(text, name, 7)
    except (CannotEdit, ValueError):
        return
    expected, found = tomllib.loads(text.replace("\r\n", "\n")), tomllib.loads(after.replace("\r\n", "\n"))
    inner = found
    for part in name.split(".")[:-1]:
        inner = inner[part]
        expected = expected.get(part, {})
    assert inner.pop(name.rpartition(".")[2]) == 7
    expected.pop(name.rpartition(".")[2], None)
    assert inner == expected
    assert after.count("# a comment") == text.count("# a comment")
