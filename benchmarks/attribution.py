"""What attribution costs beside git: a commit, a push, blame of a large file, a file that changes in very many places, and .git's growth.

Processor time, of git alone and with tapehead in turns, so that both see the same machine. Prints a table and writes benchmarks/attribution.json.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tapehead.engine.engine import Engine
from tapehead.git.packing import pack
from tapehead.git.side import Side
from tapehead.statemachine.vocabulary import Event
from tapehead.store import starts, tape
from tapehead.store.paths import Layout

if TYPE_CHECKING:
    from collections.abc import Callable

TAPEHEAD = str(Path(sys.executable).with_name("tapehead"))
SESSION = "bench"


def git(root: Path, *words: str, stdin: bytes | None = None) -> bytes:
    return subprocess.run(["git", "-C", str(root), *words], check=True, capture_output=True, input=stdin).stdout


def used() -> float:
    """Milliseconds of the processor, of this process and of those that it waited for."""
    each = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return 1000 * sum(one.ru_utime + one.ru_stime for one in each)


def timed(work: Callable[[], object]) -> float:
    before = used()
    work()
    return used() - before


class Agent:
    """An agent at work in a repository, as its hooks tell of it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.engine = Engine(Layout(str(root / ".git" / "tapehead")), time.time_ns)
        self.transcript = root.parent / "talk.jsonl"
        starts.note(self.engine.layout, "main", {"session": SESSION, "at": tape.instant(time.time_ns())})
        self.hear(Event.SESSION_START)

    def hear(self, event: Event, **data: str) -> None:
        now = time.time_ns()
        where = {"worktree": str(self.root), "transcript_path": str(self.transcript), **data}
        line = {"id": tape.stamp(now, os.getpid()), "at": tape.instant(now), "host": "claude", "event": event.value}
        self.engine.store.append(SESSION, {**line, "facts": [], "data": where})
        self.engine.settle(SESSION)

    def turn(self, work: Callable[[], object]) -> None:
        self.hear(Event.TURN_START, prompt="do it")
        work()
        self.hear(Event.TURN_END)


def repository(root: Path, files: int, commits: int) -> Path:
    """So many files, all committed first, and so many commits of one of them."""
    stream = ["blob\nmark :1\ndata 9\nline one\n\n", "commit refs/heads/main\nmark :2\n" + _by(0) + "data 4\nbase\n"]
    stream += [f"M 644 :1 d{number // 2500:03d}/e{number // 50:04d}/f{number:06d}.txt\n" for number in range(files)]
    for number in range(commits):
        text = f"number {number}\n"
        stream.append(f"commit refs/heads/main\n{_by(number + 1)}data 3\non\nM 644 inline d000/log.txt\n")
        stream.append(f"data {len(text)}\n{text}\n")
    root.mkdir(parents=True)
    git(root, "init", "-q", "-b", "main")
    git(root, "config", "gc.auto", "0")
    git(root, "fast-import", "--quiet", stdin="".join(stream).encode())
    git(root, "reset", "-q", "--hard")
    git(root, "gc", "-q")
    git(root, "status")
    return root


def _by(number: int) -> str:
    return f"committer a <a@localhost> {1_600_000_000 + number} +0000\n"


def of_commits(directory: Path, files: int, commits: int, rounds: int) -> dict[str, list[float]]:
    """`git commit` with a line of the agent's staged, and `git push`; git alone and with the hooks."""
    root = repository(directory / "commits", files, commits)
    git(directory, "init", "-q", "--bare", "remote.git")
    git(root, "remote", "add", "origin", str(directory / "remote.git"))
    git(root, "push", "-q", "origin", "main")
    subprocess.run([TAPEHEAD, "install", "--git"], cwd=root, check=True, capture_output=True)
    agent = Agent(root)
    found: dict[str, list[float]] = {name: [] for name in ("commit", "commit, git alone", "push", "push, git alone")}
    for number in range(rounds * 2):
        alone = ("-c", f"core.hooksPath={directory / 'none'}") if number % 2 else ()
        name = ", git alone" if number % 2 else ""
        agent.turn(lambda: (root / "d000" / "e0000" / "f000000.txt").write_text(f"line {number}\n" * 3))  # noqa: B023
        git(root, "add", "-A")
        git(root, "status")
        time.sleep(0.2)
        found[f"commit{name}"].append(timed(lambda: git(root, *alone, "commit", "-qm", "on")))  # noqa: B023
        if (b"Tapehead-Checkpoint" in git(root, "log", "-1", "--format=%B")) == bool(alone):
            raise SystemExit(f"commit {number} is not what was to be measured: its trailer is wrong")
        agent.hear(Event.GIT_COMMIT, commit=git(root, "rev-parse", "HEAD").decode().strip(), branch="main")
        time.sleep(1)  # what runs behind it is no part of it
        found[f"push{name}"].append(timed(lambda: git(root, *alone, "push", "-q", "origin", "main")))  # noqa: B023
    return found


