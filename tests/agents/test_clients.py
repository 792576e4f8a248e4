"""Which clients of an agent are here, what version each has, and which events all of them know."""

import json
import os
import time

import pytest

from tapehead.agents.claude.compatibility import COMPATIBILITY, SINCE
from tapehead.agents.claude.settings import EVENTS
from tapehead.agents.clients import InstalledClient, installed_clients, oldest_of
from tapehead.agents.registry import HOSTS
from tapehead.agents.setups import setup_of

SAFE = ("SessionStart", "UserPromptSubmit", "Stop", "SubagentStop", "PreCompact", "SessionEnd")


@pytest.fixture(autouse=True)
def _no_system(monkeypatch):
    monkeypatch.setattr("tapehead.agents.claude.compatibility._SYSTEM", ())


def program(path, body="exit 3"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o700)
    return path


def versions(home, **env):
    return [client.version for client in installed_clients(COMPATIBILITY, str(home), {"PATH": "", **env})]


def test_every_event_has_a_first_version():
    """One that nobody looked up would be taken for known to all."""
    assert SINCE.keys() >= set(EVENTS)


ASKING = {"PermissionRequest", "Notification"}


@pytest.mark.parametrize(
    ("version", "lacks"),
    [
        ((2, 1, 325), set()),
        ((2, 1, 78), set()),
        ((2, 1, 77), {"StopFailure"}),
        ((2, 1, 76), {"StopFailure"}),
        ((2, 1, 75), {"StopFailure", "PostCompact"}),
        ((2, 0, 44), {"StopFailure", "PostCompact", "PermissionRequest"}),
        ((1, 0, 128), {"StopFailure", "PostCompact", "PermissionRequest"}),
        ((1, 0, 85), {"StopFailure", "PostCompact", *ASKING}),
        ((1, 0, 84), {"StopFailure", "PostCompact", "SessionEnd", *ASKING}),
    ],
)
def test_what_a_version_knows(version, lacks):
    """As the published packages have it."""
    assert set(EVENTS) - set(COMPATIBILITY.events_of(EVENTS, version)) == lacks


def test_what_is_assumed_of_an_unknown_one():
    """The events that clients have known since 1.0."""
    assert set(COMPATIBILITY.events_of(EVENTS, COMPATIBILITY.assumed)) == set(SAFE)


def test_the_version_by_the_place(tmp_path):
    """A package says it, so does the file name of an installer, and nobody is started for it; links lead there."""
    modules = tmp_path / "lib" / "node_modules" / "@anthropic-ai" / "claude-code"
    cli = program(modules / "bin" / "claude.exe", "touch started")
    (modules / "package.json").write_text(json.dumps({"name": "@anthropic-ai/claude-code", "version": "2.0.77"}))
    native = program(tmp_path / "share" / "claude" / "versions" / "2.1.80", "touch started")
    for folder, target in (("one", cli), ("two", native)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "claude").symlink_to(target)
    path = f"{tmp_path}/one{os.pathsep}{tmp_path}/two{os.pathsep}{tmp_path}/one"
    assert versions(tmp_path / "home", PATH=path) == [(2, 0, 77), (2, 1, 80)]


def test_the_version_by_asking(tmp_path):
    """What it answers to `--version`; one that says nothing, fails or is no program has none."""
    for folder, body in (("a", 'echo "2.1.76 (Claude Code)"'), ("b", "echo hello"), ("c", "exit 1")):
        program(tmp_path / folder / "claude", f'[ "$1" = --version ] || exit 1\n{body}')
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "claude").write_bytes(b"\x7fELF")
    (tmp_path / "d" / "claude").chmod(0o700)
    path = os.pathsep.join(str(tmp_path / folder) for folder in "abcd")
    assert versions(tmp_path, PATH=path) == [(2, 1, 76), None, None, None]


def _sleeps(pid):
    try:
        return "sleep" in os.readlink(f"/proc/{pid}/exe")
    except OSError:
        return False


def test_one_that_does_not_answer_is_ended(tmp_path, monkeypatch):
    """With what it started, in its time."""
    monkeypatch.setattr("tapehead.agents.clients.ANSWER_SECONDS", 0.2)
    program(tmp_path / "a" / "claude", f"sleep 1000 & echo $! > {tmp_path}/pid; wait")
    assert versions(tmp_path, PATH=str(tmp_path / "a")) == [None]
    pid = int((tmp_path / "pid").read_text() or 0) if (tmp_path / "pid").exists() else 0
    ends = time.monotonic() + 60  # one that was killed may take a moment to go
    while pid and _sleeps(pid):
        assert time.monotonic() < ends


@pytest.mark.parametrize(
    "place",
    [
        ".claude/local/node_modules/.bin/claude",
        ".local/bin/claude",
        ".nvm/versions/node/v20.1.0/bin/claude",
        ".vscode-server/extensions/anthropic.claude-code-2.1.76-linux-x64/resources/native-binary/claude",
    ],
)
def test_the_usual_places(tmp_path, place):
    """Also those that are not on the PATH, whatever signs are in the name of the home."""
    home = tmp_path / "my [home]*"
    program(home / place, "echo 2.1.76")
    assert versions(home) == [(2, 1, 76)]


def test_a_relative_path_leads_nowhere(tmp_path, monkeypatch):
    """Nothing that lies in a project is started."""
    program(tmp_path / "claude", "echo 1.0.0")
    monkeypatch.chdir(tmp_path)
    assert versions(tmp_path / "home", PATH=f".{os.pathsep}") == []


def test_the_oldest_counts():
    """One of unknown version counts as what is assumed; without any client there is none."""
    old, new, unknown = InstalledClient("a", (1, 0, 80)), InstalledClient("b", (2, 1, 80)), InstalledClient("c", None)
    assert oldest_of([new, unknown, old], COMPATIBILITY) is old
    assert oldest_of([new, unknown], COMPATIBILITY) is unknown
    assert oldest_of([], COMPATIBILITY) is None
    assert (old.words, unknown.words) == ("1.0.80", "of unknown version")


def test_the_other_agents_pass_over_what_they_do_not_know():
    """Seen with the real clients; where one rejects a file, it needs a table of its own."""
    assert [host for host in HOSTS if setup_of(host).COMPATIBILITY] == ["claude"]
