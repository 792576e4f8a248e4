"""The first layer, kept up to date."""

from record import SESSION, Record
from tapehead.history import turn_lines
from tapehead.history.search import Wanted, search
from tapehead.history.turn_lines import TurnLines


def test_every_turn_has_one(memory):
    """One line each, with the turn's number and time; what came before the first prompt has none."""
    record = (
        Record().line("system", content="hello").turn("Fix the leak", "The leak is fixed.").turn("Paint it", "Painted.")
    )
    memory.told(record)
    assert [(one.turn, one.time[11:19], one.line, one.covered) for one in memory.recall.lines(SESSION)] == [
        (1, "08:00:01", "Fix the leak → The leak is fixed", False),
        (2, "08:00:03", "Paint it → Painted", False),
    ]


def test_a_line_follows_its_turn(memory):
    """It is made again as the turn grows, in its place; one that is as it was is not touched."""
    record = Record().prompt("Fix the leak")
    path = record.write(memory.directory)
    memory.follow(path, final=False)
    assert memory.lines() == ["Fix the leak → no answer"]
    ids = memory.database.rows("SELECT id FROM entries WHERE layer = 1")
    record.call("Bash", "ok", command="make").write(memory.directory)
    memory.follow(path, final=False)
    assert memory.lines() == ["Fix the leak → ran make"]
    record.reply("The leak is fixed.").thinks("good").write(memory.directory)
    memory.follow(path, final=False)
    assert memory.lines() == ["Fix the leak → The leak is fixed"]
    assert memory.database.rows("SELECT id FROM entries WHERE layer = 1") == ids


def test_a_summary_serves_for_the_turns_before_it(memory):
    """One line of it, marked as such; a summary without a sentence has none."""
    memory.told(
        Record().turn("a boat", "yes").compacted("# Summary\n\nWe built a small boat from old planks.").compacted("#")
    )
    covered = [one for one in memory.recall.lines(SESSION) if one.covered]
    assert [(one.turn, one.line) for one in covered] == [(1, "We built a small boat from old planks.")]


def test_a_long_gist_is_cut_between_words():
    """At about two lines of a terminal."""
    line = turn_lines.gist("word " * 60 + ".")
    assert line.endswith("word…")
    assert len(line) <= 140


def test_the_users_own_summarizer(memory):
    """Its line stands in the place of ours, is found by its words, and ours does not come back when the turn grows."""
    record = Record().turn("Fix the leak", "The leak is fixed.").turn("Paint it", "Painted.")
    path = record.write(memory.directory)
    memory.follow(path)
    assert turn_lines.without_command(memory.database, SESSION) == [1, 2]
    with memory.database.writing():
        turn_lines.by_command(memory.database, SESSION, 2, "a better line")
        turn_lines.by_command(memory.database, SESSION, 7, "no such turn")
        turn_lines.by_command(memory.database, "nobody", 1, "no such session")
    assert turn_lines.without_command(memory.database, SESSION) == [1]
    record.reply("It is all done and works.").write(memory.directory)
    memory.follow(path)
    assert memory.lines() == ["Fix the leak → The leak is fixed", "a better line"]
    assert [hit.turn for hit in search(memory.database, Wanted("better", kinds=("line",)))] == [2]
    assert search(memory.database, Wanted("painted", kinds=("line",))) == []


def test_lines_across_batches(memory):
    """A turn that is read in pieces, in one stroke or in several, has one line, of all its pieces."""
    record = Record().prompt("Fix the leak").call("Edit", "ok", file_path="/a/hull.py", new_string="x").reply("Fixed.")
    memory.told(record, at_once=1)
    assert memory.lines() == ["Fix the leak → Fixed. (hull.py)"]


def test_a_turn_that_never_ends(memory, monkeypatch):
    """Its line is made of its first and last entries: the work for each batch does not grow with the turn."""
    monkeypatch.setattr(turn_lines, "_LOOKED_AT", 20)
    record, worked = Record().prompt("Count the planks"), []
    for part in range(3):
        for number in range(100):
            record.reply(f"Plank {part * 100 + number} is sound.")
        memory.told(record)
        steps = 0

        def count():
            nonlocal steps
            steps += 1

        connection = memory.database._connected()
        connection.set_progress_handler(count, 10)
        TurnLines(memory.database)._in_database(1, 1)
        connection.set_progress_handler(None, 0)
        worked.append(steps)
    assert worked[2] <= worked[0] + 2
    assert memory.lines() == ["Count the planks → Plank 299 is sound"]
