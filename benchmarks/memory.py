"""What the memory costs: an import against json.loads, a new turn of a huge transcript against one of a small one, a search in a million rows.

Everything is made here, and every number is a ratio within this run. Prints a table and writes benchmarks/memory.json.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from generated_transcripts import Writer

if TYPE_CHECKING:
    from collections.abc import Callable

TAPEHEAD = str(Path(sys.executable).with_name("tapehead"))
MILLION = 1_000_000
ROUNDS = 5
LOADS = "import json,sys\nfor path in sys.argv[1:]:\n    for line in open(path, 'rb'):\n        json.loads(line)\n"
INGEST = """
import sys, time
from tapehead.actions.memories import MemoryKeeper
from tapehead.settings.loading import load
from tapehead.store.paths import Layout
from tapehead.store.state import State
root, path = sys.argv[1:]
keeper, state = MemoryKeeper(Layout(root), load('', '', {})), State('s', agent='claude', transcript_path=path)
begun = time.perf_counter()
keeper.remember(state)
print(time.perf_counter() - begun)
"""


def seconds(words: list[str], cwd: Path, env: dict[str, str]) -> float:
    begun = time.perf_counter()
    subprocess.run(words, cwd=cwd, env=env, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - begun


def median(measure: Callable[[], float], rounds: int = ROUNDS) -> float:
    return statistics.median(measure() for _ in range(rounds))


def repository(directory: Path, env: dict[str, str]) -> Path:
    directory.mkdir()
    subprocess.run(["git", "init", "-q", str(directory)], check=True, env=env)
    return directory


def importing(base: Path, env: dict[str, str], megabytes: int) -> dict[str, float]:
    """An import of many sessions, and json.loads over the same lines."""
    records = base / "records"
    records.mkdir()
    writer = Writer()
    paths = [writer.session(records / f"{number}.jsonl", 4_000_000, number) for number in range(megabytes // 4)]
    loads = median(lambda: seconds([sys.executable, "-c", LOADS, *map(str, paths)], base, env), 3)
    taken = []
    for number in range(3):
        place = repository(base / f"import{number}", env)
        taken.append(seconds([TAPEHEAD, "import", str(records), "--here"], place, env))
    again = seconds([TAPEHEAD, "import", str(records), "--here"], base / "import0", env)
    return {"megabytes": megabytes, "import": statistics.median(taken) / loads, "import again": again / loads}


def ingesting(base: Path, env: dict[str, str], megabytes: int) -> dict[str, float]:
    """One more turn at the end of a transcript that is known up to there: a small one and a huge one."""
    writer = Writer(2)
    took = {}
    for size in (1, megabytes):
        path = writer.session(base / f"grows{size}.jsonl", size * 1_000_000)
        words = [sys.executable, "-c", INGEST, str(base / f"store{size}"), str(path)]
        subprocess.run(words, check=True, env=env, stdout=subprocess.DEVNULL)
        times = []
        for number in range(ROUNDS):
            with path.open("ab") as file:
                line = {"type": "user", "uuid": f"new{number}", "message": {"content": f"and then part {number}?"}}
                file.write(json.dumps(line).encode() + b"\n")
            times.append(float(subprocess.run(words, check=True, env=env, capture_output=True).stdout))
        took[size] = statistics.median(times)
    return {
        "small, ms": took[1] * 1000,
        "huge, ms": took[megabytes] * 1000,
        "a turn of the huge one": took[megabytes] / took[1],
    }


def searching(base: Path, env: dict[str, str], rows: int) -> dict[str, float]:
    """Words that are common, rare, side by side, filtered, begun: against a bare Python."""
    place = repository(base / "search", env)
    records = base / "one.jsonl"
    writer = Writer(3)
    writer.session(records, 30_000_000)
    subprocess.run(
        [TAPEHEAD, "import", str(records), "--here"], cwd=place, env=env, check=True, stdout=subprocess.DEVNULL
    )
    count = _multiplied(place / ".git" / "tapehead" / "memory.db", rows)
    word = writer.prose[0].split()[0].lower()
    bare = median(lambda: seconds([sys.executable, "-c", "pass"], place, env), 15)
    questions = {
        "a common word": [word],
        "a rare word": ["nobodysaidthis"],
        "words side by side": [f'"{writer.prose[0][:24].lower()}"'],
        "the beginning of a word": [word[:4]],
        "a common word of people": [word, "--role", "human"],
        "a common word in a file": [word, "--file", "nosuchfile.py"],
    }
    found = {
        name: median(lambda words=words: seconds([TAPEHEAD, "search", *words], place, env)) / bare
        for name, words in questions.items()
    }
    return {"rows": count, **found}


def _multiplied(database: Path, rows: int) -> int:
    """The same entries again and again, as other sessions' at other times, until there are enough."""
    with sqlite3.connect(database) as connection:
        count = connection.execute("SELECT count(*) FROM entries").fetchone()[0]
        copies = max(0, -(-rows // count) - 1)
        for number in range(1, copies + 1):
            shift = number * (86_400_000 << 20)
            connection.execute("INSERT INTO sessions (id) VALUES (?)", (f"copy{number}",))
            own = connection.execute("SELECT max(number) FROM sessions").fetchone()[0]
            columns = [row[1] for row in connection.execute("PRAGMA table_info(entries)")]
            values = ["id - ?" if name == "id" else "?" if name == "session" else name for name in columns]
            connection.execute(
                f"INSERT INTO entries ({', '.join(columns)}) SELECT {', '.join(values)} FROM entries WHERE session = 1",  # noqa: S608 - our own names
                (shift, own),
            )
            for index, roles in _INDEXES.items():
                connection.execute(
                    f"INSERT INTO {index} (rowid, body) SELECT id, CASE typeof(body) WHEN 'text' THEN body ELSE '' END FROM entries"  # noqa: S608 - our own names
                    f" WHERE session = ? AND role IN ({', '.join('?' * len(roles))})",
                    (own, *roles),
                )
        connection.commit()
        return int(connection.execute("SELECT count(*) FROM entries").fetchone()[0])


_INDEXES = {"words_of_people": ("human",), "words_of_agents": ("agent",), "words_of_tools": ("tool", "host")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=120)
    parser.add_argument("--rows", type=int, default=MILLION)
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".json"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        base = Path(directory)
        env = {"PATH": os.environ["PATH"], "HOME": directory}
        results = {
            "against json.loads over the same lines (at most 2)": importing(base, env, options.megabytes),
            "a new turn of 200 MB against one of 1 MB": ingesting(base, env, 200),
            "search, against a bare Python (at most 20)": searching(base, env, options.rows),
        }
    for title, numbers in results.items():
        print(title)
        for name, number in numbers.items():
            print(f"  {name:32} {number:12,.2f}")
    rounded = {
        title: {name: round(number, 2) for name, number in numbers.items()} for title, numbers in results.items()
    }
    options.out.write_text(json.dumps(rounded, indent=2) + "\n")


if __name__ == "__main__":
    main()
