"""How long a hook takes, as ratios to a bare interpreter in the same run, and how that grows with the store and the tape.

What is measured is the command that `install` writes into an agent's settings, as the agent runs it: through a shell, with the hook script in a
state directory. What is compared is the processor time of the command and of all that it waits for, the least of all rounds: a machine that does
other things besides makes both larger, never smaller. The wall time (the least, too) stands beside it. What it leaves to the background is measured by
the turn: a prompt and a stop with all that they start, beside the same through the program alone, which is how it was before there was a spool.

Every agent has a session of its own: no two of them ever run one and the same, and what another left of it would be measured.

Prints a table and writes benchmarks/latency.json. Milliseconds stand beside the ratios for people; only ratios are compared. With --only
it measures some of the hooks and writes nothing.
"""

from __future__ import annotations

import argparse
import compileall
import ctypes
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
from tapehead.engine import hook_script, spool, spool_intake
from tapehead.engine.store_location import state_home

BARE = [sys.executable, "-I", "-c", "pass"]
TAPEHEAD = str(Path(sys.executable).with_name("tapehead"))
STATUSLINE = [TAPEHEAD, "statusline"]
QUIET = ("UserPromptSubmit", "Stop", "SubagentStop", "SessionEnd")
SPEAKING = ("SessionStart", "PreCompact")
LINE = "statusline"
SILENT, TALKING, ASKING = 0.5, 4.0, 2.5
"""How many times a bare Python a hook may take that has nothing to say, one that has, and one that must look whether it has."""
TURN = "turn"
PR_SET_CHILD_SUBREAPER = 36
OTHERS = {
    "codex:UserPromptSubmit": SILENT,
    "codex:Stop": SILENT,
    "codex:SessionStart": TALKING,
    "codex:PreCompact": TALKING,
}
OTHERS |= {"gemini:BeforeAgent": ASKING, "gemini:AfterAgent": SILENT, "gemini:SessionStart": TALKING}
OTHERS |= {"copilot:UserPromptSubmit": ASKING, "copilot:Stop": SILENT, "copilot:PreCompact": TALKING}
OTHERS |= {"opencode:UserPromptSubmit": SILENT, "opencode:Stop": SILENT, "opencode:SessionStart": TALKING}
OTHERS |= {"cursor:beforeSubmitPrompt": ASKING, "cursor:stop": SILENT, "cursor:sessionStart": TALKING}
OTHERS |= {"kiro:userPromptSubmit": ASKING, "kiro:stop": ASKING, "kiro:agentSpawn": TALKING}
OTHERS |= {"qwen:UserPromptSubmit": SILENT, "qwen:Stop": SILENT, "qwen:SessionStart": TALKING}
OTHERS |= {"droid:UserPromptSubmit": ASKING, "droid:Stop": SILENT, "droid:SessionStart": TALKING}
GIT = dict.fromkeys(("git:prepare-commit-msg", "git:commit-msg", "git:post-commit", "git:pre-push"), 2.5)
OWN = {**dict.fromkeys(QUIET, SILENT), **dict.fromkeys(SPEAKING, TALKING), LINE: 2.5}
LIMITS = {**OWN, **OTHERS, **GIT}


class Place:
    """A repository with a store of a given size."""

    def __init__(self, directory: Path, sessions: int = 1, tape_lines: int = 0) -> None:
        self.root = directory / f"repo-{sessions}-{tape_lines}"
        self.root.mkdir()
        self.env = {"PATH": os.environ["PATH"], "HOME": str(directory), "GIT_CONFIG_NOSYSTEM": "1"}
        subprocess.run(["git", "init", "-q", "-b", "main", str(self.root)], check=True, env=self.env)
        self.store = self.root / ".git" / "tapehead"
        state = state_home(self.env)
        hook_script.put(state)
        bytecode.keep_for_hooks(state)  # as `install` does
        self.script, self.spool = hook_command.script_in(state), spool.folder_in(state)
        for hook in (
            "SessionStart",
            "UserPromptSubmit",
            "Stop",
            *(name for name, most in OTHERS.items() if most != TALKING),
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
            {"session_id": session_of(hook), "cwd": str(self.root), "hook_event_name": name, **extra},
            separators=(",", ":"),  # as the agents write it
        ).encode()

    def run_git(self, name: str) -> tuple[float, float]:
        """One of git's own hooks, as the line in it calls us; a message waits for commit-msg as after an editor."""
        message = self.root / ".git" / "MSG"
        message.write_text("a subject\n")
        if name == "commit-msg":
            message.with_name("MSG.tapehead").write_text('{"promised": {"bench": "0123456789ab"}}')
        words = {"post-commit": [], "pre-push": ["origin", "url"]}.get(name, [".git/MSG", "message"])
        env = {**self.env, "GIT_EDITOR": ":"}
        began = time.perf_counter()
        one = subprocess.Popen(
            [TAPEHEAD, "hook", "git", name, *words], env=env, cwd=self.root, stdin=subprocess.DEVNULL
        )
        return ended(one, began)

    def command(self, hook: str) -> list[str]:
        if hook == LINE:
            return STATUSLINE
        return ["sh", "-c", hook_command.make_guarded_command(self.script, TAPEHEAD, host_of(hook))]

    def run(self, hook: str, words: list[str] | None = None) -> tuple[float, float]:
        """How long it took, and how much of a processor."""
        if hook.startswith("git:"):
            return self.run_git(hook[4:])
        with tempfile.TemporaryFile() as given:
            given.write(self.payload(hook))
            given.seek(0)
            began = time.perf_counter()
            one = subprocess.Popen(
                words or self.command(hook),
                stdin=given,
                cwd=self.root,  # not every payload names it
                env=self.env,
                stdout=subprocess.DEVNULL,
            )
            return ended(one, began)

    def settle(self, hook: str) -> None:
        """Waits for the detached settle, by taking its lock: it must not share the processor with the next measurement."""
        while hook != "SubagentStop" and spool.has_entries(self.spool):
            time.sleep(0.002)
        spool_intake.take_in(self.spool, self.env, 10)  # what waits for the next one
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


