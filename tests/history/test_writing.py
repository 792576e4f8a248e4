"""Taking transcripts in: once, whole, whoever reads them how often."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from record import BEGINS, SESSION, Record
from remembered import Memory
from tapehead.agents.claude.steps import follow
from tapehead.history.entry_ids import after
from tapehead.history.entry_making import Entries
from tapehead.history.entry_times import moment
from tapehead.history.writing import Mark, prepare

OTHER = "99999999-2222-4333-8444-555555555555"


def a_day():
    """A record with everything in it."""
    record = (
        Record().turn("Make a boat", "I will.").thinks("wood?").call("Read", "planks", file_path="/srv/boat/plan.md")
    )
    record.call("Bash", "ok", command="make").queue("hurry").reply("The boat is done.").compacted("We made a boat.")
    side = {"isSidechain": True, "agentId": "a1"}
    record.prompt("look for leaks", **side).reply("none", **side).prompt("Paint it").reply("Painted it blue.")
    return record.line("system", content="note", subtype="informational").prompt("Thanks!")


def test_what_is_kept(memory):
    """Every step is there, once, in its layer, with its session, origin, turn, role, time, kind and source."""
    assert memory.told(a_day()) == len(memory.entries()) - len(memory.recall.lines(SESSION))
    kinds = [(entry.turn, entry.layer, entry.role, entry.kind) for entry in memory.entries() if entry.layer > 1]
    assert kinds == [
        (1, 2, "human", "prompt"),
        (1, 2, "agent", "reply"),
        (1, 3, "agent", "thinking"),
        (1, 3, "agent", "call"),
        (1, 3, "tool", "result"),
        (1, 3, "agent", "call"),
        (1, 3, "tool", "result"),
        (1, 2, "agent", "reply"),
        (1, 3, "host", "system"),
        (1, 3, "host", "system"),
        (1, 3, "host", "summary"),
        (1, 3, "agent", "subagent"),
        (1, 3, "agent", "subagent"),
        (1, 2, "human", "prompt"),
        (2, 2, "human", "prompt"),
        (2, 2, "agent", "reply"),
        (2, 3, "host", "system"),
        (3, 2, "human", "prompt"),
    ]
    assert len({entry.source for entry in memory.entries()}) == len(memory.entries())
    assert {entry.origin for entry in memory.entries()} == {SESSION}


def test_reading_again_adds_nothing_and_changes_nothing(memory):
    """From where it stopped, from the start, or under another name: every table is the same, byte for byte."""
    record = a_day()
    path = record.write(memory.directory)
    assert memory.follow(path) > 0
    before = memory.dump()
    assert memory.follow(path) == 0
    assert memory.dump() == before
    with memory.database.writing():
        memory.database.run("DELETE FROM cursors")
    assert memory.follow(path) == 0
    assert memory.dump() == before
    copy = record.write(memory.directory / "elsewhere")
    assert memory.follow(copy) == 0
    assert memory.dump()["entries"] == before["entries"]


def test_a_slow_reader_takes_nothing_back(memory):
    """Two read the same piece; the one that comes late adds nothing, and the place stays where the first one was."""
    record = a_day()
    path = record.write(memory.directory)
    late = prepare(next(iter(follow(path, at_once=3))), Entries())
    memory.follow(path)
    before = memory.dump()
    assert memory.keeper.take(SESSION, "claude", path, late) == 0
    assert memory.dump() == before


def test_another_file_under_the_same_name(memory):
    """What it repeats is known, what is new in it is added, and it is followed from then on."""
    path = Path(Record().turn("one", "two").turn("three", "four").write(memory.directory))
    memory.follow(str(path))
    record = Record(cwd="/srv/other").turn("new", "words")
    path.write_bytes(record.bytes())
    memory.follow(str(path))
    assert memory.keeper.mark(str(path)).cursor.offset == len(record.bytes())
    assert memory.bodies("prompt") == ["one", "three"]  # by their ids the lines of the other file are the same ones


def test_two_sessions_at_the_same_moment(memory):
    """Entries of the very same time have ids of their own, and each session keeps its order."""
    for session in (SESSION, OTHER):
        record = Record(session, step=0.0)
        for number in range(40):
            record.turn(f"ask {number}", f"answer {number}")
        memory.told(record)
    for session in (SESSION, OTHER):
        assert memory.bodies("prompt", session) == [f"ask {number}" for number in range(40)]
        assert memory.bodies("reply", session) == [f"answer {number}" for number in range(40)]


def test_times_that_go_backwards(memory):
    """A line that the agent wrote late stays where it stands in the file; one from another day stands on its day."""
    late = (BEGINS - timedelta(minutes=5)).isoformat()
    old = (BEGINS - timedelta(days=3)).isoformat()
    record = Record().prompt("a").reply("b").reply("late", timestamp=late).reply("c").prompt("old", timestamp=old)
    memory.told(record)
    assert [entry.body for entry in memory.entries() if entry.layer == 2] == ["a", "b", "late", "c", "old"]
    assert memory.hits("old")[0].time == old


@pytest.mark.parametrize("time", ["", "yesterday", "0001-01-01T00:00:00", "9999-12-31T23:59:59+00:00", "2027-02-30"])
def test_times_that_are_none(memory, time):
    """Whatever stands there is kept as it is, and nothing raises."""
    memory.told(Record().prompt("first").prompt("second", timestamp=time or None).prompt("third"))
    assert sorted(memory.bodies("prompt")) == ["first", "second", "third"]


@given(
    st.lists(st.one_of(st.datetimes(timezones=st.just(UTC)).map(datetime.isoformat), st.text(max_size=8)), max_size=30)
)
def test_ids_go_up_with_the_file(times):
    """Within an hour's disorder and without any time at all, the next id is above the last."""
    last = 0
    for time in times:
        ident = after(last, moment(time))
        assert ident != last
        assert 0 < ident < 2**63
        last = ident


