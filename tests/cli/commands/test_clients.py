"""Install and doctor beside clients of any version: no file gets an event that one of them would reject it for."""

import json
import os

import pytest

from tapehead.agents import clients
from tapehead.agents.claude.compatibility import COMPATIBILITY
from tapehead.agents.claude.settings import EVENTS, hooks_of_ours, with_hooks
from tapehead.agents.clients import InstalledClient
from tapehead.agents.setups import setup_of
from tapehead.cli.checks import agents as other_agents
from tapehead.cli.checks import clients as module

SAFE = set(COMPATIBILITY.events_of(EVENTS, COMPATIBILITY.assumed))
NEWER = {"Notification", "PermissionRequest", "PostCompact", "StopFailure"}
"""Events that a client of unknown version may reject the whole file for."""
THEIRS = '{\n\t"model": "opus"\n}'


@pytest.fixture
def user(repository, tmp_path, monkeypatch):
    program = tmp_path / "bin" / "tapehead"
    program.parent.mkdir()
    program.touch(mode=0o700)
    monkeypatch.setattr("sys.argv", [str(program)])
    monkeypatch.setattr("tapehead.cli.bytecode.compile_now", lambda: ())
    path = tmp_path / "home" / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text(THEIRS)
    return path


@pytest.fixture
def have(monkeypatch):
    """Sets which clients are here."""

    def have(*versions):
        found = tuple(InstalledClient(f"/bin/{number}/claude", version) for number, version in enumerate(versions))
        monkeypatch.setattr(clients, "installed_clients", lambda *_: found)

    return have


def events(path):
    return {hook.event for hook in hooks_of_ours(path.read_text())}


def findings(repository, *checks, level=None):
    found = repository.json("doctor")["findings"]
    return [each for each in found if each["check"] in checks and level in {None, each["level"]}]


@pytest.mark.parametrize(
    ("versions", "lacking"),
    [
        ([], NEWER),
        ([None], NEWER),
        ([(2, 1, 325)], set()),
        ([(2, 1, 325), (2, 1, 76)], {"StopFailure"}),
        ([(2, 1, 325), None], NEWER),
        ([(2, 1, 325), (1, 0, 80)], NEWER | {"SessionEnd"}),
    ],
)
def test_only_what_the_oldest_client_knows(repository, user, have, versions, lacking):
    """Whatever else is here, and the least where nobody can tell; doctor has nothing against it, and uninstall leaves the bytes."""
    have(*versions)
    assert repository.run("install", "--agent", "claude", "--no-git").exit_code == 0
    assert events(user) == set(EVENTS) - lacking
    assert findings(repository, "clients", "hooks", level="error") == []
    assert repository.run("uninstall", "--no-git").exit_code == 0
    assert user.read_text() == THEIRS
    assert not (user.parents[1] / ".local" / "state" / "tapehead" / "hook.sh").exists()


def test_one_that_is_too_old(repository, user, have):
    """It would lose its settings for what little could be done: nothing is written, and it is said why."""
    have((1, 0, 61))
    done = repository.run("install", "--agent", "claude", "--no-git")
    assert done.exit_code == 1
    assert user.read_text() == THEIRS


def test_a_projects_settings_travel(repository, user, have):
    """They get what every teammate's client knows, unless told otherwise; what the client here does not know, never."""
    path = user.parents[2] / "repository" / ".claude" / "settings.json"
    have((2, 1, 325))
    repository.run("install", "--scope", "project", "--no-git")
    assert events(path) == SAFE
    assert findings(repository, "clients") == []
    repository.run("install", "--scope", "project", "--all-events", "--no-git")
    assert events(path) == set(EVENTS)
    assert findings(repository, "clients") == []
    have((2, 1, 76))
    repository.run("install", "--scope", "project", "--all-events", "--no-git")
    assert events(path) == set(EVENTS) - {"StopFailure"}


