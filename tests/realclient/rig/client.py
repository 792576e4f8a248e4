"""The real client: which one, where it is, and why not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

PACKAGE = "@anthropic-ai/claude-code"
VERSION = "2.1.325"
VARIABLE = "TAPEHEAD_REALCLIENT"
PROGRAMS = {"node": "node", "tmux": "tmux", "iproute2": "ip", "util-linux": "nsenter"}


def cached(root: str) -> str:
    """Where `install` puts the client."""
    return os.path.join(root, ".cache", "realclient", VERSION)


def binary_below(directory: str) -> str:
    """The program itself: a native one that comes in a package per platform, or the one that every platform runs."""
    modules = os.path.join(directory, "node_modules")
    native = os.path.join(modules, f"{PACKAGE}-linux-x64", "claude")
    return native if os.path.exists(native) else os.path.join(modules, ".bin", "claude")


def find(root: str) -> str:
    """The client to run, or nothing: the one that the environment names, else the one that `install` fetched."""
    named = os.environ.get(VARIABLE)
    path = named or binary_below(cached(root))
    return path if os.access(path, os.X_OK) else ""


def why_not(root: str) -> str:
    """What keeps the rig from running here; nothing where all is there."""
    lacking = [package for package, program in PROGRAMS.items() if not shutil.which(program)]
    if lacking:
        return f"not here: {', '.join(lacking)}"
    if os.geteuid() != 0:
        return "a network namespace of its own needs root"
    if not find(root):
        return f"no Claude Code: set {VARIABLE} to the path of a `claude`, or run `make realclient`"
    return ""


def install(root: str) -> str:
    """Fetches the pinned client into the ignored cache, unless it is there or another one is named; returns its path."""
    if not find(root) and not os.environ.get(VARIABLE) and shutil.which("npm"):
        os.makedirs(cached(root), exist_ok=True)
        npm = ["npm", "install", "--no-fund", "--no-audit", "--prefix", cached(root), f"{PACKAGE}@{VERSION}"]
        subprocess.run(npm, check=True)
    return find(root)


if __name__ == "__main__":
    sys.stdout.write(f"client: {install(sys.argv[1]) or why_not(sys.argv[1])}\n")
