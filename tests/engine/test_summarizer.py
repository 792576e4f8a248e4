"""The user's own summarizer: asked once per turn, never trusted with more than a line."""

import json

import pytest

from tapehead.engine.summarizer import AT_ONCE, Failed, ask, summarize
from tapehead.history.database import Database
from tapehead.history.intake import MemoryKeeper
from tapehead.history.recall import Recall
from tapehead.settings.loading import load
from tapehead.store.paths import Layout
from tapehead.store.state import State


@pytest.fixture
def layout(tmp_path):
    """A store whose memory has a session of five turns."""
    transcript = tmp_path / "one.jsonl"
    lines = []
    for turn in range(1, 6):
        at = f"2026-01-01T10:0{turn}:00.000Z"
        said = {"content": [{"type": "text", "text": f"Part {turn} is written."}], "model": "m", "id": f"m{turn}"}
        lines += [
            {"type": "user", "uuid": f"u{turn}", "timestamp": at, "message": {"content": f"write part {turn}"}},
            {"type": "assistant", "uuid": f"a{turn}", "timestamp": at, "message": said},
        ]
    transcript.write_text("".join(json.dumps(line) + "\n" for line in lines))
    layout = Layout(str(tmp_path / "store"))
    state = State("one", agent="claude", transcript_path=str(transcript))
    assert MemoryKeeper(layout, load("", "", {})).remember(state)
    return layout


def settings(command, timeout="30s"):
    return load("", "", {"TAPEHEAD_SUMMARIZER_COMMAND": command, "TAPEHEAD_SUMMARIZER_TIMEOUT": timeout})


def lines(layout):
    with Database(layout.memory) as database:
        return {line.turn: line.line for line in Recall(database).lines("one")}


def test_without_a_command_nothing_is_run(layout):
    """The lines are those that were made without a model."""
    before = lines(layout)
    assert summarize(layout, settings(""), "one", until=6) == 0
    assert lines(layout) == before == {n: f"write part {n} → Part {n} is written" for n in range(1, 6)}


def test_the_newest_turns_first_a_few_at_a_time_and_each_once(layout):
    """It is given the turn on stdin; a turn that still runs is not asked about."""
    command = settings("head -c 20 | tr '\\n' ' '")
    assert summarize(layout, command, "one", until=5) == AT_ONCE
    assert [lines(layout)[turn] for turn in (2, 3, 4)] == ["The user: write part"] * 3
    assert lines(layout)[5].endswith("is written"), "it still runs"
    assert summarize(layout, command, "one", until=6) == 2
    assert summarize(layout, command, "one", until=6) == 0


def test_reading_the_transcript_again_keeps_its_lines(layout, tmp_path):
    """What the command said is not replaced by what we would say."""
    summarize(layout, settings("echo mine"), "one", until=6)
    with Database(layout.memory) as database, database.writing():
        database.run("DELETE FROM cursors")
    state = State("one", agent="claude", transcript_path=str(tmp_path / "one.jsonl"))
    assert MemoryKeeper(layout, load("", "", {})).remember(state) == 0
    assert lines(layout)[5] == "mine"


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("exit 3", "ended with 3"),
        ("true", "said nothing"),
        ("sleep 20", "took longer"),
        ("no-such-command-at-all", "ended with 127"),
    ],
)
def test_one_that_fails_leaves_the_lines_as_they_were(layout, command, why):
    """And says why, for doctor."""
    before = lines(layout)
    with pytest.raises(Failed, match=why):
        summarize(layout, settings(command, "200ms" if "sleep" in command else "30s"), "one", until=6)
    assert lines(layout) == before


def test_what_it_says_is_cut_masked_and_plain():
    """Its output is text like any other."""
    assert ask("printf '\\n\\033[1mkey: AKIAABCDEFGH12345678\\033[0m done\\nmore'", "", 10) == "key: [masked] done"
    assert len(ask("printf 'x%.0s' $(seq 1000)", "", 10)) == 160


def test_what_it_starts_does_not_set_off_tapehead():
    """Its environment says that tapehead started it."""
    assert ask("echo $TAPEHEAD_INTERNAL", "", 10) == "1"
