"""Who goes on from whom."""

from hypothesis import given
from hypothesis import strategies as st

from remembered import Memory
from tapehead.history.lineage import lineage


def test_a_chain(memory):
    """A session sees its predecessors, newest first, however many."""
    for number in range(200):
        memory.keeper.inherit(f"s{number + 1}", f"s{number}", 1, "")
    assert lineage(memory.database, "s200") == [f"s{number}" for number in range(200, -1, -1)]
    assert lineage(memory.database, "stranger") == ["stranger"]


def test_a_very_long_chain_ends(memory):
    """It is followed far, but not for ever."""
    with memory.database.writing():
        memory.database.run_all(
            "INSERT INTO lineage VALUES (?, ?, 1, '')", [(f"s{n + 1}", f"s{n}") for n in range(2_000)]
        )
    assert len(lineage(memory.database, "s2000")) == 1_000


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=20))
def test_no_cycles(tmp_path_factory, pairs):
    """Whoever says what of whom: each stands once in a chain, and following it ends."""
    memory = Memory(tmp_path_factory.mktemp("memory"))
    try:
        for session, parent in pairs:
            memory.keeper.inherit(f"s{session}", f"s{parent}", 1, "")
        for number in range(7):
            chain = lineage(memory.database, f"s{number}")
            assert chain[0] == f"s{number}"
            assert len(chain) == len(set(chain))
    finally:
        memory.database.close()


def test_no_row_is_rewritten(memory):
    """To inherit changes nothing of what the predecessor said."""
    from record import Record

    memory.told(Record().turn("ask", "answer"))
    before = memory.dump()["entries"]
    memory.keeper.inherit("new", Record().session, 1, "")
    assert memory.dump()["entries"] == before
