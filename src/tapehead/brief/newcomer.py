"""What a newcomer agent should see first: where it is, how the work tree stands, what was done last, how the tests are run.

Collected once per process, since nothing in it changes while one process looks.
"""

from __future__ import annotations

import json
import os
import sys
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from tapehead import door
from tapehead.git.place_context import seen

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

STATUS = 2_000
"""Characters of the status that are shown."""
_INSTRUCTIONS = ("CLAUDE.md", ".claude/CLAUDE.md", "AGENTS.md", "GEMINI.md")
_LARGEST = 1 << 20
_TOO_LONG = "… cut at {limit} characters; `git status` shows the rest"


class Context(NamedTuple):
    """All of it; empty for what is not there."""

    directory: str
    branch: str = ""
    main: str = ""
    doing: str = ""
    status: str = ""
    commits: tuple[str, ...] = ()
    user: str = ""
    instructions: tuple[str, ...] = ()
    package: str = ""
    test: str = ""
    date: str = ""
    platform: str = ""

    @property
    def told(self) -> list[str]:
        """A line for each thing that is known."""
        from tapehead.text.fence import clean, quote  # noqa: PLC0415 - only where it is shown

        tree = self.status.replace("\n", "; ") if self.status else "clean"
        facts = {
            "Directory": self.directory,
            "Branch": f"{self.branch or '(detached)'}{f' (main branch: {self.main})' if self.main not in ('', self.branch) else ''}"
            if self.commits or self.branch
            else "",
            "In progress": self.doing,
            "Status": tree if self.branch or self.commits else "",
            "Last commits": "; ".join(self.commits),
            "User": self.user,
            "Instructions": ", ".join(self.instructions),
            "Package": self.package,
            "Tests": f"`{self.test}`" if self.test else "",
            "Date": self.date,
            "Platform": self.platform,
        }
        return [f"- {name}: {clean(quote(value, STATUS + 200))}" for name, value in facts.items() if value]


@lru_cache(maxsize=8)
def context(directory: str, date: str) -> Context:
    """The context of a directory, on a day."""
    git = seen(directory)
    there = tuple(name for name in _INSTRUCTIONS if os.path.isfile(os.path.join(directory, name)))
    package, test = next(_packages(directory), ("", ""))
    found = Context(directory, instructions=there, package=package, test=test, date=date, platform=sys.platform)
    if git is None:
        return found
    found = found._replace(doing=git.doing)
    return found._replace(branch=git.branch, main=git.main, status=_cut(git.status), commits=git.commits, user=git.user)


def _cut(status: str) -> str:
    if len(status) <= STATUS:
        return status
    return f"{status[:STATUS].rpartition(chr(10))[0]}\n{_TOO_LONG.format(limit=f'{STATUS:,}')}"


def _packages(directory: str) -> Iterator[tuple[str, str]]:
    """What is built here, and how its tests are run; the first that is found."""
    for file, look in _LOOKS.items():
        text = _text(os.path.join(directory, file))
        if text:
            yield look(text, directory)


def _python(text: str, directory: str) -> tuple[str, str]:
    import tomllib  # noqa: PLC0415 - only for a Python project

    try:
        project = tomllib.loads(text).get("project", {})
    except (ValueError, RecursionError):
        project = {}
    name = project.get("name") if isinstance(project, dict) else None
    return str(name or "a Python project"), _made(directory) or "python -m pytest"


def _node(text: str, directory: str) -> tuple[str, str]:
    try:
        found: Any = json.loads(text)
    except (ValueError, RecursionError):
        found = {}
    found = found if isinstance(found, dict) else {}
    scripts = found.get("scripts")
    runner = next((tool for lock, tool in _RUNNERS.items() if os.path.exists(os.path.join(directory, lock))), "npm")
    tests = isinstance(scripts, dict) and "test" in scripts
    return str(found.get("name") or "a Node package"), f"{runner} test" if tests else _made(directory)


_RUNNERS = {"pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn", "bun.lockb": "bun", "bun.lock": "bun"}


def _go(text: str, directory: str) -> tuple[str, str]:
    name = next(
        (line.split()[1] for line in text.splitlines() if line.startswith("module ") and len(line.split()) > 1),
        "a Go module",
    )
    return name, _made(directory) or "go test ./..."


def _rust(text: str, directory: str) -> tuple[str, str]:
    import tomllib  # noqa: PLC0415 - only for a Rust crate

    try:
        package = tomllib.loads(text).get("package", {})
    except (ValueError, RecursionError):
        package = {}
    name = package.get("name") if isinstance(package, dict) else None
    return str(name or "a Rust workspace"), _made(directory) or "cargo test"


def _make(_text: str, directory: str) -> tuple[str, str]:
    return os.path.basename(directory), _made(directory)


def _made(directory: str) -> str:
    """`make test`, where the Makefile has it: whoever wrote one meant it to be used."""
    makefile = _text(os.path.join(directory, "Makefile"))
    return "make test" if any(line.startswith("test:") for line in makefile.splitlines()) else ""


_LOOKS = {"pyproject.toml": _python, "package.json": _node, "go.mod": _go, "Cargo.toml": _rust, "Makefile": _make}


def _text(path: str) -> str:
    try:
        return door.read(path, _LARGEST).decode("utf-8", "replace")
    except OSError:
        return ""
