"""What a tape says of a rewind: the files are not what the transcript leads one to think. Pure but for the look at the tape."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.statemachine.vocabulary import Event
from tapehead.store import tape
from tapehead.store.line import readable

if TYPE_CHECKING:
    from tapehead.store.line import Line

_LOOKED_AT = 256 * 1024
_SIGNS = (b'"rewound"', b'"turn_start"')
_TURNS = 5
"""Turns after which it is no news any more: the transcript has gone on from there."""


def put_back(path: str) -> tuple[str, ...]:
    """One line about the last rewind on a tape, while it is news."""
    told = [line for line in tape.tail(path, _LOOKED_AT) if any(sign in line for sign in _SIGNS)]
    if not any(_SIGNS[0] in line for line in told):
        return ()
    lines = readable(told)
    place = max((n for n, line in enumerate(lines) if line.note == "rewound"), default=None)
    if place is None or sum(line.event is Event.TURN_START for line in lines[place:]) > _TURNS:
        return ()
    return (_said(lines[place]),)


def _said(line: Line) -> str:
    turn, files = line.number("turn"), len(line.texts("files"))
    at = line.at.strftime("%Y-%m-%dT%H:%M:%SZ")
    many = f"{files} file{'' if files == 1 else 's'}"
    if turn is None and line.data.get("redone") is True:
        return f"at {at} the user did the last rewind once more: {many} as after it"
    if turn is None:
        return f"at {at} the user took the last rewind back: {many} as before it"
    if before := line.text("before"):
        return f"at {at} the user put {many} back to how they were before {before}; what came after is not in the work tree"
    return f"at {at} the user put {many} back to how turn {turn} left them; what came after is not in the work tree"
