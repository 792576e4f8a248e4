"""`tapehead off`: nothing is recorded or said in this repository, until `on` or for a while."""

from __future__ import annotations

import json
import os
import subprocess
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import scenes
from tapehead.cli.server.tools import call_tool
from tapehead.engine import git_hook, spool_intake, statusline, worker
from tapehead.engine.missed_commits import find_missed
from tapehead.statemachine.vocabulary import Phase
from tapehead.store import off_switch, tape
from tapehead.store.line import readable

HOUR = 3600 * 10**9


def everything(root):
    """Every file below a directory, with its bytes."""
    return {
        os.path.join(folder, name): Path(folder, name).read_bytes()
        for folder, _, names in os.walk(root)
        for name in names
    }


def has_line_in_message(repository, tmp_path):
    """Whether a commit's message gets our line."""
    message = tmp_path / "message"
    message.write_text("a change\n")
    git_hook.run(["prepare-commit-msg", str(message), "message"], {"HOME": repository.home})
    return "Tapehead-Checkpoint" in message.read_text()


@pytest.fixture
def agent():
    """A process that can be ended."""
    process = subprocess.Popen(["sleep", "600"])
    yield process
    process.kill()
    process.wait()


def end(agent):
    agent.kill()
    agent.wait()


def pretend(monkeypatch, seconds):
    """It is later."""
    now = time.time_ns() + seconds * 10**9
    monkeypatch.setattr(time, "time_ns", lambda: now)
    return now


def test_nothing_is_recorded_or_said(repository, tmp_path):
    """Whatever hook comes: of the store nothing changes but that a session's id is noted."""
    repository.session("one")
    assert repository.run("off").exit_code == 0
    before = everything(repository.root)
    for name, fields in (
        ("SessionStart", {"source": "startup"}),
        ("UserPromptSubmit", {"prompt": "a secret plan"}),
        ("PreCompact", {"trigger": "auto"}),
        ("SessionStart", {"source": "compact"}),
        ("Stop", {}),
        ("Notification", {"notification_type": "permission_prompt"}),
        ("SessionEnd", {"reason": "other"}),
        ("Unheard", {}),
    ):
        assert repository.hook(name, "two", **fields) == ""
    worker.work(repository.engine, "one")
    after = everything(repository.root)
    assert {path for path in after if after[path] != before.get(path)} == {
        os.path.join(repository.store, "left-out", "two")
    }
    assert not has_line_in_message(repository, tmp_path)


def test_before_any_session_and_on_again(repository, tmp_path):
    """It works where there is no store yet; `on` takes all of it away; then the next prompt is recorded."""
    before = everything(repository.root), everything(repository.home)
    repository.run("off")
    assert (
        repository.hook("UserPromptSubmit", "", prompt="x") == ""
    )  # one without a session is not kept as a riddle either
    assert repository.run("on").stdout == f"on again in the repository {os.path.basename(repository.root)}\n"
    assert (everything(repository.root), everything(repository.home)) == before
    assert not os.path.exists(repository.store)
    assert repository.run("on").stdout.startswith("tapehead is on")
    repository.session("one")
    assert repository.json("status")[0]["off"] is False
    assert len(repository.json("status")[0]["sessions"]) == 1


def test_a_pause_ends_by_itself(repository, monkeypatch):
    """Nobody has to turn it on again."""
    said = repository.json("off", "--for", "2h")
    assert said["off"]
    assert said["until"] > said["since"]
    repository.hook("UserPromptSubmit", "one", prompt="private")
    pretend(monkeypatch, 2 * 3600 + 5)
    assert repository.json("status")[0]["off"] is False
    repository.hook("UserPromptSubmit", "two", prompt="make it blue")
    assert repository.engine.store.list() == ["two"]


@pytest.mark.parametrize("words", ["soon", "0", "-2h", "999999999d"])
def test_a_length_that_is_none(repository, words):
    """It says what to write, and nothing is turned off."""
    assert repository.run("off", f"--for={words}").exit_code != 0
    assert repository.json("status")[0]["off"] is False


def test_status_and_doctor_say_so(repository, agent):
    """Plainly, and since when; a session whose agent is gone is not called lost, and nothing is written about it."""
    repository.hook("SessionStart", "one", pid=agent.pid, source="startup")
    repository.hook("UserPromptSubmit", "one", pid=agent.pid, prompt="go")
    repository.engine.settle("one")
    repository.run("off")
    end(agent)
    before = everything(repository.root)
    assert "tapehead is off since 20" in repository.run("status").stdout
    found = [each["what"] for each in repository.json("doctor")["findings"]]
    assert any("tapehead is off since 20" in what for what in found)
    assert not any("is gone" in what for what in found)
    assert everything(repository.root) == before
    assert [each["phase"] for each in repository.json("status")[0]["sessions"]] == ["idle"]


