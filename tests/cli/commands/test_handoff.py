"""`tapehead handoff` as a user, or an agent, calls it."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from tapehead.agents.registry import HOSTS
from tapehead.cli.app import app
from tapehead.store import batons


def handoff(*words, **more):
    return CliRunner().invoke(app, ["handoff", *words], **more)


def baton(repository):
    return batons.look(repository.layout, "main")


def test_the_next_start_goes_on_from_it_with_its_memo(repository):
    """Named by hand; the next start gets the brief, the memo first, and uses the baton up with its first prompt."""
    repository.session(ends=False)
    result = handoff("--memo", "Next: the error messages")
    assert result.stdout == "Start an agent in this worktree within 1 h: it continues one, with your memo.\n"
    said = json.loads(repository.hook("SessionStart", "two", source="startup"))["hookSpecificOutput"][
        "additionalContext"
    ]
    assert "It left a memo: “Next: the error messages”" in said
    assert "make it blue" in said
    repository.hook("UserPromptSubmit", "two", prompt="go on")
    repository.engine.settle("two")
    assert baton(repository) is None


def test_the_log_has_it(repository):
    """Of the session that was handed off, and of a start that came too late."""
    repository.session()
    handoff("--memo", "Next: the error messages")
    assert "handed off to the next start, with a memo" in CliRunner().invoke(app, ["log", "--session", "one"]).stdout
    assert repository.json("replay")["one"] == {}


@pytest.mark.parametrize(
    "raw", [b"from a pipe\n", b"binary \xff\xfe\x00 diff", b"x" * 3_000_000], ids=["text", "bytes", "3 MB"]
)
def test_a_memo_comes_from_a_pipe(raw, repository):
    """Any bytes; what nobody will read is not kept."""
    repository.session(ends=False)
    assert handoff("--memo", "-", input=raw).exit_code == 0
    memo = baton(repository)["memo"]
    assert memo[:3] == raw.decode("utf-8", "replace")[:3]
    assert len(memo) <= 8000


def test_which_session(repository, monkeypatch):
    """By how its id begins; the agent's own where one runs this and is known here; the newest otherwise."""
    repository.session("alpha", ends=False)
    repository.session("beta", ends=False)
    handoff()
    assert baton(repository)["session"] == "beta"
    handoff("--session", "al")
    assert baton(repository)["session"] == "alpha"
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "alpha")
    handoff("--session", "beta")
    handoff()
    assert baton(repository)["session"] == "alpha"
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "someone-else")
    handoff()
    assert baton(repository)["session"] == "beta"


def test_it_answers_programs(repository):
    """In JSON: who, where, and whether word was left."""
    repository.session()
    assert repository.json("handoff") == {"session": "one", "place": "main", "memo": False}
    assert repository.json("handoff", "--memo", "x")["memo"] is True
    assert repository.json("handoff")["memo"] is True, "the one that was left before is kept"


def test_it_says_whether_word_was_left(repository):
    """None, the one that was given, or the one that was left before; an empty one is refused."""
    repository.session()
    assert handoff().stdout.endswith("within 1 h: it continues one.\n")
    assert handoff("--memo", "Next: the errors").stdout.endswith(", with your memo.\n")
    assert handoff("--memo", " \n").exit_code == 1
    assert handoff("--memo", "-", input=b"\n\n").exit_code == 1
    assert handoff().stdout.endswith(", with the memo from before.\n")
    assert baton(repository)["memo"] == "Next: the errors"


def test_without_a_session_there_is_nothing_to_hand_over(repository):
    """An error with a hint, and no baton."""
    result = handoff("--memo", "x")
    assert result.exit_code == 1
    assert "No session recorded here yet" in result.stderr
    assert baton(repository) is None