def ended(one: subprocess.Popen[bytes], began: float) -> tuple[float, float]:
    """Waits for a process: how long it took, and the processor time of it and of what it waited for."""
    _, status, used = os.wait4(one.pid, 0)
    took = time.perf_counter() - began
    one.returncode = os.waitstatus_to_exitcode(status)
    assert one.returncode == 0, one.args
    return took, used.ru_utime + used.ru_stime


def bare() -> tuple[float, float]:
    began = time.perf_counter()
    return ended(subprocess.Popen(BARE), began)


def measure(place: Place, hook: str, rounds: int) -> tuple[float, float, float]:
    """The least wall times of the hook and of a bare interpreter, in turns so that both see the same machine; and the ratio of processor times."""
    hooks, bares = [], []
    for _ in range(rounds):
        bares.append(bare())
        hooks.append(place.run(hook))
        place.settle(hook)
        reaped()
    took, used = (min(each) for each in zip(*hooks, strict=True))
    base, base_used = (min(each) for each in zip(*bares, strict=True))
    return took, base, used / base_used


def reaped() -> float:
    """The processor time of all that was left in the background: it is handed down to us, and has ended once nothing is left."""
    used = 0.0
    while True:
        try:
            _, _, each = os.wait4(-1, 0)
        except ChildProcessError:
            return used
        used += each.ru_utime + each.ru_stime


def measure_turn(place: Place, rounds: int) -> tuple[float, float]:
    """The processor time of a turn's hooks with all that they leave behind, and the same through the program alone."""
    turns: dict[bool, list[float]] = {True: [], False: []}
    for number in range(2 * rounds):
        direct = number % 2 == 1
        used = 0.0
        for hook in ("UserPromptSubmit", "Stop"):
            used += place.run(hook, [TAPEHEAD, "hook", "claude"] if direct else None)[1]
            place.settle(hook)
            used += reaped()
        turns[direct].append(used)
    return statistics.median(turns[False]), statistics.median(turns[True])


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
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    rows = []
    directory = Path(tempfile.mkdtemp(prefix="tapehead-bench-"))
    try:
        cases = [(n, 0) for n in args.sessions] + [(1, n) for n in args.tape_lines]
        for sessions, lines in cases:
            place = Place(directory, sessions, lines)
            measured = LIMITS if (sessions, lines) == cases[0] else OWN  # the other agents' go the same way
            chosen = {hook: most for hook, most in measured.items() if any(word in hook for word in args.only)}
            for hook, limit in chosen.items():
                took, base, used = measure(place, hook, args.rounds)
                rows.append(
                    {
                        "hook": hook,
                        "sessions": sessions,
                        "tape_lines": lines,
                        "ratio": round(used, 2),
                        "wall": round(took / base, 2),
                        "milliseconds": round(took * 1000, 1),
                        "bare_milliseconds": round(base * 1000, 1),
                        "at_most": limit,
                    }
                )
                last = rows[-1]
                print(
                    f"{hook:22s} sessions {sessions:>6} tape lines {lines:>7}  processor {last['ratio']:5.2f} x bare (at most {limit}), wall {last['wall']:.2f}"
                    f"   {last['milliseconds']:7.1f} ms, bare {last['bare_milliseconds']:.1f} ms"
                    f"{'' if last['ratio'] <= limit else '   OVER'}",
                    flush=True,
                )
            if any(word in TURN for word in args.only) and (sessions, lines) == cases[0]:
                used, before = measure_turn(place, args.rounds)
                rows.append({"hook": TURN, "ratio": round(used / before, 2), "at_most": 1.0})
                print(
                    f"{TURN:22s} {used * 1000:.0f} ms of processor, {used / before:.2f} x the program alone", flush=True
                )
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    if args.only == [""]:
        args.record.write_text(json.dumps({"python": sys.version.split()[0], "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
