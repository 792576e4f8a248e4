"""What it costs to keep running notes over a whole transcript of Claude Code, turn by turn."""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from tapehead.agents.claude.blocks import Blocks
from tapehead.agents.claude.prompts import is_typed, own_words
from tapehead.agents.claude.transcript import read
from tapehead.documents import notes_file as kept_notes
from tapehead.notes.notes_keeper import NoteKeeper
from tapehead.settings.loading import DEFAULTS
from tapehead.statemachine.vocabulary import Phase
from tapehead.store.paths import Layout
from tapehead.store.state import State
from tapehead.transcript import jsonl
from tapehead.transcript.entries import entry_of
from tapehead.transcript.window_use import contexts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_PASSES, _SECONDS = 5, 0.5
"""A time is the best of so many, and of as many as fit into so much time: everything else on the machine only ever adds to it."""


class Cost(NamedTuple):
    """Of one transcript, in seconds of the processor: how long a disk takes to flush a file is its own affair."""

    name: str
    turns: int
    written: int
    """How often the file was written anew."""
    parsing: float
    """One pass of json.loads over every line: the best time of each turn's lines, together."""
    keeping: float
    """All that the notes took: the best time of each turn's end, together."""

    @property
    def ratio(self) -> float:
        """What keeping took of what parsing took."""
        return self.keeping / self.parsing


def measure(path: str, name: str, directory: str) -> Cost | None:
    """The cost of one transcript; None where no turn is in it. Raises OSError. What is written goes below the directory."""
    ends = _ends(path)
    runs = [*_runs(path, ends, directory)] if ends else []
    if not runs:
        return None
    parsing, keeping = (sum(map(min, zip(*times, strict=True))) for times in list(zip(*runs, strict=True))[:2])
    return Cost(name, len(ends), runs[0].written, parsing, keeping)


class _Run(NamedTuple):
    """Once through a transcript, turn by turn: both are measured at each turn's end, since a machine that is busy is busy for both."""

    parsing: list[float]
    keeping: list[float]
    written: int


def _runs(path: str, ends: list[int], directory: str) -> Iterator[_Run]:
    until = time.process_time() + _SECONDS
    for n in count(1):
        yield _run(path, ends, f"{directory}-{n}")
        if n >= _PASSES and time.process_time() >= until:
            return


def _ends(path: str) -> list[int]:
    """The byte at which each turn ends: before the next line with the user's own words, and at the end of the file."""
    ends: list[int] = []
    before = 0
    for at, line in jsonl.lines(path):
        if b'"type":"user"' in line and before and b'"isSidechain":true' not in line and _asks(entry_of(line)):
            ends.append(before)
        before = at
    return [*ends, before] if before else []


def _asks(entry: dict[str, Any]) -> bool:
    text, results = Blocks().told(entry)
    odd = entry.get("isMeta") or entry.get("isCompactSummary") or results
    return not odd and bool(own_words(text, typed=is_typed(entry)))


def _run(path: str, ends: list[int], directory: str) -> _Run:
    """Keeps notes over the whole file as it grows, and beside that parses the same lines."""
    layout, growing = Layout(directory), f"{os.path.dirname(directory)}/growing.jsonl"
    keeper = NoteKeeper(layout, DEFAULTS)
    since, versions = 0, set[str]()
    run = _Run([], [], 0)
    with open(path, "rb") as whole, open(path, "rb") as lines, open(growing, "wb") as part:
        for end in ends:
            part.write(whole.read(end - since))
            part.flush()
            reading = read(growing, since)
            keeper.lately = {"one": (growing, since, reading)}
            counted = contexts(reading.turns)[0]
            used = counted[-1] if counted else None
            state = State("one", agent="claude", transcript_path=growing, phase=Phase.IDLE, context_tokens=used)
            run.keeping.append(_timed(partial(keeper.keep, state)))
            run.parsing.append(_timed(partial(_parse, lines, end - since)))
            since = end
            versions.add(kept_notes.read(layout, "one"))
    return run._replace(written=len(versions - {""}))


def _timed(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _parse(lines: BinaryIO, size: int) -> None:
    """So many bytes of lines, from where the last ones ended."""
    while size > 0 and (line := lines.readline()):
        size -= len(line)
        with suppress(ValueError):
            json.loads(line)
