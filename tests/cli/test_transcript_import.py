"""Taking past transcripts in: by one process or by many, the same memory."""

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest

from record import BEGINS, Record
from remembered import Memory
from tapehead.cli.import_sources import source_of
from tapehead.cli.transcript_import import Importer


def session(number):
    return f"{number:08d}-2222-4333-8444-555555555555"


@pytest.fixture
def records(tmp_path):
    """A few sessions, some of the very same times."""
    directory = tmp_path / "records"
    for number in range(6):
        record = Record(session(number), begins=BEGINS, step=0.05)
        for turn in range(30):
            record.turn(f"ask {turn}", f"answer {turn} of {number}").call(
                "Bash", "x" * (turn * 300), command=f"make {turn}"
            )
        record.queue("and one more thing").compacted("We made a lot of things in there.")
        os.utime(record.write(directory), (0, 0))  # nobody writes it any more
    return directory


def imported(directory, into, **options):
    """What became of each, by the session's number."""
    found = sorted(str(path) for path in directory.iterdir())
    told = []
    with Importer({}, [source_of(path, {}, str(into), always=True) for path in found], **options) as importer:
        importer.run(told.append)
    return {int(outcome.source.session[:8]): outcome for outcome in told}


def content(into):
    """All that is remembered, without the numbers that depend on who came first."""
    into.mkdir(exist_ok=True)
    memory = Memory(into)
    try:
        sessions = [told.id for told in memory.recall.sessions()]
        return {name: [tuple(entry) for entry in memory.entries(name)] for name in sessions}
    finally:
        memory.database.close()


def test_everything_is_taken_in(records, tmp_path):
    """And told, file by file."""
    outcomes = imported(records, tmp_path / "store")
    assert {number: (outcome.entries, outcome.problem) for number, outcome in outcomes.items()} == dict.fromkeys(
        range(6), (30 * 4 + 4, "")
    )
    assert {name: len(entries) for name, entries in content(tmp_path / "store").items()} == {
        session(number): 30 * 4 + 4 + 30 + 1 for number in range(6)
    }


def test_again_there_is_nothing_to_do(records, tmp_path):
    """Not a row is added or changed."""
    imported(records, tmp_path / "store")
    before = Memory(tmp_path / "store")
    rows = before.dump()
    before.database.close()
    assert {outcome.entries for outcome in imported(records, tmp_path / "store").values()} == {0}
    after = Memory(tmp_path / "store")
    assert after.dump() == rows
    after.database.close()


def test_it_goes_on_where_it_was_stopped(records, tmp_path, monkeypatch):
    """After an interruption in the middle: what was written stays, the rest comes, nothing twice."""
    monkeypatch.setattr("tapehead.cli.transcript_import._ROWS", 50)
    real, count = Importer._write, []

    def stopped(self):
        real(self)
        count.append(1)
        if len(count) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(Importer, "_write", stopped)
    with pytest.raises(KeyboardInterrupt):
        imported(records, tmp_path / "store")
    monkeypatch.setattr(Importer, "_write", real)
    assert 0 < sum(outcome.entries for outcome in imported(records, tmp_path / "store").values()) < 6 * (30 * 4 + 4)
    imported(records, tmp_path / "whole")
    assert content(tmp_path / "store") == content(tmp_path / "whole")


def test_a_file_that_cannot_be_read(records, tmp_path):
    """Is told with what is the matter, and the others are taken in."""
    sources = [source_of(str(path), {}, str(tmp_path / "store"), always=True) for path in sorted(records.iterdir())]
    (records / f"{session(2)}.jsonl").unlink()
    (records / f"{session(2)}.jsonl").mkdir()
    told = []
    with Importer({}, sources) as importer:
        importer.run(told.append)
    problems = {outcome.source.session: outcome.problem for outcome in told if outcome.problem}
    assert list(problems) == [session(2)]
    assert "not a regular file" in problems[session(2)]
    assert len(content(tmp_path / "store")) == 5


def test_packed_ones(tmp_path):
    """Are read as what is in them."""
    directory = tmp_path / "records"
    directory.mkdir()
    (directory / f"{session(1)}.jsonl.gz").write_bytes(gzip.compress(Record(session(1)).turn("one", "two").bytes()))
    assert imported(directory, tmp_path / "store")[1].entries == 2


def test_the_limit_that_is_set(records, tmp_path, monkeypatch):
    """Of each store's own settings, and thinking only where it is wanted."""
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "config.toml").write_text("[memory]\nlimit = 100\nthinking = false\n")
    record = Record(session(1)).prompt("x").thinks("hm").call("Bash", "y" * 5_000, command="z")
    (tmp_path / "one").mkdir()
    record.write(tmp_path / "one")
    imported(tmp_path / "one", tmp_path / "store")
    kinds = {entry[4]: len(entry[6]) for entry in content(tmp_path / "store")[session(1)]}
    assert "thinking" not in kinds
    assert kinds["result"] < 200


SCRIPT = """
import os, signal, sys, tapehead.cli.transcript_import as importing
from tapehead.cli.import_sources import source_of
importing._ROWS = int(sys.argv[3])
deadly, read = sys.argv[5], importing.read


def killed(task):
    if deadly and deadly in task[0]:
        os.kill(os.getpid(), signal.SIGKILL)
    return read(task)


importing.read = killed
from pathlib import Path
sources = [source_of(str(path), {}, sys.argv[2], always=True) for path in sorted(Path(sys.argv[1]).iterdir())]
told = []
with importing.Importer({}, sources, workers=int(sys.argv[4]), few=0) as importer:
    importer.run(told.append)
print(sum(outcome.entries for outcome in told), [outcome.problem for outcome in told if outcome.problem])
"""


def forked(directory, into, rows, workers, deadly=""):
    """An import by several processes, itself in one of its own: a runner of tests has threads, and they do not survive a fork."""
    words = [sys.executable, "-W", "error", "-c", SCRIPT, str(directory), str(into), str(rows), str(workers), deadly]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert done.stderr == ""
    return done.stdout.strip()


@pytest.mark.parametrize(("rows", "workers"), [(1, 2), (100, 2), (10_000, 3), (300, 12)])
def test_many_processes_make_the_same_memory(records, tmp_path, rows, workers):
    """However many they are and however much is written at once; with more of them than files, two share each."""
    assert forked(records, tmp_path / "many", rows, workers) == f"{6 * (30 * 4 + 4)} []"
    imported(records, tmp_path / "one")
    assert content(tmp_path / "many") == content(tmp_path / "one")


def test_a_reader_that_is_killed_loses_one_file_and_no_other(records, tmp_path):
    """Whatever else it was given is read by another, and the one that was in its hands is named."""
    whole = 30 * 4 + 4
    told = forked(records, tmp_path / "store", 100, 2, deadly=session(3))
    assert told == f"{5 * whole} ['the process that read it was ended']"
    assert forked(records, tmp_path / "store", 100, 2) == f"{whole} []"


def test_little_is_not_worth_a_process(records, tmp_path):
    """A few megabytes are read sooner than processes are started."""
    with Importer(
        {}, [source_of(str(Path(records) / f"{session(1)}.jsonl"), {}, str(tmp_path), always=True)]
    ) as importer:
        assert importer.readers == []
