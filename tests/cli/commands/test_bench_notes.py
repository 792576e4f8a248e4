"""What it costs to keep running notes, measured."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from tapehead.benchmark import notes_cost
from tapehead.cli.app import app
from tapehead.cli.commands import bench_notes
from tapehead.cli.output import run


@pytest.fixture
def transcript(tmp_path, monkeypatch):
    """Three turns, after each of which the window is 9,000 tokens fuller; measured once, and in this directory."""
    monkeypatch.setattr(notes_cost, "_PASSES", 1)
    monkeypatch.setattr(notes_cost, "_SECONDS", 0.0)
    memory = tmp_path / "memory"
    memory.mkdir()
    monkeypatch.setattr(bench_notes, "_MEMORY", str(memory))
    lines = []
    for n in (1, 2, 3):
        usage = {"input_tokens": 9_000 * n, "output_tokens": 1}
        content = [{"type": "text", "text": f"I decided to take step {n} because it was next."}]
        message = {"id": f"m{n}", "role": "assistant", "model": "m", "usage": usage, "content": content}
        lines += [{"type": "user", "message": {"role": "user", "content": f"Take step {n}."}}]
        lines += [{"type": "assistant", "message": message}]
    path = tmp_path / "t.jsonl"
    path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
    return path


def test_notes_are_kept_turn_by_turn_and_nothing_is_left(transcript):
    """They are due after the second turn and the third; the files that were made for it are gone."""
    found = json.loads(CliRunner().invoke(app, ["bench", "notes", "--json", str(transcript)]).stdout)
    (row,) = found["transcripts"]
    assert (row["name"], row["turns"], row["written"]) == ("t.jsonl", 3, 2)
    assert row["ratio"] == found["worst"] == found["median"] == found["together"] > 0
    assert found["over_one"] == (row["ratio"] > 1)
    assert [*(transcript.parent / "memory").iterdir()] == []
    plain = CliRunner().invoke(app, ["bench", "notes", str(transcript)]).stdout
    assert "3 turns in 1 transcript; notes written 2 times" in plain


def test_its_files_are_in_memory_where_there_is_such_a_place(transcript, monkeypatch):
    """And where there is none, where temporary files are."""
    assert bench_notes._place() == str(transcript.parent / "memory")
    monkeypatch.setattr(bench_notes, "_MEMORY", str(transcript))
    assert bench_notes._place() is None
    assert run(app, ["bench", "notes", str(transcript)]) == 0


def test_a_transcript_is_measured_as_often_as_there_is_time(transcript, monkeypatch):
    """At least so many times, and then until the time is over."""
    ends = notes_cost._ends(str(transcript))
    ticks = iter(range(1000))
    monkeypatch.setattr(notes_cost.time, "process_time", lambda: float(next(ticks)))
    monkeypatch.setattr(notes_cost, "_run", lambda *_: notes_cost._Run([1.0], [1.0], 2))
    monkeypatch.setattr(notes_cost, "_PASSES", 4)
    assert len([*notes_cost._runs(str(transcript), ends, "")]) == 4
    monkeypatch.setattr(notes_cost, "_SECONDS", 9.0)
    assert len([*notes_cost._runs(str(transcript), ends, "")]) > 4


def test_the_best_time_of_each_turn_counts(transcript, monkeypatch):
    """What else the machine did in one pass does not count, neither for the notes nor for the parser."""
    passes = iter([notes_cost._Run([1.0, 9.0], [2.0, 1.0], 2), notes_cost._Run([9.0, 1.0], [1.0, 9.0], 2)])
    monkeypatch.setattr(notes_cost, "_runs", lambda *_: passes)
    found = json.loads(CliRunner().invoke(app, ["bench", "notes", "--json", str(transcript)]).stdout)
    (row,) = found["transcripts"]
    assert (row["parsing"], row["keeping"], row["ratio"], row["written"]) == (2.0, 2.0, 1.0, 2)


def test_without_a_turn_it_says_so(tmp_path):
    """A directory without a transcript is no measure of anything."""
    assert run(app, ["bench", "notes", str(tmp_path)]) == 1
