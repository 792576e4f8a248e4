"""A session's tape as a user tells it: what happened when, without the machine's words. Pure.

Notes say what came of an event, so they end up in its entry: "10:44 compacted, 1,934 tokens handed back, delivered".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.statemachine.vocabulary import Event, Fact
from tapehead.text import redacted_excerpt
from tapehead.text.wording import count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime

    from tapehead.actions.fold import Move
    from tapehead.store.line import Line

NO_NUMBERS: Mapping[int, int] = {}
_PROMPT = 200
_SHORT = 8
_REASON = 120
_STARTS = {"resume": "resumed", "clear": "started after /clear", "compact": "compacted"}


class Entry:
    """Something that happened, and what came of it."""

    __slots__ = ("at", "id", "parts", "text")

    def __init__(self, at: datetime, line: str, text: str) -> None:
        self.at = at
        self.id = line
        """The line of the tape that it is told of."""
        self.text = text
        self.parts: list[str] = []

    @property
    def told(self) -> str:
        """In one line; words of the user's come last, since they may be long."""
        head, colon, words = self.text.partition(": ")
        return ", ".join((head, *self.parts)) + colon + words


def entries(moves: Iterable[Move], numbers: Mapping[int, int] = NO_NUMBERS) -> list[Entry]:
    """What happened, oldest first. `numbers` are those of the turns, where they differ from what the tape counts."""
    told: list[Entry] = []
    for move in moves:
        if move.line.event is None:
            _add_note(told, move.line)
        elif _goes_on(told, move):
            told[-1].id = move.line.id
        else:
            entry = Entry(move.line.at, move.line.id, _EVENTS[move.line.event](move))
            if move.line.event is Event.TURN_START:
                entry.parts.append(f"turn {numbers.get(move.state.turn_number, move.state.turn_number)}")
            told.append(entry)
    return told


def _goes_on(told: list[Entry], move: Move) -> bool:
    """Whether it is the other half of the entry before: a compaction begins, is over, and the agent starts again."""
    if not told:
        return False
    last = told[-1]
    if move.line.event is Event.COMPACTED and last.text.startswith(("compaction begins", "compacted")):
        last.text, last.at = "compacted", move.line.at  # some versions start the agent again before they tell it
        return True
    after = move.line.event is Event.SESSION_START and Fact.AFTER_COMPACTION in move.line.facts
    if after and last.text.startswith(("compaction begins", "compacted")):
        last.text, last.at = "compacted", move.line.at
        return True
    return False


def _add_note(told: list[Entry], line: Line) -> None:
    if line.note in _OWN:
        if text := _OWN[line.note](line):
            told.append(Entry(line.at, line.id, text))
    elif line.note in _PARTS and (entry := _about(told, line)):
        entry.parts += [part for part in _PARTS[line.note](line) if part not in entry.parts]


def _about(told: list[Entry], line: Line) -> Entry | None:
    """The entry that a note belongs to: the one it names; a receipt is of the newest text that was handed over."""
    if line.note == "receipt":
        return next((entry for entry in reversed(told) if any(_HANDED in part for part in entry.parts)), None)
    named = next((entry for entry in reversed(told) if entry.id == line.of), None) if line.of else None
    return named or (told[-1] if told else None)


def _started(move: Move) -> str:
    line = move.line
    parts = [_STARTS.get(line.text("source"), "started")]
    if before := line.text("predecessor"):
        parts.append(f"continues {before[:_SHORT]}")
    if missed := line.text("handoff_missed"):
        parts.append(missed)
    return ", ".join(parts)


def _prompt(move: Move) -> str:
    words = redacted_excerpt.first(" ".join(move.line.text("prompt").split()), _PROMPT)
    return f"prompt: {words}" if words else "prompt"


def _failed(move: Move) -> str:
    error = redacted_excerpt.first(" ".join(move.line.text("error").split()), _REASON)
    return f"turn failed: {error}" if error else "turn failed"