def test_doctor_finds_an_event_too_many(repository, user, have):
    """An error that names the client, the events and the cure; `--fix` takes ours out and leaves all else."""
    have((2, 1, 325))
    repository.run("install", "--agent", "claude", "--no-git")
    have((2, 1, 325), (2, 0, 77))
    [found] = findings(repository, "clients")
    assert (found["level"], found["fixable"]) == ("error", True)
    for word in ("Claude Code 2.0.77 (/bin/1/claude)", "PostCompact, StopFailure", "deny rules"):
        assert word in found["what"]
    assert repository.run("doctor").exit_code == 1
    repository.run("doctor", "--fix")
    assert events(user) == SAFE | {"Notification", "PermissionRequest"}
    assert findings(repository, "clients", level="error") == []
    repository.run("uninstall", "--no-git")
    assert user.read_text() == THEIRS


def test_a_client_that_was_upgraded_gets_the_rest(repository, user, have):
    """Doctor notes it, which is no complaint; `--fix` asks for the new events too."""
    have((2, 0, 77))
    repository.run("install", "--agent", "claude", "--no-git")
    have((2, 1, 325))
    [found] = findings(repository, "clients")
    assert (found["level"], found["fixable"]) == ("note", True)
    repository.run("doctor", "--fix")
    assert events(user) == set(EVENTS)
    assert findings(repository, "clients") == []


def test_the_older_command(repository, user, have, tmp_path):
    """Hooks as older versions wrote them are known as ours, warned of, brought up by `--fix` or an install, and go byte for byte."""
    have((2, 1, 325))
    user.write_text(with_hooks(THEIRS, f"{tmp_path}/bin/tapehead hook claude"))
    [found] = findings(repository, "hooks", level="warning")
    assert "older version" in found["what"]
    repository.run("doctor", "--fix")
    commands = {hook.command for hook in hooks_of_ours(user.read_text())}
    assert [command.endswith("/bin/tapehead hook claude || exit 0") for command in commands] == [True]
    assert events(user) == set(EVENTS)
    assert findings(repository, "hooks", level="warning") == []
    repository.run("uninstall", "--no-git")
    assert user.read_text() == THEIRS


def test_a_hook_that_somebody_took_out_comes_back(repository, user, have):
    """`--fix` puts it in again, and the script that it goes through, if that is gone or of another version."""
    have((2, 1, 325))
    repository.run("install", "--agent", "claude", "--no-git")
    settings = json.loads(user.read_text())
    del settings["hooks"]["Stop"]
    user.write_text(json.dumps(settings))
    script = user.parents[1] / ".local" / "state" / "tapehead" / "hook.sh"
    script.unlink()
    said = " ".join(each["what"] for each in findings(repository, "hooks", level="error"))
    assert "no hook for Stop" in said
    assert "hook.sh, which does not exist" in said
    repository.run("doctor", "--fix")
    assert events(user) == set(EVENTS)
    assert script.exists()
    script.write_text("exit 0\n")
    assert "from another version" in findings(repository, "hooks", level="warning")[0]["what"]
    repository.run("doctor", "--fix")
    assert findings(repository, "hooks", level="warning") == []


def test_another_agents_hooks_come_back_too(repository, user, tmp_path):
    """Each agent's file by the same door."""
    assert repository.run("install", "--agent", "codex", "--no-git").exit_code == 0
    path = tmp_path / "home" / ".codex" / "hooks.json"
    settings = json.loads(path.read_text())
    del settings["hooks"]["Stop"]
    path.write_text(json.dumps(settings))
    repository.run("doctor", "--fix")
    assert "Stop" in json.loads(path.read_text())["hooks"]
    assert other_agents._of_agent("codex", repository.root) != []  # that nobody trusts them yet


def test_a_cure_that_cannot_be_had_is_said(repository, user, have, capsys):
    """And the others go on."""
    have((1, 0, 61))
    module.mending("claude", "user")()
    assert "too old" in capsys.readouterr().err
    assert setup_of("claude").COMPATIBILITY is COMPATIBILITY
    assert os.path.exists(user)
