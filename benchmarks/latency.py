"""How long a hook takes, as ratios to a bare interpreter in the same run, and how that grows with the store and the tape.

Prints a table and writes benchmarks/latency.json. Milliseconds stand beside the ratios for people; only ratios are compared.
"""

from __future__ import annotations

import argparse
import compileall
import fcntl
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import tapehead
from tapehead.cli import bytecode

BARE = [sys.executable, "-I", "-c", "pass"]
TAPEHEAD = str(Path(sys.executable).with_name("tapehead"))
HOOK = [TAPEHEAD, "hook", "claude"]
STATUSLINE = [TAPEHEAD, "statusline"]
QUIET = ("UserPromptSubmit", "Stop", "SubagentStop", "SessionEnd")
SPEAKING = ("SessionStart", "PreCompact")
LINE = "statusline"
OTHERS = {"codex:UserPromptSubmit": 2.3, "codex:Stop": 2.3, "codex:SessionStart": 8.0, "codex:PreCompact": 8.0}
OTHERS |= {"gemini:BeforeAgent": 2.3, "gemini:AfterAgent": 2.3, "gemini:SessionStart": 8.0}
OTHERS |= {"copilot:UserPromptSubmit": 2.3, "copilot:Stop": 2.3, "copilot:PreCompact": 8.0}
OTHERS |= {"opencode:UserPromptSubmit": 2.3, "opencode:Stop": 2.3, "opencode:SessionStart": 8.0}
OTHERS |= {"cursor:beforeSubmitPrompt": 2.3, "cursor:stop": 2.3, "cursor:sessionStart": 8.0}
OTHERS |= {"kiro:userPromptSubmit": 2.3, "kiro:stop": 2.3, "kiro:agentSpawn": 8.0}
OTHERS |= {"droid:UserPromptSubmit": 2.3, "droid:Stop": 2.3, "droid:SessionStart": 8.0}
GIT = dict.fromkeys(("git:prepare-commit-msg", "git:commit-msg", "git:post-commit", "git:pre-push"), 2.5)
LIMITS = {**dict.fromkeys(QUIET, 2.3), **dict.fromkeys(SPEAKING, 8.0), LINE: 2.5, **OTHERS, **GIT}


