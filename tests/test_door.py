"""The one door: only regular files come through it, and nothing of ours goes around it."""

import ast
import os
from pathlib import Path

import pytest

import tapehead
from tapehead import door

AROUND = {
    "agents/codex/trust.py",  # the agent's own settings, when a user installs
    "agents/gemini/setup.py",
    "agents/settings_file.py",
    "agents/opencode/setup.py",  # files of ours beside the code
    "agents/hook_command.py",
    "agents/skill.py",
    "diagrams/meaning.py",
    "cli/bytecode.py",
    "door.py",
    "system/__init__.py",  # what the door itself is made of
    "system/processes.py",  # /proc
    "engine/amend.py",
    "engine/commit_message.py",  # what git itself just wrote
    "git/hooks_install.py",  # scratch files beside a hook
    "checkpoints/incoming.py",  # and of our own beside others
    "git/loose.py",
    "git/side_copy.py",
    "rewind/file_writer.py",
    "cli/main.py",  # /dev/null
    "cli/output.py",
    "cli/server/stdio.py",
    "cli/demo_stage.py",  # what a user asked for by name
    "cli/commands/mermaid.py",
    "cli/commands/report.py",
    "benchmark/notes_cost.py",
    "history/database.py",  # makes a file that must not be there
    "archive/restoration.py",
    "agents/codex/trim_files.py",
    "startup/own_file.py",  # a file of the user's own, with its owner checked
}
"""Modules that may open files otherwise, and why."""


def opens(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            if called in ("open", "os.open", "io.open") or called.endswith((".read_text", ".read_bytes")):
                yield node.lineno


def test_nobody_goes_around_it():
    """A new `open` is either of a path that nobody else can name, and then listed here, or comes through the door."""
    root = Path(tapehead.__file__).parent
    found = {str(path.relative_to(root)) for path in root.rglob("*.py") if any(opens(path))}
    assert found - AROUND == set()


@pytest.fixture
def odd(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "device").symlink_to("/dev/zero")
    (tmp_path / "file").write_bytes(b"0123456789")
    (tmp_path / "link").symlink_to("file")
    return tmp_path


@pytest.mark.parametrize("flags", [os.O_RDONLY, os.O_RDWR, os.O_WRONLY, os.O_RDWR | os.O_CREAT | os.O_APPEND])
def test_only_regular_files_are_opened(odd, flags):
    """A pipe, a directory and a device are no file, at once; a link is one only where it may be followed."""
    for name in ("pipe", "folder", "device"):
        for follow in (True, False):
            with pytest.raises(door.NotRegular):
                door.open_file(str(odd / name), flags, follow=follow)
    for name in ("link", "dangling"):
        with pytest.raises(door.NotRegular):
            door.open_file(str(odd / name), flags, follow=False)
    os.close(door.open_file(str(odd / "link"), flags))
    assert not (odd / "nowhere").exists()


def test_what_is_no_name_is_an_error_of_the_system(tmp_path):
    """A NUL or half a character in a path raises what a missing file does."""
    for name in ("a\0b", "a\ud800", "x" * 5000):
        with pytest.raises(OSError, match=r"no name of a file|too long"):
            door.read(str(tmp_path / name), 10)


@pytest.mark.parametrize(
    ("start", "most", "found"), [(0, 99, b"0123456789"), (3, 4, b"3456"), (9, 0, b""), (20, 5, b"")]
)
def test_reading_is_bounded(odd, start, most, found):
    """From a byte on, and no more than asked for."""
    assert door.read(str(odd / "file"), most, start=start) == found
