"""Errors that were met before, known by their shape, and what was done between the failure and the success.

The shape of an error is what is left of it without what differs from run to run: paths, numbers, addresses, quoted names.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from tapehead.history import layers
from tapehead.history.compression import unpack_body
from tapehead.history.filters import Wanted
from tapehead.history.pointers import Pointer
from tapehead.history.search import search
from tapehead.text.error_shape import LINE, same_shape, shape, telling

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tapehead.history.database import Database, Row
    from tapehead.history.search import Hit

LIMIT = 5
_LOOKED_AT = 40
"""Results that have words of the error and are compared with it."""
_ALIKE = 0.6
"""How much of the shape two errors must share."""
_FAR = 400
"""Entries after a failure among which its success is looked for."""
_MOST_CHANGES = 8
FAILED = "[failed]"
"""How the record of a result begins that its tool called a failure."""
_EDITS = ("Edit", "MultiEdit", "Write", "NotebookEdit", "apply_patch", "write_file", "replace")
_COMMAND = re.compile(r"^(?:command|cmd): ?(.+)", re.MULTILINE)
_AROUND = (
    "SELECT e.id, e.turn, e.kind, e.name, e.file, e.time, e.body FROM entries e"
    " WHERE e.session = ? AND e.id {} ? AND e.kind IN ('call', 'result') ORDER BY e.id {} LIMIT ?"
)


class Change(NamedTuple):
    """Something that was done between a failure and the success."""

    what: str
    """`edited` or `ran`."""
    target: str
    """The file, or the command."""
    turn: int


class Fix(NamedTuple):
    """A failure that was met before, and how it went away."""

    session: str
    turn: int
    """Of the failure."""
    time: str
    error: str
    """The line that is alike."""
    command: str
    """What failed, where that is known."""
    changes: tuple[Change, ...]
    solved_in: int
    """The turn of the success; 0 where none was seen."""
    likeness: float

    @property
    def pointer(self) -> Pointer:
        """The turn to open: that of the success, or of the failure."""
        return Pointer(self.session, self.solved_in or self.turn)


def find_fixes(database: Database, error: str, limit: int = LIMIT) -> list[Fix]:
    """The failures most like an error, those that were solved first, and what solved them."""
    wanted = [shape(line) for line in telling(error)[:3]]
    if not wanted:
        return []
    words = " ".join(dict.fromkeys(word for one in wanted for word in sorted(one)))
    hits = search(database, Wanted(words, kinds=(layers.RESULT,), limit=_LOOKED_AT))
    fixes = [fix for hit in hits if (fix := _fix(database, hit, wanted)) is not None]
    ranked = sorted(fixes, key=lambda one: (not one.solved_in, -round(one.likeness, 1), -bool(one.changes)))
    return list({(one.session, one.turn): one for one in reversed(ranked)}.values())[::-1][:limit]


def _fix(database: Database, hit: Hit, wanted: list[frozenset[str]]) -> Fix | None:
    rows = database.rows(
        "SELECT e.id, e.session, e.body FROM entries e JOIN sessions s ON s.number = e.session"
        " WHERE s.id = ? AND e.kind = 'result' AND e.time = ? AND e.name = ?",
        (hit.session, hit.time, hit.name),
    )
    best = max(((*_likest(unpack_body(row[2]), wanted), row) for row in rows), key=lambda one: one[0], default=None)
    if best is None or best[0] < _ALIKE:
        return None
    likeness, line, (ident, session, _) = best
    command = _command_before(database, int(str(session)), int(str(ident)))
    changes, solved = _until_success(database, int(str(session)), int(str(ident)), command, wanted)
    return Fix(hit.session, hit.turn, hit.time, line, command, tuple(changes[-_MOST_CHANGES:]), solved, likeness)


def _likest(body: str, wanted: list[frozenset[str]]) -> tuple[float, str]:
    told = ((max(_likeness(shape(line), one) for one in wanted), line) for line in telling(body)[:60])
    return max(told, key=lambda one: one[0], default=(0.0, ""))


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one and other else 0.0


def _command_before(database: Database, session: int, ident: int) -> str:
    rows = database.rows(_AROUND.format("<", "DESC"), (session, ident, 12))
    return next((command for row in rows if row[2] == layers.CALL and (command := _command(row))), "")


def _until_success(
    database: Database, session: int, ident: int, command: str, wanted: list[frozenset[str]]
) -> tuple[list[Change], int]:
    """What was done until the same command went through, or any other result shows the error no more."""
    changes: list[Change] = []
    again = False
    for row in database.rows(_AROUND.format(">", "ASC"), (session, ident, _FAR)):
        if row[2] == layers.CALL:
            again = bool(command) and _is_same(_command(row), command)
            changes += _changes(row, again=again)
        elif again and not unpack_body(row[6]).startswith(FAILED) and not _shows(unpack_body(row[6]), wanted):
            return changes, int(str(row[1]))
    return changes, 0


def _shows(body: str, wanted: list[frozenset[str]]) -> bool:
    return _likest(body, wanted)[0] >= _ALIKE


def _changes(row: Row, *, again: bool) -> Iterable[Change]:
    turn = int(str(row[1]))
    if row[3] in _EDITS:
        yield Change("edited", str(row[4]) or str(row[3]), turn)
    elif not again and (command := _command(row)):
        yield Change("ran", command, turn)


def _command(row: Row) -> str:
    found = _COMMAND.search(unpack_body(row[6]))
    return found[1].strip()[:LINE] if found else ""


def _is_same(one: str, other: str) -> bool:
    """Whether two commands run the same: `pytest` and `pytest tests`, but not `go test` and `go build`."""
    first, second = _head(one), _head(other)
    shared = min(len(first), len(second))
    return bool(shared) and first[:shared] == second[:shared]


def _head(command: str) -> tuple[str, ...]:
    """What a command is, whatever it is given: its first words without options."""
    last = re.split(r"&&|;|\|", command)[-1] if command.startswith("cd ") else re.split(r"\||>", command)[0]
    return tuple(word for word in last.split() if not word.startswith("-"))[:2]


def solved_since(database: Database, first: int, most: int) -> list[tuple[str, Fix]]:
    """The failures since an entry that went away, by their shape, the newest of each; those that tell too little are passed over."""
    rows = database.rows(
        "SELECT e.id, e.session, e.turn, e.time, e.body, s.id FROM entries e JOIN sessions s ON s.number = e.session"
        " WHERE e.id >= ? AND e.kind = 'result' ORDER BY e.id DESC LIMIT ?",
        (first, most),
    )
    found: dict[str, Fix] = {}
    for ident, session, turn, time, packed, name in rows:
        body = unpack_body(packed)
        same = same_shape(body) if body.startswith(FAILED) else ""
        if not same or same in found:
            continue
        wanted = [shape(line) for line in telling(body)[:3]]
        command = _command_before(database, int(str(session)), int(str(ident)))
        changes, solved = _until_success(database, int(str(session)), int(str(ident)), command, wanted)
        if solved and changes:
            told = (str(name), int(str(turn)), str(time), telling(body)[0], command)
            found[same] = Fix(*told, tuple(changes[-_MOST_CHANGES:]), solved, 1.0)
    return list(found.items())
