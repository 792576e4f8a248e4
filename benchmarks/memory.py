"""How long the memory takes, as ratios: an import to json.loads, a turn in a long transcript to one in a short, a search to a bare Python.

Prints a table and writes benchmarks/memory.json. Seconds stand beside the ratios for people; only ratios are compared. Everything is
measured on transcripts that are made here.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from generated_transcripts import Session, Writer

import tapehead
from tapehead.cli import bytecode
from tapehead.history.database import Database
from tapehead.history.entry_making import Entries
from tapehead.history.index_merging import merge
from tapehead.history.intake import MemoryKeeper
from tapehead.history.writing import Keeper, Taking, prepare
from tapehead.settings.loading import load
from tapehead.store.paths import Layout
from tapehead.store.state import State
from tapehead.transcript.recorded_steps import Batch, Cursor, Recorded
from tapehead.transcript.turns import AGENT, HUMAN, READ, SUMMARY, Call, Result, Said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TAPEHEAD = str(Path(sys.executable).with_name("tapehead"))
BARE = [sys.executable, "-I", "-c", "pass"]
LOADS = """
import json, sys
for path in sys.argv[1:]:
    with open(path, "rb") as file:
        for line in file:
            json.loads(line)
"""
MEGABYTE = 1_000_000
AT_MOST = {"import": 2.0, "turn": 1.5, "search": 12.0, "recall": 50.0}


class Bench:
    """A directory of its own, and what was measured there."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.env = {"PATH": os.environ["PATH"], "HOME": str(directory), "GIT_CONFIG_NOSYSTEM": "1"}
        self.writer = Writer()
        self.rows: list[dict[str, object]] = []

    def repository(self, name: str) -> Path:
        path = self.directory / name
        subprocess.run(["git", "init", "-q", "-b", "main", str(path)], check=True, env=self.env)
        return path

    def run(self, words: list[str], cwd: Path | None = None) -> float:
        began = time.perf_counter()
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run(words, cwd=cwd or self.directory, env=self.env, check=False, **quiet)
        return time.perf_counter() - began

    def note(self, kind: str, what: str, took: float, base: float) -> None:
        """Record a ratio."""
        row = {"what": what, "ratio": round(took / base, 2), "at_most": AT_MOST[kind], "seconds": round(took, 4)}
        self.rows.append({"kind": kind, **row, "base_seconds": round(base, 4)})
        over = "" if took / base <= AT_MOST[kind] else "   OVER"
        print(
            f"{kind:7s} {what:44s} {took / base:6.2f} (at most {AT_MOST[kind]:g})   {took:8.3f} s / {base:.3f} s{over}",
            flush=True,
        )


