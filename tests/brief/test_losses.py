"""Where each thing stands after a compaction."""

from __future__ import annotations

from tapehead.brief.losses import ARCHIVE, HANDED, SUMMARY, items
from tapehead.work_record.facts import Fact, InPlay, Ran, WorkRecord

DIGEST = WorkRecord(
    asks=(Fact("Please rename to_csv to write_csv in all files of the package", 1),),
    rules=(Fact("Never touch the API", 2),),
    todos=(Fact("Write docs", 3), Fact("Done already", 3, holds=False)),
    decisions=(Fact("Decided to keep the old name as an alias", 4),),
    files=(InPlay("src/tidewatch/export.py", "edited", turn=5),),
    commands=(Ran("make  test", 1, failed=False, turn=6),),
    errors=(Fact("NameError: csv", 7), Fact("fixed", 7, holds=False)),
)


def where(summary="", handed=""):
    return {item.kind: item.where for item in items(DIGEST, summary, handed)}


def test_every_kind_of_thing_is_asked_for():
    """What still holds, with its turn; done items and fixed errors are no loss."""
    found = items(DIGEST, "", "")
    assert [(item.kind, item.turn) for item in found] == [
        ("ask", 1), ("rule", 2), ("open item", 3), ("decision", 4), ("file", 5), ("command", 6), ("error", 7),
    ]  # fmt: skip
    assert {item.where for item in found} == {ARCHIVE}


def test_the_summary_goes_before_what_was_handed_back():
    """Kept by the summary, or else handed back, or else only in the archive."""
    assert where("never  touch the API", "Never touch the API; make test")["rule"] == SUMMARY
    assert where("", "… Never touch the api …; make test") == {
        **dict.fromkeys(["ask", "open item", "decision", "file", "error"], ARCHIVE), "rule": HANDED, "command": HANDED,
    }  # fmt: skip


def test_each_kind_is_found_in_its_own_way():
    """A sentence by its beginning, a file by its last two parts, a command word for word."""
    held = where("please rename to_csv to write_csv in all of it; tidewatch/export.py; make tes")
    assert (held["ask"], held["file"], held["command"]) == (SUMMARY, SUMMARY, ARCHIVE)
    assert where("export.py")["file"] == ARCHIVE


def test_what_is_shown_is_harmless():
    """No escape sequence gets to the terminal, no secret, and nothing endless."""
    hostile = WorkRecord(asks=(Fact("\x1b[31mred\x1b[0m"), Fact("x" * 10_000)))
    short, long = (item.text for item in items(hostile, "", ""))
    assert short == "red"
    assert len(long) <= 300
