"""`tapehead import` as a user calls it."""

import gzip
import json
import os
import random
import sys
from pathlib import Path

import pytest

from record import Record

FIRST = "11111111-2222-4333-8444-555555555555"
SECOND = "22222222-2222-4333-8444-555555555555"


@pytest.fixture
def records(repository, tmp_path):
    directory = tmp_path / "records"
    Record(FIRST, cwd="/nowhere").turn("one", "two").write(directory)
    Record(SECOND, cwd=repository.root).turn("three", "four").write(directory)
    (directory / "other.json").write_text("{}")
    return directory


def test_a_directory(repository, records):
    """All transcripts in it: those of elsewhere go into this project's memory; what is none is passed over, and said."""
    result = repository.run("import", str(records))
    assert result.exit_code == 0
    assert result.stdout.splitlines() == ["2 transcripts read, 4 new entries in 1 project:", f"  {repository.root}"]
    assert "1 file skipped" in result.stderr
    again = repository.run("import", str(records))
    assert again.stdout.startswith("2 transcripts read, 0 new entries in 1 project:")


def test_as_data(repository, records):
    """What was read, how much of it was new, into which stores, and what was not."""
    told = repository.json("import", str(records))
    assert (told["transcripts"], told["sessions"], told["entries"], told["problems"]) == (2, 2, 4, [])
    assert told["stores"] == [repository.store]
    assert told["not_transcripts"] == [str(records / "other.json")]
    assert told["bytes"] > 0


def test_all_that_agents_kept(repository, monkeypatch):
    """Without a path, each into the memory of its own project; those of projects that are gone into the one we are in."""
    kept = Path(repository.home) / ".claude" / "projects" / "p"
    Record(SECOND, cwd=repository.root).turn("three", "four").write(kept)
    Record(FIRST, cwd="/nowhere").turn("one", "two").write(kept)
    told = repository.json("import")
    assert (told["transcripts"], told["stores"], told["not_transcripts"]) == (2, [repository.store], [])


def test_into_the_project_it_was_made_in(repository, tmp_path, monkeypatch):
    """Wherever one stands; --here takes it here."""
    path = Record(SECOND, cwd=repository.root).turn("three", "four").write(tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    assert repository.json("import", path)["stores"] == [repository.store]
    assert repository.json("import", path, "--here")["stores"] != [repository.store]


def test_nothing_to_do(repository, tmp_path):
    """Is said."""
    assert repository.run("import").stdout == "No transcripts found.\n"
    result = repository.run("import", str(tmp_path / "nothing"))
    assert (result.exit_code, "Nothing at" in result.stderr) == (1, True)


def test_a_file_that_cannot_be_read_now(repository, records, monkeypatch):
    """Is said, and the exit code is 1; the rest is taken in."""
    from tapehead.cli import transcript_import

    real = transcript_import.read

    def failing(task):
        if FIRST in task[0]:
            raise OSError("Input/output error")
        yield from real(task)

    monkeypatch.setattr(transcript_import, "read", failing)
    result = repository.run("import", str(records))
    assert result.exit_code == 1
    assert "Input/output error" in result.stderr
    assert "2 new entries" in result.stdout
    told = repository.run("import", str(records), "--json")
    assert json.loads(told.stdout)["problems"] == [
        {"path": str(records / f"{FIRST}.jsonl"), "problem": "Input/output error"}
    ]


def test_one_session_in_several_files(repository, tmp_path):
    """A copy beside it, or a packed one: it is taken in once."""
    path = Path(Record(FIRST).turn("one", "two").turn("three", "four").write(tmp_path / "records"))
    (tmp_path / "records" / f"{FIRST}.jsonl.gz").write_bytes(gzip.compress(path.read_bytes()))
    (tmp_path / "records" / "again").mkdir()
    (tmp_path / "records" / "again" / path.name).write_bytes(path.read_bytes())
    told = repository.json("import", str(tmp_path / "records"))
    assert (told["transcripts"], told["sessions"], told["entries"], told["problems"]) == (3, 1, 4, [])


def test_what_is_no_file_and_what_cannot_be_unpacked(repository, records, monkeypatch):
    """Each is named with its reason, nobody waits at a pipe, and the rest is taken in."""
    os.mkfifo(records / "pipe.jsonl")
    (records / "packed.jsonl.zst").write_bytes(b"no zstd at all")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setitem(sys.modules, "compression", None)
    told = json.loads(repository.run("import", str(records), "--json").stdout)
    problems = {Path(one["path"]).name: one["problem"] for one in told["problems"]}
    assert set(problems) == {"pipe.jsonl", "packed.jsonl.zst"}
    assert "is not a file" in problems["pipe.jsonl"]
    assert "zstd" in problems["packed.jsonl.zst"]
    assert (told["transcripts"], told["entries"]) == (2, 4)


def test_a_torn_archive_is_read_as_far_as_it_goes(repository, tmp_path):
    """What stands before the tear is taken in, however little that is."""
    record = Record(FIRST)
    for number in range(40):
        record.turn(f"ask {number}", "".join(random.Random(number).choices("abcdefgh ", k=400)))
    raw = gzip.compress(Path(record.write(tmp_path)).read_bytes())
    (tmp_path / "torn").mkdir()
    (tmp_path / "torn" / f"{FIRST}.jsonl.gz").write_bytes(raw[: len(raw) // 2])
    assert 20 < repository.json("import", str(tmp_path / "torn"))["entries"] < 80


def test_a_memory_that_cannot_be_written(repository, records):
    """Is said in a sentence."""
    os.makedirs(repository.layout.memory)
    result = repository.run("import", str(records))
    assert (result.exit_code, "not a regular file" in result.stderr) == (1, True)


def test_a_bar_in_a_terminal(repository, records, monkeypatch):
    """Goes on with every file, and leaves no trace in what is printed."""
    advanced = []
    monkeypatch.setattr("tapehead.cli.commands.import_._is_watched", lambda: True)
    monkeypatch.setattr("rich.progress.Progress.advance", lambda self, bar, size: advanced.append(size))
    result = repository.run("import", str(records))
    assert sorted(advanced) == sorted(os.path.getsize(path) for path in records.glob("*.jsonl"))
    assert result.stdout.startswith("2 transcripts read")
