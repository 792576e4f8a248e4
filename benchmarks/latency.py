"""How long a hook takes, as ratios to a bare interpreter in the same run, and how that grows with the store and the tape.

Every host has a session of its own: no two of them ever run one and the same, and what another left of it would be measured.

Prints a table and writes benchmarks/latency.json. Milliseconds stand beside the ratios for people; only ratios are compared. With --only
it measures some of the hooks and writes nothing.
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
from tapehead.agents import hook_command
from tapehead.cli import bytecode

BARE = [sys.executable, "-I", "-c", "pass"]
TAPEHEAD = str(Path(sys.executable).with_name("tapehead"))
SCRIPT = str(Path(hook_command.__file__).with_name(hook_command.SCRIPT))
STATUSLINE = [TAPEHEAD, "statusline"]
QUIET = ("UserPromptSubmit", "Stop", "SubagentStop", "SessionEnd")
SPEAKING = ("SessionStart", "PreCompact")
LINE = "statusline"
SILENT, TALKING = 2.3, 8.0
"""How many times a bare Python a hook may take that has nothing to say, and one that has."""
OTHERS = {
    "codex:UserPromptSubmit": SILENT,
    "codex:Stop": SILENT,
    "codex:SessionStart": TALKING,
    "codex:PreCompact": TALKING,
}
OTHERS |= {"gemini:BeforeAgent": SILENT, "gemini:AfterAgent": SILENT, "gemini:SessionStart": TALKING}
OTHERS |= {"copilot:UserPromptSubmit": SILENT, "copilot:Stop": SILENT, "copilot:PreCompact": TALKING}
OTHERS |= {"opencode:UserPromptSubmit": SILENT, "opencode:Stop": SILENT, "opencode:SessionStart": TALKING}
OTHERS |= {"cursor:beforeSubmitPrompt": SILENT, "cursor:stop": SILENT, "cursor:sessionStart": TALKING}
OTHERS |= {"kiro:userPromptSubmit": SILENT, "kiro:stop": SILENT, "kiro:agentSpawn": TALKING}
OTHERS |= {"droid:UserPromptSubmit": SILENT, "droid:Stop": SILENT, "droid:SessionStart": TALKING}
GIT = dict.fromkeys(("git:prepare-commit-msg", "git:commit-msg", "git:post-commit", "git:pre-push"), 2.5)
LIMITS = {**dict.fromkeys(QUIET, SILENT), **dict.fromkeys(SPEAKING, TALKING), LINE: 2.5, **OTHERS, **GIT}


class Place:
    """A repository with a store of a given size."""

    def __init__(self, directory: Path, sessions: int = 1, tape_lines: int = 0) -> None:
        self.root = directory / f"repo-{sessions}-{tape_lines}"
        self.root.mkdir()
        self.env = {"PATH": os.environ["PATH"], "HOME": str(directory), "GIT_CONFIG_NOSYSTEM": "1"}
        subprocess.run(["git", "init", "-q", "-b", "main", str(self.root)], check=True, env=self.env)
        self.store = self.root / ".git" / "tapehead"
        for hook in (
            "SessionStart",
            "UserPromptSubmit",
            "Stop",
            *(name for name, most in OTHERS.items() if most == SILENT),
        ):
            self.run(hook)
            self.settle(hook)
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
        host = {"cursor": {"conversation_id": session_of(hook)}, "opencode": {"agent": "opencode"}}
        extra |= host.get(hook.partition(":")[0], {})
        return json.dumps(
            {"session_id": session_of(hook), "cwd": str(self.root), "hook_event_name": name, **extra}
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
            STATUSLINE if hook == LINE else ["sh", SCRIPT, TAPEHEAD, "hook", host_of(hook)],
            input=self.payload(hook),
            cwd=self.root,  # not every payload names it
            env=self.env,
            stdout=subprocess.DEVNULL,
            check=True,
        )
        return time.perf_counter() - began

    def settle(self, hook: str) -> None:
        """Waits for the detached settle, by taking its lock: it must not share the processor with the next measurement."""
        for name in (".worker", ".lock"):
            with (self.store / "sessions" / (session_of(hook) + name)).open("w") as file:
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
        for host_tape in (self.store / "sessions").glob("bench*.tape"):
            with host_tape.open("ab") as file:
                file.writelines(filler(number) for number in range(tape_lines))
        if tape_lines:
            subprocess.run([TAPEHEAD, "status"], cwd=self.root, env=self.env, stdout=subprocess.DEVNULL, check=True)


def host_of(hook: str) -> str:
    return hook.partition(":")[0] if ":" in hook else "claude"


def session_of(hook: str) -> str:
    """Whose hook it is has a session of its own; git and the status line look at Claude Code's."""
    return "bench" if host_of(hook) in ("claude", "git") else f"bench-{host_of(hook)}"


def filler(number: int) -> bytes:
    line = {"id": f"{number:x}-0-0", "at": "2026-01-01T00:00:00.000000Z", "host": "claude", "note": "filler"}
    return json.dumps(line).encode() + b"\n"


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
        place.settle(hook)
    return statistics.median(hooks), statistics.median(bares)


def compile_all() -> None:
    bytecode.compile_now()
    compileall.compile_dir(Path(tapehead.__file__).parent, quiet=2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--sessions", type=int, nargs="*", default=[1, 100, 10_000])
    parser.add_argument("--tape-lines", type=int, nargs="*", default=[1_000, 100_000])
    parser.add_argument("--only", nargs="*", default=[""], help="words: the hooks that have one of them in their name")
    parser.add_argument("--record", type=Path, default=Path(__file__).with_suffix(".json"))
    args = parser.parse_args()
    compile_all()
    rows = []
    directory = Path(tempfile.mkdtemp(prefix="tapehead-bench-"))
    try:
        cases = [(n, 0) for n in args.sessions] + [(1, n) for n in args.tape_lines]
        for sessions, lines in cases:
            place = Place(directory, sessions, lines)
            chosen = {hook: most for hook, most in LIMITS.items() if any(word in hook for word in args.only)}
            for hook, limit in chosen.items():
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
    if args.only == [""]:
        args.record.write_text(json.dumps({"python": sys.version.split()[0], "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
