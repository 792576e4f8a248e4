"""Keeping an index quick changes nothing of what is found."""

from record import Record
from tapehead.history.database import Database
from tapehead.history.index_merging import merge
from tapehead.history.index_vocabulary import count_entries
from tapehead.history.renewal import INDEXES


def pages(memory):
    """How many pages the indexes have."""
    return sum(memory.database.rows(f"SELECT count(*) FROM {index}_data")[0][0] for index in INDEXES)


def test_what_was_written_piece_by_piece_is_found_as_before_in_fewer_pages(memory):
    """Each turn is a stroke of its own."""
    record = Record()
    for number in range(40):
        record.turn(f"Mend the harbour {number}", f"Mended the pier {number}.")
        memory.told(record)
    before, found = pages(memory), memory.hits("harbour", limit=100)
    merge(memory.database, 10.0)
    assert pages(memory) < before / 2
    assert memory.hits("harbour", limit=100) == found


def test_a_step_is_taken_though_there_is_no_time(memory):
    record = Record()
    for number in range(8):
        record.turn(f"Mend the harbour {number}", "Mended.")
        memory.told(record)
    before = pages(memory)
    merge(memory.database, 0.0)
    assert pages(memory) < before


def test_entries_are_counted_without_a_look_at_each(memory):
    record = Record()
    record.turn("Mend the harbour", "Mended.")
    memory.told(record)
    with Database(memory.path, looking=True) as looking:
        assert count_entries(looking) == looking.rows("SELECT count(*) FROM entries")[0][0] > 0
