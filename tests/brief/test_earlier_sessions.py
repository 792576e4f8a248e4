"""What a brief says of the sessions before."""

from tapehead.brief.earlier_sessions import TURNS, earlier
from tapehead.history.database import Database
from tapehead.history.entry_making import Entries
from tapehead.history.writing import Keeper, prepare
from tapehead.store.paths import Layout
from tapehead.transcript.recorded_steps import Batch, Cursor, Recorded
from tapehead.transcript.turns import AGENT, HUMAN, Said


def remember(layout, session, turns, parent=""):
    steps = []
    for turn in range(1, turns + 1):
        at = f"2026-01-01T10:{turn:02d}:00.000Z"
        steps += [
            Recorded(f"{session}-{turn}/0", turn, at, Said(HUMAN, f"write part {turn} of {session}")),
            Recorded(f"{session}-{turn}/1", turn, at, Said(AGENT, f"Part {turn} of it is written.")),
        ]
    with Database(layout.memory) as database:
        keeper = Keeper(database)
        keeper.take(session, "claude", f"/{session}.jsonl", prepare(Batch(steps, Cursor(1)), Entries()))
        if parent:
            keeper.inherit(session, parent, 2, "2026-01-01T11:00:00+00:00")


def test_without_a_memory_there_is_nothing_to_say(tmp_path):
    """Nor is one made by asking."""
    layout = Layout(str(tmp_path))
    assert earlier(layout, "c") == ()
    assert not (tmp_path / "memory.db").exists()


def test_a_chain_of_three_keeps_the_first_ones_turns_within_reach(tmp_path):
    """Oldest first, each session with the command that brings a turn whole; the session itself is not among them."""
    layout = Layout(str(tmp_path))
    remember(layout, "a", 2)
    remember(layout, "b", 1, "a")
    remember(layout, "c", 1, "b")
    told = earlier(layout, "c")
    assert told == (
        "session a (each whole: `tapehead detail turn N --session a`)",
        "turn 1, 2026-01-01T10:01:00Z: write part 1 of a → Part 1 of it is written",
        "turn 2, 2026-01-01T10:02:00Z: write part 2 of a → Part 2 of it is written",
        "session b (each whole: `tapehead detail turn N --session b`)",
        "turn 1, 2026-01-01T10:01:00Z: write part 1 of b → Part 1 of it is written",
    )


def test_long_sessions_are_cut_to_their_newest_turns(tmp_path):
    """And say how many there are before."""
    layout = Layout(str(tmp_path))
    for session, parent in (("a", ""), ("b", "a"), ("c", "b"), ("d", "c")):
        remember(layout, session, 20, parent)
    told = earlier(layout, "d")
    assert sum(line.startswith("turn ") for line in told) <= TURNS + 3
    assert any(line.startswith("session c (14 turns before; ") for line in told)
    assert "of c → Part 20" in told[-1]


def test_a_memory_that_cannot_be_asked_says_nothing(tmp_path):
    """The rest of the brief is worth having."""
    layout = Layout(str(tmp_path))
    (tmp_path / "memory.db").write_bytes(b"no database at all" * 100)
    assert earlier(layout, "c") == ()
