"""From one agent to another: `tapehead handoff --to`, `tapehead resume`."""

import json
import os

import pytest

from tapehead.agents.hook_event import NAMES
from tapehead.agents.registry import HOSTS
from tapehead.agents.setups import setup_of
from tapehead.cli import launch


@pytest.fixture
def launched(monkeypatch):
    """What would be started, with every agent on the PATH."""
    found = []

    def become(program, words):
        found.append(words)
        raise SystemExit(0)

    monkeypatch.setattr(launch.shutil, "which", lambda _: "/bin/agent")
    monkeypatch.setattr(launch.os, "execvp", become)
    return found


def started(repository, session, host="codex"):
    """Whom a start of another agent goes on from."""
    payload = {"session_id": session, "cwd": repository.root, "hook_event_name": "SessionStart", "source": "startup"}
    from tapehead.engine import hook

    reading, writing = os.pipe()
    os.write(writing, json.dumps(payload).encode())
    os.close(writing)
    hook.run(host, reading, {"HOME": repository.home})
    os.close(reading)
    state = repository.engine.store.load(session)
    return state.predecessor, state.predecessor_rule


def test_handed_to_one_agent(repository):
    """A start of another agent leaves the baton where it is; the one that was named gets it, with the brief and whose it is."""
    repository.session("one")
    repository.session("newer")
    result = repository.run("handoff", "--session", "one", "--to", "codex")
    assert result.stdout.startswith("Start Codex in this worktree within 1 h: it continues one")
    repository.hook("SessionStart", "another", source="startup")
    assert repository.engine.store.load("another").predecessor == "newer"
    assert started(repository, "mine") == ("one", 1)
    with open(os.path.join(repository.store, "captures", "mine", "handed.md"), encoding="utf-8") as file:
        assert file.readline().startswith(
            "tapehead: this work was handed over to you by session one of Claude Code, which ended"
        )


def test_launched(repository, launched):
    """The agent that was named, or the session's own, begins in the place of the command."""
    repository.session("one")
    repository.run("handoff", "--to", "gemini", "--launch")
    repository.run("handoff", "--launch")
    assert launched == [["gemini"], ["claude"]]


@pytest.mark.parametrize("host", HOSTS)
def test_every_agent_can_be_launched(repository, launched, host):
    """By the name of its program, which `resume` knows too."""
    repository.session("one")
    result = repository.run("handoff", "--to", host, "--launch")
    assert result.stdout.startswith(f"Start {NAMES[host]} in this worktree within 1 h: it continues one")
    repository.run("resume", "one", "--in", host)
    assert [words[0] for words in launched] == [setup_of(host).PROGRAM] * 2


def test_an_agent_that_is_not_there(repository):
    """It is said, with what to do instead, before anything is done."""
    repository.session("one")
    result = repository.run("handoff", "--to", "codex", "--launch")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "without --launch" in result.stderr
    result = repository.run("resume", "1", "--in", "codex")
    assert "`tapehead handoff --session one --to codex`" in result.stderr


def test_the_list(repository):
    """What somebody said something in, newest first, with the command that goes on with it."""
    assert "no session to resume in this worktree" in repository.run("resume").stdout
    repository.session("one")
    repository.session("two")
    repository.hook("SessionStart", "silent", source="startup")
    repository.engine.settle("silent")
    listed = repository.json("resume")
    assert [(each["number"], each["session"], each["command"]) for each in listed] == [
        (1, "two", "claude --resume two"),
        (2, "one", "claude --resume one"),
    ]
    shown = repository.run("resume").stdout
    assert shown.index("two") < shown.index("one")
    assert "make it blue" in shown


def test_gone_on_with(repository, launched):
    """Its own agent opens it again; another begins anew and is the one that inherits it."""
    repository.session("one")
    repository.session("two")
    repository.run("resume", "2")
    repository.run("resume", "on", "--in", "claude")
    repository.run("resume", "one", "--in", "codex")
    assert launched == [["claude", "--resume", "one"], ["claude", "--resume", "one"], ["codex"]]
    assert started(repository, "mine") == ("one", 1)


@pytest.mark.parametrize("which", ["7", "0", "nobody", "silent"])
def test_what_is_not_there(repository, which, launched):
    """A number or an id that there is not, and a session in which nobody spoke."""
    repository.session("one")
    repository.hook("SessionStart", "silent", source="startup")
    repository.engine.settle("silent")
    assert repository.run("resume", which).exit_code == 1
    assert launched == []


def test_a_session_that_is_open_is_not_opened_twice(repository, launched):
    """The list marks it, and it is refused unless forced: two processes on one transcript lose each other's turns."""
    repository.session("one", ends=False)
    repository.session("two")
    assert [(row["session"], row["alive"]) for row in repository.json("resume")] == [("two", False), ("one", True)]
    shown = repository.run("resume").stdout
    assert "IDLE *" in shown
    assert "ENDED *" not in shown
    refused = repository.run("resume", "one")
    assert (refused.exit_code, launched) == (1, [])
    assert f"session one is open in process {os.getpid()}" in refused.stderr
    repository.run("resume", "one", "--force")
    repository.run("resume", "two")
    assert [words[-1] for words in launched] == ["one", "two"]
