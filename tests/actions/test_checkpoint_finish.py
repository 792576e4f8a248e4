"""A commit in mid-turn: when the turn is over, its checkpoint has what came after it, whatever the commit is called by then."""

from __future__ import annotations

import gzip
import json

import attrs
import pytest
from click.testing import CliRunner

import scenes
from tapehead.actions.bookkeeping import touch
from tapehead.actions.checkpoint_finish import finish
from tapehead.actions.rewrites import follow
from tapehead.attribution import explanation
from tapehead.attribution.snapshot_keeper import work_tree
from tapehead.checkpoints import growth
from tapehead.checkpoints.checkpoint_ref import Checkpoints
from tapehead.cli.app import app
from tapehead.engine.chores import finish_checkpoints
from tapehead.statemachine.vocabulary import Event
from tapehead.store import tape

SECRET = "ghp_" + "a1B2" * 9


class Turn:
    """One turn of a session whose agent commits in the middle of it."""

    def __init__(self, repo):
        self.scene = scenes.Scene(repo / ".git" / "tapehead")
        self.repo, self.calls = repo, 0
        self.transcript = repo.parent / "transcript.jsonl"

    def writes(self, kind, content, **usage):
        self.calls += 1
        message = {"role": kind, "content": content, "id": f"m{self.calls}"}
        if usage:
            message |= {"model": "claude-opus-5-5", "usage": usage}
        row = {"type": kind, "uuid": f"u{self.calls}", "timestamp": "2027-01-15T08:00:01Z", "message": message}
        with self.transcript.open("a") as file:
            file.write(json.dumps({**row, "version": "2.1.4"}) + "\n")

    def uses(self, command):
        called = {"type": "tool_use", "id": f"t{self.calls}", "name": "Bash", "input": {"command": command}}
        self.writes("assistant", [called], input_tokens=100, output_tokens=10)
        self.writes("user", [{"type": "tool_result", "tool_use_id": called["id"], "content": f"did {command}"}])

    def hears(self, event, host="claude", **data):
        self.scene.clock.forward(1)
        self.scene.hear("one", event, data=data, host=host)
        return self.scene.settled("one")

    def begins(self):
        where = {"worktree": str(self.repo), "transcript_path": str(self.transcript), "prompt": "make it blue"}
        self.hears(Event.TURN_START, **where)
        self.writes("user", "make it blue")
        self.uses("write blue.txt")

    def commits(self, *words, name="blue.txt"):
        given = {"file_path": str(self.repo / name), "content": "blue\n"}
        self.writes("assistant", [{"type": "tool_use", "id": f"w{self.calls}", "name": "Write", "input": given}])
        self.writes("user", [{"type": "tool_result", "tool_use_id": f"w{self.calls - 1}", "content": "written"}])
        (self.repo / name).write_text("blue\n")
        scenes.git(self.repo, "add", "-A")
        scenes.git(self.repo, "commit", "-qm", "blue", *words)
        commit = scenes.git(self.repo, "rev-parse", "HEAD")
        self.hears(Event.GIT_COMMIT, host="git", commit=commit, branch="main")
        return self.scene.store.load("one").last_checkpoint_id

    def ends(self):
        self.writes("assistant", [{"type": "text", "text": "it is blue"}], input_tokens=200, output_tokens=20)
        self.hears(Event.TURN_END, reply=f"it is blue, {SECRET}")
        finish_checkpoints(self.scene.engine, "one")
        return self.scene.store.load("one")

    @property
    def kept(self):
        return Checkpoints(work_tree(self.scene.layout, self.scene.store.load("one")).side)

    def words(self, checkpoint_id):
        return gzip.decompress(self.kept.file(checkpoint_id, "transcript.jsonl.gz")).decode()


@pytest.fixture
def turn(tmp_path):
    made = Turn(scenes.repository(tmp_path / "repo"))
    made.begins()
    return made


def test_what_follows_the_commit_is_in_its_checkpoint(turn):
    """Three more calls, the tokens of all, the model, and the last words without their secret; the next one begins after it."""
    first = turn.commits()
    before = turn.kept.get(first)
    assert (before.model, before.finished_at, before.last_words) == ("", "", "")
    assert turn.scene.store.load("one").unfinished_checkpoints == (first,)
    finish_checkpoints(turn.scene.engine, "one")
    assert turn.kept.get(first) == before  # the turn still runs
    for number in range(3):
        turn.uses(f"check {number}")
    state = turn.ends()
    made = turn.kept.get(first)
    assert [f"did check {number}" in turn.words(first) for number in range(3)] == [True] * 3
    assert turn.words(first).count("make it blue") == 1
    assert (made.model, made.tokens["output"]) == ("claude-opus-5-5", 10 + 3 * 10 + 20)
    assert "it is blue" in made.last_words
    assert SECRET not in made.last_words + turn.words(first)
    assert (state.unfinished_checkpoints, state.checkpoint_offset) == ((), turn.transcript.stat().st_size)
    assert growth.grown(before, made)  # another machine that has the first one takes this one
    assert turn.scene.engine.replayed("one") == state
    assert (state.agent_version, state.transcript_identifier) == ("2.1.4", "transcript.jsonl")


