"""A team's repository with very many checkpoints: what one commit's worth of sync, blame and explain takes. docs/scale.md has the figures.

`python benchmarks/scale.py 100000 FOLDER` makes the repository, if it is not there, and measures.
"""

from __future__ import annotations

import hashlib
import json
import os
import resource
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

from tapehead.checkpoints import line_texts
from tapehead.checkpoints.checkpoint import Checkpoint, Record, written, written_record
from tapehead.checkpoints.checkpoint_ref import REF

FILES = 2_000
HUMANS = 9
"""Of so many commits one is a human's, without a record."""
TOGETHER, NEWEST = 10, 5_000
"""Checkpoints that came with one sync, of the newest. All older ones stand in one commit: git would take an hour for one commit each."""
TAPEHEAD = os.path.join(os.path.dirname(sys.executable), "tapehead")


def name_of(*parts: object) -> str:
    return hashlib.sha1(" ".join(map(str, parts)).encode(), usedforsecurity=False).hexdigest()


def git(repo: Path, *words: str, data: bytes | None = None) -> str:
    return subprocess.run(["git", *words], cwd=repo, input=data, check=True, capture_output=True).stdout.decode()


def file_of(number: int) -> str:
    which = number % FILES
    return f"src/p{which // 45}/f{which}.py"


def line(number: int) -> str:
    return f"value_{number} = compute({number})"


def commits(repo: Path, count: int) -> list[tuple[str, str]]:
    """Each adds a line to one file."""
    stream = subprocess.Popen(["git", "fast-import", "--quiet", "--date-format=raw"], cwd=repo, stdin=subprocess.PIPE)
    assert stream.stdin
    held: dict[int, str] = {}
    for number in range(count):
        which = number % FILES
        held[which] = text = held.get(which, "") + line(number) + "\n"
        stream.stdin.write(
            f"commit refs/heads/main\ncommitter a <a@example.org> {1_600_000_000 + number * 60} +0000\ndata 4\nmore\n"
            f"M 100644 inline {file_of(number)}\ndata {len(text)}\n{text}\n".encode()
        )
    stream.stdin.close()
    assert stream.wait() == 0
    rows = git(repo, "log", "--reverse", "--format=%H %T", "main").splitlines()
    return [(row.split()[0], row.split()[1]) for row in rows]


def put(path: str, data: bytes) -> bytes:
    return f"M 100644 inline {path}\ndata {len(data)}\n".encode() + data + b"\n"


def checkpoint(number: int, commit: str, tree: str) -> bytes:
    ident, session, patch = name_of("c", number)[:12], f"session-{number % 5_000}", name_of("p", number)
    path = file_of(number)
    at = number // FILES + 1
    one = Checkpoint(
        ident, commit, (), tree, patch, "main", session, "claude", "m", 1, 1, (f"add value {number}",), files=(path,),
        attribution={"agent_added": 1, "session_added": 1}, created_at="2026-01-01T00:00:00Z",
    )  # fmt: skip
    runs = ((at, 1, session),)
    texts = (line_texts.digest(line(number).encode()),)
    record = Record(commit, tree, patch, (ident,), {path.encode(): runs}, {path.encode(): texts})
    return b"".join(
        (
            put(f"{ident[:2]}/{ident[2:]}/checkpoint.json", written(one)),
            put(f"{ident[:2]}/{ident[2:]}/brief.md", f"# add value {number}\n".encode() * 20),
            put(f"by-commit/{commit[:2]}/{commit[2:]}.json", written_record(record)),
            put(f"by-tree/{tree[:2]}/{tree[2:]}", commit.encode() + b"\n"),
            put(f"by-patch/{patch[:2]}/{patch[2:]}", commit.encode() + b"\n"),
        )
    )


def checkpoints(repo: Path, names: list[tuple[str, str]]) -> None:
    stream = subprocess.Popen(
        ["git", "fast-import", "--quiet", "--date-format=raw", "--force"], cwd=repo, stdin=subprocess.PIPE
    )
    assert stream.stdin
    agents = [(number, *each) for number, each in enumerate(names) if number % HUMANS]
    edges = [0, *range(max(len(agents) - NEWEST, TOGETHER), len(agents), TOGETHER), len(agents)]
    for begin, end in pairwise(edges):
        at = 1_600_000_000 + begin * 60
        stream.stdin.write(f"commit {REF}\ncommitter t <t@example.org> {at} +0000\ndata 4\nmore\n".encode())
        for each in agents[begin:end]:
            stream.stdin.write(checkpoint(*each))
    stream.stdin.close()
    assert stream.wait() == 0


