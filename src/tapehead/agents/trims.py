"""Trimming a thread, for the agents whose threads can be trimmed: so far Codex alone."""

from __future__ import annotations

from tapehead.agents.codex.places import thread_of
from tapehead.agents.codex.trim_files import WENT_ON, Trims, read, writer_lock
from tapehead.agents.codex.trimming import Plan, Refused, plan, understood

AGENTS = ("codex",)

__all__ = ["AGENTS", "WENT_ON", "Plan", "Refused", "Trims", "plan", "read", "thread_of", "understood", "writer_lock"]
