"""The light reader of config.toml and tomllib never differ."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tapehead.settings.editing import change_setting
from tapehead.settings.plain_toml import document
from tapehead.settings.setting_list import SETTINGS


def by_tomllib(text):
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return None


_NAMES = st.sampled_from(["a", "b", "baton", "a.b", '"q"', "", "a b", "ü", "1", "-"])
_WRITTEN = r"""true|false|1|0|007|1_000|_1|1__0|+1|1.5|"x"|"a # b"|"a\n"|"a" x|'x'|[1]|{ a = 1 }|inf||"é"|1 # one|"x" # one|""|2026-01-01"""
_VALUES = st.sampled_from([*_WRITTEN.split("|"), '"""x"""', "9" * 30, '"\u00a0"'])
_LINES = st.one_of(
    st.sampled_from(
        ["", "# c", "#\u0001", "\t", "[a]", "[b] # x", "[a.b]", "[[a]]", "[ a ]", "[a", "[a] x", "x", "\r", "= 1"]
    ),
    st.builds("{}={}".format, _NAMES, _VALUES),
    st.builds(" {} = {} ".format, _NAMES, _VALUES),
    st.text(st.sampled_from('ab=[]".#\\ 01_\r\t'), max_size=8),
)


@given(st.lists(_LINES, max_size=6).map("\n".join) | st.text())
@example("a = 1\n[a]")
@example("[a]\n[a]")
@example("[a")
@example('a = "x')
@example("a = 1\na = 2")
@example("a b = 1")
@example('a = x"y"')
@example('a = """x"""')
@example('a = "\\\\"')
@example("a")
def test_it_says_what_tomllib_says_or_nothing(text):
    """For any text: the same document, with the same types, or None; and always None where tomllib refuses."""
    found = document(text)
    if found is not None:
        expected = by_tomllib(text)
        assert found == expected
        assert repr(found) == repr(expected)


@pytest.mark.parametrize("name", SETTINGS)
def test_what_config_set_writes_is_plain(name):
    """Every setting at its default, one after the other in one file."""
    text = ""
    for each, row in SETTINGS.items():
        text = change_setting(text, each, row.default)
        if each == name:
            break
    assert document(text) == tomllib.loads(text)
