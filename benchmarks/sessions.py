"""A user with very many sessions: what a start, `status`, `search` and `doctor` take with 500 and with 50,000. docs/scale.md has the figures.

`python benchmarks/sessions.py FOLDER` makes both stores below a folder, lets the first command put them in order, and measures processor time.
"""

from __future__ import annotations

import json
import resource
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

from commands import WORDS, Place
from latency import TAPEHEAD, compile_all

COUNTS = (500, 50_000)
ROUNDS = 5
COMMANDS = {"start": (), "status": ("status",), "search": ("search", "parser column"), "doctor": ("doctor",)}


class Crowd(Place):
    """Many copies of one session, made without looking through the folder for each."""

    def fill(self, sessions: int) -> None:
        folder, captures = self.store / "sessions", self.store / "captures" / self.name
        files = [
            (path.suffix, path.read_bytes())
            for path in folder.glob(f"{self.name}.*")
            if path.suffix in (".json", ".tape")
        ]
        for number in range(1, sessions):
            name = f"{number:08x}-1111-4222-8333-444444444444"
            for suffix, data in files:
                there = folder / (name + suffix)
                there.write_bytes(data.replace(self.name.encode(), name.encode()))
                there.chmod(0o600)
            if captures.is_dir():
                shutil.copytree(captures, captures.with_name(name))

    def work(self) -> None:
        """One more session, which a start that follows can name."""
        self.name = f"{time.time_ns():x}"
        self._hook("SessionStart", source="startup")
        self._hook("UserPromptSubmit", prompt=WORDS)
        self._hook("Stop", last_assistant_message=WORDS)
        self._hook("SessionEnd", reason="other")
        self.run("status")

    def spend(self, words: tuple[str, ...], number: int) -> float:
        """Seconds of processor time of a command, or of the hook of a new session's start."""
        fields = {"session_id": f"start-{number}-{time.time_ns()}", "cwd": str(self.root), "source": "startup"}
        payload = json.dumps({**fields, "hook_event_name": "SessionStart"}).encode()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [TAPEHEAD, *(words or ("hook", "claude"))], cwd=self.root, env=self.env, check=False,
            capture_output=True, input=b"" if words else payload,
        )  # fmt: skip
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    folder = Path(sys.argv[1])
    compile_all()
    places = {}
    for count in COUNTS:
        (folder / str(count)).mkdir(parents=True)
        places[count] = Crowd(folder / str(count), 1)
        places[count].fill(count)
        print(f"{count} sessions: put in order in {places[count].spend(('status',), 0):.1f} s", flush=True)
        places[count].work()
    for name, words in COMMANDS.items():
        taken: dict[int, list[float]] = {count: [] for count in COUNTS}
        for number in range(ROUNDS):
            for count, place in places.items():
                taken[count].append(place.spend(words, number))
        few, many = (statistics.median(taken[count]) for count in COUNTS)
        print(f"{name:8} {few:6.2f} s  {many:6.2f} s  {many / few:.2f}", flush=True)


if __name__ == "__main__":
    main()
