"""How long users wait for `status` and `doctor`: `status` as a ratio to a bare interpreter in the same run, `doctor` in seconds.

Each session has a tape, a state and a capture of its own. Prints a table and writes benchmarks/commands.json; with --only it measures one
command and writes nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from latency import TAPEHEAD, bare, compile_all

CASES = (
    ("status", 20, 12.0, "bare"),
    ("status", 2_000, None, "bare"),
    ("doctor", 20, None, "s"),
    ("doctor", 2_000, 3.0, "s"),
)
"""The command, how many sessions there are, the most that it may take, and in what: bare Pythons, or seconds."""
WORDS = "Let the parser say in which line and column an error is, and keep the old messages. " * 4
TURNS = 6


class Place:
    """A repository with sessions that the real hooks recorded and that are over."""

    def __init__(self, directory: Path, sessions: int) -> None:
        self.root = directory / f"repo-{sessions}"
        self.env = {"PATH": os.environ["PATH"], "HOME": str(directory), "GIT_CONFIG_NOSYSTEM": "1", "CLAUDE_PID": "1"}
        subprocess.run(["git", "init", "-q", "-b", "main", str(self.root)], check=True, env=self.env)
        self.store = self.root / ".git" / "tapehead"
        self._first()
        for number in range(1, sessions):
            self._copy(f"{number:08x}-1111-4222-8333-444444444444")

    def _first(self) -> None:
        self.name = "0" * 8 + "-1111-4222-8333-444444444444"
        self._hook("SessionStart", source="startup")
        for number in range(TURNS):
            self._hook("UserPromptSubmit", prompt=f"{number}: {WORDS}")
            self._hook("Stop", last_assistant_message=WORDS)
        self._hook("SessionEnd", reason="other")
        self.run("status")

    def _hook(self, name: str, **fields: str) -> None:
        payload = {"session_id": self.name, "cwd": str(self.root), "hook_event_name": name, **fields}
        subprocess.run(
            [TAPEHEAD, "hook", "claude"],
            input=json.dumps(payload).encode(),
            env=self.env,
            stdout=subprocess.DEVNULL,
            check=True,
        )

    def _copy(self, name: str) -> None:
        for file in (self.store / "sessions").glob(f"{self.name}.*"):
            if file.suffix in (".json", ".tape"):
                there = file.with_name(name + file.suffix)
                there.write_bytes(file.read_bytes().replace(self.name.encode(), name.encode()))
                there.chmod(0o600)
        captures = self.store / "captures" / self.name
        if captures.is_dir():
            shutil.copytree(captures, captures.with_name(name))

    def run(self, command: str) -> float:
        began = time.perf_counter()
        subprocess.run(
            [TAPEHEAD, command],
            cwd=self.root,
            env=self.env,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        return time.perf_counter() - began


def measure(place: Place, command: str, rounds: int) -> tuple[float, float]:
    """The medians of the command and of a bare interpreter, taken in turns so that both see the same machine."""
    place.run(command)  # what is done once a day, and the files in the cache
    taken, bares = [], []
    for _ in range(rounds):
        bares.append(bare()[0])
        taken.append(place.run(command))
    return statistics.median(taken), statistics.median(bares)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--only", choices=("status", "doctor"))
    parser.add_argument("--record", type=Path, default=Path(__file__).with_suffix(".json"))
    args = parser.parse_args()
    compile_all()
    rows = []
    directory = Path(tempfile.mkdtemp(prefix="tapehead-bench-"))
    try:
        places = {sessions: Place(directory, sessions) for sessions in {sessions for _, sessions, _, _ in CASES}}
        for command, sessions, limit, unit in CASES:
            if args.only not in (None, command):
                continue
            took, base = measure(places[sessions], command, args.rounds)
            counted = took / base if unit == "bare" else took
            over = "" if limit is None or counted <= limit else "   OVER"
            rows.append(
                {
                    "command": command,
                    "sessions": sessions,
                    "ratio": round(took / base, 2),
                    "seconds": round(took, 3),
                    "bare_milliseconds": round(base * 1000, 1),
                    "at_most": limit,
                    "unit": unit,
                }
            )
            limited = "" if limit is None else f" (at most {limit:g} {'x bare' if unit == 'bare' else 's'})"
            print(
                f"{command:8s} sessions {sessions:>6}  {took / base:6.2f} x bare, {took:6.3f} s{limited}{over}",
                flush=True,
            )
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    if args.only is None:
        args.record.write_text(json.dumps({"python": sys.version.split()[0], "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
