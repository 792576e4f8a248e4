"""What is kept of a session in other repositories than its own: only where that is safe, redacted as both want it, and deleted with the session."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime, timedelta

import pytest
from click.testing import CliRunner

import scenes
from several_repositories import AGENT, HUMAN, Session, blamed, edit, repository, shell
from tapehead.cli.app import app
from tapehead.cli.upkeep import gc
from tapehead.engine.engine import Engine
from tapehead.statemachine.vocabulary import Event
from tapehead.store.paths import Layout


def planted(folder):
    """A program that leaves a mark where it is run."""
    path = folder / "program.sh"
    path.write_text(f"#!/bin/sh\ntouch {folder / 'mark'}\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize("how", ["an edit", "a shell"])
def test_a_repository_that_could_start_a_program_is_left_alone(tmp_path, how):
    """It may have come with an archive. Git does not run in it, whether an edit was in it or it only lies below."""
    home, inner = repository(tmp_path / "home"), repository(tmp_path / "home" / "inner")
    scenes.git(inner, "config", "core.fsmonitor", planted(tmp_path))
    session = Session(home, home / ".git" / "tapehead", tmp_path)
    wrote = edit if how == "an edit" else lambda path, text: shell("make", path, text)
    session.turn(wrote(inner / "a.txt", "base = 1\nmore = 2\n"))
    session.turn(wrote(inner / "a.txt", "base = 1\nmore = 2\nand = 3\n"))
    assert not (tmp_path / "mark").exists()
    assert not (inner / ".git" / "tapehead").exists()


def test_one_that_could_start_a_program_later_on_is_left_alone_from_then_on(tmp_path):
    """Its config is looked at before each turn."""
    home, inner = repository(tmp_path / "home"), repository(tmp_path / "home" / "inner")
    session = Session(home, home / ".git" / "tapehead", tmp_path)
    session.turn(edit(inner / "a.txt", "base = 1\nmore = 2\n"))
    before = (inner / ".git" / "tapehead" / "guests" / "sessions" / "one.tape").read_bytes()
    scenes.git(inner, "config", "core.fsmonitor", planted(tmp_path))
    session.turn(edit(inner / "a.txt", "base = 1\nmore = 2\nand = 3\n"))
    assert not (tmp_path / "mark").exists()
    assert (inner / ".git" / "tapehead" / "guests" / "sessions" / "one.tape").read_bytes() == before


@pytest.mark.parametrize("name", ["../other", "{other}", "link", "sub/../../other", "down/link", "./link"])
def test_a_name_in_gitmodules_leads_nowhere_else(tmp_path, name):
    """It comes with the repository: it names what is really below, or nothing."""
    home, other = repository(tmp_path / "home"), repository(tmp_path / "other")
    (home / "down").mkdir()
    (home / "link").symlink_to(other)
    (home / "down" / "link").symlink_to(other)
    (home / ".gitmodules").write_text(f'[submodule "i"]\n\tpath = {name.format(other=other)}\n')
    session = Session(home, home / ".git" / "tapehead", tmp_path)
    session.turn(shell("make", other / "a.txt", "base = 1\nshell = 2\n"))
    assert not (other / ".git" / "tapehead").exists()


def test_a_link_among_our_folders_is_not_followed(tmp_path):
    """A store in which `guests` leads elsewhere is none."""
    home, other = repository(tmp_path / "home"), repository(tmp_path / "other")
    (tmp_path / "elsewhere").mkdir()
    (other / ".git" / "tapehead").mkdir(mode=0o700)
    (other / ".git" / "tapehead" / "guests").symlink_to(tmp_path / "elsewhere")
    session = Session(home, home / ".git" / "tapehead", tmp_path)
    session.turn(edit(other / "a.txt", "base = 1\nagent = 2\n"))
    assert [*(tmp_path / "elsewhere").iterdir()] == []
    (other / ".git" / "tapehead" / "guests").unlink()
    (other / ".git" / "tapehead" / "guests").mkdir(mode=0o700)
    (other / ".git" / "tapehead" / "guests" / "sessions").symlink_to(tmp_path / "elsewhere")
    session.turn(edit(other / "a.txt", "base = 1\nagent = 2\nagent = 3\n"))
    assert [*(tmp_path / "elsewhere").iterdir()] == []


def test_words_of_both_repositories_are_redacted(tmp_path, monkeypatch):
    """The words of the second repository count there, and so do those of the first, from which prompt and transcript come."""
    home, other = repository(tmp_path / "home"), repository(tmp_path / "other")
    session = Session(home, home / ".git" / "tapehead", tmp_path)
    for one, word in ((home, "applepie"), (other, "plumcake")):
        (one / ".git" / "tapehead").mkdir(exist_ok=True, mode=0o700)
        (one / ".git" / "tapehead" / "config.toml").write_text(f'[checkpoints]\nmask = ["{word}"]\n')
        monkeypatch.chdir(one)
        assert CliRunner().invoke(app, ["config", "allow"]).exit_code == 0
    session.hear(Event.TURN_START, prompt="bake applepie and plumcake")
    session.call(*edit(other / "a.txt", "base = 1\nagent = 2\n")[:2], **{str(other / "a.txt"): "base = 1\nagent = 2\n"})
    session.hear(Event.TURN_END)
    scenes.git(other, "commit", "-qam", "on")
    guest = Engine(Layout(str(other / ".git" / "tapehead" / "guests")), time.time_ns)
    guest.committed("one", scenes.git(other, "rev-parse", "HEAD"), "main")
    guest.settle("one")
    monkeypatch.chdir(other)
    (prompt,) = json.loads(CliRunner().invoke(app, ["explain", "--json"]).stdout)["parts"][0]["prompts"]
    assert prompt == "bake [masked] and [masked]"


def test_forgetting_a_session_reaches_the_other_repositories(tmp_path, monkeypatch):
    """Their tapes, states and lists; the first repository's own go too."""
    home, other = repository(tmp_path / "home"), repository(tmp_path / "other")
    session = Session(home, home / ".git" / "tapehead", tmp_path)
    session.turn(edit(other / "a.txt", "base = 1\nagent = 2\n"), edit(home / "b.txt", "agent = 3\n"))
    guests = other / ".git" / "tapehead" / "guests"
    assert (guests / "sessions" / "one.tape").exists()
    monkeypatch.chdir(home)
    done = CliRunner().invoke(app, ["forget-session", "one", "--yes"])
    assert done.exit_code == 0, done.stderr
    assert f"tape and state in {other}" in " ".join(done.stderr.split())
    left = [path for path in guests.rglob("*") if path.is_file() and b"one" in path.read_bytes()]
    assert [path for path in left if path.name != "homes.tape"] == []
    assert not list((guests / "sessions").glob("one.*"))
    assert not list((home / ".git" / "tapehead" / "sessions").glob("one.*"))


def test_purge_and_gc_reach_them(tmp_path, monkeypatch):
    """A guest of which nothing was heard for long is archived; a purge finds the store though no session of its own was ever in it."""
    home, other = repository(tmp_path / "home"), repository(tmp_path / "other")
    session = Session(home, home / ".git" / "tapehead", tmp_path)
    session.turn(edit(other / "a.txt", "base = 1\nagent = 2\n"))
    session.hear(Event.SESSION_STOP)
    store = other / ".git" / "tapehead"
    engine = Engine(Layout(str(store)), time.time_ns)
    gc(engine, datetime.now(UTC) + timedelta(days=9))
    assert (store / "guests" / "archive" / "one.tape").exists()
    session.turn(edit(other / "a.txt", "base = 1\nagent = 2\nagent = 3\n"))
    assert not (store / "guests" / "archive" / "one.tape").exists()
    assert blamed(other / "a.txt", monkeypatch) == [HUMAN, AGENT, AGENT]
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["uninstall", "--purge", "--yes"])
    assert done.exit_code == 0, done.stderr
    assert not store.exists()