def imports(bench: Bench, megabytes: int, rounds: int) -> None:
    """Importing many files, and one, to a process that only parses each of their lines."""
    for files in (max(2, megabytes // 4), 1):
        directory = bench.directory / f"transcripts-{files}"
        directory.mkdir()
        for number in range(files):
            path = directory / f"{number:08x}-1111-4222-8333-444444444444.jsonl"
            bench.writer.session(path, megabytes * MEGABYTE // files, number)
        paths = [str(path) for path in sorted(directory.iterdir())]
        took, base = [], []
        for number in range(rounds):
            base.append(bench.run([sys.executable, "-I", "-c", LOADS, *paths]))
            place = bench.repository(f"import-{files}-{number}")
            took.append(bench.run([TAPEHEAD, "import", str(directory), "--here"], place))
            shutil.rmtree(place)
        bench.note("import", f"{megabytes} MB in {files} files", min(took), min(base))
        shutil.rmtree(directory)


def turns(bench: Bench, megabytes: int, rounds: int) -> None:
    """Taking one new turn in, at the end of a long transcript and of a short one, in turns."""
    grown = [Growing(bench, size) for size in (1, megabytes)]
    took: dict[Growing, list[float]] = {one: [] for one in grown}
    for _ in range(rounds):
        for one in grown:
            one.grow()
            took[one].append(one.remember())
    short, long = (statistics.median(took[one]) for one in grown)
    bench.note("turn", f"after {megabytes} MB, to after 1 MB", long, short)


class Growing:
    """A transcript that goes on, and its memory."""

    def __init__(self, bench: Bench, megabytes: int) -> None:
        self.path = bench.writer.session(
            bench.directory / f"growing-{megabytes}.jsonl", megabytes * MEGABYTE, megabytes
        )
        self.session = Session(bench.writer, megabytes)
        self.session.count = 10**7
        self.layout = Layout(str(bench.directory / f"store-{megabytes}"))
        self.remember()

    def grow(self) -> None:
        with self.path.open("ab") as file:
            for line in self.session.turn():
                file.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")

    def remember(self) -> float:
        state = State(self.session.id, agent="claude", transcript_path=str(self.path))
        keeper = MemoryKeeper(self.layout, load(self.layout.root, "", {}))
        began = time.perf_counter()
        keeper.remember(state)
        return time.perf_counter() - began


def searches(bench: Bench, rows: int, rounds: int) -> None:
    """Searching a memory of many rows, to a bare Python."""
    place = bench.repository("search")
    fill(bench, Layout(str(place / ".git" / "tapehead")).memory, rows)
    common, second = bench.writer.words[:2]
    begins = common[:4]
    asked = {
        "a common word": [common],
        "a rare word": ["needle"],
        "a word that is not there": ["nowhere"],
        "two common words": [common, second],
        "a common and a rare word": [common, "needle"],
        "a phrase of common words": [f'"{common} {second}"'],
        "a phrase that is not there": [f'"{second} needle {common}"'],
        "the beginning of words": ["need"],
        "the beginning of many words": [begins],
        "one session": [common, "--session", "session-7"],
        "one kind": [common, "--kind", "summary"],
        "one role": [common, "--role", "human"],
        "one file": [common, "--file", "src/rare.py"],
        "one project": [common, "--project", "work"],
        "lately": [common, "--since", "2026-12-01"],
        "all of it": [common, "--session", "session-7", "--role", "tool", "--file", "rare.py", "--since", "2026-01-02"],
    }
    for what, words in asked.items():
        took, base = [], []
        for _ in range(rounds):
            base.append(bench.run(BARE))
            took.append(bench.run([TAPEHEAD, "search", *words], place))
        bench.note("search", f"{what}, {rows:,} rows", statistics.median(took), statistics.median(base))
    recalls(bench, place, rounds)


def recalls(bench: Bench, place: Path, rounds: int) -> None:
    """Asking the running server: the milliseconds until the answer is there."""
    common, second, third = bench.writer.words[:3]
    asked = {
        "a common word": common,
        "a rare word": "needle",
        "a question of common words": f"what did we say about the {common} and the {second} of {third}",
        "a question with a rare word": f"when was the needle in the {common} found",
        "a word that is not there": "nowhere",
    }
    words = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "cwd": place, "env": bench.env}
    with subprocess.Popen([TAPEHEAD, "mcp"], **words) as server:
        for number, (what, question) in enumerate(asked.items()):
            took = [_asked(server, number * rounds + at, question) for at in range(rounds)]
            bench.note("recall", f"{what}, in the server", 1000 * statistics.median(took), 1.0)
        server.stdin.close()


def _asked(server: subprocess.Popen[bytes], number: int, question: str) -> float:
    call = {"name": "recall", "arguments": {"question": question}}
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
    message = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {**call, "_meta": meta}}
    began = time.perf_counter()
    server.stdin.write(json.dumps(message).encode() + b"\n")
    server.stdin.flush()
    answer = json.loads(server.stdout.readline())
    took = time.perf_counter() - began
    if "result" not in answer:
        raise SystemExit(f"the server answered {answer}")
    return took


def fill(bench: Bench, path: str, rows: int) -> None:
    """A memory of so many rows, of a thousand sessions, as a worker leaves it."""
    with Database(path, bulk=True) as database:
        keeper = Keeper(database)
        per_session = max(20, rows // 1_000)
        for number in range(rows // per_session):
            taking = prepare(Batch(list(_steps(bench, number, per_session)), Cursor(1, per_session // 20)), Entries())
            about = taking.mark._replace(cursor=taking.mark.cursor._replace(about={"cwd": "/srv/work"}))
            keeper.take_all([Taking(f"session-{number}", "claude", f"/{number}", taking._replace(mark=about))])
        merge(database, 60.0)


def _steps(bench: Bench, number: int, rows: int) -> Iterator[Recorded]:
    text: Callable[[int], str] = bench.writer.text
    for at in range(rows):
        time_ = f"2026-{1 + number // 84 % 12:02d}-{1 + number // 3 % 28:02d}T{at // 3600 % 24:02d}:{at // 60 % 60:02d}:{at % 60:02d}.000Z"
        rare = " needle" if at == 5 and number % 100 == 0 else ""
        said = Said(HUMAN, text(2)) if at % 20 == 0 else Said(AGENT, text(3) + rare) if at % 5 == 0 else None
        if at == 7 and number % 100 == 7:
            yield Recorded(f"{number:x}-{at}/1", 1, time_, Call("c", "Read", READ, "/srv/work/src/rare.py"))
            yield Recorded(f"{number:x}-{at}/2", 1, time_, Said(SUMMARY, text(3)))
        yield Recorded(f"{number:x}-{at}/0", 1 + at // 20, time_, said or Result("c", text(4)))


def compile_all() -> None:
    bytecode.compile_now()
    compileall.compile_dir(Path(tapehead.__file__).parent, quiet=2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=120, help="of transcripts to import")
    parser.add_argument("--long", type=int, default=200, help="megabytes of a long transcript")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--record", type=Path, default=Path(__file__).with_suffix(".json"))
    args = parser.parse_args()
    compile_all()
    directory = Path(tempfile.mkdtemp(prefix="tapehead-bench-"))
    bench = Bench(directory)
    try:
        imports(bench, args.megabytes, max(3, args.rounds // 2))
        turns(bench, args.long, 3 * args.rounds)
        searches(bench, args.rows, args.rounds)
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    args.record.write_text(json.dumps({"python": sys.version.split()[0], "rows": bench.rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