class Place:
    """A repository with a store of a given size."""

    def __init__(self, directory: Path, sessions: int = 1, tape_lines: int = 0) -> None:
        self.root = directory / f"repo-{sessions}-{tape_lines}"
        self.root.mkdir()
        self.env = {"PATH": os.environ["PATH"], "HOME": str(directory), "GIT_CONFIG_NOSYSTEM": "1"}
        subprocess.run(["git", "init", "-q", "-b", "main", str(self.root)], check=True, env=self.env)
        self.store = self.root / ".git" / "tapehead"
        self.session = "bench"
        for hook in ("SessionStart", "UserPromptSubmit", "Stop"):
            self.run(hook)
        self.settle()
        self.fill(sessions, tape_lines)

    def payload(self, hook: str) -> bytes:
        extra = {
            "source": "startup",
            "trigger": "auto",
            "prompt": "go on",
            "reason": "other",
            "last_assistant_message": "done",
            "model": {"id": "m"},
            "context_window": {"context_window_size": 200_000, "current_usage": {"input_tokens": 100_000}},
        }
        name = hook.partition(":")[2] or hook
        host = {"cursor": {"conversation_id": self.session}, "opencode": {"agent": "opencode"}}
        extra |= host.get(hook.partition(":")[0], {})
        return json.dumps(
            {"session_id": self.session, "cwd": str(self.root), "hook_event_name": name, **extra}
        ).encode()

    def run_git(self, name: str) -> float:
        """One of git's own hooks, as the line in it calls us; a message waits for commit-msg as after an editor."""
        message = self.root / ".git" / "MSG"
        message.write_text("a subject\n")
        if name == "commit-msg":
            message.with_name("MSG.tapehead").write_text('{"promised": {"bench": "0123456789ab"}}')
        words = {"post-commit": [], "pre-push": ["origin", "url"]}.get(name, [".git/MSG", "message"])
        env = {**self.env, "GIT_EDITOR": ":"}
        began = time.perf_counter()
        subprocess.run([TAPEHEAD, "hook", "git", name, *words], env=env, cwd=self.root, check=True)
        return time.perf_counter() - began

    def run(self, hook: str) -> float:
        if hook.startswith("git:"):
            return self.run_git(hook[4:])
        began = time.perf_counter()
        subprocess.run(
            STATUSLINE if hook == LINE else [TAPEHEAD, "hook", hook.partition(":")[0] if ":" in hook else "claude"],
            input=self.payload(hook),
            cwd=self.root,  # not every payload names it
            env=self.env,
            stdout=subprocess.DEVNULL,
            check=True,
        )
        return time.perf_counter() - began

    def settle(self) -> None:
        """Waits for the detached settle, by taking its lock: it must not share the processor with the next measurement."""
        for name in (".worker", ".lock"):
            with (self.store / "sessions" / (self.session + name)).open("w") as file:
                fcntl.flock(file, fcntl.LOCK_EX)

    def fill(self, sessions: int, tape_lines: int) -> None:
        state = (self.store / "sessions" / "bench.json").read_text()
        tape = (self.store / "sessions" / "bench.tape").read_bytes()
        place = (self.store / "places" / "main.tape").read_bytes()
        for number in range(1, sessions):
            name = f"s{number:06d}"
            (self.store / "sessions" / f"{name}.json").write_text(state.replace('"bench"', f'"{name}"'))
            (self.store / "sessions" / f"{name}.tape").write_bytes(tape)
            with (self.store / "places" / "main.tape").open("ab") as file:
                file.write(place.replace(b'"bench"', b'"%s"' % name.encode()))
        with (self.store / "sessions" / "bench.tape").open("ab") as file:
            for number in range(tape_lines):
                line = {
                    "id": f"{number:x}-0-0",
                    "at": "2026-01-01T00:00:00.000000Z",
                    "host": "claude",
                    "note": "filler",
                }
                file.write(json.dumps(line).encode() + b"\n")
        if tape_lines:
            subprocess.run([HOOK[0], "status"], cwd=self.root, env=self.env, stdout=subprocess.DEVNULL, check=True)


def bare() -> float:
    began = time.perf_counter()
    subprocess.run(BARE, check=True)
    return time.perf_counter() - began


def measure(place: Place, hook: str, rounds: int) -> tuple[float, float]:
    """The medians of the hook and of a bare interpreter, taken in turns so that both see the same machine."""
    hooks, bares = [], []
    for _ in range(rounds):
        bares.append(bare())
        hooks.append(place.run(hook))
        place.settle()
    return statistics.median(hooks), statistics.median(bares)


def compile_all() -> None:
    bytecode.compile_now()
    compileall.compile_dir(Path(tapehead.__file__).parent, quiet=2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--sessions", type=int, nargs="*", default=[1, 100, 10_000])
    parser.add_argument("--tape-lines", type=int, nargs="*", default=[1_000, 100_000])
    parser.add_argument("--record", type=Path, default=Path(__file__).with_suffix(".json"))
    args = parser.parse_args()
    compile_all()
    rows = []
    directory = Path(tempfile.mkdtemp(prefix="tapehead-bench-"))
    try:
        cases = [(n, 0) for n in args.sessions] + [(1, n) for n in args.tape_lines]
        for sessions, lines in cases:
            place = Place(directory, sessions, lines)
            for hook, limit in LIMITS.items():
                took, base = measure(place, hook, args.rounds)
                rows.append(
                    {
                        "hook": hook,
                        "sessions": sessions,
                        "tape_lines": lines,
                        "ratio": round(took / base, 2),
                        "milliseconds": round(took * 1000, 1),
                        "bare_milliseconds": round(base * 1000, 1),
                        "at_most": limit,
                    }
                )
                last = rows[-1]
                print(
                    f"{hook:22s} sessions {sessions:>6} tape lines {lines:>7}  {last['ratio']:5.2f} x bare (at most {limit})"
                    f"   {last['milliseconds']:7.1f} ms, bare {last['bare_milliseconds']:.1f} ms"
                    f"{'' if last['ratio'] <= limit else '   OVER'}",
                    flush=True,
                )
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    args.record.write_text(json.dumps({"python": sys.version.split()[0], "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
