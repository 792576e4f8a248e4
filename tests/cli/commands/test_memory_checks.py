"""What doctor says of the memory, and what status counts in it."""

import json
import os
import time
from pathlib import Path

import pytest

from tapehead.engine.chores import remember


@pytest.fixture
def transcript(repository, tmp_path):
    """A transcript of one turn that nobody has touched for an hour, and a session that names it."""
    path = tmp_path / "one.jsonl"
    at = "2026-01-01T10:00:00.000Z"
    lines = [
        {"type": "user", "uuid": "u", "timestamp": at, "message": {"content": "write it"}},
        {
            "type": "assistant",
            "uuid": "a",
            "timestamp": at,
            "message": {"content": [{"type": "text", "text": "Done now."}]},
        },
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    os.utime(path, (time.time() - 3600,) * 2)
    repository.hook("SessionStart", source="startup", transcript_path=str(path))
    repository.hook("UserPromptSubmit", prompt="write it", transcript_path=str(path))
    repository.engine.settle("one")
    return path


def about_memory(repository, *words):
    answer = json.loads(repository.run("doctor", "--json", *words).stdout)
    return [one["what"] for one in answer["findings"] if one["check"] == "memory"]


def test_no_memory_is_no_complaint(repository):
    """It fills with the first turn."""
    repository.session()
    assert about_memory(repository) == []


def test_a_memory_that_is_behind_is_named_and_mended(repository, transcript):
    """What a worker that died left out is taken in by --fix."""
    remember(repository.engine, "one")
    assert about_memory(repository) == []
    with transcript.open("a") as file:
        file.write(json.dumps({"type": "user", "uuid": "v", "message": {"content": "and then?"}}) + "\n")
    os.utime(transcript, (time.time() - 3600,) * 2)
    assert "1 transcripts are not fully in the history yet" in about_memory(repository)[0]
    assert about_memory(repository, "--fix") == []
    (place,) = repository.json("status")
    assert (place["memory"]["turns"], place["memory"]["rows"]["2"]) == (2, 3)


def test_a_damaged_memory_is_set_aside_whole(repository, transcript):
    """Nothing is thrown away, and a new one can be filled."""
    remember(repository.engine, "one")
    Path(repository.layout.memory).write_bytes(b"this is no database" * 1000)
    for suffix in ("-wal", "-shm"):
        Path(repository.layout.memory + suffix).unlink(missing_ok=True)
    assert "damaged" in about_memory(repository)[0]
    assert about_memory(repository, "--fix") == []
    assert [name for name in os.listdir(repository.layout.aside) if name.startswith("memory-")]
    assert remember(repository.engine, "one") == 2


def test_status_counts_what_is_remembered(repository, transcript):
    """Sessions, turns, rows by layer, and bytes."""
    remember(repository.engine, "one")
    (place,) = repository.json("status")
    assert place["memory"]["sessions"] == place["memory"]["turns"] == 1
    assert place["memory"]["rows"] == {"1": 1, "2": 2}
    assert place["memory"]["bytes"] > 0
    assert "history: 1 session, 1 turn, 3 searchable entries," in repository.run("status", "--wide").stdout
