"""What `tapehead monitor` takes of a core while nothing happens, and what it draws then, by the number of sessions.

Runs it in a pseudo-terminal, lets it come to rest, and compares the processor time that the system counts for it over 30 seconds.
Prints a table and writes benchmarks/monitor.json.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

TAPEHEAD = str(Path(sys.executable).with_name("tapehead"))
AT_MOST = 2.0
"""Percent of a core."""
REST = 5.0
OPEN = 4
ANSWER = {"type": "assistant", "timestamp": "2026-01-01T00:00:00Z"}


class Place:
    """A repository with some sessions that are open (their agent is this very process) and many that are over."""

    def __init__(self, directory: Path, sessions: int) -> None:
        self.root = directory / f"repo-{sessions}"
        self.env = {"PATH": os.environ["PATH"], "HOME": str(directory), "GIT_CONFIG_NOSYSTEM": "1", "TERM": "xterm"}
        self.env["CLAUDE_PID"] = str(os.getpid())
        subprocess.run(["git", "init", "-q", "-b", "main", str(self.root)], check=True, env=self.env)
        for number in range(min(sessions, OPEN)):
            self.begin(f"open{number}")
        self.begin("over")
        self.hook("SessionEnd", "over")
        subprocess.run([TAPEHEAD, "status"], cwd=self.root, env=self.env, stdout=subprocess.DEVNULL, check=True)
        self.multiply(sessions - OPEN - 1)

    def begin(self, session: str) -> None:
        usage = {"input_tokens": 5, "cache_read_input_tokens": 90_000, "output_tokens": 4}
        lines = [
            {
                **ANSWER,
                "message": {"id": f"m{number}", "content": [{"type": "text", "text": "x" * 1000}], "usage": usage},
            }
            for number in range(2_000)
        ]
        self.transcript(session).write_text("".join(json.dumps(line) + "\n" for line in lines))
        for hook in ("SessionStart", "UserPromptSubmit", "Stop"):
            self.hook(hook, session)

    def transcript(self, session: str) -> Path:
        return self.root.parent / f"{self.root.name}-{session}.jsonl"

    def hook(self, hook: str, session: str) -> None:
        payload = {"session_id": session, "cwd": str(self.root), "hook_event_name": hook, "prompt": "go on"}
        payload |= {"transcript_path": str(self.transcript(session)), "source": "startup", "reason": "other"}
        command = [TAPEHEAD, "hook", "claude"]
        subprocess.run(command, input=json.dumps(payload).encode(), env=self.env, stdout=subprocess.DEVNULL, check=True)

    def multiply(self, times: int) -> None:
        sessions = self.root / ".git" / "tapehead" / "sessions"
        state, tape = (sessions / "over.json").read_text(), (sessions / "over.tape").read_bytes()
        for number in range(times):
            name = f"s{number:06d}"
            (sessions / f"{name}.json").write_text(state.replace('"over"', f'"{name}"'))
            (sessions / f"{name}.tape").write_bytes(tape)


def processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def drawn(master: int, seconds: float) -> int:
    """How many bytes come within so many seconds."""
    last, count = time.monotonic() + seconds, 0
    while (left := last - time.monotonic()) > 0:
        if select.select([master], [], [], left)[0]:
            count += len(os.read(master, 65536))
    return count


def measure(place: Place, seconds: float) -> dict[str, float]:
    master, slave = os.openpty()
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    monitor = subprocess.Popen([TAPEHEAD, "monitor"], stdin=slave, stdout=slave, cwd=place.root, env=place.env)
    try:
        first = drawn(master, REST)
        before = processor_seconds(monitor.pid)
        later = drawn(master, seconds)
        took = processor_seconds(monitor.pid) - before
    finally:
        monitor.terminate()
        monitor.wait()
        os.close(master)
        os.close(slave)
    return {
        "start_seconds": round(before, 2),
        "drawn_first": first,
        "idle_percent": round(100 * took / seconds, 2),
        "drawn_idle": later,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--sessions", type=int, nargs="*", default=[5, 1_000, 10_000])
    parser.add_argument("--record", type=Path, default=Path(__file__).with_suffix(".json"))
    args = parser.parse_args()
    directory, rows = Path(tempfile.mkdtemp(prefix="tapehead-bench-")), []
    try:
        for sessions in args.sessions:
            row = measure(Place(directory, sessions), args.seconds)
            rows.append({"sessions": sessions, "open": OPEN, **row, "at_most": AT_MOST})
            over = "" if row["idle_percent"] <= AT_MOST else "   OVER"
            print(
                f"monitor  sessions {sessions:>6} (open {OPEN})   {row['idle_percent']:5.2f} % of a core idle (at most {AT_MOST})"
                f"   {row['drawn_idle']} bytes drawn, {row['start_seconds']:.2f} s to start{over}",
                flush=True,
            )
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    args.record.write_text(
        json.dumps({"python": sys.version.split()[0], "seconds": args.seconds, "rows": rows}, indent=1) + "\n"
    )


if __name__ == "__main__":
    main()
