"""A user with very many transcripts: what an import, `search`, a start and the archive take as they grow. docs/scale.md has the figures.

`python benchmarks/transcripts.py FOLDER 100 400 1600` makes so many megabytes each, one after the other, and measures processor time.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

from generated_transcripts import Writer
from latency import TAPEHEAD, compile_all

EACH = 4_000_000
"""Bytes of one transcript."""
ROUNDS = 5


def spent(words: list[str], repo: Path, env: dict[str, str], said: bytes = b"") -> float:
    """Seconds of processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([TAPEHEAD, *words], cwd=repo, env=env, input=said, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode > 1:  # 1: doctor has something to say, or nothing was found
        sys.exit(done.stderr.decode())
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def measured(folder: Path, megabytes: int) -> dict[str, float]:
    """One home with one repository, and all its transcripts."""
    repo, made = folder / "work", folder / "made"
    made.mkdir(parents=True)
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", "init", "-q", "-b", "main", str(repo)], check=True, env=env)
    writer = Writer()
    for number in range(megabytes * 1_000_000 // EACH):
        writer.session(made / f"{number:08x}-1111-4222-8333-444444444444.jsonl", EACH, number)
    found = {"import": spent(["import", str(made), "--here"], repo, env)}
    store = repo / ".git" / "tapehead"
    found["megabytes of the history"] = sum(path.stat().st_size for path in store.rglob("memory.db*")) / 1e6
    found["megabytes of the archive"] = size(store / "transcripts") / 1e6 if (store / "transcripts").is_dir() else 0.0
    start = {"session_id": "s", "cwd": str(repo), "hook_event_name": "SessionStart", "source": "startup"}
    commands = {
        "search": (["search", "bacefo dikamo"], b""),
        "status": (["status"], b""),
        "doctor": (["doctor"], b""),
        "start": (["hook", "claude"], json.dumps(start).encode()),
    }
    for name, (words, said) in commands.items():
        found[name] = sorted(spent(words, repo, env, said) for _ in range(ROUNDS))[ROUNDS // 2]
    return {name: round(figure, 2) for name, figure in found.items()}


def main() -> None:
    compile_all()
    for each in sys.argv[2:]:
        print(f"{each} MB: {json.dumps(measured(Path(sys.argv[1]) / each, int(each)))}", flush=True)


if __name__ == "__main__":
    main()
