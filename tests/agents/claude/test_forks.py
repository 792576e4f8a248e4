"""What a fork of a Claude Code session copied, and from whom."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime

import pytest

from tapehead.agents.claude.forks import first_own_byte, forked_from

STARTED = datetime(2027, 1, 15, 9, 0, tzinfo=UTC)
OLD, NEW = "2027-01-15T08:59:00.000Z", "2027-01-15T09:00:01.000Z"


def line(time, kind="user", **more):
    return {"type": kind, "uuid": f"u{time}{more}", "timestamp": time, "sessionId": "f", **more}


def written(path, *entries):
    path.write_bytes(b"".join(json.dumps(entry).encode() + b"\n" for entry in entries))
    return str(path)


def size(*entries):
    return sum(len(json.dumps(entry)) + 1 for entry in entries)


def test_own_lines_begin_after_the_last_that_is_older_than_the_session(tmp_path):
    """`--fork-session`: the copies have their old times, and lines of the new session without an id may stand before them."""
    before = [{"type": "mode"}, {"type": "queue-operation", "timestamp": NEW}, line(OLD), line(OLD, "assistant")]
    path = written(tmp_path / "f.jsonl", *before, {"type": "mode"}, line(NEW), line(OLD, "assistant", n=1))
    assert first_own_byte(path, STARTED) == size(*before)
    assert first_own_byte(path, STARTED, size(*before)) == size(*before), "nothing more is copied from there on"


def test_marked_lines_are_copies_whatever_their_time(tmp_path):
    """`/branch` says of each line where it comes from."""
    copies = [line(NEW, forkedFrom={"sessionId": "a"}), line(OLD, forkedFrom={"sessionId": "a"})]
    assert first_own_byte(written(tmp_path / "f.jsonl", *copies, line(NEW)), STARTED) == size(*copies)


@pytest.mark.parametrize("time", [None, 7, "then", "2027-01-15T08:00:00"])
def test_a_line_without_a_time_is_not_taken_for_a_copy(tmp_path, time):
    """What cannot be dated is the session's own."""
    assert first_own_byte(written(tmp_path / "f.jsonl", line(time)), STARTED) == 0


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["claude", "--resume", "a", "--fork-session"], "a"),
        (["claude", "-r", "a"], "a"),
        (["claude", "--resume=a"], "a"),
        (["claude", "--resume", "/home/me/.claude/projects/p/a.jsonl"], "a"),
        (["claude", "--resume", "--fork-session"], ""),
        (["claude", "--resume"], ""),
        (["claude", "--fork-session", "--continue"], "newer"),
        (["claude", "-c"], "newer"),
        (["claude"], ""),
        ([], ""),
    ],
)
def test_the_command_line_says_what_is_forked(tmp_path, words, found):
    """By its id; with `--continue` it is the newest conversation beside the fork's own."""
    for time, name in enumerate(("older", "newer", "f")):
        os.utime(written(tmp_path / f"{name}.jsonl", {"type": "mode"}), (time, time))
    assert forked_from(str(tmp_path / "f.jsonl"), "f", words) == found


def test_a_mark_in_the_transcript_comes_first(tmp_path):
    """After `/branch` the command line speaks of an earlier session."""
    path = written(tmp_path / "f.jsonl", line(OLD, forkedFrom={"sessionId": "a"}))
    assert forked_from(path, "f", ["claude", "--resume", "b"]) == "a"


@pytest.mark.parametrize("mark", [None, "a", {"sessionId": "../a"}, {"sessionId": "f"}, {}])
def test_a_mark_that_names_no_other_session(tmp_path, mark):
    """A path, nothing, or itself: nobody."""
    assert forked_from(written(tmp_path / "f.jsonl", line(OLD, forkedFrom=mark)), "f", []) == ""


def test_no_folder():
    """Nothing is there yet, not even the folder."""
    assert forked_from("/nowhere/f.jsonl", "f", ["claude", "-c"]) == ""
