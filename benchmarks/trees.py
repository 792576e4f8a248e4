"""What recording a turn costs (the work tree and its mark), as a ratio to `git status` in the same repository at the same time.

Prints a table and writes benchmarks/trees.json. Milliseconds stand beside the ratios for people; only ratios are compared.
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
from itertools import count
from pathlib import Path

from tapehead.attribution.snapshots import END, START, Chain, Mark
from tapehead.git import layout
from tapehead.git.side import Side
from tapehead.git.trees import Trees

AT_MOST = 1.5


def generated(directory: Path, files: int) -> Path:
    """A repository of so many files, fifty to a folder, all committed and packed: no gc of git's shares the machine."""
    root = directory / f"repo-{files}"
    for number in range(files):
        folder = root / f"d{number // 2500:03d}" / f"e{number // 50:04d}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"f{number:06d}.txt").write_text(f"line one of {number}\nline two\n")
    for words in (
        ("init", "-q"),
        ("config", "gc.auto", "0"),
        ("add", "-A"),
        ("commit", "-qm", "all of it"),
        ("gc", "-q"),
        ("status",),
    ):
        subprocess.run(["git", "-C", str(root), *words], check=True, stdout=subprocess.DEVNULL)
    return root


def processor() -> float:
    """Seconds of the processor, of this process and of those that it started and waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def timed(work: object) -> tuple[float, float]:
    """How long it took, by the clock and of the processor: the second stays the same on a crowded machine."""
    began, used = time.perf_counter(), processor()
    work()  # type: ignore[operator]
    return time.perf_counter() - began, processor() - used


def measure(root: Path, name: str, rounds: int) -> tuple[float, float, float, float]:
    """The medians of recording and of git status, and of the ratios of each pair, by the clock and of the processor.

    Taken in turns, so that both see the same machine.
    """
    repository = layout.find(str(root))
    side = Side(str(root / ".git" / "tapehead" / "lines.git"), repository.common_dir)
    trees, chain, numbers = Trees(repository, side, "main"), Chain(side, "main"), count(int(time.time()))

    def mark() -> None:
        number = next(numbers)
        kind = START if number % 2 else END
        chain.put(Mark(kind, "session", number, f"line-{name}-{number}", number), trees.record())

    mark()
    change = CASES[name]
    recorded, status = [], []
    for number in range(rounds):
        change(root, number)
        status.append(
            timed(lambda: subprocess.run(["git", "-C", str(root), "status"], check=True, capture_output=True))
        )
        recorded.append(timed(mark))
    pairs = list(zip(recorded, status, strict=True))
    took, base = (statistics.median(one[0] for one in each) for each in (recorded, status))
    by_clock, of_processor = (statistics.median(one[by] / other[by] for one, other in pairs) for by in (0, 1))
    return took, base, by_clock, of_processor


def _nothing(root: Path, number: int) -> None:
    """A turn in which the agent only talked."""


def _ten_files(root: Path, number: int) -> None:
    for place in range(10):
        (root / "d000" / f"e{place:04d}" / f"f{place * 50:06d}.txt").write_text(f"turn {number}\n")


def _ten_new(root: Path, number: int) -> None:
    (root / f"new{number}").mkdir()
    for place in range(10):
        (root / f"new{number}" / f"{place}.py").write_text(f"turn {number}\n")


def _committed(root: Path, number: int) -> None:
    _ten_files(root, number)
    subprocess.run(["git", "-C", str(root), "commit", "-qam", "on"], check=True)


CASES = {"nothing": _nothing, "ten files changed": _ten_files, "ten new files": _ten_new, "a commit": _committed}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, nargs="+", default=[50_000])
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--record", type=Path, default=Path(__file__).with_name("trees.json"))
    args = parser.parse_args()
    os.environ |= {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@localhost", "GIT_CONFIG_NOSYSTEM": "1"}
    os.environ |= {"GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@localhost", "GIT_CONFIG_GLOBAL": os.devnull}
    directory = Path(tempfile.mkdtemp(prefix="tapehead-bench-"))
    rows = []
    try:
        for files in args.files:
            root = generated(directory, files)
            for name in CASES:
                took, base, ratio, processors = measure(root, name, args.rounds)
                row = {"files": files, "turn": name, "ratio": round(ratio, 2), "at_most": AT_MOST}
                row |= {"processor_ratio": round(processors, 2)}
                rows.append(row | {"milliseconds": round(took * 1000), "status_milliseconds": round(base * 1000)})
                over = "" if row["ratio"] <= AT_MOST else "   OVER"
                print(
                    f"{files:>7} files, {name:18s} {row['ratio']:5.2f} x git status (at most {AT_MOST}){over}, {processors:.2f} of the processor"
                    f"   {took * 1000:.0f} ms, status {base * 1000:.0f} ms",
                    flush=True,
                )
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    args.record.write_text(json.dumps({"python": sys.version.split()[0], "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
