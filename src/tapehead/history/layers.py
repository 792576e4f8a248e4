"""The three layers: what a turn was (one line), what was said in it, and everything else."""

from __future__ import annotations

from typing import NamedTuple

SKELETON, BODY, DETAIL = LAYERS = (1, 2, 3)

HUMAN, AGENT, TOOL, HOST = ROLES = ("human", "agent", "tool", "host")
"""Who: the user, the agent, a tool, or the host with its hooks."""

LINE = "line"
"""L1: what was asked and what came of it."""
COVERED = "covered"
"""L1: the line of a compaction's summary, for the turns before it."""
PROMPT = "prompt"
REPLY = "reply"
CALL = "call"
RESULT = "result"
THINKING = "thinking"
SUMMARY = "summary"
SYSTEM = "system"
HOOK = "hook"
IMAGE = "image"
SUBAGENT = "subagent"
"""Words inside a subagent: between agents, not with the user."""
TAKEN_BACK = "dropped"
"""L1: a mark on a turn that the user took back. It says so of all entries of the turn, and nobody looks for it."""
KINDS = (LINE, COVERED, PROMPT, REPLY, CALL, RESULT, THINKING, SUMMARY, SYSTEM, HOOK, IMAGE, SUBAGENT)


class Entry(NamedTuple):
    """One row, as it goes in and as it comes out."""

    source: str
    turn: int
    layer: int
    role: str
    kind: str
    time: str
    body: str
    origin: str = ""
    """The session that the agent's line names, where it is not the one it was read for."""
    name: str = ""
    """The tool, or the subagent."""
    file: str = ""
    """The file that a call is about, for those who look for one."""
    length: int = 0
    """Characters before anything was cut."""
