"""Where the demo plays: a temporary repository, a process that stands for the agent, and the real hooks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from tapehead.cli.demo_transcript import CHARGE
from tapehead.cli.upkeep import attend
from tapehead.engine.engine import Engine
from tapehead.store import lock
from tapehead.store.paths import Layout

if TYPE_CHECKING:
    from tapehead.store.state import State

_HOOK = [sys.executable, "-I", "-c", "from tapehead.cli.main import main; main()", "hook", "claude"]
_GIT = ["git", "-c", "user.name=demo", "-c", "user.email=demo@example.org", "-c", "commit.gpgsign=false"]


class Stage:
    """Everything in it happens below one directory, which the caller removes."""

    def __init__(self, directory: str) -> None:
        self.repository = os.path.join(directory, "repository")
        self.env = {
            "PATH": os.environ.get("PATH", os.defpath),
            "TAPEHEAD_HOOK_SECONDS": "60",  # it shows what a brief says, also on a slow machine
            "HOME": os.path.join(directory, "home"),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
        }
        os.makedirs(self.env["HOME"])
        os.makedirs(self.repository)
        self.git("init", "-q", "-b", "main")
        self.write("pay.py", CHARGE)
        self.git("add", ".")
        self.git("commit", "-q", "-m", "Take payments")
        self.transcript = os.path.join(directory, "session.jsonl")
        self.engine = Engine(Layout(os.path.join(self.repository, ".git", "tapehead")), time.time_ns)
        self.agent: subprocess.Popen[bytes] | None = None

    def git(self, *words: str) -> None:
        """Runs git in the repository."""
        subprocess.run([*_GIT, *words], cwd=self.repository, env=self.env, check=True)  # noqa: S603 - our own words

    def write(self, name: str, text: str) -> None:
        """Puts a file into the work tree, as an agent would."""
        with open(os.path.join(self.repository, name), "w", encoding="utf-8") as file:
            file.write(text)

    def record(self, text: str) -> None:
        """The agent's own transcript is written by the agent, so it stands outside the repository."""
        with open(self.transcript, "w", encoding="utf-8") as file:
            file.write(text)

    def agent_starts(self) -> None:
        """A process that stands for the agent's: it does nothing but live."""
        self.agent = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], env=self.env)

    def agent_dies(self) -> None:
        """Killed outright: no hook of its own gets to run."""
        if self.agent:
            self.agent.kill()
            self.agent.wait()
            self.agent = None

    def hook(self, name: str, **fields: Any) -> str:
        """What the real hook prints for a payload such as Claude Code sends."""
        payload = {
            "session_id": "demo",
            "cwd": self.repository,
            "transcript_path": self.transcript,
            "hook_event_name": name,
            **fields,
        }
        env = {**self.env, "CLAUDE_PID": str(self.agent.pid) if self.agent else ""}
        run = subprocess.run(_HOOK, input=json.dumps(payload).encode(), env=env, stdout=subprocess.PIPE, check=True)  # noqa: S603 - our own hook
        return run.stdout.decode()

    def state(self) -> State:
        """The session's state after every event so far."""
        return attend(self.engine)["demo"]

    def close(self) -> None:
        """Waits for the worker, so that nothing writes into a directory that is being removed."""
        self.agent_dies()
        with suppress(OSError):
            held = lock.take(self.engine.layout.worker("demo"), 10.0)
            if held is not None:
                lock.release(held)


def context_in(printed: str) -> str:
    """The text for the model in what a hook printed."""
    if not printed:
        return ""
    return str(json.loads(printed).get("hookSpecificOutput", {}).get("additionalContext", ""))