def test_a_session_that_was_open_is_not_lost(repository, agent):
    """Turned off in mid-turn: its agent ended in peace, and nobody may call it halted because the events are missing."""
    repository.hook("SessionStart", "one", pid=agent.pid, source="startup")
    repository.hook("UserPromptSubmit", "one", pid=agent.pid, prompt="go")
    repository.run("off")
    repository.hook("Stop", "one")
    repository.hook("SessionEnd", "one", reason="other")
    end(agent)
    repository.run("on")
    [state] = repository.json("status")[0]["sessions"]
    assert state["phase"] == Phase.ENDED.value
    told = repository.run("log").stdout
    assert "turned off in mid-turn" in told
    assert "what follows is not recorded" in told
    assert "tapehead on again" in told
    assert "halted" not in told.lower()
    assert repository.run("replay").exit_code == 0


class Talk:
    """A session and its transcript."""

    def __init__(self, repository, transcript):
        self.repository = repository
        self.path = transcript
        transcript.write_text("")

    def hook(self, name, **fields):
        return self.repository.hook(name, "one", transcript_path=str(self.path), **fields)

    def says(self, words, at="2026-01-01T00:00:00Z"):
        with self.path.open("a") as file:
            for kind, text in (("user", words), ("assistant", f"did {words}")):
                message = {"role": kind, "id": words, "content": [{"type": "text", "text": text}]}
                file.write(json.dumps({"type": kind, "message": message, "timestamp": at}) + "\n")

    def asks(self, words):
        self.hook("UserPromptSubmit", prompt=words)
        self.repository.engine.settle("one")

    def turn(self, words):
        self.hook("UserPromptSubmit", prompt=words)
        self.says(words)
        self.stops()

    def stops(self):
        self.hook("Stop")
        worker.work(self.repository.engine, "one")

    def is_told(self, word):
        """Whether a word is in the store, or is told by a command or to the next session."""
        run = self.repository.run
        told = run("search", word).stdout + run("brief", "--full").stdout
        told += self.repository.hook("SessionStart", "two", source="clear")
        kept = b"".join(everything(self.repository.store).values())
        return word in told or word.encode() in kept


@pytest.fixture
def talk(repository, tmp_path):
    found = Talk(repository, tmp_path / "one.jsonl")
    found.hook("SessionStart", source="startup")
    return found


def test_what_was_said_meanwhile_stays_out(repository, talk):
    """A session that went on while it was off is recorded again after `on`, but nobody reads its transcript: not the history, not the archive."""
    talk.turn("paint apricots")
    repository.run("off")
    talk.turn("whisper bananas")
    repository.run("on")
    talk.turn("count cherries")
    kept = b"".join(everything(repository.store).values())
    assert b"cherries" in kept
    assert b"bananas" not in kept
    assert "apricots" in repository.run("search", "apricots").stdout
    assert "No matches" in repository.run("search", "bananas").output
    assert "Not recorded: tapehead was off from 20" in repository.run("brief").stdout
    assert any("went on while tapehead was off" in each["what"] for each in repository.json("doctor")["findings"])


@pytest.mark.parametrize("ended", [False, True])
def test_nobody_waits_for_its_next_hook(repository, talk, ended):
    """Of a session that spoke while it was off nothing gets out before its next event either: not while off, not after `on`."""
    talk.turn("paint apricots")
    if ended:
        talk.hook("SessionEnd", reason="other")
    worker.work(repository.engine, "one")
    repository.run("off")
    talk.turn("whisper bananas")
    before = everything(repository.store)
    assert "bananas" not in repository.run("search", "bananas").stdout
    assert "bananas" not in repository.run("brief", "--full").stdout
    assert everything(repository.store) == before
    repository.run("on")
    assert not talk.is_told("bananas")
    assert repository.run("replay").exit_code == 0


def test_lines_from_before_that_nobody_has_read(repository, talk):
    """They name the transcript; whoever takes them in after `on` does not look into it."""
    repository.engine.settle("one")
    off_switch.turn_off(repository.layout, off_switch.Period(time.time_ns()))
    line = {"id": "x1", "at": "2026-01-01T00:00:00Z", "host": "claude", "event": "turn_end", "facts": []}
    tape.append(repository.tape("one"), {**line, "data": {"transcript_path": str(talk.path)}})
    talk.turn("whisper bananas")
    repository.run("on")
    assert repository.engine.replayed("one").transcript_path == ""
    assert not talk.is_told("bananas")


@pytest.mark.parametrize("length", [(), ("--for", "2s")])
def test_one_at_work_that_no_hook_speaks_of(repository, talk, monkeypatch, length):
    """Turned off in mid-turn, and on again before the agent's next event: what it said in between is in its transcript all the same."""
    talk.asks("paint apricots")
    repository.run("off", *length)
    talk.says("whisper bananas")
    if length:
        pretend(monkeypatch, 5)
        talk.stops()
    else:
        repository.run("on")
        talk.hook("SessionStart", source="resume")
        worker.work(repository.engine, "one")
    assert not talk.is_told("bananas")


