"""Agents that wait for their user: whether one still does, and how that is said."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tapehead.agents.hook_event import NAMES
from tapehead.agents.readers import answers_of
from tapehead.text import redacted_excerpt
from tapehead.text.plain import row
from tapehead.text.wording import clock

if TYPE_CHECKING:
    from tapehead.store.state import State, Waiting

_SHOWN = 160
_ASKS = {"approval": "waits for your approval", "question": "waits for your answer", "prompt": "waits for your prompt"}


def waiting_of(state: State) -> Waiting | None:
    """What the session's agent waits for this moment; None where its transcript shows that it was answered."""
    found = state.waiting
    if found is None or state.phase.is_closed:
        return None
    answers = answers_of(state.agent)
    return None if answers and answers.is_answered(state.transcript_path, _fields(found), state.host_pid) else found


def stands_out(found: Waiting | None) -> bool:
    """Whether work stands still until the user does something. The next prompt is no such thing: IDLE says it."""
    return found is not None and found.what != "prompt"


def told(found: Waiting) -> str:
    """What the agent waits for, in a line: secrets redacted, and nothing in it that a terminal obeys."""
    since = f" since {clock(found.since)}" if found.since else ""
    return f"{_ASKS.get(found.what, _ASKS['approval'])}{since}{what_for(found)}"


def what_for(found: Waiting) -> str:
    """The tool and what it is to do, after a colon; nothing where the agent does not say."""
    parts = [part for part in (found.tool, row(redacted_excerpt.first(found.detail, _SHOWN))) if part]
    return f": {row(': '.join(parts))}" if parts else ""


def message(state: State, found: Waiting) -> str:
    """The same for a user who looks elsewhere: which agent, and where."""
    project = os.path.basename(state.worktree_path.rstrip("/"))
    who = NAMES.get(state.agent, state.agent or "An agent")
    return f"{who}{f' in {row(project)}' if project else ''} {_ASKS.get(found.what, '')}{what_for(found)}"


def as_data(found: Waiting | None) -> dict[str, object] | None:
    """For `--json`."""
    if found is None:
        return None
    return {
        "for": found.what,
        "since": found.since.isoformat() if found.since else None,
        "tool": found.tool or None,
        "detail": redacted_excerpt.first(found.detail, _SHOWN) or None,
        "subagent": found.agent_id or None,
    }


def _fields(found: Waiting) -> dict[str, object]:
    """As the agents' own modules take it; the time as their transcripts write it."""
    return {
        "what": found.what,
        "since": found.since.isoformat() if found.since else "",
        "tool": found.tool,
        "detail": found.detail,
        "key": found.key,
        "agent_id": found.agent_id,
    }
