import io
import os
import sys

import click
import pytest

from tapehead.cli import output
from tapehead.cli.output import Failure, console, run, show_error, show_json, show_note

ESCAPE = "\x1b"


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return Terminal()


def test_an_error_and_what_to_do(capsys):
    """An error is one line, its hint comes after a blank one, on stderr, and a long line stays whole."""
    show_error("x " * 200 + "[red]", "do it")
    assert capsys.readouterr() == ("", "error: " + "x " * 200 + "[red]\n\nhint: do it\n")
    show_error("alone")
    assert capsys.readouterr().err == "error: alone\n"


def test_a_terminal_has_colours(terminal, monkeypatch):
    """A terminal gets colours, unless NO_COLOR says otherwise; an empty NO_COLOR does not count."""
    show_error("x", "y", terminal)
    assert ESCAPE in terminal.getvalue()
    monkeypatch.setenv("NO_COLOR", "")
    assert console(file=terminal).color_system
    monkeypatch.setenv("NO_COLOR", "1")
    plain = Terminal()
    show_error("x", "y", plain)
    assert plain.getvalue() == "error: x\n\nhint: y\n"


def test_a_pipe_is_plain(capsys, monkeypatch):
    """A pipe gets whole lines without colours, even where something asks for them."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    console().print("[b]" + "word " * 100, style="red")
    assert capsys.readouterr().out == "[b]" + "word " * 100 + "\n"


def test_notes_and_data(capsys):
    """Notes go to stderr, data to stdout."""
    show_note("careful")
    show_json({"ä": [1]})
    assert capsys.readouterr() == ('{\n  "ä": [\n    1\n  ]\n}\n', "note: careful\n")


def commanded(act):
    @click.group()
    def app():
        pass

    @app.command()
    @click.option("--n", type=int)
    def do(n):
        return act()

    return app


def fail(error):
    raise error


@pytest.mark.parametrize(
    ("args", "act", "code", "err"),
    [
        (["do"], lambda: None, 0, ""),
        (["do"], lambda: 3, 3, ""),
        (["do"], lambda: click.get_current_context().exit(4), 4, ""),
        (["do"], lambda: fail(Failure("no", "yes")), 1, "error: no\n\nhint: yes\n"),
        (["do"], lambda: fail(click.Abort()), 130, ""),
        (["do"], lambda: fail(KeyboardInterrupt()), 130, "\n"),
        (["do", "--n", "x"], None, 2, "error: Invalid value for '--n': 'x' is not a valid integer.\n\n"),
        (["do", "--m"], None, 2, "error: No such option '--m'."),
        (["dont"], None, 2, "error: No such command 'dont'."),
        ([], None, 2, "Usage: app"),
    ],
)
def test_every_way_to_end(capsys, args, act, code, err):
    """A command ends with its own code, a failure with 1, wrong usage with 2, an interruption with 130; errors look alike."""
    assert run(commanded(act), args, "app") == code
    said = capsys.readouterr().err
    assert said.startswith(err)
    assert bool(said) == bool(err)


def test_wrong_usage_names_the_help(capsys):
    """Wrong usage is followed by where to look."""
    run(commanded(None), ["do", "--n", "x"], "app")
    assert capsys.readouterr().err.endswith("hint: see `app do --help`\n")
    bare = click.UsageError("bare")
    run(click.Command("app", callback=lambda: fail(bare)), [], "app")
    assert capsys.readouterr().err.startswith("error: bare\n")


def test_nobody_reads(monkeypatch):
    """A reader that leaves early is no traceback."""
    closed = []
    monkeypatch.setattr(output.os, "dup2", lambda *pair: closed.append(pair))
    monkeypatch.setattr(sys.stdout, "fileno", lambda: 1, raising=False)
    assert run(commanded(lambda: fail(BrokenPipeError())), ["do"], "app") == 1
    assert [pair[1] for pair in closed] == [1]
    os.close(closed[0][0])


def test_failure_by_itself(capsys):
    """A failure also prints itself where click runs the command alone."""
    with pytest.raises(SystemExit) as ended:
        commanded(lambda: fail(Failure("no", hint="yes"))).main(["do"])
    assert ended.value.code == 1
    assert capsys.readouterr().err == "error: no\n\nhint: yes\n"


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["statu"], "did you mean `tapehead status`?"),
        (["config", "lst"], "did you mean `tapehead config list`?"),
        (["zzzz"], "see `tapehead --help`"),
        (["status", "--zzzz"], "see `tapehead status --help`"),
        (["resume", "1", "--from"], "see `tapehead resume --help`"),
        (["--zzzz"], "see `tapehead --help`"),
    ],
)
def test_what_was_mistyped_gets_a_hint(words, hint, capsys):
    """The command that is nearest, or where to look."""
    from tapehead.cli.app import app

    assert run(app, words, "tapehead") == 2
    assert capsys.readouterr().err.endswith(f"hint: {hint}\n")
