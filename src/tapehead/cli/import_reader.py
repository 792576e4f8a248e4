"""Reading a transcript for an import: all the work that needs no database, in one step or in two, for one process or for two."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from tapehead.agents.readers import follower_of
from tapehead.history.entry_making import Entries
from tapehead.history.layers import Entry
from tapehead.history.ready_entries import Mark, Prepared, make_mark, prepare_entries
from tapehead.system.ahead_process import Ahead
from tapehead.transcript.recorded_steps import Cursor

if TYPE_CHECKING:
    from collections.abc import Iterator

_PIECE = 500
"""Steps that are handed over together: so much is in memory, not a whole file."""


class Task(NamedTuple):
    """What is to be read: a file, from a mark on."""

    path: str
    agent: str
    mark: Mark
    limit: int
    thinking: bool
    final: bool


def pack_task(task: Task) -> tuple[Any, ...]:
    """A task as plain values."""
    return (task.path, task.agent, plain(task.mark), task.limit, task.thinking, task.final)


def plain(mark: Mark) -> tuple[Any, ...]:
    """A mark as plain values."""
    return (tuple(mark.cursor), mark.calls, mark.last)


def unpack_answer(piece: tuple[Any, ...]) -> Prepared:
    """What `read` gave."""
    rows, lines, mark = piece
    return Prepared(rows, lines, _mark(mark))


def read(task: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """Read a file."""
    finishing = _finishing(task)
    for entries, _, mark in gather(task):
        yield _finished(entries, finishing, mark)


def read_in_two(task: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """The same by two processes: one reads and parses, the other masks, packs and looks for words."""
    finishing = _finishing(task)
    first = Ahead(_gather_plain)
    first.ask(task)
    for entries, _, mark in first.answers():
        yield _finished([Entry(*entry) for entry in entries], finishing, mark)
    first.end()


def gather(task: tuple[Any, ...]) -> Iterator[tuple[list[Entry], int, tuple[Any, ...]]]:
    """The entries of a file as they stand there, with where the reading is."""
    path, agent, mark, limit, thinking, final = task
    known = _mark(mark)
    follower = follower_of(agent)
    entries = Entries(limit, thinking=thinking, files=known.calls)
    for batch in follower.follow(path, known.cursor, final=final, at_once=_PIECE) if follower else ():
        made = entries.made(batch.steps)
        yield made, limit, plain(make_mark(batch, entries))


def _gather_plain(task: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    return (([tuple(entry) for entry in entries], limit, mark) for entries, limit, mark in gather(task))


def _finishing(task: tuple[Any, ...]) -> Entries:
    """Who masks and cuts the entries of a file: one for all of it, since a secret may come back."""
    known, limit = _mark(task[2]), task[3]
    return Entries(limit, files=known.calls)


def _finished(entries: list[Entry], finishing: Entries, mark: tuple[Any, ...]) -> tuple[Any, ...]:
    rows, lines, _ = prepare_entries(finishing.finished(entries), _mark(mark))
    cursor, calls, last = mark
    return rows, lines, (cursor, finishing.remembered(calls), last)


def _mark(value: tuple[Any, ...]) -> Mark:
    cursor, calls, last = value
    return Mark(Cursor(*cursor), calls, last)
