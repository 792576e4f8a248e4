"""A batch made ready to be written: all the work that needs no database, so that another process can do it. Pure.

Ready rows are plain tuples of plain values: they go from process to process as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tapehead.history.call_words import without_names
from tapehead.history.compression import BIG, pack_body, storable
from tapehead.history.entry_times import moment
from tapehead.history.index_words import is_spaced, split, tags, taken_apart
from tapehead.history.layers import CALL, TOOL
from tapehead.history.own_words import is_ours
from tapehead.history.turn_lines import headlines
from tapehead.transcript.recorded_steps import Cursor

if TYPE_CHECKING:
    from typing import Any

    from tapehead.history.entry_making import Entries
    from tapehead.history.layers import Entry
    from tapehead.transcript.recorded_steps import Batch

    Ready = tuple[Any, ...]
    """The columns of an entry from `source` to `body`, in their order in the table, then its origin, its moment, its words and its tags."""

_OPEN_CALLS = 1_000
"""Calls without a result that are remembered: those of a session that was stopped again and again never get one."""


class Mark(NamedTuple):
    """How far a transcript is known: the reader's cursor, and what the entries must remember."""

    cursor: Cursor = Cursor()
    calls: dict[str, list[str]] = {}  # noqa: RUF012  never changed
    last: int = 0
    """The newest entry's id: the next one comes after it."""


class Prepared(NamedTuple):
    """What a batch gives."""

    rows: list[Ready]
    lines: dict[int, str]
    """The line of each turn, as far as this batch alone tells it."""
    mark: Mark


def prepare(batch: Batch, entries: Entries) -> Prepared:
    """Make a batch ready."""
    made = entries.of(batch.steps)  # before the mark, which says what they told
    return prepare_entries(made, make_mark(batch, entries))


def prepare_entries(entries: list[Entry], mark: Mark) -> Prepared:
    """Make entries ready."""
    return Prepared([ready(entry) for entry in entries], headlines(entries), mark)


def make_mark(batch: Batch, entries: Entries) -> Mark:
    """The mark after a batch."""
    return Mark(batch.cursor, entries.remembered(dict(list(entries.calls.items())[-_OPEN_CALLS:])))


def ready(entry: Entry) -> Ready:
    """One entry."""
    source, turn, layer, role, kind, time, body, origin, name, file, length = entry
    if not (source.isascii() and time.isascii() and name.isascii() and file.isascii() and origin.isascii()):
        source, time, name, file, origin = map(storable, (source, time, name, file, origin))
    stored, words = _shelved(body)
    if is_ours(kind, name, body):
        words = ""
    elif role != TOOL:
        words = without_names(words) if kind == CALL else words
        parts = taken_apart(words)
        words = f"{words} {parts}" if parts else words
    return (
        *(source, turn, layer, role, kind, time, name, file, length, stored),
        *(origin, moment(time), words, tags(kind, file)),
    )


def _shelved(body: str) -> tuple[str | bytes, str]:
    """A body as it is stored, and as the index takes its words: the bytes that both need are made once."""
    if body.isascii() and "\0" not in body:
        return pack_body(body, body.encode()) if len(body) > BIG else body, body
    try:
        raw = body.encode()
    except UnicodeEncodeError:
        raw = b""
    if not raw or b"\0" in raw:
        body = storable(body)
        raw = body.encode()
    return pack_body(body, raw), body if is_spaced(raw) else split(body)
