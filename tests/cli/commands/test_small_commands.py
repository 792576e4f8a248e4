"""`demo`, `completion`, `hook`, and the app that holds them all."""

import os
import subprocess
import sys
import time

import click
import pytest

from tapehead import __version__
from tapehead.cli.app import GROUPS, app
from tapehead.statemachine.vocabulary import Phase

TAPEHEAD = [sys.executable, "-c", "from tapehead.cli.main import main; main()"]


def test_the_demo_names_every_phase_as_it_passes_through(repository):
    """In a pipe it is plain text, and the story that is handed back is in it."""
    result = repository.run("demo")
    assert result.exit_code == 0, result.output
    assert {line.split()[0] for line in result.stdout.splitlines() if line[:1].isupper()} >= {p.name for p in Phase}
    assert "\x1b" not in result.stdout
    assert "Never change its signature." in result.stdout
    assert "folded again from nothing: they give the saved state" in result.stdout


def test_a_demo_that_misses_a_phase_fails(repository, monkeypatch):
    """It cannot pass for something that did not happen."""
    monkeypatch.setattr("tapehead.cli.commands.demo.SCENES", ())
    result = repository.run("demo")
    assert result.exit_code == 1
    assert "did not pass through" in result.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script_for_each_shell(repository, shell):
    """With our name in it."""
    result = repository.run("completion", shell)
    assert result.exit_code == 0
    assert "_TAPEHEAD_COMPLETE" in result.stdout


def test_bash_completes_our_commands():
    """What the script calls gives the commands that begin like that."""
    env = {**os.environ, "_TAPEHEAD_COMPLETE": "bash_complete", "COMP_WORDS": "tapehead sta", "COMP_CWORD": "1"}
    done = subprocess.run([*TAPEHEAD], env=env, capture_output=True, text=True, check=False)
    assert "status" in done.stdout


def test_every_command_has_help_with_an_example():
    """A tool that explains itself."""
    context = click.Context(app)
    for names in GROUPS.values():
        for name in names:
            command = app.get_command(context, name)
            assert command is not None, name
            assert command.name == name
            assert command.get_short_help_str()


def test_the_version_is_the_package_s(repository):
    """--version."""
    assert repository.run("--version").stdout == f"tapehead, version {__version__}\n"


def test_an_unknown_command_is_an_error_with_a_hint():
    """Exit 2, on stderr, in our own form."""
    done = subprocess.run([*TAPEHEAD, "remeber"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: ")
    assert "hint: " in done.stderr


def test_without_words_it_shows_the_groups():
    """The help lists the commands by what a person wants to do."""
    done = subprocess.run(TAPEHEAD, capture_output=True, text=True, check=False)
    for title in GROUPS:
        assert f"{title}:" in done.stdout + done.stderr


def test_the_hook_has_a_help_and_refuses_agents_that_nobody_knows():
    """`tapehead hook --help` is for people; a wrong agent given by hand is an error, but never through the hook's own door."""
    helped = subprocess.run([*TAPEHEAD, "hook", "--help"], capture_output=True, text=True, check=False)
    assert "tapehead hook claude" in helped.stdout
    unknown = subprocess.run([*TAPEHEAD, "hook", "nobody"], input="{}", capture_output=True, text=True, check=False)
    assert (unknown.returncode, unknown.stdout) == (0, "")


def test_a_working_directory_that_is_gone_is_said(tmp_path):
    """A command started from a directory that was removed."""
    script = f"import os; os.mkdir({str(tmp_path / 'd')!r}); os.chdir({str(tmp_path / 'd')!r}); os.rmdir({str(tmp_path / 'd')!r})"
    code = f"{script}; import sys; sys.argv = ['tapehead', 'status']; from tapehead.cli.main import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "the working directory is gone" in done.stderr


def test_no_home_and_no_repository_is_said(tmp_path, monkeypatch, repository):
    """There is nowhere to keep anything."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "")
    monkeypatch.setattr("tapehead.cli.places._home_of_user", lambda: "")
    result = repository.run("status")
    assert result.exit_code == 1
    assert "no repository and no home" in result.stderr


def test_ages_are_told_in_the_largest_unit():
    """So that a person need not count."""
    from datetime import UTC, datetime, timedelta

    from tapehead.cli.telling import ago, count, when

    now = datetime.now(UTC)
    told = {0: "just now", 30: "30 s ago", 120: "2 min ago", 7200: "2 h ago", 200_000: "2 d ago"}
    for seconds, words in told.items():
        assert ago(now - timedelta(seconds=seconds), now) == words
    assert (ago(None, now), when(None)) == ("never", "-")
    assert (count(1, "session"), count(2000, "session")) == ("1 session", "2,000 sessions")
    assert time.strftime("%Y") in when(now)
