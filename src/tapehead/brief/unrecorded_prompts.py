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


def gap(turns: Iterable[Turn], heard: list[tuple[datetime, str]], since: datetime, answered: int = 0) -> dict[str, Any]:
    """From when to when prompts came of which no hook told, and how many; nothing where the tape has them all.

    `heard` are the prompts of the tape: their times, and their words. The first `answered` of them belong to turns that were read before.
    What is older than the session is not its own.
    """
    own = [(began, turn) for turn in turns if (began := _began(turn)) and began > since]
    lost = _without_words(own, heard, heard[answered:])
    if not lost:
        return {}
    until = max(_time(turn.ended) or began for began, turn in lost)
    return {
        "from": min(began for began, _ in lost).isoformat(),
        "to": until.isoformat(),
        "prompts": len(lost),
    }


def _without_words(
    own: list[tuple[datetime, Turn]], heard: list[tuple[datetime, str]], left: list[tuple[datetime, str]]
) -> list[tuple[datetime, Turn]]:
    """Turns that no prompt of the tape stands for: by its words, or one for one by its time, since an agent may word a prompt otherwise."""
    unsaid = []
    for began, turn in own:
        words = _beginning(turn.human[0])
        same = [one for one in heard if _beginning(one[1]) == words]
        if same:
            nearest = min(same, key=lambda one: abs(one[0] - began))
            left = [one for one in left if one is not nearest]
        else:
            unsaid.append((began, turn))
    lost = []
    for began, turn in unsaid:
        near = next((one for one in left if abs((one[0] - began).total_seconds()) <= _SAME_SECONDS), None)
        if near is None:
            lost.append((began, turn))
        left = [one for one in left if one is not near]
    return lost


def _began(turn: Turn) -> datetime | None:
    """When a user's words began it and the agent answered; None for what is no exchange of the session's own."""
    first = turn.steps[0] if turn.steps else None
    asked = isinstance(first, Said) and first.who == HUMAN and not first.queued
    return _time(turn.began) if asked and turn.agent and not turn.subagent and not turn.goes_on else None


def _beginning(words: str) -> str:
    return " ".join(words[: 2 * _BEGINNING].split())[:_BEGINNING]


def _time(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else None
