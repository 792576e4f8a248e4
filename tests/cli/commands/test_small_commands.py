"""`demo`, `completion`, `hook`, and the app that holds them all."""

import os
import re
import subprocess
import sys
import time

import click
import pytest

from tapehead import __version__
from tapehead.cli.app import GROUPS, app
from tapehead.statemachine.vocabulary import Phase

TAPEHEAD = [sys.executable, "-c", "from tapehead.cli.main import main; main()"]


@pytest.fixture(scope="module")
def shown():
    """What the demo prints in a pipe."""
    done = subprocess.run([*TAPEHEAD, "demo"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_demo_shows_what_is_lost_without_tapehead_and_kept_with_it(shown):
    """The comparison follows from what the hook really gave back: rules that the summary lost stand in the brief."""
    rows = [line for line in shown.splitlines() if line.endswith(("lost", "kept"))]
    assert any("Never change the signature" in line and line.split()[-2:] == ["lost", "kept"] for line in rows)
    without, total, with_it = map(int, re.search(r"^ +(\d+) of (\d+) +(\d+) of \2$", shown, re.MULTILINE).groups())
    assert without < with_it <= total == len(rows)
    assert without == sum(line.split()[-2] == "kept" for line in rows)
    assert "│ - “Never change the signature of charge().” (t1)" in shown


def test_the_demo_says_what_it_cost_and_what_to_do_next(shown):
    """Within the limit; and every command that it names is there."""
    cost = int(re.search(r"gave back: ([\d,]+) tokens", shown).group(1).replace(",", ""))
    assert 0 < cost <= 2000
    named = [line.split()[1] for line in shown.splitlines() if line.startswith("    tapehead ")]
    assert "install" in named
    assert set(named) <= {name for names in GROUPS.values() for name in names}


def test_the_demo_passes_through_every_phase(shown):
    """The machine's part of it names each, and the replay agrees."""
    assert {line.split()[0] for line in shown.splitlines() if line.startswith("    ") and line.strip()} >= {
        phase.name for phase in Phase
    }
    assert "verified: replaying them gives the saved state" in shown


def test_the_demo_fits_a_narrow_terminal_and_a_pipe(shown):
    """80 columns, and no colours where nobody asked for them."""
    assert max(map(len, shown.splitlines())) <= 80
    assert "\x1b" not in shown


def test_a_demo_that_misses_a_phase_fails(repository, monkeypatch):
    """It cannot pass for something that did not happen."""
    monkeypatch.setattr("tapehead.cli.commands.demo.SCENES", ())
    result = repository.run("demo")
    assert result.exit_code == 1
    assert "did not reach ACTIVE" in result.stderr


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
    """The help lists the commands by what a user wants to do."""
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
    assert "The working directory no longer exists" in done.stderr


def test_no_home_and_no_repository_is_said(tmp_path, monkeypatch, repository):
    """There is nowhere to keep anything."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "")
    monkeypatch.setattr("tapehead.system.home_of_user", lambda: "")
    result = repository.run("status")
    assert result.exit_code == 1
    assert "no repository and no home" in result.stderr


def test_ages_are_told_in_the_largest_unit():
    """So that a user need not count."""
    from datetime import UTC, datetime, timedelta

    from tapehead.text.wording import ago, count, when

    now = datetime.now(UTC)
    told = {0: "just now", 30: "30 s ago", 120: "2 min ago", 7200: "2 h ago", 200_000: "2 d ago"}
    for seconds, words in told.items():
        assert ago(now - timedelta(seconds=seconds), now) == words
    assert (ago(None, now), when(None)) == ("never", "-")
    assert (count(1, "session"), count(2000, "session")) == ("1 session", "2,000 sessions")
    assert time.strftime("%Y") in when(now)