def test_the_origin(memory):
    """A resumed session's file may begin with lines of the one it goes on from: they say so."""
    old = Record(OTHER).turn("old ask", "old answer")
    record = Record().turn("new ask", "new answer")
    record.lines[:0] = old.lines
    memory.told(record)
    assert [(entry.body, entry.origin) for entry in memory.entries(kind="prompt")] == [
        ("old ask", OTHER),
        ("new ask", SESSION),
    ]
    assert [told.id for told in memory.recall.sessions()] == [SESSION]


def test_about_a_session(memory):
    """The first project stands, for an agent walks; of branch, model and title the newest."""
    record = Record().prompt("a").reply("b").line("ai-title", aiTitle="Boats")
    memory.told(record.prompt("c", cwd="/srv/boat/deck", gitBranch="paint"))
    (told,) = memory.recall.sessions()
    assert told[:7] == (SESSION, "claude", "/srv/boat", "paint", "model-1", "Boats", 2)


def test_a_call_and_its_result_in_two_readings(memory):
    """The result knows the tool and the file of a call that was read before."""
    record = Record().prompt("x").call("Read", None, file_path="/srv/boat/plan.md")
    path = Path(record.write(memory.directory))
    memory.follow(str(path), final=False)
    record.result("planks").write(memory.directory)
    memory.follow(str(path))
    assert [(entry.name, entry.file) for entry in memory.entries(kind="result")] == [("Read", "/srv/boat/plan.md")]


def test_big_outputs(memory):
    """They are packed, cut at the limit that is set, and come out as they went in."""
    text = "".join(f"line {number} of a long output\n" for number in range(2_000))
    memory.told(Record().prompt("x").call("Bash", text, command="cat"))
    assert memory.bodies("result") == [text]
    rows = memory.database.rows("SELECT typeof(body), length(body) FROM entries WHERE kind = 'result'")
    assert rows[0][0] == "blob"
    assert rows[0][1] < len(text) / 3
    assert memory.found("999") != []


def test_the_limit(memory):
    """What is above it is cut, and the length that it had is known."""
    memory.told(Record().prompt("x").call("Bash", "y" * 10_000, command="cat"), limit=1_000)
    (entry,) = memory.entries(kind="result")
    assert len(entry.body) < 1_100
    assert entry.length == 10_000


def test_a_mark_of_an_unknown_file(memory):
    """It was not read at all."""
    assert memory.keeper.mark("/nowhere") == Mark()


def test_inheritance(memory):
    """The first word stands, and nobody is their own ancestor."""
    memory.keeper.inherit("b", "a", 1, "then")
    memory.keeper.inherit("b", "c", 2, "later")
    memory.keeper.inherit("d", "d", 1, "")
    assert memory.database.rows("SELECT session, parent, rule, at FROM lineage") == [("b", "a", 1, "then")]


def test_the_same_words_in_the_index_after_a_new_line(memory):
    """The line of a turn changes as the turn goes on: the index forgets the old one, and finds the new."""
    record = Record().prompt("Make a boat").reply("Sawing wood now, it takes a while.")
    path = record.write(memory.directory)
    memory.follow(path, final=False)
    assert len(memory.hits("sawing", kinds=("line",))) == 1
    record.reply("The boat is fixed and it works.").write(memory.directory)
    memory.follow(path)
    assert memory.hits("sawing", kinds=("line",)) == []
    assert len(memory.hits("works", kinds=("line",))) == 1


