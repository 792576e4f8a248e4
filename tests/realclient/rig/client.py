"""The real clients: which ones, where they are, and why not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass

PROGRAMS = {"node": "node", "tmux": "tmux", "iproute2": "ip", "util-linux": "nsenter"}


@dataclass(frozen=True)
class Client:
    """One client at a pinned version, as the npm registry has it."""

    name: str
    package: str
    version: str
    variable: str
    """What the environment calls one that is already there."""
    native: str
    """The program itself below node_modules, where it comes in a package per platform; else `.bin` has it."""
    folder: str

    def cached(self, root: str) -> str:
        """Where `install` puts it."""
        return os.path.join(root, ".cache", "realclient", self.folder)

    def find(self, root: str) -> str:
        """The client to run, or nothing: the one that the environment names, else the one that `install` fetched."""
        modules = os.path.join(self.cached(root), "node_modules")
        below = (os.path.join(modules, self.native), os.path.join(modules, ".bin", self.name))
        named = os.environ.get(self.variable)
        return next((path for path in ((named,) if named else below) if os.access(path, os.X_OK)), "")

    def why_not(self, root: str) -> str:
        """What keeps the rig from running here; nothing where all is there."""
        lacking = [package for package, program in PROGRAMS.items() if not shutil.which(program)]
        if lacking:
            return f"not here: {', '.join(lacking)}"
        if os.geteuid() != 0:
            return "a network namespace of its own needs root"
        if not self.find(root):
            return f"no {self.name}: set {self.variable} to the path of one, or run `make realclient`"
        return ""

    def install(self, root: str) -> str:
        """Fetches the pinned client into the ignored cache, unless it is there or another one is named; returns its path."""
        if not self.find(root) and not os.environ.get(self.variable) and shutil.which("npm"):
            os.makedirs(self.cached(root), exist_ok=True)
            npm = ["npm", "install", "--no-fund", "--no-audit", "--prefix", self.cached(root)]
            subprocess.run([*npm, f"{self.package}@{self.version}"], check=True)
        return self.find(root)


def claude_of(version: str) -> Client:
    """Claude Code at some version: before 2.1.113 it is a script for node, then a program of its own."""
    return Client(
        name="claude",
        package="@anthropic-ai/claude-code",
        version=version,
        variable="TAPEHEAD_REALCLIENT" if version == NEWEST_CLAUDE else f"TAPEHEAD_REALCLIENT_{version}",
        native="@anthropic-ai/claude-code-linux-x64/claude",
        folder=version,
    )


NEWEST_CLAUDE = "2.1.325"
CLAUDE = claude_of(NEWEST_CLAUDE)
OLDER_CLAUDES = tuple(map(claude_of, ("1.0.128", "2.0.77", "2.1.76", "2.1.80")))
"""The last of 1.0 and of 2.0, the first that knows PostCompact, and one that knows all events that we ask for."""

CODEX = Client(
    name="codex",
    package="@openai/codex",
    version="0.166.0",
    variable="TAPEHEAD_REALCLIENT_CODEX",
    native="@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex",
    folder="codex-0.166.0",
)
GEMINI = Client(
    name="gemini",
    package="@google/gemini-cli",
    version="0.61.0",
    variable="TAPEHEAD_REALCLIENT_GEMINI",
    native="@google/gemini-cli/none",
    folder="gemini-0.61.0",
)

COPILOT = Client(
    name="copilot",
    package="@github/copilot",
    version="1.0.102",
    variable="TAPEHEAD_REALCLIENT_COPILOT",
    native="@github/copilot-linux-x64/copilot",
    folder="copilot-1.0.102",
)
OPENCODE = Client(
    name="opencode",
    package="opencode-ai",
    version="1.18.33",
    variable="TAPEHEAD_REALCLIENT_OPENCODE",
    native="opencode-linux-x64/bin/opencode",
    folder="opencode-1.18.33",
)
DROID = Client(
    name="droid",
    package="droid",
    version="0.215.0",
    variable="TAPEHEAD_REALCLIENT_DROID",
    native="@factory/cli-linux-x64/bin/droid",
    folder="droid-0.215.0",
)
QWEN = Client(
    name="qwen",
    package="@qwen-code/qwen-code",
    version="0.24.4",
    variable="TAPEHEAD_REALCLIENT_QWEN",
    native="@qwen-code/qwen-code/none",
    folder="qwen-0.24.4",
)

if __name__ == "__main__":
    for client in (CLAUDE, *OLDER_CLAUDES, CODEX, GEMINI, COPILOT, OPENCODE, DROID, QWEN):
        sys.stdout.write(
            f"{client.name} {client.version}: {client.install(sys.argv[1]) or client.why_not(sys.argv[1])}\n"
        )
