"""How long a hook keeps its agent waiting at worst: with every lock of the store held by another process, and in a storm of hooks.

Runs every payload that was recorded of every agent as a process of its own. Prints the slowest ones and writes benchmarks/deadline.json.
A bare Python runs in between: what it took shows how busy the machine was. Two seconds are promised, from when Python runs.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests" / "torture"), str(ROOT / "tests")]

from arena import TAPEHEAD, Arena, commit, git  # noqa: E402 - the folder is named above
from test_locks import RECORDED, every_lock, work  # noqa: E402 - as above

from tapehead.agents.registry import HOSTS  # noqa: E402 - as above

PROMISED = 2.0
AT_ONCE = 8
"""Hooks at the same time in the storm: four times the cores of a small machine."""


def payloads(arena: Arena, host: str) -> list[tuple[str, bytes, dict[str, str]]]:
    """What an agent sends, placed here."""
    recorded = json.loads((RECORDED / host / "payloads.json").read_text(encoding="utf-8"))
    found = []
    for kind, one in recorded.items():
        roots = {"workspace_roots": [arena.work]} if host == "cursor" else {}
        env = {name: arena.work if name.endswith("_DIR") else text for name, text in one["env"].items()}
        found.append((kind, json.dumps({**one["payload"], "cwd": arena.work, **roots}).encode(), env))
    return found


def hook(arena: Arena, host: str, raw: bytes, env: dict[str, str]) -> tuple[float, bool]:
    """Seconds until it was gone, and whether it said something."""
    began = time.perf_counter()
    said = arena.hook(raw, words=(TAPEHEAD, "hook", host), cwd=arena.work, env={**arena.env, **env})
    return time.perf_counter() - began, bool(said)


def bare() -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-I", "-c", "pass"], check=True)
    return time.perf_counter() - began


def sessions(arena: Arena) -> set[str]:
    keys = ("session_id", "conversation_id", "sessionId")
    sent = [json.loads(raw) for host in HOSTS for _, raw, _ in payloads(arena, host)]
    return {str(next((one[key] for key in keys if one.get(key)), "")) for one in sent} - {""}


def locked(arena: Arena) -> list[tuple[float, str, bool, float]]:
    """Every hook while another process holds all there is to hold."""
    rows = []
    with every_lock(arena, *sessions(arena)):
        for host in HOSTS:
            for kind, raw, env in payloads(arena, host):
                took, said = hook(arena, host, raw, env)
                rows.append((took, f"{host} {kind}", said, bare()))
    return rows


def storm(arena: Arena) -> list[tuple[float, str, bool, float]]:
    """Every hook three times, many at once, beside commits and git's own gc."""
    over = threading.Event()

    def beside() -> None:
        number = 0
        while not over.wait(0.05):
            number += 1
            commit(arena.work, f"commit {number}")
            if number % 5 == 0:
                git(arena.work, "gc", "-q", "--prune=now")

    thread = threading.Thread(target=beside)
    thread.start()
    jobs = [(host, *one) for _ in range(3) for host in HOSTS for one in payloads(arena, host)]
    try:
        with ThreadPoolExecutor(AT_ONCE) as pool:
            return [*pool.map(lambda job: _one(arena, *job), jobs)]
    finally:
        over.set()
        thread.join()


def _one(arena: Arena, host: str, kind: str, raw: bytes, env: dict[str, str]) -> tuple[float, str, bool, float]:
    took, said = hook(arena, host, raw, env)
    return took, f"{host} {kind}", said, bare()


def told(name: str, rows: list[tuple[float, str, bool, float]]) -> dict[str, object]:
    """One line for people, and the numbers."""
    rows.sort(reverse=True)
    python = [each for *_, each in rows]
    found = {
        "hooks": len(rows),
        "worst_seconds": round(rows[0][0], 2),
        "worst_hook": rows[0][1],
        "median_seconds": round(statistics.median(row[0] for row in rows), 3),
        "bare_python_worst_seconds": round(max(python), 2),
        "bare_python_median_seconds": round(statistics.median(python), 3),
        "promised": PROMISED,
    }
    print(
        f"{name}: {len(rows)} hooks, worst {found['worst_seconds']} s ({found['worst_hook']}), median {found['median_seconds']} s;"
        f" a bare Python beside them: worst {found['bare_python_worst_seconds']} s, median {found['bare_python_median_seconds']} s"
    )
    return found


def main() -> None:
    rows = {}
    for name, measure in (("every lock held", locked), ("a storm", storm)):
        with tempfile.TemporaryDirectory() as base:
            arena = Arena(base)
            git(arena.work, "commit", "-q", "--allow-empty", "-m", "first")
            work(arena, "before", "find the leak")
            rows[name] = told(name, measure(arena))
            arena.quiet()
            arena.close()
    Path(__file__).with_suffix(".json").write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
