"""memory.db: opened, brought up, refused, explained."""

import os
import sqlite3
import stat
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from record import Record
from tapehead.history import database as opened
from tapehead.history.database import Conflict, Damaged, Database, Newer, Unusable
from tapehead.history.migrations import MIGRATIONS
from tapehead.history.search import Wanted, search


def rights(path):
    return stat.S_IMODE(os.stat(path).st_mode)


def test_private(memory):
    """The database and the files beside it are for their owner alone, whatever the umask."""
    memory.told(Record().turn("ask", "answer"))
    assert {
        rights(os.path.join(memory.directory, name)) for name in os.listdir(memory.directory) if "memory" in name
    } == {0o600}
    assert os.path.exists(f"{memory.path}-wal")


def test_its_directory_is_made(tmp_path):
    """Private, too."""
    path = tmp_path / "store" / "memory.db"
    Database(str(path)).close()
    assert rights(path.parent) == 0o700


def test_every_migration_once(tmp_path):
    """A database remembers how many it has seen, and one of any earlier version is brought up."""
    path = str(tmp_path / "memory.db")
    with Database(path) as database:
        assert database.rows("PRAGMA user_version") == [(len(MIGRATIONS),)]
        assert database.rows("PRAGMA journal_mode") == [("wal",)]
    with Database(path) as database:
        assert database.rows("SELECT count(*) FROM entries") == [(0,)]


def test_many_make_it_at_once(tmp_path):
    """Whoever comes first makes it, the others find it made; nobody is turned away."""
    path = str(tmp_path / "memory.db")
    gate = threading.Barrier(8)

    def enter():
        gate.wait()
        with Database(path) as database:
            return database.rows("PRAGMA user_version")

    with ThreadPoolExecutor(8) as pool:
        found = [pool.submit(enter) for _ in range(8)]
        assert {tuple(one.result()) for one in found} == {((len(MIGRATIONS),),)}


def test_a_newer_one_is_refused_and_left_alone(tmp_path):
    """Byte for byte, and the words say who made it."""
    path = tmp_path / "memory.db"
    with sqlite3.connect(path) as made:
        made.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
        made.execute("CREATE TABLE things (name)")
    made.close()
    before = path.read_bytes()
    with pytest.raises(Newer, match="newer version of tapehead"):
        Database(str(path))
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["memory.db"]


@pytest.mark.parametrize("content", [b"this is no database, " * 400, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_one_is_said(tmp_path, content):
    """With its name and what to do; it is left as it is."""
    path = tmp_path / "memory.db"
    path.write_bytes(content)
    with pytest.raises(Damaged, match=r"memory\.db is damaged .*doctor --fix"):
        Database(str(path))
    assert path.read_bytes() == content


def test_damage_that_shows_later(memory):
    """A page that is torn is found when it is read, and said in the same words."""
    memory.told(Record().turn("ask", *("answer " * 50 for _ in range(200))))
    memory.database.close()
    with open(memory.path, "r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 8 * 4096)
    with pytest.raises(Damaged, match="damaged"), Database(memory.path) as database:
        database.rows("SELECT * FROM entries")


def test_a_file_in_the_way(tmp_path):
    """What is no file, or may not be read, is said and not raised as SQLite's own."""
    (tmp_path / "memory.db").mkdir()
    with pytest.raises(Unusable, match="not a regular file"):
        Database(str(tmp_path / "memory.db"))


def test_all_or_nothing(memory):
    """What fails in the middle of writing leaves nothing behind, and the next one writes."""

    def half():
        with memory.database.writing():
            memory.database.run("INSERT INTO lineage VALUES ('a', 'b', 1, '')")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        half()
    assert memory.database.rows("SELECT * FROM lineage") == []
    memory.keeper.inherit("a", "b", 1, "")
    assert memory.database.rows("SELECT session, parent FROM lineage") == [("a", "b")]


def test_a_writer_that_does_not_let_go(memory):
    """A user is told to try again: `database is locked` is nobody's words."""
    with memory.database.writing(), Database(memory.path, wait=0.05) as other:
        with pytest.raises(Unusable, match="in use by another process") as caught, other.writing():
            pass
        assert "locked" not in str(caught.value)
        assert other.rows("SELECT count(*) FROM entries") == [(0,)]  # reading goes on beside a writer


def test_one_waits_for_ones_turn(memory):
    """A writer that comes while another writes begins when that one is done."""
    begun = threading.Event()

    def second():
        with Database(memory.path) as other:
            begun.set()
            with other.writing():
                return other.rows("SELECT count(*) FROM lineage")

    with ThreadPoolExecutor(1) as pool:
        with memory.database.writing():
            later = pool.submit(second)
            begun.wait()
            memory.database.run("INSERT INTO lineage VALUES ('a', 'b', 1, '')")
        assert later.result() == [(1,)]


def test_waiting_that_sqlite_does_not_do(memory, monkeypatch):
    """Where SQLite says busy at once, it is asked again until the patience ends."""
    real, refusals = memory.database.connection, iter(range(3))

    class Busy:
        def execute(self, statement, *values):
            if next(refusals, None) is not None:
                raise sqlite3.OperationalError("database is locked")
            return real.execute(statement, *values)

    monkeypatch.setattr(memory.database, "connection", Busy())
    monkeypatch.setattr(opened.time, "sleep", lambda _: None)
    with memory.database.writing():
        pass
    assert next(refusals, None) is None


def test_our_own_mistakes_are_not_blamed_on_the_file(memory):
    """They are raised as they are; what is there already is a conflict."""
    with pytest.raises(Conflict):
        memory.database.run("INSERT INTO lineage VALUES (NULL, NULL, NULL, NULL)")
    with pytest.raises(sqlite3.ProgrammingError):
        memory.database.run("SELECT ?", ())


def test_what_was_tried_is_taken_back(memory):
    """And what stands around it is written."""

    def tried():
        with memory.database.trying():
            memory.database.run("INSERT INTO lineage VALUES ('c', 'd', 1, '')")
            memory.database.run("INSERT INTO lineage VALUES ('a', 'x', 1, '')")

    with memory.database.writing():
        memory.database.run("INSERT INTO lineage VALUES ('a', 'b', 1, '')")
        with pytest.raises(Conflict):
            tried()
        with memory.database.trying():
            memory.database.run("INSERT INTO lineage VALUES ('e', 'f', 1, '')")
    assert memory.database.rows("SELECT session FROM lineage") == [("a",), ("e",)]


def test_who_only_looks_cannot_write(memory):
    """A reader changes nothing, finds everything, and leaves no log behind."""
    memory.told(Record().prompt("Where does the lock live?"))
    memory.database.close()
    with Database(memory.path, looking=True) as database:
        assert search(database, Wanted("lock"))
        assert search(database, Wanted("loc"))
        with pytest.raises(Unusable), database.writing():
            database.run("DELETE FROM entries")
    assert os.listdir(memory.directory).count("memory.db-wal") == 0