def made(repo: Path, count: int) -> None:
    if (repo / "made").exists():
        return
    repo.mkdir(parents=True)
    git(repo, "init", "-q", "-b", "main")
    checkpoints(repo, commits(repo, count * HUMANS // (HUMANS - 1)))
    git(repo, "checkout", "-q", "main")
    git(repo, "commit-graph", "write", "--reachable")  # as git's own gc leaves it
    git(repo.parent, "clone", "-q", "--mirror", str(repo), "remote.git")
    git(repo, "remote", "add", "origin", str(repo.parent / "remote.git"))
    (repo / "made").touch()


SERVED = """
import os, resource, subprocess, sys
code = subprocess.run(["git", *sys.argv[2:]]).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
with open(sys.argv[1], "a") as file:
    file.write(f"{used.ru_utime + used.ru_stime}\\n")
sys.exit(code)
"""
"""What the remote's side takes, told apart: elsewhere it is another machine that does this."""


def counted(repo: Path) -> None:
    """From here on the remote writes down what it took."""
    script, told = repo.parent / "served.py", repo.parent / "served"
    script.write_text(SERVED)
    told.touch()
    for setting, word in (("uploadpack", "upload-pack"), ("receivepack", "receive-pack")):
        git(repo, "config", f"remote.origin.{setting}", f"{sys.executable} -I -S {script} {told} {word}")


def served(repo: Path) -> float:
    """What the remote took since it was last asked."""
    told = repo.parent / "served"
    seconds = sum(map(float, told.read_text().split()))
    told.write_text("")
    return seconds


def timed(repo: Path, env: dict[str, str], *words: str) -> dict[str, object]:
    """Seconds of processor time, of it those of the remote's side, and seconds of the clock."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run([TAPEHEAD, *words], cwd=repo, env=env, capture_output=True, text=True, check=False)
    after, clock = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - began
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    said = (done.stdout + done.stderr).strip().splitlines()
    return {
        "processor": round(spent, 2),
        "of it the remote's": round(served(repo), 2),
        "clock": round(clock, 2),
        "exit": done.returncode,
        "said": said[-1:],
    }


def another(repo: Path, label: str) -> None:
    """One checkpoint more, as a commit of somebody's brings it."""
    number = int(time.time() * 1000) % 10**9
    commit, tree = name_of("commit", label, number), name_of("tree", label, number)
    tip = git(repo, "rev-parse", REF).strip()
    head = f"commit {REF}\ncommitter t <t@example.org> {int(time.time())} +0000\ndata 4\nmore\nfrom {tip}\n".encode()
    git(repo, "fast-import", "--quiet", data=head + checkpoint(number, commit, tree))


def main() -> None:
    count, folder = int(sys.argv[1]), Path(sys.argv[2])
    repo = folder / "work"
    made(repo, count)
    counted(repo)
    home = folder / "home"
    home.mkdir(exist_ok=True)
    env = {"PATH": os.environ["PATH"], "HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1"}
    found = {"sync, first": timed(repo, env, "sync")}
    found["sync, nothing new"] = timed(repo, env, "sync")
    another(repo, "ours")
    found["sync, one of ours"] = timed(repo, env, "sync")
    another(folder / "remote.git", "theirs")
    found["sync, one of theirs"] = timed(repo, env, "sync")
    another(repo, "ours")
    another(folder / "remote.git", "theirs")
    found["sync, one of each side"] = timed(repo, env, "sync")
    total = int(git(repo, "rev-list", "--count", "main")) - 1
    for again in ("first", "again"):
        found[f"explain an agent's, {again}"] = timed(repo, env, "explain", f"HEAD~{1 - bool(total % HUMANS)}")
        found[f"explain a human's, {again}"] = timed(repo, env, "explain", f"HEAD~{total % HUMANS}")
        found[f"blame, {again}"] = timed(repo, env, "blame", file_of(7))
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