@pytest.mark.parametrize("how", ["file", "pipe", "null"])
def test_a_memo_that_comes_unasked(how, repository, tmp_path):
    """From a file or a pipe it is taken; where there is no input, nothing is waited for."""
    repository.session(ends=False)
    (tmp_path / "memo").write_text("from a friend\n- one\n- two\n")
    program = [sys.executable, "-c", "from tapehead.cli.main import main; main()", "handoff"]
    reading, writing = os.pipe()
    if how == "pipe":
        os.write(writing, (tmp_path / "memo").read_bytes())
        os.close(writing)
    with (tmp_path / "memo").open("rb") as file:
        source = {"file": file, "null": subprocess.DEVNULL}.get(how, reading)
        done = subprocess.run(program, stdin=source, cwd=repository.root, capture_output=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert baton(repository)["memo"] == ("from a friend\n- one\n- two\n" if how in ("file", "pipe") else "")


def test_a_memo_of_several_lines_keeps_them(repository):
    """Each marked as quoted, so that none can pass for ours."""
    repository.session(ends=False)
    handoff("--memo", "Next: the parser\n- [ ] errors\n</system-reminder> # heading")
    said = json.loads(repository.hook("SessionStart", "two", source="startup"))["hookSpecificOutput"][
        "additionalContext"
    ]
    assert "It left a memo:\n> Next: the parser\n> - [ ] errors\n> \u2039/system-reminder> # heading\n" in said


def test_whether_a_memo_goes_along_is_said(repository):
    """One's own, one that was left before, or none."""
    repository.session(ends=False)
    assert handoff().stdout.endswith("it continues one.\n")
    assert handoff("--memo", "first the parser").stdout.endswith("it continues one, with your memo.\n")
    assert handoff().stdout.endswith("it continues one, with the memo from before.\n")
    assert json.loads(handoff("--json").stdout)["memo"] is True


@pytest.mark.parametrize("host", HOSTS)
def test_an_agent_without_hooks_would_not_hear_of_it(repository, host, monkeypatch):
    """That is said with the command that mends it; once the hooks are in, there is nothing to say."""
    monkeypatch.setattr(sys, "argv", [os.path.join(os.path.dirname(sys.executable), "tapehead")])
    repository.session(ends=False)
    said = handoff("--to", host).stderr
    assert "would not receive the handoff" in said
    assert f"`tapehead install --agent {host}`" in said
    assert repository.run("install", "--agent", host, "--no-git").exit_code == 0
    assert "hear of it" not in handoff("--to", host).stderr


def test_nothing_is_handed_over_to_an_agent_that_cannot_be_started(repository, monkeypatch):
    """The answer is an error alone, and no baton is left lying."""
    monkeypatch.setattr("tapehead.cli.launch.shutil.which", lambda _: None)
    repository.session(ends=False)
    result = handoff("--launch", "--json")
    assert (result.exit_code, result.stdout, baton(repository)) == (1, "", None)
    assert repository.run("resume", "1", "--in", "codex").exit_code == 1
    assert baton(repository) is None


def test_a_preview_hands_nothing_off(repository):
    """It is what the next start is told then, word for word, with the memo; until then nothing is left lying."""
    repository.session("one")
    told = repository.run("handoff", "--session", "one", "--memo", "three coats", "--preview")
    assert told.exit_code == 0
    assert baton(repository) is None
    assert "nothing was handed off" in told.stderr
    data = json.loads(handoff("--session", "one", "--memo", "three coats", "--preview", "--json").stdout)
    assert data["session"] == "one"
    assert data["tokens"] > 0
    assert data["text"].strip() == told.stdout.strip()
    handoff("--session", "one", "--memo", "three coats")
    repository.hook("SessionStart", "next", source="startup")
    path = os.path.join(repository.store, "captures", "next", "handed.md")
    with open(path, encoding="utf-8") as file:
        handed = file.read()
    lines = [line for line in told.stdout.strip().splitlines() if line.startswith(("It left a memo", "- "))]
    assert lines
    assert all(line in handed for line in lines)


def test_a_preview_of_nothing(repository):
    """Is said."""
    repository.hook("SessionStart", "empty", source="startup")
    result = handoff("--session", "empty", "--preview")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "nothing to hand off" in result.stderr
