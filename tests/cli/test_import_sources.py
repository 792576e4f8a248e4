"""Which transcripts an import is about."""

import gzip
import os
from datetime import UTC, datetime

import pytest

import scenes
from record import BEGINS, SESSION, Record
from tapehead.cli import import_sources

NOW = BEGINS.timestamp() + 10_000


def aged(path, seconds):
    os.utime(path, (NOW - seconds, NOW - seconds))
    return path


def test_what_is_meant(tmp_path):
    """A file that is named, those below a directory that is named, or all that agents keep."""
    path = Record().prompt("x").write(tmp_path / "a" / "b")
    (tmp_path / "a" / "readme.md").write_text("x")
    assert list(import_sources.found((path,), {})) == [path]
    assert list(import_sources.found((str(tmp_path / "a"),), {})) == [path]
    kept = Record().prompt("x").write(tmp_path / ".claude" / "projects" / "p")
    assert list(import_sources.found((), {"HOME": str(tmp_path)})) == [kept]


def test_a_source(tmp_path):
    """Whose it is, which session, which store, how big."""
    path = Record(cwd="/nowhere/at/all").prompt("x").write(tmp_path)
    source = import_sources.source_of(path, {}, "/store", always=False)
    assert source[:4] == (os.path.realpath(path), "claude", SESSION, "/store")
    assert source.size == os.path.getsize(path)
    assert import_sources.source_of(path, {}, "", always=False) is None


def test_it_belongs_to_the_project_it_was_made_in(tmp_path):
    """Where that is on this machine; unless it is wanted here."""
    repository = scenes.repository(tmp_path / "repository")
    path = Record(cwd=str(repository)).prompt("x").write(tmp_path)
    own = os.path.join(str(repository), ".git", "tapehead")
    assert import_sources.source_of(path, {}, "/store", always=False).root == own
    assert import_sources.source_of(path, {}, "/store", always=True).root == "/store"
    assert import_sources.source_of(path, {}, "", always=True).root == own


@pytest.mark.parametrize("content", [b"", b"plain words\n", b'{"a": 1}\n', b"\xff\x00"])
def test_what_is_no_transcript(tmp_path, content):
    """Is nobody's."""
    path = tmp_path / "x.jsonl"
    path.write_bytes(content)
    assert import_sources.source_of(str(path), {}, "/store", always=True) is None


def test_a_relative_directory_is_no_project(tmp_path):
    """Whatever a transcript says."""
    path = Record(cwd="..").prompt("x").write(tmp_path)
    assert import_sources.source_of(path, {}, "/store", always=False).root == "/store"


@pytest.mark.parametrize(
    ("age", "said", "over"),
    [
        (7_200, BEGINS, True),  # nobody touched it
        (10, BEGINS, True),  # copied just now: its lines are old
        (10, datetime.fromtimestamp(NOW - 60, UTC), False),
        (10, None, False),
    ],
)
def test_whether_it_is_still_being_written(tmp_path, age, said, over):
    """By when it was changed, and by what its last lines say."""
    record = Record(begins=said or BEGINS)
    path = aged(record.prompt("x", timestamp="some day" if said is None else record.time).write(tmp_path), age)
    assert import_sources.is_over(path, NOW) is over


def test_odd_ends(tmp_path):
    """A packed one is over; a time that is none says nothing."""
    packed = tmp_path / "x.jsonl.gz"
    packed.write_bytes(gzip.compress(Record(begins=datetime.fromtimestamp(NOW, UTC)).prompt("x").bytes()))
    assert import_sources.is_over(aged(str(packed), 1), NOW)
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"timestamp":"2027-99-99T99:99:99Z"}\n')
    assert not import_sources.is_over(aged(str(path), 1), NOW)
