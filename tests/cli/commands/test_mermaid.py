"""`tapehead mermaid` as a user calls it."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from tapehead.cli.commands.mermaid import Refusal, follow_session, mermaid, mermaid_command
from tapehead.diagrams import mermaid as drawing
from tapehead.diagrams import rows_page
from tapehead.diagrams.machine import SecondReader
from tapehead.statemachine.table import ROWS
from tapehead.statemachine.vocabulary import Event, Phase

DRAWINGS = [([], drawing.summary), (["--full"], drawing.full), (["--table"], rows_page.table)]


def run(*args, command=mermaid):
    return CliRunner().invoke(command, args)


@pytest.mark.parametrize(("args", "make"), DRAWINGS)
def test_it_prints_the_drawing_and_nothing_else(args, make):
    """Stdout is the drawing, byte for byte, so that it can be written to a file."""
    result = run(*args)
    assert (result.exit_code, result.stdout, result.stderr) == (0, make(), "")


@pytest.mark.parametrize(("args", "make"), DRAWINGS)
def test_check_is_silent_where_the_file_is_the_drawing(args, make, tmp_path):
    """A file that is the drawing passes without a word."""
    (tmp_path / "file").write_text(make(), encoding="utf-8")
    result = run(*args, "--check", str(tmp_path / "file"))
    assert (result.exit_code, result.output) == (0, "")


@pytest.mark.parametrize(("args", "make"), DRAWINGS)
def test_check_shows_the_difference_and_the_command_that_redraws(args, make, tmp_path):
    """A file that differs is exit 1, a diff on stderr, and a hint with the command to run; stdout stays empty."""
    path = tmp_path / "file"
    path.write_text(make().replace("RESTORED", "RESTORD", 1), encoding="utf-8")
    result = run(*args, "--check", str(path))
    assert (result.exit_code, result.stdout) == (1, "")
    assert "RESTORD" in next(line for line in result.stderr.splitlines() if line.startswith("-") and line[1] != "-")
    assert result.stderr.endswith(
        f"error: {str(path)!r} differs from the table\n\n"
        f"hint: `make redraw` in tapehead's own tree, or `{' '.join(['tapehead mermaid', *args])} > {path}`\n"
    )


@pytest.mark.parametrize(
    "change", [lambda text: text[:-1], lambda text: text.replace("\n", "\r\n"), lambda text: text + "\n"]
)
def test_check_is_byte_for_byte(change, tmp_path):
    """A missing last newline, other line ends and one line too many are differences too."""
    (tmp_path / "file").write_bytes(change(drawing.summary()).encode())
    assert run("--check", str(tmp_path / "file")).exit_code == 1


@pytest.mark.parametrize(("content", "reason"), [(None, "No such file or directory"), (b"\xff\xfe", "not text")])
def test_check_says_why_it_cannot_read(content, reason, tmp_path):
    """A file that is missing or no text is an error with its reason, not a traceback."""
    path = tmp_path / "file"
    if content:
        path.write_bytes(content)
    result = run("--check", str(path))
    assert result.exit_code == 1
    assert result.stderr.startswith(f"error: cannot read {str(path)!r}: {reason}\n\nhint: ")


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("full", [False, True])
def test_a_session_is_drawn_where_it_stands(phase, full):
    """The phase that the store tells for the session is the highlighted one."""
    asked = []
    command = mermaid_command(lambda session: asked.append(session) or SecondReader(phase))
    result = run("--session", "abc", *(["--full"] if full else []), command=command)
    assert (result.exit_code, asked) == (0, ["abc"])
    assert result.stdout == (drawing.full if full else drawing.summary)(here=phase)
    assert f"class {phase.name} here" in result.stdout


def test_check_of_a_session_names_the_command_with_the_session(tmp_path):
    """The hint redraws what was compared, the session included."""
    (tmp_path / "file").write_text(drawing.summary(), encoding="utf-8")
    result = run(
        "--session", "abc", "--check", str(tmp_path / "file"), command=mermaid_command(lambda _: SecondReader())
    )
    assert result.exit_code == 1
    assert "`tapehead mermaid --session abc > " in result.stderr


def test_an_unknown_session_is_said():
    """A session that nobody knows is an error with a hint, and nothing is drawn."""
    result = run("--session", "abc")
    assert (result.exit_code, result.stdout) == (1, "")
    assert (
        result.stderr
        == "error: No session recorded here yet\n\nhint: `tapehead install`, then start your agent in this repository\n"
    )


@pytest.mark.parametrize("other", [["--full"], ["--session", "abc"]])
def test_a_table_is_neither_full_nor_of_a_session(other):
    """What cannot be drawn together is refused as wrong usage."""
    result = run("--table", *other)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: Use --table without --full and --session\n\nhint: ")


def test_a_session_of_this_place_is_highlighted(tmp_path, monkeypatch):
    """`--session` asks the store of the working directory."""
    import subprocess
    import time

    from tapehead.engine.engine import Engine
    from tapehead.store.paths import Layout

    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    engine = Engine(Layout(str(tmp_path / ".git" / "tapehead")), time.time_ns)
    line = {"id": "1", "at": "2027-01-15T08:00:00.000000Z", "host": "claude", "event": "turn_start"}
    engine.store.append("one", line)
    monkeypatch.chdir(tmp_path)
    last = next(row for row in ROWS if (row.phase, row.event) == (Phase.IDLE, Event.TURN_START))
    assert run("--session", "one").stdout == drawing.summary(here=Phase.ACTIVE, last=last)


def test_two_readers_that_differ_are_a_defect(tmp_path, monkeypatch):
    """The machine of `transitions` follows the tape by itself; where it stands elsewhere than the fold, that is said."""
    import scenes
    from tapehead.diagrams import machine

    scene = scenes.Scene(tmp_path)
    scene.hear("one", Event.TURN_START)
    monkeypatch.setattr(machine.SecondReader, "read", lambda *_: (Phase.ENDED, ()))
    with pytest.raises(Refusal, match="differ"):
        follow_session(scene.engine, "one")