def test_an_amend_and_a_rebase_between(turn):
    """The checkpoint is the same one, its transcript has every part once, and `explain` finds it by the newest name."""
    first = turn.commits()
    turn.uses("check 0")
    again = turn.commits("--amend", name="sky.txt")
    assert again == first
    old = scenes.git(turn.repo, "rev-parse", "HEAD")
    turn.uses("check 1")
    scenes.git(turn.repo, "commit", "--amend", "-qm", "a bluer one")
    new = scenes.git(turn.repo, "rev-parse", "HEAD")
    pairs = {"at": "2027-01-15T08:00:30Z", "worktree": str(turn.repo), "pairs": [[old, new]]}
    tape.append(turn.scene.layout.rewrites, pairs)
    follow(turn.scene.layout)
    turn.uses("check 2")
    turn.ends()
    made = turn.kept.get(first)
    assert made.commit == new
    assert len(made.former_commits) == 2
    assert [turn.words(first).count(f"did check {number}") for number in range(3)] == [1, 1, 1]
    assert turn.words(first).count('"did write blue.txt"') == 1


def test_of_two_commits_in_a_turn_the_last_has_the_rest(turn):
    """Both know how the turn ended, and no part of the transcript is kept twice."""
    first = turn.commits()
    turn.uses("check 0")
    second = turn.commits(name="sky.txt")
    turn.uses("check 1")
    turn.ends()
    assert first != second
    assert {turn.kept.get(one).last_words[:10] for one in (first, second)} == {"it is blue"}
    assert ["check 1" in turn.words(one) for one in (first, second)] == [False, True]


def test_finishing_twice_changes_nothing(turn):
    """Killed before its note: the checkpoint is as it was after the first time."""
    first = turn.commits()
    state = turn.ends()
    words = turn.words(first)
    before = attrs.evolve(state, unfinished_checkpoints=(first,), checkpoint_offset=0)
    finish(turn.scene.engine.checkpoints, before, scenes.when())
    assert turn.words(first) == words


def test_what_is_gone_is_passed_over(turn):
    """A checkpoint that is not there any more, a turn that ended without a word, a repository that was removed."""
    turn.commits()
    state = turn.hears(Event.TURN_END)
    keeper = turn.scene.engine.checkpoints
    missing = attrs.evolve(state, unfinished_checkpoints=("0" * 12, *state.unfinished_checkpoints))
    assert finish(keeper, missing, scenes.when())["ids"] == list(missing.unfinished_checkpoints)
    assert turn.kept.get(state.last_checkpoint_id).last_words == ""
    assert finish(keeper, attrs.evolve(state, worktree_path="/nowhere"), scenes.when()) is None
    turn.kept.revise("0" * 12, lambda known: known, {}, 0)
    assert turn.kept.get("0" * 12) is None


def test_a_clock_that_was_put_back(turn):
    """The session has not lasted a shorter time for it, and without a start nobody knows."""
    line = scenes.line(Event.TURN_END, at=scenes.when(scenes.NOON - 10**12))
    state = turn.scene.store.load("one")
    assert touch(state, line).duration_ms == state.duration_ms
    assert touch(attrs.evolve(state, started_at=None), line).duration_ms == state.duration_ms


def test_a_commit_between_two_turns_is_whole_at_once(turn):
    """Nothing is owed to it."""
    turn.ends()
    turn.commits()
    assert turn.scene.store.load("one").unfinished_checkpoints == ()


def test_explain_shows_it(turn, monkeypatch):
    """The model, the tokens and the last words."""
    turn.commits()
    turn.uses("check 0")
    turn.ends()
    monkeypatch.chdir(turn.repo)
    shown = CliRunner().invoke(app, ["explain", "HEAD"]).output
    assert "claude claude-opus-5-5" in shown
    assert "ended with: it is blue" in shown
    assert "tokens of the session by then: 440" in shown
    assert "did check 0" not in shown


def test_explain_shows_every_call(turn, monkeypatch):
    """`--transcript` prints the recorded part: what came before the commit, and what followed it."""
    first = turn.commits()
    for number in range(3):
        turn.uses(f"check {number}")
    turn.ends()
    monkeypatch.chdir(turn.repo)
    shown = CliRunner().invoke(app, ["explain", "--transcript"]).output
    assert [shown.count(f"did {words}") for words in ("write blue.txt", "check 0", "check 1", "check 2")] == [1] * 4
    [part] = json.loads(CliRunner().invoke(app, ["explain", "--transcript", "--json"]).output)["parts"]
    assert part["transcript_lines"] == turn.words(first).splitlines()


def test_a_damaged_part_is_left_out():
    """A checkpoint of another machine may hold anything."""
    whole = gzip.compress(b"first\n") + gzip.compress(b"second\n")
    assert explanation.unpacked(whole) == "first\nsecond\n"
    assert (explanation.unpacked(b""), explanation.unpacked(b"not packed")) == ("", "")
    assert explanation.unpacked(whole[:-9]).startswith("first\n")


def test_how_long_the_session_has_lasted(turn):
    """From the first line to the last interaction; and which version of the program recorded it."""
    state = turn.ends()
    assert state.duration_ms == 1000
    assert state.tapehead_version
