"""What tapehead itself starts never sets off tapehead: not the worker, not git, not a command of the user's."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tapehead import user_command
from tapehead.engine import background
from tapehead.git import run as git_run
from tapehead.store.paths import Layout, make_private

PAYLOAD = {"session_id": "inner", "hook_event_name": "UserPromptSubmit", "prompt": "do it"}
HOOK = "from tapehead.cli.main import run_hook; run_hook('claude')"


@pytest.fixture
def calls_us(tmp_path, monkeypatch):
    """A program that does what a coding agent's client would do: it runs our hook. And a look at whether that was heard."""
    project = tmp_path / "project"
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    (tmp_path / "payload").write_text(json.dumps({**PAYLOAD, "cwd": str(project)}))
    program = tmp_path / "bin" / "git"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n'{sys.executable}' -c \"{HOOK}\" < '{tmp_path / 'payload'}'\necho ran\n")
    program.chmod(0o755)
    monkeypatch.chdir(project)
    return program, lambda: os.path.exists(Layout(str(project / ".git" / "tapehead")).tape("inner"))


def test_such_a_program_is_heard_when_someone_else_starts_it(calls_us):
    """Otherwise the tests below would prove nothing."""
    program, heard = calls_us
    subprocess.run([str(program)], check=True)
    assert heard()


def test_git_and_its_hooks_are_not_heard(calls_us, monkeypatch):
    """Whatever git runs when we ask it something."""
    program, heard = calls_us
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    assert git_run.git(os.getcwd(), "status", timeout=60) == b"ran\n"
    assert not heard()


def test_a_command_of_the_user_s_is_not_heard(calls_us):
    """The summarizer and the notes' command: a model's client run by them is no session."""
    program, heard = calls_us
    assert user_command.ask(str(program), "", 60, "the command").strip() == "ran"
    assert not heard()


def test_the_worker_and_all_that_it_starts_is_not_heard(calls_us, monkeypatch, tmp_path):
    """The mark is in its environment, which its children inherit."""
    program, heard = calls_us
    layout = Layout(str(tmp_path / "store"))
    make_private(layout.sessions)
    spawned = []
    monkeypatch.setattr(os, "posix_spawn", lambda path, command, env, **_: spawned.append(env))
    assert background.start(layout, "one", dict(os.environ))
    subprocess.run([str(program)], check=True, env=spawned[0])
    assert not heard()