def test_one_that_rested_and_spoke_without_a_hook(repository, talk):
    """Its agent ran without hooks meanwhile: the transcript has words of that time, so nobody reads it after `on`."""
    talk.turn("paint apricots")
    repository.run("off")
    talk.says("whisper bananas", (datetime.now(UTC) + timedelta(minutes=1)).isoformat())
    repository.run("on")
    talk.hook("SessionStart", source="resume")
    talk.stops()
    assert not talk.is_told("bananas")


def test_a_clock_that_is_set_back(repository, monkeypatch):
    """It ends nothing: neither what has no end, nor a pause, which then lasts as long again and no longer."""
    repository.run("off")
    with monkeypatch.context() as patched:
        pretend(patched, -86_400)
        assert repository.json("status")[0]["off"]
        repository.run("on")
    layout, now = repository.layout, time.time_ns()
    off_switch.turn_off(layout, off_switch.Period(now, now + HOUR))
    assert off_switch.is_off([layout], now - 100 * HOUR)
    assert off_switch.is_off([layout], now - 100 * HOUR + HOUR // 2)
    assert not off_switch.is_off([layout], now - 99 * HOUR)
    assert off_switch.is_off([layout], now - 200 * HOUR)
    assert not off_switch.is_off([layout], now + HOUR)


def test_a_session_that_rested_meanwhile(repository, tmp_path):
    """It goes on as before, transcript and all."""
    path = str(tmp_path / "one.jsonl")
    repository.hook("SessionStart", "one", source="startup", transcript_path=path)
    repository.run("off")
    repository.run("on")
    repository.hook("UserPromptSubmit", "one", prompt="x", transcript_path=path)
    assert repository.engine.replayed("one").transcript_path == path


def test_commits_of_that_time(repository, tmp_path):
    """None is told to a session: neither by a hook of an older version, which writes it down, nor later by who looks for missed ones."""
    root = repository.root
    repository.hook("SessionStart", "one", source="startup")
    repository.hook("UserPromptSubmit", "one", prompt="x")
    repository.engine.settle("one")
    repository.run("off")
    scenes.git(root, "commit", "--allow-empty", "-qm", "private")
    head = scenes.git(root, "rev-parse", "HEAD")
    with open(os.path.join(repository.store, "commits.tape"), "a", encoding="utf-8") as file:
        file.write(f"commit {head} refs/heads/main {root}\n")
    git_hook.run(["commits"], {"HOME": repository.home})
    git_hook.run(["post-commit"], {"HOME": repository.home})
    period = off_switch.read(repository.layout)
    off_switch.turn_on(repository.layout, time.time_ns() + 2 * 10**9)
    assert period is not None
    git_hook.run(["commits"], {"HOME": repository.home})
    assert find_missed(repository.layout, repository.engine.replayed("one")) == []
    assert not any("git_commit" in str(line) for line in tape.unread(repository.tape("one"), 0)[0])


def test_the_other_voices(repository, monkeypatch):
    """The status line says so in a word and keeps nothing; the agent's tools read, and the one that writes says why not."""
    repository.session("one", ends=False)
    repository.run("off")
    before = everything(repository.root)
    reading, writing = os.pipe()
    told = {
        "session_id": "one",
        "cwd": repository.root,
        "workspace": {"project_dir": repository.root},
        "context_window": {"context_window_size": 200_000, "current_usage": {"input_tokens": 60_000}},
    }
    os.write(writing, json.dumps(told).encode())
    os.close(writing)
    assert statusline.run(reading, {"HOME": repository.home}) == "tapehead off"
    os.close(reading)
    refused = call_tool("remember", {"text": "ask before you push", "kind": "feedback"})
    assert refused["isError"]
    assert "off in this repository" in refused["content"][0]["text"]
    assert everything(repository.root) == before
    assert not call_tool("brief", {})["isError"]


def test_what_the_spool_kept(repository, monkeypatch):
    """A payload that came while it was off is not taken in later, whenever that is."""
    repository.run("off", "--for", "1h")
    taken = []
    monkeypatch.setattr(spool_intake.recording, "_append", lambda *_: taken.append(1))
    assert repository.hook("Stop", "one") == ""
    assert not taken


def test_it_is_told_off_twice(repository):
    """The second changes only when it ends; the session is told once."""
    repository.session("one", ends=False)
    first = repository.json("off")
    second = repository.json("off", "--for", "1h")
    assert (first["until"], second["since"]) == (None, first["since"])
    notes = [line.note for line in readable(tape.unread(repository.tape("one"), 0)[0])]
    assert notes.count("off") == 1
