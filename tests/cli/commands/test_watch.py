"""`tapehead watch`: sessions are recorded from their transcripts alone, while it runs."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from record import Record
from tapehead.agents.claude.retention import folder_of
from tapehead.cli.commands.watch import _show
from tapehead.cli.watched_records import WatchedRecords
from tapehead.engine.record_watch import QUIET_SECONDS
from tapehead.statemachine.vocabulary import Event

ONE = "3f2a91b0-1111-4222-8333-444444444444"


class Scene:
    """A transcript that grows, and who looks at it."""

    def __init__(self, repository, env):
        self.repository, self.env = repository, env
        self.record = Record(ONE, cwd=repository.root)
        self.folder = Path(folder_of(repository.home, {}, repository.root))
        self.worked, self.clock = [], 100.0
        self.watch = self.again()

    def again(self, *paths, agent=""):
        self.watch = WatchedRecords(paths, agent, self.env, lambda _, session: self.worked.append(session))
        return self.watch

    def look(self, later=1.0):
        """What is told, after what the transcript has by now."""
        self.path = self.record.write(self.folder)
        self.clock += later
        return [news.event for news in self.watch.look(self.clock)]

    def lines(self):
        return [json.loads(line) for line in Path(self.repository.tape(ONE)).read_text().splitlines()]

    def events(self):
        return [line["event"] for line in self.lines() if "event" in line]

    def phase(self):
        self.repository.engine.settle(ONE)
        return self.repository.engine.store.load(ONE).phase.value


@pytest.fixture
def scene(repository):
    return Scene(repository, dict(os.environ))


def test_a_start_a_turn_and_a_compaction_are_read_from_the_transcript(scene):
    """Each once, in their order, with the prompt and the reply; the machine goes through the phases that hooks would lead it through."""
    scene.record.turn("before the watch", "done")
    assert scene.look() == [Event.SESSION_START]
    scene.record.prompt("make it blue").call("Bash", command="ls")
    assert scene.look() == [Event.TURN_START]
    assert scene.phase() == "active"
    scene.record.result("a b").reply("it is blue")
    assert scene.look() == []
    assert scene.look(QUIET_SECONDS) == [Event.TURN_END]
    assert scene.look(QUIET_SECONDS) == []
    assert scene.phase() == "idle"
    scene.record.compacted("What was said so far.")
    assert scene.look() == [Event.COMPACTION, Event.COMPACTED]
    assert scene.phase() == "restored"
    told = {line["event"]: line["data"] for line in scene.lines() if "event" in line}
    assert told["turn_start"]["prompt"] == "make it blue"
    assert told["turn_end"]["reply"] == "it is blue"
    assert told["session_start"]["worktree"] == scene.repository.root
    assert "pid" not in told["turn_start"]
    assert set(scene.worked) == {ONE}


def test_a_turn_is_not_over_while_a_tool_runs(scene):
    """Whatever the silence: a call has no result yet."""
    scene.record.turn("hello", "hi")
    scene.look()
    scene.record.prompt("run it").call("Bash", command="sleep 99").reply("It runs now")
    assert scene.look() == [Event.TURN_START]
    assert scene.look(60) == []


def test_a_prompt_ends_the_turn_before_it(scene):
    """Where nobody saw the silence between two turns."""
    scene.record.turn("hello", "hi")
    scene.look()
    scene.record.turn("one", "done").prompt("two")
    assert scene.look() == [Event.TURN_START, Event.TURN_END, Event.TURN_START]


def test_a_turn_under_way_is_taken_up(scene):
    """Of what was before the watch only the open turn counts."""
    scene.record.turn("long ago", "done").prompt("now")
    assert scene.look() == [Event.SESSION_START, Event.TURN_START]
    assert scene.lines()[-1]["data"]["prompt"] == "now"


def test_a_session_with_hooks_is_left_alone(scene):
    """Its hooks tell all of it; twice would be wrong."""
    scene.repository.hook("SessionStart", ONE, source="startup")
    scene.record.turn("hello", "hi")
    assert scene.look() == []
    scene.record.turn("again", "done")
    assert scene.look(9) == []
    assert scene.events() == ["session_start"]


def test_hooks_that_begin_later_take_over(scene):
    """From then on the watch is silent."""
    scene.record.turn("hello", "hi")
    scene.look()
    scene.repository.hook("UserPromptSubmit", ONE, prompt="again")
    scene.record.prompt("again")
    assert scene.look() == []
    assert scene.events() == ["session_start", "turn_start"]


def test_a_second_watch_goes_on(scene):
    """Nothing that the first one told is told again, and the start says that the session is resumed."""
    scene.record.turn("hello", "hi")
    scene.look()
    scene.record.turn("one", "done")
    scene.look()
    scene.look(QUIET_SECONDS)
    scene.again()
    scene.record.turn("two, which nobody watched", "done")
    assert scene.look(60) == [Event.SESSION_START]
    assert scene.lines()[-1]["data"]["source"] == "resume"


def test_two_watches_write_each_event_once(scene):
    """They look at the same transcript at the same time."""
    other = WatchedRecords((), "", scene.env, lambda *_: None)
    scene.record.turn("hello", "hi")
    scene.look()
    other.look(scene.clock)
    scene.record.prompt("one")
    scene.look()
    other.look(scene.clock)
    assert scene.events().count("turn_start") == 1


def test_old_transcripts_and_other_agents_are_left_out(scene):
    """Only what is being written is followed, unless it is named."""
    scene.record.turn("hello", "hi")
    scene.again(agent="codex")
    assert scene.look() == []
    os.utime(scene.path, (1, 1))
    scene.again()
    assert [news.event for news in scene.watch.look(1.0)] == []
    scene.again(scene.path)
    assert [news.event for news in scene.watch.look(1.0)] == [Event.SESSION_START]


def test_a_torn_line_waits_for_its_end(scene):
    """Half a prompt is none."""
    scene.record.turn("hello", "hi")
    scene.look()
    whole = scene.record.prompt("make it blue").bytes()
    Path(scene.path).write_bytes(whole[:-20])
    assert scene.watch.look(scene.clock + 1) == []
    assert scene.look(2) == [Event.TURN_START]


def test_the_command_tells_what_it_records(scene, monkeypatch):
    """As JSON one object per line; else in words; and it stops when it is told to."""
    monkeypatch.setattr("tapehead.cli.commands.watch.start", lambda *_: None)
    scene.record.prompt("now")
    path = scene.record.write(scene.folder)
    run = scene.repository.run("watch", path, "--for", "0s", "--json")
    assert [json.loads(line)["event"] for line in run.stdout.splitlines()] == ["session_start", "turn_start"]
    path = Record("3f2a91b1" + ONE[8:], cwd=scene.repository.root).turn("hello", "hi").write(scene.folder)
    assert "claude  3f2a91b1  followed from here on" in scene.repository.run("watch", path, "--for", "0s").stdout
    wrong = scene.repository.run("watch", "--for", "soon")
    assert wrong.exit_code == 1


def test_after_a_compaction_the_command_that_it_names_works(scene, capsys):
    """Word for word: it prints the brief of that session."""
    scene.record.turn("hello", "hi")
    scene.look()
    scene.record.turn("make it blue", "it is blue").compacted("What was said so far.")
    scene.record.write(scene.folder)
    for news in scene.watch.look(scene.clock + 1):
        _show(news, as_json=False)
    command = capsys.readouterr().out.rpartition("`tapehead ")[2].partition("`")[0]
    scene.repository.engine.settle(ONE)
    assert "make it blue" in scene.repository.run(*command.split()).stdout


def test_an_agent_that_is_killed_is_noticed(scene, tmp_path):
    """In mid-turn the session is halted; another program in the same directory, or the same one elsewhere, is not the agent."""
    program = tmp_path / "claude"
    program.write_text("#!/bin/sh\nread line\n")
    program.chmod(0o755)
    there, elsewhere = (
        subprocess.Popen([program], stdin=subprocess.PIPE, cwd=place) for place in (scene.repository.root, tmp_path)
    )
    try:
        scene.record.prompt("make it blue").call("Bash", command="ls")
        assert scene.look() == [Event.SESSION_START, Event.TURN_START]
        assert scene.look() == []
        there.kill()
        there.wait()
        assert scene.look() == [Event.PROCESS_LOST]
        assert scene.look() == []
        assert scene.phase() == "halted"
    finally:
        for each in (there, elsewhere):
            each.kill()
            each.communicate()
