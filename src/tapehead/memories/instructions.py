"""What an agent is told without us: the project's instructions, and what the agent itself remembers. Nobody needs that twice."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from tapehead.documents import hand_edited

if TYPE_CHECKING:
    from tapehead.store.state import State

_INSTRUCTIONS = ("CLAUDE.md", "AGENTS.md", ".claude/CLAUDE.md", "GEMINI.md")
_LARGEST = 256 * 1024


def instructions_in(worktree: str) -> list[str]:
    """What the project's own instructions say, line by line: nobody needs that twice."""
    return [line for name in _INSTRUCTIONS for line in _lines(os.path.join(worktree, name))]


def host_directories(state: State) -> list[str]:
    """Where the agent itself keeps memories: Claude Code, beside the transcripts of a project."""
    beside = os.path.join(os.path.dirname(state.transcript_path), "memory") if state.transcript_path else ""
    return [beside] if state.agent == "claude" and os.path.isdir(beside) else []


def host_memories(state: State) -> list[str]:
    """What the agent remembers, line by line."""
    found: list[str] = []
    for directory in host_directories(state):
        with suppress(OSError):
            for name in sorted(os.listdir(directory)):
                if name.endswith(".md"):
                    found += _lines(os.path.join(directory, name))
    return found


def _lines(path: str) -> list[str]:
    try:
        if os.stat(path).st_size > _LARGEST:
            return []
        text = hand_edited.text_of(path, follow=True)
    except OSError:
        return []
    return [bare for line in text.split("\n") if (bare := line.lstrip("-*#> \t").rstrip())]
