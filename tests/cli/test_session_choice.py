"""Which session a command is about, where nobody names one: asked in every command that takes a session."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from record import Record
from tapehead.cli.adoption import adopt
from tapehead.cli.app import app
from tapehead.cli.here import here
from tapehead.cli.output import Failure
from tapehead.cli.session_choice import choose, choose_recorded, list_imported
from tapehead.engine import hook
from tapehead.engine.replay import differences
from tapehead.history.recall import Recall

MAIN, OTHER, PAST = (f"{letter * 8}-1111-4222-8333-444444444444" for letter in "abc")
ASKING = {
    "brief": (),
    "notes": ("--refresh",),
    "save": ("--focus", "the sea"),
    "handoff": (),
    "adr": ("new", "Use SQLite"),
    "losses": (),
    "detail": ("turn", "1"),
    "export": (),
    "report": ("--out", "-"),
    "rewind": (),
    "log": (),
}
"""The commands that take a session, with what they need besides."""
BY_ARGUMENT = ("export", "report")


def run(*words):
    return CliRunner().invoke(app, words)


def hooked(repository, cwd, name, session, **fields):
    payload = {"session_id": session, "cwd": cwd, "hook_event_name": name, **fields}
    reading, writing = os.pipe()
    os.write(writing, json.dumps(payload).encode())
    os.close(writing)
    hook.run("claude", reading, {"HOME": repository.home, "CLAUDE_PID": str(os.getpid())})
    os.close(reading)


def worked(repository, tmp_path, session, cwd, prompt):
    """A session with a transcript and a prompt, in a worktree."""
    path = str(Record(session, cwd=cwd).turn(prompt, "done").write(tmp_path))
    for name, fields in (
        ("SessionStart", {"source": "startup"}),
        ("UserPromptSubmit", {"prompt": prompt}),
        ("Stop", {"last_assistant_message": "done"}),
        ("SessionEnd", {"reason": "other"}),
    ):
        hooked(repository, cwd, name, session, transcript_path=path, **fields)
    repository.engine.settle(session)


@pytest.fixture
def worktrees(repository, tmp_path, monkeypatch):
    """A repository with two worktrees, a session in each; the newer one is not of the main one."""
    git = ("git", "-C", repository.root, "-c", "user.name=x", "-c", "user.email=x@example.org")
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "one"], check=True)
    other = str(tmp_path / "other")
    subprocess.run([*git, "worktree", "add", "-q", other], check=True)
    for name in ("CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID", "GEMINI_SESSION_ID"):
        monkeypatch.delenv(name, raising=False)
    worked(repository, tmp_path, MAIN, repository.root, "paint the main sail")
    worked(repository, tmp_path, OTHER, other, "caulk the other hull")
    repository.other = other
    return repository


@pytest.mark.parametrize("command", ASKING)
def test_the_newest_of_this_worktree_is_meant_and_named(worktrees, command, monkeypatch):
    """Not that of the repository; stderr says which one, stdout stays data."""
    for where, session in ((worktrees.root, MAIN), (worktrees.other, OTHER)):
        monkeypatch.chdir(where)
        result = run(command, *ASKING[command])
        assert result.exit_code == 0, result.output
        first = result.stderr.splitlines()[0]
        assert first.startswith(f"session {session[:8]}, the newest in this worktree, "), result.stderr
        assert "the newest in this worktree" not in result.stdout


@pytest.mark.parametrize("command", [name for name in ASKING if name != "adr"])
def test_one_that_is_named_is_not_announced(worktrees, command):
    """Whoever names a session knows which it is."""
    named = (MAIN[:8],) if command in BY_ARGUMENT else ("--session", MAIN[:8])
    result = run(command, *ASKING[command], *named)
    assert result.exit_code == 0, result.output
    assert "the newest" not in result.stderr


def test_a_session_without_a_name_is_nobodys_name(worktrees):
    """An older client puts nothing where a slash command has its session: the command means the one that works here."""
    assert choose(here(), "", quiet=True).session_id == choose(here(), None, quiet=True).session_id


def test_an_agents_own_session_goes_first(worktrees, monkeypatch):
    """Inside an agent its own session is meant, wherever it worked."""
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", OTHER)
    result = run("log")
    assert result.stderr.startswith(f"session {OTHER[:8]}, this agent's own, ")


def test_a_worktree_without_sessions(worktrees, tmp_path, monkeypatch):
    """Nothing of another worktree is taken for its own; the newest elsewhere is named."""
    empty = str(tmp_path / "empty")
    subprocess.run(["git", "-C", worktrees.root, "worktree", "add", "-q", "--detach", empty], check=True)
    monkeypatch.chdir(empty)
    for command in ("brief", "log", "rewind", "losses"):
        result = run(command)
        assert result.exit_code == 1
        assert "No session worked in this worktree" in result.stderr
        assert OTHER[:8] in result.stderr
    assert run("adr", "new", "Use SQLite").exit_code == 0


def test_a_start_without_a_word_does_not_hide_the_work(worktrees):
    """A session whose agent is gone and in which nobody said anything is meant only where there is no other."""
    ghost = "dddddddd-1111-4222-8333-444444444444"
    payload = {"session_id": ghost, "cwd": worktrees.root, "hook_event_name": "SessionStart", "source": "startup"}
    reading, writing = os.pipe()
    os.write(writing, json.dumps(payload).encode())
    os.close(writing)
    hook.run("claude", reading, {"HOME": worktrees.home, "CLAUDE_PID": "1999999999"})
    os.close(reading)
    assert choose(here(), None).session_id == MAIN
    worktrees.hook("SessionStart", "eeeeeeee", source="startup")  # this process runs
    assert choose(here(), None).session_id == "eeeeeeee"


def test_one_from_the_archive_comes_back_when_it_is_named(worktrees):
    """Gc put it away; whoever names it needs it."""
    worktrees.engine.store.archive(MAIN)
    assert "paint the main sail" in run("log", "--session", MAIN[:8]).stdout
    assert MAIN in worktrees.engine.store.list()


@pytest.fixture
def taken_in(repository, tmp_path, monkeypatch):
    """A repository in which only a past session was imported."""
    for name in ("CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID", "GEMINI_SESSION_ID"):
        monkeypatch.delenv(name, raising=False)
    record = Record(PAST, cwd=repository.root).turn("paint the sail", "I painted it.")
    record.call("Bash", "ok", command="make test").compacted("A sail was painted.").turn("and the hull", "done")
    record.turn("always use two coats", "I will.")
    spent = {
        "id": "m",
        "role": "assistant",
        "model": "claude-opus-4-5",
        "usage": {"input_tokens": 1, "output_tokens": 2},
    }
    record.line("assistant", message={**spent, "content": [{"type": "text", "text": "Both."}]})
    assert repository.run("import", str(record.write(tmp_path)), "--here").exit_code == 0
    return repository


@pytest.mark.parametrize("command", [name for name in ASKING if name != "rewind"])
@pytest.mark.parametrize("named", [False, True])
def test_an_imported_session_serves_every_command(taken_in, command, named):
    """As one that hooks recorded, by default and by name."""
    words = ((PAST[:8],) if command in BY_ARGUMENT else ("--session", PAST[:8])) if named else ()
    result = run(command, *ASKING[command], *(words if command != "adr" else ()))
    assert result.exit_code == 0, result.output
    if not named:
        assert result.stderr.startswith(f"session {PAST[:8]}, the newest in this worktree, ")


def test_what_an_imported_session_tells(taken_in):
    """Its words, not only an empty answer."""
    assert "always use two coats" in run("brief").stdout
    assert "always use two coats" in run("notes", "--refresh").stdout
    assert "paint the sail" in run("losses").stdout
    assert "always use two coats" in run("export").stdout
    assert "always use two coats" in run("report", "--out", "-").stdout
    assert "paint the sail" in run("detail", "turn", "1").stdout
    assert PAST[:8] in run("resume").stdout
    assert "always use two coats" in run("report", "--all", "--out", "-").stdout
    assert [row["session"] for row in json.loads(run("cost", "--by", "session", "--json").stdout)["rows"]] == [PAST]


def test_an_imported_session_that_ran_while_off(taken_in):
    """Its transcript is not read either."""
    assert choose(here(), PAST).transcript_path
    run("off")
    taken_in.hook("UserPromptSubmit", PAST, prompt="whisper bananas")
    assert choose(here(), PAST).transcript_path == ""


@pytest.mark.parametrize("command", ["rewind", "replay", "mermaid", "monitor"])
def test_what_only_a_tape_tells_says_so(taken_in, command):
    """With what can be asked of it instead."""
    result = run(command, "--session", PAST[:8])
    assert result.exit_code == 1
    assert f"session {PAST[:8]} was imported: no hook recorded it" in result.stderr
    assert "tapehead brief" in result.stderr


def test_the_last_prompt_of_an_imported_session_is_one_line(taken_in, monkeypatch):
    """A table has a line for each session."""
    monkeypatch.setattr(Recall, "last_prompt", lambda *_: "log an issue\n\nthen fix it")
    assert choose(here(), PAST).last_prompt == "log an issue then fix it"


def test_an_imported_session_is_handed_over(taken_in):
    """The next start goes on from it, with its brief; its tape explains its state, and nothing was carried out for it."""
    assert run("handoff", "--memo", "three coats").exit_code == 0
    said = taken_in.hook("SessionStart", "next", source="startup")
    told = json.loads(said.text) if hasattr(said, "text") else said
    assert "always use two coats" in str(told)
    assert taken_in.engine.store.load("next").predecessor == PAST
    state = taken_in.engine.store.load(PAST)
    assert (state.turn_number, state.compaction_count, state.phase.value) == (3, 1, "ended")
    assert differences(taken_in.engine, PAST) == {}
    assert not taken_in.engine.store.behind(PAST, state)
    assert not os.path.exists(taken_in.layout.lines)


def test_a_second_adoption_changes_nothing(taken_in):
    """Its tape is made once."""
    at = here()
    adopt(at.engine, choose(at, PAST))
    raw = Path(taken_in.tape(PAST)).read_bytes()
    adopt(at.engine, choose(at, PAST))
    assert Path(taken_in.tape(PAST)).read_bytes() == raw


def test_a_transcript_that_is_gone(taken_in):
    """What was taken in can still be looked at; what needs the transcript says that it is gone."""
    os.unlink(list_imported(here())[PAST].transcript_path)
    assert "paint the sail" in run("detail", "turn", "1").stdout
    result = run("handoff")
    assert "is gone" in result.stderr
    assert result.exit_code == 1
    assert taken_in.engine.store.list() == []


def test_an_id_that_is_none(taken_in):
    """Unknown ones and ambiguous ones are said."""
    with pytest.raises(Failure, match="No session 'zzz' here"):
        choose(here(), "zzz")
    with pytest.raises(Failure, match="was imported"):
        choose_recorded(here(), PAST)
    taken_in.session(PAST[:10] + "-twin")
    with pytest.raises(Failure, match="2 sessions begin with"):
        choose(here(), PAST[:8])