def _compaction(move: Move) -> str:
    return "compaction begins, automatic" if move.line.text("trigger") == "auto" else "compaction begins"


def _stopped(move: Move) -> str:
    if move.state.phase.is_halted:
        return "closed in mid-turn"
    return "ended by /clear" if Fact.CLEARED in move.line.facts else "ended"


def _commit(move: Move) -> str:
    return f"commit {move.line.text('commit')[:10]}".rstrip()


_EVENTS: dict[Event, Callable[[Move], str]] = {
    Event.SESSION_START: _started,
    Event.TURN_START: _prompt,
    Event.TURN_END: lambda move: "turned off in mid-turn" if move.line.data.get("off") is True else "answered",
    Event.TURN_FAILED: _failed,
    Event.COMPACTION: _compaction,
    Event.COMPACTED: lambda _: "compacted",
    Event.COMPACTION_FAILED: lambda _: "compaction failed",
    Event.SESSION_STOP: _stopped,
    Event.GIT_COMMIT: _commit,
    Event.PROCESS_LOST: lambda _: "the agent's process is gone",
}
_HANDED = "handed back"
_ARRIVED = {
    "delivered": "delivered",
    "cut": "only part of it reached the model",
    "missing": "never reached the model",
}


def _restored(line: Line) -> list[str]:
    tokens = line.number("tokens") or 0
    return [f"{count(tokens, 'token')} {_HANDED}"] if tokens else []


def _receipt(line: Line) -> list[str]:
    return [arrived] if (arrived := _ARRIVED.get(line.text("delivery"))) else []


def _changed(line: Line) -> list[str]:
    files = len({*line.texts("files"), *line.texts("changed")})
    return [f"{count(files, 'file')} changed"] if files else []


def _broken(line: Line) -> list[str]:
    return [f"{line.text('action').replace('_', ' ')} failed ({redacted_excerpt.first(line.text('reason'), _REASON)})"]


def _checkpoint(line: Line) -> list[str]:
    lines = line.number("session_added")
    return [f"{count(lines, 'line')} of this session"] if lines else []


_PARTS: dict[str, Callable[[Line], list[str]]] = {
    "restored": _restored,
    "receipt": _receipt,
    "ingest": _changed,
    "failed": _broken,
    "condense": _checkpoint,
    "condense_if_touched": _checkpoint,
}
"""Notes that add to an entry. What is not here nor below (the survey, the snapshots) is the machine's own business."""


def _rewound(line: Line) -> str:
    turn = line.number("turn")
    again = "rewound again" if line.data.get("redone") is True else "rewind undone"
    return f"{again if turn is None else _went_to(line, turn)}, {count(len(line.texts('files')), 'file')}"


def _went_to(line: Line, turn: int) -> str:
    return f"rewound to before {line.text('before')}" if line.text("before") else f"rewound to turn {turn}"


def _asked(line: Line) -> str:
    """What the agent asked its user; a reminder, and that a prompt is awaited, is no news."""
    if not line.text("tool") or line.text("for") == "prompt":
        return ""
    head = "asked you" if line.text("for") == "question" else f"asked for your approval of {line.text('tool')}"
    words = redacted_excerpt.first(" ".join(line.text("detail").split()), _PROMPT)
    return f"{head}: {words}" if words else head


def _handed_off(line: Line) -> str:
    whose = f" of {line.text('to')}" if line.text("to") else ""
    return f"handed off to the next start{whose}" + (", with a memo" if line.data.get("memo") is True else "")


_OWN: dict[str, Callable[[Line], str]] = {
    "off": lambda _: "tapehead off: what follows is not recorded",
    "on": lambda _: "tapehead on again",
    "handed_off": _handed_off,
    "rewound": _rewound,
    "waiting": _asked,
    "taken_twice": lambda _: "another machine took the same handoff",
    "carried": lambda _: "came from another machine",
    "imported": lambda _: "imported: this is what its transcript tells",
}
"""Notes that are something that happened."""
