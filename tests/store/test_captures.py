from __future__ import annotations

import os
from pathlib import Path

import pytest

import scenes
from tapehead.store import captures, starts
from tapehead.store.paths import Layout


@pytest.fixture
def layout(tmp_path):
    return Layout(str(tmp_path / "store"))


def archived(layout):
    directory = Path(layout.captures("s"), "archive")
    return {path.name: path.read_text() for path in directory.iterdir()}


def test_the_newest_is_in_place_and_the_former_in_the_archive(layout):
    """Each description that is replaced under a name is kept under it; one replaced without a name is not."""
    assert captures.read(layout, "s") is None
    assert not captures.exists(layout, "s")
    captures.write(layout, "s", "one", None)
    captures.write(layout, "s", "two", "one.md")
    captures.write(layout, "s", "three", None)
    assert captures.exists(layout, "s")
    assert captures.read(layout, "s") == "three"
    assert archived(layout) == {"one.md": "one"}


def test_archiving_again_keeps_the_first(layout):
    """The same former description archived twice (a crash in between) is there once, as it was."""
    captures.write(layout, "s", "one", None)
    captures.write(layout, "s", "two", "former.md")
    captures.write(layout, "s", "two", "former.md")
    assert archived(layout) == {"former.md": "one"}


def test_nothing_to_archive_is_no_error(layout):
    """A name for a former description that is not there is not needed."""
    captures.write(layout, "s", "one", "former.md")
    assert archived(layout) == {}


def test_a_file_system_without_links_has_an_archive_too(layout, monkeypatch):
    """Where links are refused, the former description is copied."""

    def refuse(*_, **__):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    captures.write(layout, "s", "one", None)
    captures.write(layout, "s", "two", "one.md")
    assert archived(layout) == {"one.md": "one"}
    assert captures.read(layout, "s") == "two"


def test_what_is_not_text_is_written_all_the_same(layout):
    """Half a surrogate pair in a description is replaced, and the rest is kept."""
    captures.write(layout, "s", "a\ud800b", None)
    captures.keep_summary(layout, "s", 2, "c\ud800d")
    assert captures.read(layout, "s") == "a?b"
    assert captures.summary(layout, "s", 2) == "c?d"


def test_one_that_cannot_be_trusted_is_moved(layout):
    """Set aside it is no longer in place, and is still there to look at."""
    captures.write(layout, "s", "torn", None)
    kept = captures.set_aside(layout, "s")
    assert not captures.exists(layout, "s")
    with open(kept, encoding="utf-8") as file:
        assert file.read() == "torn"


def test_a_file_in_the_way_is_no_description(layout):
    """Where a file lies in place of the directory, there is nothing to read."""
    os.makedirs(os.path.dirname(layout.captures("s")))
    with open(layout.captures("s"), "w", encoding="utf-8"):
        pass
    assert captures.read(layout, "s") is None


def test_summaries_are_kept_by_number(layout):
    """Each compaction's summary has a file of its own; one that never was is nothing."""
    captures.keep_summary(layout, "s", 1, "first")
    captures.keep_summary(layout, "s", 2, "second")
    captures.keep_summary(layout, "s", 2, "second")
    assert [captures.summary(layout, "s", number) for number in (1, 2, 3)] == ["first", "second", ""]


def test_starts_are_found_newest_first_and_once(layout):
    """Each session is there once, by its newest start; damaged lines and odd ids are passed over."""
    assert starts.newest(layout, "main") == []
    for number, session in enumerate(["a", "b", "a", "../x", "c", "b"]):
        starts.note(layout, "main", {"session": session, "n": number})
    with open(layout.place("main"), "ab") as file:
        file.write(b"{\n[]\n" + b"[" * 5000 + b"\n" + b'{"torn')
    assert [(start["session"], start["n"]) for start in starts.newest(layout, "main")] == [("b", 5), ("c", 4), ("a", 2)]


def test_a_start_costs_the_same_in_a_busy_place(layout):
    """Of ten thousand starts only the last few kilobytes are looked at, and the newest is among them."""
    os.makedirs(os.path.dirname(layout.place("main")))
    with open(layout.place("main"), "wb") as file:
        file.writelines(b'{"session":"s%d"}\n' % number for number in range(10_000))
    found = starts.newest(layout, "main")
    assert found[0]["session"] == "s9999"
    assert len(found) < 1000


def test_scenes_agree_on_time():
    """The clock of these stories and its datetime are one instant."""
    assert scenes.when().isoformat() == "2027-01-15T08:00:00+00:00"
