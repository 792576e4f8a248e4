"""A home, a repository and a network made from nothing, and the real client in them."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rig.client import NEWEST_CLAUDE
from rig.evidence import Evidence
from rig.waiting import until
from tapehead.agents.claude.compatibility import SINCE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rig.client import Client

PORT = 8765
CLIENT_SECONDS = 240
_HERE = os.path.dirname(os.path.abspath(__file__))
TAPEHEAD = os.path.join(os.path.dirname(sys.executable), "tapehead")
RECORDED = (
    "SessionStart", "UserPromptSubmit", "Stop", "StopFailure", "SubagentStart", "SubagentStop",
    "PreCompact", "PostCompact", "SessionEnd", "Notification", "PermissionRequest",
)  # fmt: skip
_SINCE = {**SINCE, "SubagentStart": (2, 0, 43)}


class Place:
    """One scenario's world. Nothing of the machine's own home or network can be reached from it. As it is, Claude Code's."""

    AGENT = "claude"
    STANDIN = "standin.py"
    SETTINGS = ".claude/settings.json"
    RECORDED = RECORDED
    SECONDS = CLIENT_SECONDS
    """That a single run may take."""
    TYPING = 0.0
    """Seconds before and after an Enter: an older client takes what comes at once for pasted, and the Enter for a part of it."""

    def __init__(self, root: str, client: str, beside: Place | None = None) -> None:
        self.root, self.client = root, client
        self.home = beside.home if beside else os.path.join(root, "home")
        self.project = beside.project if beside else os.path.join(root, "project")
        self.log, self.recorded = os.path.join(root, "requests.jsonl"), os.path.join(root, "hooks.jsonl")
        self.settings = os.path.join(self.home, self.SETTINGS)
        self.short = tempfile.mkdtemp(prefix="th-")  # sockets need a short path
        self._network: subprocess.Popen[bytes] | None = None
        self._furnish()

    @classmethod
    def beside(cls, other: Place, client: str) -> Place:
        """Another client in the same home and the same repository, with a network of its own."""
        return cls(os.path.join(other.root, cls.AGENT), client, other)

    def evidence(self) -> Evidence:
        """What this client left behind."""
        return Evidence(self)

    @property
    def env(self) -> dict[str, str]:
        """All that the client and its hooks get to see."""
        return {
            "HOME": self.home,
            "TMPDIR": self.short,
            "PATH": f"{self.root}/bin:/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "SHELL": "/bin/bash",
            "PS1": "ready> ",
            "GIT_CONFIG_NOSYSTEM": "1",
            "TAPEHEAD_HOOK_SECONDS": "60",  # what a brief says is tried here, not how fast it is made on a busy machine
            **self.client_env(),
        }

    def client_env(self) -> dict[str, str]:
        """What this client wants to know beside that."""
        return {
            "IS_SANDBOX": "1",  # root may skip the permission questions
            "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{PORT}",
            "ANTHROPIC_AUTH_TOKEN": "nobody",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
        }

    def inside(self, *command: str) -> list[str]:
        """The command in the scenario's network; nothing in between stays alive, so its process is the command's own."""
        assert self._network
        return ["nsenter", f"--net=/proc/{self._network.pid}/ns/net", "--", *command]

    def start(self) -> None:
        """Brings up loopback and the stand-in, and nothing else."""
        standin = [sys.executable, "-I", os.path.join(_HERE, self.STANDIN), str(PORT), self.log]
        line = 'ip link set lo up && exec "$@"'
        self._network = subprocess.Popen(["unshare", "--net", "sh", "-c", line, "sh", *standin], env=self.env)
        until(lambda: os.path.exists(self.log), "the stand-in listens")

    def stop(self) -> None:
        """Ends the stand-in; whatever a failed scenario left running in the network loses its model."""
        if self._network:
            self._network.send_signal(signal.SIGTERM)
            self._network.wait()
        shutil.rmtree(self.short, ignore_errors=True)

    def tapehead(self, *args: str) -> subprocess.CompletedProcess[str]:
        """The command as a user runs it, in the project."""
        return subprocess.run(
            [TAPEHEAD, *args], cwd=self.project, env=self.env, capture_output=True, text=True, check=False, timeout=120
        )

    def run(self, *command: str) -> None:
        """Anything, in the scenario's world."""
        subprocess.run(
            self.inside(*command), cwd=self.project, env=self.env, check=False, capture_output=True, timeout=120
        )

    def install(self) -> None:
        done = self.tapehead("install", "--agent", self.AGENT)
        assert done.returncode == 0, done.stderr

    @contextmanager
    def edited_settings(self) -> Iterator[dict[str, Any]]:
        """The client's settings, for a user to change by hand."""
        with open(self.settings, encoding="utf-8") as file:
            settings = json.load(file)
        yield settings
        write(self.settings, settings)

    def print_mode(self, prompt: str, *options: str) -> subprocess.CompletedProcess[str]:
        """One prompt (`claude -p`), to its end."""
        command = self.inside(self.client, *self.print_words(prompt, *options))
        return subprocess.run(
            command, cwd=self.project, env=self.env, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            check=False, timeout=self.SECONDS,
        )  # fmt: skip

    def print_words(self, prompt: str, *options: str) -> list[str]:
        return ["-p", "--dangerously-skip-permissions", *options, prompt]

    def _furnish(self) -> None:
        os.makedirs(os.path.dirname(self.settings), exist_ok=True)
        os.makedirs(os.path.join(self.root, "bin"))
        os.symlink(self.client, os.path.join(self.root, "bin", self.AGENT))
        self.configure()
        if not os.path.exists(self.project):
            self._repository()

    def recording(self) -> dict[str, Any]:
        """Somebody else's hooks, which write every payload down."""
        recorder = f"{sys.executable} -I {_HERE}/recorder.py {self.recorded}"
        return {event: [{"hooks": [{"type": "command", "command": recorder}]}] for event in self.RECORDED}

    def configure(self) -> None:
        """What keeps the client from asking, and its hooks."""
        project = {"hasTrustDialogAccepted": True, "allowedTools": []}  # 1.0 does not start without the list
        known = {
            "hasCompletedOnboarding": True,
            "bypassPermissionsModeAccepted": True,
            "projects": {self.project: project},
        }
        write(os.path.join(self.home, ".claude.json"), known)
        write(self.settings, {"skipDangerousModePermissionPrompt": True, "hooks": self.recording()})

    def _repository(self) -> None:
        git = ["git", "-C", self.project, "-c", "user.name=a", "-c", "user.email=a@example.org"]
        os.makedirs(self.project)
        for words in (["init", "-q", "-b", "main"], ["commit", "-q", "--allow-empty", "-m", "first"]):
            subprocess.run([*git, *words], check=True, env=self.env)


def events_known_to(version: str) -> tuple[str, ...]:
    """The events that a version of Claude Code knows: one that it does not know voids all of its settings."""
    known = tuple(map(int, version.split(".")))
    return tuple(event for event in RECORDED if _SINCE.get(event, ()) <= known)


def of_client(client: Client) -> type[Place]:
    """The world of one version of Claude Code."""
    typing = 0.0 if client.version == NEWEST_CLAUDE else 1.0
    return type("PlaceOfVersion", (Place,), {"RECORDED": events_known_to(client.version), "TYPING": typing})


def write(path: str, value: object) -> None:
    """A file of somebody's."""
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file, indent=3)  # nobody's usual layout, so that a rewrite shows
