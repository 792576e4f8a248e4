"""The memory of a session on its way to another machine."""

from __future__ import annotations

import pytest

from record import SESSION, Record
from remembered import Memory
from tapehead.history import session_lines, turn_lines


@pytest.fixture
def there(tmp_path):
    (tmp_path / "there").mkdir()
    made = Memory(tmp_path / "there")
    yield made
    made.database.close()


def filled(memory):
    """Two turns, with a call in each; the line of the second is by the user's own command."""
    record = Record()
    record.prompt("Fix the leak").call("Bash", "pumped", command="make pump").reply("The leak is fixed.")
    record.prompt("Paint it").call("Edit", "edited", file_path="/w/paint.py").reply("It is painted.")
    memory.told(record)
    with memory.database.writing():
        turn_lines.by_command(memory.database, SESSION, 2, "a better line")


def sent(memory, there, **options):
    rows = session_lines.rows_of(memory.database, SESSION, **options)
    lines = [session_lines.written(row) for row in rows]
    return session_lines.take(
        there.database, {"session": SESSION, "agent": "claude"}, session_lines.read(lines), "/t", 7
    )


def test_all_of_it_arrives_once(memory, there):
    """Every entry of every layer, in order, with the line of each turn as it read; a second time nothing is new."""
    filled(memory)
    assert sent(memory, there) > 0
    assert there.entries() == memory.entries()
    assert there.lines() == memory.lines()
    assert there.found("better", kinds=("line",)) != []
    assert there.recall.files() == [(SESSION, "/t", 7)]
    assert sent(memory, there) == 0
    assert there.entries() == memory.entries()


def test_big_detail_stays_at_home(memory, there):
    """What was said goes along, and the lines are those that were made where all was known."""
    filled(memory)
    sent(memory, there, small=1)
    assert {entry.layer for entry in there.entries()} == {1, 2}
    assert there.lines() == memory.lines()
    assert there.entries() == [entry for entry in memory.entries() if entry.layer < 3]
