"""The agent in whose shell a command of ours runs, if it runs in one's."""

from __future__ import annotations

import os

_NAMED = ("CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID", "GEMINI_SESSION_ID")


def own_sessions() -> list[str]:
    """The sessions that the environment names, the likeliest first; agents that run agents hand their own down."""
    return [session for name in _NAMED if (session := os.environ.get(name, ""))]