def of_large_file(directory: Path, rounds: int) -> dict[str, list[float]]:
    """A file of 60,000 lines in which the agent changes 20,000 places: recording it, and blame of it, committed and not."""
    root = repository(directory / "large", 10, 1)
    lines = [f"this is line {number} of a lock file\n" for number in range(60_000)]
    (root / "lock.txt").write_text("".join(lines))
    git(root, "add", "-A")
    git(root, "commit", "-qm", "a lock file")
    agent = Agent(root)
    agent.turn(lambda: None)
    lines[::3] = [f"changed {number} by the agent\n" for number in range(20_000)]
    agent.hear(Event.TURN_START, prompt="do it")
    (root / "lock.txt").write_text("".join(lines))
    found = {"condense": [timed(lambda: agent.hear(Event.TURN_END))]}
    words = [TAPEHEAD, "blame", "lock.txt"]
    for name in ("not committed", "committed"):
        for _ in range(rounds):
            for kind, command in (
                ("blame", words),
                ("blame --json", [*words, "--json"]),
                ("blame, git alone", ["git", "blame", "lock.txt"]),
            ):
                run = lambda: subprocess.run(command, cwd=root, check=True, capture_output=True)  # noqa: B023, E731
                found.setdefault(f"{kind} ({name})", []).append(timed(run))
        if name == "not committed":
            git(root, "commit", "-qam", "by the agent")
            head = git(root, "rev-parse", "HEAD").decode().strip()
            found["condense"] = [
                *found["condense"],
                timed(lambda: agent.hear(Event.GIT_COMMIT, commit=head, branch="main")),  # noqa: B023
            ]
    return found


def of_growth(directory: Path, turns: int, *, commits: bool) -> float:
    """Bytes of .git for each turn of three changed files, packed, beyond what git's own commits take; with a commit in each turn, or none.

    Without a transcript: its part goes into each checkpoint.
    """
    sizes = []
    for is_watched in (False, True):
        root = repository(directory / f"growth-{commits}-{is_watched}", 1000, 1)
        agent = Agent(root) if is_watched else None
        git(root, "gc", "-q")
        before = size(root / ".git")
        for number in range(turns):
            if agent:
                agent.hear(Event.TURN_START, prompt=f"change number {number}")
            for place in range(3):
                file = root / "d000" / f"e{(number * 3 + place) % 20:04d}"
                file = next(iter(sorted(file.iterdir())))
                file.write_text(file.read_text() + f"line {number} in {place}\n")
            if commits:
                git(root, "commit", "-qam", f"on {number}")
                head = git(root, "rev-parse", "HEAD").decode().strip()
                if agent:
                    agent.hear(Event.GIT_COMMIT, commit=head, branch="main")
            if agent:
                agent.hear(Event.TURN_END)
        if agent:
            pack(Side(agent.engine.layout.lines, str(root / ".git")))  # as the worker does behind a turn
        git(root, "gc", "-q")
        sizes.append(size(root / ".git") - before)
    return (sizes[1] - sizes[0]) / turns


def size(directory: Path) -> int:
    return sum(path.lstat().st_size for path in directory.rglob("*") if path.is_file())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=50_000)
    parser.add_argument("--commits", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--turns", type=int, default=150)
    parser.add_argument("--parts", nargs="+", default=["commits", "large", "growth"])
    parser.add_argument("--record", type=Path, default=Path(__file__).with_name("attribution.json"))
    args = parser.parse_args()
    for who in ("AUTHOR", "COMMITTER"):
        os.environ |= {f"GIT_{who}_NAME": "a", f"GIT_{who}_EMAIL": "a@localhost"}
    directory = Path(tempfile.mkdtemp(prefix="tapehead-bench-"))
    home = directory / "home"
    home.mkdir()
    os.environ |= {"HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
    try:
        found = of_commits(directory, args.files, args.commits, args.rounds) if "commits" in args.parts else {}
        found |= of_large_file(directory, 5) if "large" in args.parts else {}
        rows = {name: round(statistics.median(each)) for name, each in found.items()}
        growth = {
            f"bytes a turn, {'a commit in each' if commits else 'no commits'}": round(
                of_growth(directory, args.turns, commits=commits)
            )
            for commits in ((False, True) if "growth" in args.parts else ())
        }
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    for name, value in {**rows, **growth}.items():
        print(f"{name:40s} {value:8d}")
    told = {"python": sys.version.split()[0], "processor_milliseconds": rows, "growth": growth}
    args.record.write_text(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main()
