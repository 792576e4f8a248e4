"""The managers of git's hooks at pinned versions, as the registries have them: fetched once, and installed from there offline."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

HUSKY, LEFTHOOK, PRE_COMMIT = "9.1.7", "2.2.2", "4.7.0"


def cached(root: str) -> str:
    """Where `fetch` puts them."""
    return os.path.join(root, ".cache", "realclient", "hook-managers")


def why_not(root: str, name: str) -> str:
    """What keeps a manager from running here; nothing where all is there."""
    if name == "pre-commit":
        there = os.access(pre_commit(root), os.X_OK)
    else:
        there = bool(shutil.which("npm")) and os.path.isdir(os.path.join(modules(root), name))
    return "" if there else f"no {name}: `make realclient` fetches it"


def modules(root: str) -> str:
    """The packages of npm."""
    return os.path.join(cached(root), "node_modules")


def pre_commit(root: str) -> str:
    """The program."""
    return os.path.join(cached(root), "venv", "bin", "pre-commit")


def fetch(root: str) -> None:
    """Fetches what is missing. What a registry does not give now is skipped by the tests, and said there."""
    os.makedirs(cached(root), exist_ok=True)
    if shutil.which("npm") and why_not(root, "lefthook"):
        # Without their scripts: lefthook's would put hooks into the repository around the cache, which is this project's own.
        npm = ["npm", "install", "--ignore-scripts", "--no-fund", "--no-audit", "--prefix", cached(root)]
        subprocess.run([*npm, "--cache", npm_cache(root), f"husky@{HUSKY}", f"lefthook@{LEFTHOOK}"], check=False)
    if why_not(root, "pre-commit"):
        venv = os.path.join(cached(root), "venv")
        subprocess.run([sys.executable, "-m", "venv", venv], check=False)
        pip = [os.path.join(venv, "bin", "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, f"pre-commit=={PRE_COMMIT}"], check=False)


def npm_cache(root: str) -> str:
    """Npm's own, from which the tests install without a network."""
    return os.path.join(cached(root), "npm")


if __name__ == "__main__":
    fetch(sys.argv[1])
    for manager in ("husky", "lefthook", "pre-commit"):
        sys.stdout.write(f"{manager}: {why_not(sys.argv[1], manager) or 'there'}\n")
