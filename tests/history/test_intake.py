"""A session's transcript goes into the memory."""

import os

import attr
import pytest

from record import SESSION, Record
from tapehead.history.database import Database, Newer
from tapehead.history.intake import MemoryKeeper
from tapehead.history.lineage import lineage
from tapehead.history.recall import Recall
from tapehead.settings.loading import DEFAULTS, load
from tapehead.statemachine.vocabulary import Phase
from tapehead.store.paths import Layout
from tapehead.store.state import State


class Store:
    """A store, and what is remembered in it."""

    def __init__(self, directory):
        self.directory = directory
        self.layout = Layout(str(directory / "store"))

    def remember(self, record=None, **fields):
        path = record.write(self.directory) if record else fields.pop("transcript_path", "")
        state = attr.evolve(State(SESSION, agent="claude", transcript_path=path), **fields)
        return MemoryKeeper(self.layout, load(self.layout.root, "", {})).remember(state)

    def ask(self, question):
        with Database(self.layout.memory) as database:
            return question(database)

    def prompts(self):
        turns = (1, 2, 3)
        return self.ask(
            lambda database: [
                entry.body for turn in turns for entry in Recall(database).turn(SESSION, turn) if entry.role == "human"
            ]
        )


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path)


def test_only_what_is_new(store):
    """From where the last one stopped, whoever it was."""
    record = Record().turn("one", "two")
    assert store.remember(record) == 2
    assert store.remember(record) == 0
    assert store.remember(record.turn("three", "four")) == 2
    assert store.prompts() == ["one", "three"]


def test_every_turn_that_was_missed(store):
    """The first look backfills all of them."""
    record = Record()
    for number in range(30):
        record.turn(f"ask {number}", "answer")
    assert store.remember(record) == 60


def test_subagents_files(store):
    """Those beside the transcript are followed too, and other files there are not."""
    record = Record().turn("one", "two")
    side = Record()
    side.lines += [b""] * 5
    side.prompt("look", isSidechain=True, agentId="a1")
    below = store.directory / SESSION / "subagents"
    side.write(below, "agent-a1.jsonl")
    (below / "agent-a1.meta.json").write_text("{}")
    assert store.remember(record) == 3
    assert store.remember(record) == 0


@pytest.mark.parametrize(
    ("phase", "prompts"), [(Phase.ACTIVE, ["one"]), (Phase.ENDED, ["one", "wait"]), (Phase.HALTED, ["one", "wait"])]
)
def test_queued_words_when_it_is_over(store, phase, prompts):
    """They wait while the session goes on, and are kept when it ended."""
    store.remember(Record().prompt("one").queue("wait"), phase=phase)
    assert store.prompts() == prompts


def test_whom_it_goes_on_from(store):
    """Noted with the first prompt: a start that never got one goes on from nobody."""
    record = Record().prompt("one")
    store.remember(record, predecessor="before", predecessor_rule=3)
    assert store.ask(lambda database: lineage(database, SESSION)) == [SESSION]
    store.remember(record, predecessor="before", predecessor_rule=3, turn_number=1)
    assert store.ask(lambda database: lineage(database, SESSION)) == [SESSION, "before"]


def test_nothing_to_follow(store):
    """No transcript, no file there, or an agent whose record nobody reads: no memory is made."""
    assert store.remember() == 0
    assert store.remember(transcript_path="/nowhere.jsonl") == 0
    assert store.remember(Record().prompt("x"), agent="nobody") == 0
    assert not os.path.exists(store.layout.memory)


def test_the_settings(store):
    """How much is kept of one output, and whether thinking is."""
    os.makedirs(store.layout.root)
    with open(os.path.join(store.layout.root, "config.toml"), "w", encoding="utf-8") as file:
        file.write("[memory]\nlimit = 50\nthinking = false\n")
    store.remember(Record().prompt("one").thinks("hm").call("Bash", "y" * 500, command="x"))
    kinds = store.ask(lambda database: {e.kind: len(e.body) for e in Recall(database).turn(SESSION, 1)})
    assert "thinking" not in kinds
    assert kinds["result"] < 120


def test_a_memory_of_a_newer_version(store):
    """Is refused, and nothing is lost: whoever can use it goes on from its own mark."""
    store.remember(Record().prompt("one"))
    with Database(store.layout.memory) as database:
        database.run("PRAGMA user_version = 99")
    with pytest.raises(Newer):
        store.remember(Record().prompt("one").prompt("two"))


def test_an_agent_whose_record_nobody_reads(told):
    """Its file is left alone."""
    assert MemoryKeeper(told.layout, DEFAULTS).follow(None, "one", "nobody", told.path, final=True) == 0
