"""Whether a command runs below an agent's process: the sign that its user approved it, before anything is written down. Light."""

from __future__ import annotations

from tapehead.system import processes as process

_ENOUGH = 60
"""Letters of a command by which a process is known to run it."""
_DEPTH = 4


def runs_below(pid: int | None, command: str, mark: str = "") -> bool:
    """Whether a process below `pid` has the command on its command line, and the `mark` of the agent's own shell beside it.

    Where the system does not list a process's children, nobody can tell, and nothing is found.
    """
    words = command.strip().partition("\n")[0][:_ENOUGH]
    return bool(pid and words) and any(_runs(child, words, mark) for child in _below(pid or 0, _DEPTH))


def _below(pid: int, depth: int) -> list[int]:
    found = process.children(pid) if depth else []
    return [each for child in found for each in (child, *_below(child, depth - 1))]


def _runs(pid: int, words: str, mark: str) -> bool:
    line = " ".join(process.words(pid))
    return mark in line and words in line.replace("'\"'\"'", "'")
