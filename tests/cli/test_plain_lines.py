"""Lines for a terminal or a pipe."""

import sys

from tapehead.cli import plain_lines


def test_a_pipe_gets_the_line_as_it_is(capsys):
    """Without colours, and without loading what makes them."""
    plain_lines.show("a [bold] line", "bold")
    plain_lines.show()
    assert capsys.readouterr().out == "a [bold] line\n\n"


def test_a_terminal_gets_the_style(monkeypatch, capsys):
    """Through the one console that there is for people."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm-256color")
    plain_lines.show("a [bold] line", "bold")
    assert capsys.readouterr().out == "\x1b[1ma [bold] line\x1b[0m\n"
