"""docs/seeds.md: every test and every command that it names is there."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from tapehead.cli.app import app

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "seeds.md").read_text(encoding="utf-8")
ROWS = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith(("| ---", "| promise |"))]
NAMED = sorted({name for row in ROWS for name in re.findall(r"`([^`]+)`", row.rsplit(" | ", 1)[1])})


@pytest.mark.parametrize("name", NAMED)
def test_what_is_named_is_there(name):
    """A file with the test in it, or a command with its options."""
    found = is_command(name.split()[1:]) if name.startswith("tapehead ") else is_test(name)
    assert found, name


def test_every_promise_names_something():
    """No row without a test or a command; a row that is met otherwise too."""
    assert len(ROWS) > 150
    assert [row for row in ROWS if not re.search(r"`(?:tests/|tapehead )[^`]*`[^`|]*\|$", row)] == []
    assert len(ROWS) == len(set(ROWS))


def is_test(name):
    path, _, function = name.partition("::")
    file = ROOT / path
    return file.is_file() and (not function or f"def {function}(" in file.read_text(encoding="utf-8"))


def is_command(words):
    command = app.get_command(click.Context(app), words[0])
    if isinstance(command, click.Group) and len(words) > 1 and words[1] in command.commands:
        command = command.commands[words[1]]
    options = {word for parameter in command.params for word in parameter.opts} if command else set()
    return command is not None and all(word in options for word in words if word.startswith("--"))
