from __future__ import annotations

import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

import cli_page
from tapehead.cli import app

ASK = """
import sys
from tapehead.cli.app import app
for place, name in enumerate(sys.argv[1:]):
    print(end="\\0" if place else "", flush=True)
    app.main([*name.split(), "--help"], prog_name="tapehead", standalone_mode=False)
"""


def headings(text):
    return [line.lstrip("# ") for line in text.splitlines() if line.startswith("#")]


def test_every_command_that_the_help_lists_has_its_section():
    """Each command stands on the page once, under the title that the help lists it under, and its own commands below it."""
    expected = ["The command line", "tapehead"]
    for title, names in app.GROUPS.items():
        expected.append(title)
        for name in names:
            below = sorted(getattr(app.app.get_command(None, name), "commands", ()))
            expected += [f"tapehead {name}", *(f"tapehead {name} {each}" for each in below)]
    assert headings(cli_page.page()) == expected
    assert "tapehead config set" in expected


def test_each_section_is_what_the_command_prints_for_help():
    """The page holds, word for word, what `--help` prints in a pipe."""
    names = [name.removeprefix("tapehead ") for name in headings(cli_page.page()) if name.startswith("tapehead ")]
    env = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    run = subprocess.run([sys.executable, "-c", ASK, *names], env=env, capture_output=True, text=True, check=True)
    text = cli_page.page()
    for name, said in zip(names, run.stdout.split("\0"), strict=True):
        shown = "\n".join(line.rstrip() for line in said.rstrip().splitlines())
        assert f"# tapehead {name}\n\n```text\n{shown}\n```\n" in text


def test_no_line_of_a_help_is_cut():
    """What a command does is said in a sentence that fits its line, in the program's help and in those of its parts."""
    cut = [line for line in cli_page.page().splitlines() if line.endswith("...") and not line.startswith("Usage:")]
    assert [line for line in cut if not line.endswith("[WORDS]...")] == []


def test_every_command_has_an_example():
    """Also those below another."""
    sections = cli_page.page().split("\n```text\n")[1:]
    assert [section.splitlines()[0] for section in sections if "Examples:" not in section] == []


def test_a_command_that_was_run_alone_before_is_shown_as_the_program_has_it(monkeypatch):
    """Running a command outside the program, as other tests do, leaves no trace on the page."""
    expected = cli_page.page()
    assert "-h, --help" in expected
    for names in app.GROUPS.values():
        for name in names:
            command = app.app.get_command(None, name)
            monkeypatch.setattr(command, "_help_option", None)
            CliRunner().invoke(command, ["--help"])
    assert cli_page.page() == expected


@pytest.mark.parametrize("columns", ["40", "80", "200"])
def test_the_page_does_not_depend_on_the_terminal(columns, monkeypatch):
    """Whoever redraws it, in a window of whatever width, gets the same bytes."""
    expected = cli_page.page()
    monkeypatch.setenv("COLUMNS", columns)
    assert cli_page.page() == expected


def test_a_command_that_is_listed_and_not_there_is_refused(monkeypatch):
    """A help that lists a command which does not exist is an error and not a gap on the page."""
    monkeypatch.setattr(cli_page.app, "get_command", lambda *_: None)
    monkeypatch.setattr(type(cli_page.app), "format_commands", lambda *_: None)
    with pytest.raises(LookupError, match="status"):
        cli_page.page()