_TEXTS = st.sampled_from(["Make a boat", "done", "漢字の船", "x" * 5_000, "\x1b[1mbold", "a\ud800b", "é"])
_MOVES = st.one_of(
    st.builds(lambda text: lambda r: r.prompt(text), _TEXTS),
    st.builds(lambda text: lambda r: r.reply(text), _TEXTS),
    st.builds(lambda text: lambda r: r.thinks(text), _TEXTS),
    st.builds(lambda text: lambda r: r.call("Edit", text, file_path="/a.py"), _TEXTS),
    st.builds(lambda text: lambda r: r.call("Bash", None, command="make"), _TEXTS),
    st.builds(lambda text: lambda r: r.result(text), _TEXTS),
    st.builds(lambda text: lambda r: r.queue(text), _TEXTS),
    st.builds(lambda text: lambda r: r.compacted(text), _TEXTS),
    st.builds(lambda text: lambda r: r.prompt(text, isSidechain=True, agentId="a"), _TEXTS),
    st.builds(lambda text: lambda r: r.prompt(text, timestamp="2027-01-15T07:59:00Z"), _TEXTS),
    st.builds(lambda text: lambda r: r.reply(text, timestamp="2027-01-10T07:59:00Z"), _TEXTS),
    st.builds(lambda text: lambda r: r.reply(text, cwd="/srv/other", gitBranch="b"), _TEXTS),
    st.just(lambda r: r.raw(b"\xff\x00 garbage")),
)


@given(st.lists(_MOVES, max_size=20), st.lists(st.integers(0, 8_000), max_size=5), st.integers(1, 5))
def test_pieces_are_the_same_as_the_whole(tmp_path_factory, moves, cuts, at_once):
    """However a transcript grows, and however small the batches: the same rows as in one reading."""
    record = Record()
    for move in moves:
        move(record)
    whole, pieces = (Memory(tmp_path_factory.mktemp(name)) for name in ("whole", "pieces"))
    whole.told(record)
    path = Path(pieces.directory) / f"{SESSION}.jsonl"
    content = record.bytes()
    for cut in sorted(cuts):
        path.write_bytes(content[:cut])
        pieces.follow(str(path), final=False, at_once=at_once)
    path.write_bytes(content)
    pieces.follow(str(path), at_once=at_once)
    try:
        assert _compared(pieces) == _compared(whole)
    finally:
        whole.database.close()
        pieces.database.close()


def _compared(memory):
    """The rows, and where each kind of word is found."""
    rows = memory.dump()
    found = {word: [(hit.kind, hit.turn) for hit in memory.hits(word)] for word in ("boat", "漢字", "done", "bold")}
    return [*rows["sessions"], *rows["entries"], found]


@pytest.mark.parametrize("hostile", ["\ud800", "a\0b", "\udcff/x", "'; DROP TABLE entries; --", "\U0010fff0result"])
def test_hostile_words_in_every_field(memory, hostile):
    """Wherever they stand, what they stand with is kept, and nothing raises."""
    record = Record().prompt(hostile, cwd=f"/srv/{hostile}", gitBranch=hostile, uuid=f"{hostile}1", timestamp=hostile)
    record.call(hostile, hostile, **{hostile: hostile}).call("Read", hostile, file_path=f"/x/{hostile}")
    record.prompt("and on", sessionId=f"{SESSION}{hostile}").line("ai-title", aiTitle=hostile)
    path = record.write(
        memory.directory, f"{hostile.replace('/', '').encode('utf-8', 'replace').decode()}x.jsonl".replace("\0", "")
    )
    memory.follow(path, f"session{hostile}")
    (told,) = memory.recall.sessions()
    assert memory.bodies("prompt", told.id)[-1] == "and on"
    assert memory.follow(path, f"session{hostile}") == 0


def test_what_a_database_does_not_take(memory):
    """Half a character becomes a mark, a NUL goes; the words around them are found."""
    memory.told(Record().prompt("a\ud800b\0c é 漢字"))
    assert memory.bodies("prompt") == ["a?bc é 漢字"]
    assert memory.found("bc") != []


def test_a_path_that_is_no_text(memory):
    """File systems take any bytes for a name."""
    raw = os.path.join(os.fsencode(memory.directory), b"\xff.jsonl")
    Path(os.fsdecode(raw)).write_bytes(Record().turn("one", "two").bytes())
    assert memory.follow(os.fsdecode(raw)) == 2
    assert memory.follow(os.fsdecode(raw)) == 0


def test_private_files(memory):
    """Nobody else reads what was said."""
    memory.told(a_day())
    assert os.stat(memory.path).st_mode & 0o077 == 0


def test_many_sessions_of_the_very_same_moment(memory):
    """More than there are places for at one moment: each has its entries and the line of its turn."""
    sessions = [f"{number:08x}-2222-4333-8444-555555555555" for number in range(20)]
    for session in sessions:
        assert memory.told(Record(session).turn("Make a boat", "The boat is done.")) == 2
    for session in sessions:
        assert [entry.kind for entry in memory.entries(session) if entry.layer > 1] == ["prompt", "reply"]
        assert len(memory.lines(session)) == 1
