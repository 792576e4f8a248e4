"""What the agent's own record has and the tape has not: prompts that came while nothing could be written, here or in the fallback. Pure."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from tapehead.transcript.turns import HUMAN, Said

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from tapehead.transcript.turns import Turn

_SAME_SECONDS = 120
"""So far apart the times of one prompt may be: a hook is called before the record is written, or long before."""
_BEGINNING = 200


def gap(turns: Iterable[Turn], heard: list[tuple[datetime, str]], since: datetime) -> dict[str, Any]:
    """From when to when prompts came of which no hook told, and how many; nothing where the tape has them all.

    `heard` are the prompts of the tape: their times, and their words. What is older than the session is not its own.
    """
    lost = [(began, turn) for turn in turns if (began := _began(turn)) and began > since and not _is_heard(turn, heard)]
    if not lost:
        return {}
    until = max(_time(turn.ended) or began for began, turn in lost)
    return {
        "from": min(began for began, _ in lost).isoformat(),
        "to": until.isoformat(),
        "prompts": len(lost),
    }


def _began(turn: Turn) -> datetime | None:
    """When a user's words began it and the agent answered; None for what is no exchange of the session's own."""
    first = turn.steps[0] if turn.steps else None
    asked = isinstance(first, Said) and first.who == HUMAN and not first.queued
    return _time(turn.began) if asked and turn.agent and not turn.subagent and not turn.goes_on else None


def _is_heard(turn: Turn, heard: list[tuple[datetime, str]]) -> bool:
    began, words = _time(turn.began), _beginning(turn.human[0])
    return any(
        _beginning(prompt) == words or (began and abs((at - began).total_seconds()) <= _SAME_SECONDS)
        for at, prompt in heard
    )


def _beginning(words: str) -> str:
    return " ".join(words[: 2 * _BEGINNING].split())[:_BEGINNING]


def _time(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else None
