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
from tapehead.text.error_shape import LINE, asked_for, bare, is_fragment, same_shape, shape, telling

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tapehead.history.database import Database, Row
    from tapehead.history.search import Hit

LIMIT = 5
_LOOKED_AT = 40
"""Results that have words of the error and are compared with it."""
_ALIKE = 0.54
"""How much two errors must be alike."""
_OTHERWISE = 0.9
"""What the same shape counts in other words: the very words go before it."""
_WITHIN, _PIECE = 0.7, 3
"""How alike a line is that has all words of a piece, and how many words a piece has at least."""
_FAR = 400
"""Entries after a failure among which its success is looked for."""
_BEFORE = 40
"""Entries before a result among which its call is looked for."""
_MOST_CHANGES = 8
FAILED = "[failed]"
"""How the record of a result begins that its tool called a failure."""
_EDITS = ("Edit", "MultiEdit", "Write", "NotebookEdit", "apply_patch", "write_file", "replace")
_LOOKS = (
    "Read",
    "Grep",
    "Glob",
    "LS",
    "WebFetch",
    "WebSearch",
    "read_file",
    "search_file_content",
    "list_directory",
    "glob",
    "view",
)
_LOOKS_AT = re.compile(
    r"(?:cd \S+ *(?:&&|;) *)?(?:cat|sed -n|head|tail|grep|rg|ls|find|nl|less|git (?:show|diff|log|blame))\b"
)
"""Tools and commands that show what stands somewhere: an error in it is none of theirs."""
_COMMAND = re.compile(r"^(?:command|cmd):\s?(.+)", re.MULTILINE)
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


class _Asked:
    """An error that is looked for, or a piece of one."""

    def __init__(self, lines: list[str]) -> None:
        self.shapes = [shape(line) for line in lines]
        self.pieces = [" ".join(line.lower().split()) for line in lines if is_fragment(line)]
        """What may stand in a known error as it was given."""

    def questions(self) -> Iterable[str]:
        """What the search is asked: the piece side by side, and any of its words."""
        yield from (f'"{piece}"' for piece in self.pieces if '"' not in piece)
        words = [*(word for one in self.shapes for word in sorted(one)), *re.findall(r"[\w.-]+", " ".join(self.pieces))]
        yield " ".join(dict.fromkeys(words))

    def likest(self, body: str) -> tuple[float, str]:
        """The line of a result that is most like it, and how much. One that has it word for word is the same."""
        for line in body.splitlines() if self.pieces else ():
            flat = " ".join(line.lower().split())
            if any(piece in flat for piece in self.pieces):
                return 1.0, bare(line)[:LINE]
        told = ((max(self._likeness(shape(line), one) for one in self.shapes), line) for line in telling(body)[:60])
        return max(told, key=lambda one: one[0], default=(0.0, ""))

    @staticmethod
    def _likeness(known: frozenset[str], asked: frozenset[str]) -> float:
        share = len(known & asked) / len(known | asked) if known and asked else 0.0
        return _OTHERWISE * (max(share, _WITHIN) if len(asked) >= _PIECE and asked <= known else share)

    def is_shown(self, body: str) -> bool:
        """Whether a result shows it."""
        return self.likest(body)[0] >= _ALIKE


def find_fixes(database: Database, error: str, limit: int = LIMIT) -> list[Fix]:
    """The failures most like an error, those that were solved first, and what solved them."""
    lines = asked_for(error)[:3]
    if not lines:
        return []
    asked = _Asked(lines)
    found = [
        hit
        for one in asked.questions()
        for hit in search(database, Wanted(one, kinds=(layers.RESULT,), limit=_LOOKED_AT))
    ]
    hits = {(hit.session, hit.time, hit.name): hit for hit in found}
    fixes = [fix for hit in hits.values() if (fix := _fix(database, hit, asked)) is not None]
    ranked = sorted(fixes, key=lambda one: (not one.solved_in, -round(one.likeness, 1), -bool(one.changes)))
    return list({(one.session, one.turn): one for one in reversed(ranked)}.values())[::-1][:limit]


def _fix(database: Database, hit: Hit, asked: _Asked) -> Fix | None:
    rows = database.rows(
        "SELECT e.id, e.session, e.body FROM entries e JOIN sessions s ON s.number = e.session"
        " WHERE s.id = ? AND e.kind = 'result' AND e.time = ? AND e.name = ?",
        (hit.session, hit.time, hit.name),
    )
    best = max(((*asked.likest(unpack_body(row[2])), row) for row in rows), key=lambda one: one[0], default=None)
    if best is None or best[0] < _ALIKE:
        return None
    likeness, line, (ident, session, body) = best
    call = _call_of(database, int(str(session)), int(str(ident)), hit.name)
    command = _command(call) if call else ""
    if not unpack_body(body).startswith(FAILED) and (hit.name in _LOOKS or _LOOKS_AT.match(command)):
        return None  # somebody read a file that has these words in it
    changes, solved = _until_success(database, int(str(session)), int(str(ident)), call, asked)
    return Fix(hit.session, hit.turn, hit.time, line, command, tuple(changes[-_MOST_CHANGES:]), solved, likeness)


def _call_of(database: Database, session: int, ident: int, tool: str) -> Row | None:
    """The call that a result is of. Several at once are answered in their order."""
    rows = database.rows(_AROUND.format("<", "DESC"), (session, ident, _BEFORE))
    waiting: list[Row] = []
    for row in reversed(rows):
        if row[3] != tool:
            continue
        if row[2] == layers.CALL:
            waiting.append(row)
        elif waiting:
            waiting.pop(0)
    return waiting[0] if waiting else None


def _until_success(
    database: Database, session: int, ident: int, failed: Row | None, asked: _Asked
) -> tuple[list[Change], int]:
    """What was done until the same command, or the same tool on the same file, went through."""
    changes: list[Change] = []
    waiting: dict[object, list[bool]] = {}
    for row in database.rows(_AROUND.format(">", "ASC"), (session, ident, _FAR)) if failed else ():
        if row[2] == layers.CALL:
            again = failed is not None and _is_again(row, failed)
            waiting.setdefault(row[3], []).append(again)
            changes += _changes(row, again=again)
            continue
        calls = waiting.get(row[3])
        if not calls or not calls.pop(0):
            continue
        body = unpack_body(row[6])
        if not body.startswith(FAILED) and not asked.is_shown(body):
            return changes, int(str(row[1]))
    return changes, 0


def _is_again(row: Row, failed: Row) -> bool:
    if command := _command(failed):
        return _is_same(_command(row), command)
    return bool(failed[4]) and (row[3], row[4]) == (failed[3], failed[4])


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
        "SELECT e.id, e.session, e.turn, e.time, e.body, s.id, e.name FROM entries e JOIN sessions s ON s.number = e.session"
        " WHERE e.id >= ? AND e.kind = 'result' ORDER BY e.id DESC LIMIT ?",
        (first, most),
    )
    found: dict[str, Fix] = {}
    for ident, session, turn, time, packed, name, tool in rows:
        body = unpack_body(packed)
        same = same_shape(body) if body.startswith(FAILED) else ""
        if not same or same in found:
            continue
        call = _call_of(database, int(str(session)), int(str(ident)), str(tool))
        asked = _Asked(telling(body)[:3])
        changes, solved = _until_success(database, int(str(session)), int(str(ident)), call, asked)
        if solved and changes:
            told = (str(name), int(str(turn)), str(time), telling(body)[0], _command(call) if call else "")
            found[same] = Fix(*told, tuple(changes[-_MOST_CHANGES:]), solved, 1.0)
    return list(found.items())
