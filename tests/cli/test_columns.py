"""Plain columns, on a terminal and in a pipe."""

from __future__ import annotations

import sys

import pytest
from rich.cells import cell_len

from tapehead.cli import columns
from tapehead.cli.columns import show_columns, show_line

ROWS = [(["3f2a91bc", "ACTIVE", "café 日本語のとても長い質問です"], "green"), (["b8", "ENDED\x1b[2J", "short"], "")]


@pytest.fixture
def terminal(capsys, monkeypatch):  # after capsys has put its stream in place
    """Stdout is a terminal of 30 columns with colours."""
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda _: True, raising=False)
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")


def test_in_a_pipe_nothing_is_cut_or_coloured(capsys):
    """Columns stand below each other by the room that their letters take, and no control character comes through."""
    show_columns(["session", "phase", "last prompt"], ROWS, cut=True)
    head, first, second = capsys.readouterr().out.splitlines()
    assert first.endswith("日本語のとても長い質問です")
    assert head.index("last") == first.index("café") == second.index("short")
    assert "\x1b" not in second


def test_on_a_terminal_the_last_column_is_cut_to_fit(terminal, capsys):
    """With letters of two cells; the colour is ours."""
    show_columns(["id", "last prompt"], [(["3f2a91bc", ROWS[0][0][2] * 2], "green")], cut=True)
    line = capsys.readouterr().out.splitlines()[1]
    assert (line[:5], line[-4:]) == ("\x1b[32m", "\x1b[0m")
    assert cell_len(line[5:-4]) <= 30
    assert line[5:-4].endswith("…")


def test_lines_are_broken_between_words(terminal, capsys):
    """And a word that is too long stands alone."""
    show_line("one two three four five six seven " + "x" * 40)
    assert capsys.readouterr().out.splitlines() == ["one two three four five six", "seven", "x" * 40]


def test_colours_can_be_turned_off(terminal, capsys, monkeypatch):
    """By NO_COLOR, or on a terminal that has none."""
    monkeypatch.setenv("NO_COLOR", "1")
    show_line("plain", "bold")
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    show_line("plain", "bold")
    assert capsys.readouterr().out == "plain\nplain\n"


def test_a_terminal_that_does_not_say_how_wide_it_is(terminal, monkeypatch):
    """Has the usual width."""
    monkeypatch.setenv("COLUMNS", "0")
    assert columns._width() == 80
