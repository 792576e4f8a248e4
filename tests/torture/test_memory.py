"""Ten processes take in, search and hand over at once, and are killed at random: the memory is what it would have been in peace."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import time
from contextlib import closing, suppress

import pytest
from arena import TAPEHEAD, Arena

WORDS = ("parser", "lexer", "tokens", "grammar", "设定文件")


def transcript(path, session, turns, chance):
    """A session's record: prompts, replies, tools and what they said."""
    lines = []
    for turn in range(turns):
        at = f"2026-01-01T{10 + turn // 60:02d}:{turn % 60:02d}:00.{chance.randrange(1000):03d}Z"
        word = WORDS[turn % len(WORDS)]
        use = {"type": "tool_use", "id": f"{session}{turn}", "name": "Bash", "input": {"command": f"make {word}"}}
        result = {"type": "tool_result", "tool_use_id": f"{session}{turn}", "content": f"{word} {turn} " * 200}
        base = {"sessionId": session, "timestamp": at, "cwd": "/nowhere"}
        lines += [
            {
                **base,
                "type": "user",
                "uuid": f"{session}-{turn}-u",
                "message": {"content": f"write the {word} of {turn}"},
            },
            {
                **base,
                "type": "assistant",
                "uuid": f"{session}-{turn}-a",
                "message": {"id": f"m{turn}", "content": [use]},
            },
            {**base, "type": "user", "uuid": f"{session}-{turn}-r", "message": {"content": [result]}},
            {
                **base,
                "type": "assistant",
                "uuid": f"{session}-{turn}-b",
                "message": {
                    "id": f"n{turn}",
                    "content": [{"type": "text", "text": f"The {word} of {turn} is written."}],
                },
            },
        ]
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def remembered(database):
    """Everything but the ids of rows, which say when they came."""
    with closing(sqlite3.connect(database)) as connection:
        asked = """SELECT s.id, o.id, e.source, e.turn, e.layer, e.role, e.kind, e.time, e.name, e.file, e.length, e.body
                   FROM entries e JOIN sessions s ON s.number = e.session JOIN sessions o ON o.number = e.origin"""
        return sorted(connection.execute(asked).fetchall(), key=repr)


def sound(database):
    """Whether SQLite finds nothing wrong, and every entry of a word is found by it."""
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        for word in WORDS[:-1]:
            found = sum(
                connection.execute(f"SELECT count(*) FROM {index} WHERE {index} MATCH ?", (word,)).fetchone()[0]
                for (index,) in connection.execute(
                    "SELECT name FROM sqlite_master WHERE name IN ('words_of_people', 'words_of_agents', 'words_of_tools')"
                )
            )
            rows = connection.execute("SELECT body FROM entries").fetchall()
            assert found >= sum(isinstance(body, str) and word in body for (body,) in rows) > 0


def storm(arena, records, seconds, chance):
    """Ten at once, each killed somewhere; what the people among them were told."""
    commands = [
        ["import", records, "--here"],
        ["search", "parser"],
        ["handoff", "--session", "hands"],
        ["detail", "turn", "3"],
        ["status"],
    ]
    told, running, until = [], [], time.monotonic() + seconds
    while time.monotonic() < until or running:
        while len(running) < 10 and time.monotonic() < until:
            words = [TAPEHEAD, *chance.choice(commands)]
            process = subprocess.Popen(
                words,
                cwd=arena.work,
                env=arena.env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            running.append((process, time.monotonic() + chance.uniform(0.05, 2.5)))
        for process, dies in list(running):
            if process.poll() is None and time.monotonic() < dies and time.monotonic() < until + 60:
                continue
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            told.append(process.communicate()[0].decode("utf-8", "replace"))
            running.remove((process, dies))
        time.sleep(0.02)
    return told


def ten_at_once(base, seconds, sessions, turns):
    arena = Arena(os.path.join(base, "torn"))
    peace = Arena(os.path.join(base, "peace"))
    records = os.path.join(base, "records")
    os.makedirs(records)
    chance = random.Random(4)
    for number in range(sessions):
        transcript(os.path.join(records, f"session{number}.jsonl"), f"session{number}", turns, chance)
    arena.hook(arena.payload("hands", "SessionStart", source="startup"))
    arena.hook(arena.payload("hands", "UserPromptSubmit", prompt="begin"))
    told = storm(arena, records, seconds, chance)
    assert not [text for text in told if "locked" in text or "Traceback" in text]
    for each in (arena, peace):
        subprocess.run(
            [TAPEHEAD, "import", records, "--here"], cwd=each.work, env=each.env, check=True, capture_output=True
        )
    sound(arena.layout.memory)
    assert remembered(arena.layout.memory) == remembered(peace.layout.memory)
    again = subprocess.run(
        [TAPEHEAD, "import", records, "--here", "--json"],
        cwd=arena.work,
        env=arena.env,
        check=True,
        capture_output=True,
    )
    assert json.loads(again.stdout)["entries"] == 0


def test_ten_at_once_and_killed(tmp_path):
    """No lock-up, nobody is told of a lock, nothing is lost and nothing is there twice."""
    ten_at_once(str(tmp_path), seconds=4, sessions=3, turns=60)


@pytest.mark.slow
def test_ten_at_once_and_killed_for_a_minute(tmp_path):
    """The same for longer, with more."""
    ten_at_once(str(tmp_path), seconds=60, sessions=8, turns=400)
