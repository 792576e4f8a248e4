"""`tapehead bench notes`: what it costs to keep running notes over whole sessions."""

from __future__ import annotations

import json
import os
import statistics
import tempfile
import time
from contextlib import suppress
from functools import partial
from itertools import count as count_from
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import click

from tapehead.agents.claude.blocks import Blocks
from tapehead.agents.claude.prompts import is_typed, own_words
from tapehead.agents.claude.transcript import read
from tapehead.cli.bench_corpus import files_in, own, said, unpacked
from tapehead.cli.output import Failure, console, show_json
from tapehead.notes.notes_keeper import NoteKeeper
from tapehead.settings.loading import DEFAULTS
from tapehead.statemachine.vocabulary import Phase
from tapehead.store import notes as kept_notes
from tapehead.store.paths import Layout
from tapehead.store.state import State
from tapehead.text.wording import count
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


@click.command()
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path(exists=True))
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with a row for every transcript.")
def notes(*, paths: tuple[str, ...], as_json: bool) -> None:
    r"""Measure the processor time of running notes.

    The result is a ratio to reading each transcript once with json.loads.

    PATH is a transcript (.jsonl or .jsonl.gz) or a directory of them. Default: all transcripts of Claude Code. The notes are
    updated turn by turn, as in a real session, in memory where the
    system has /dev/shm, and deleted afterwards.

    \b
    Examples:
      tapehead bench notes
      tapehead bench notes --json ~/.claude/projects/my-project
    """
    files = files_in(paths or (own(os.environ),))
    costs = list(_costs(files))
    if not costs:
        raise Failure(f"no turn in {count(len(files), 'transcript')}", "name a transcript")
    together = sum(cost.keeping for cost in costs) / sum(cost.parsing for cost in costs)
    ratios = sorted(cost.ratio for cost in costs)
    rows = {"together": together, "median": statistics.median(ratios), "worst": ratios[-1]}
    rows = {name: round(value, 3) for name, value in rows.items()}
    over = sum(ratio > 1 for ratio in ratios)
    if as_json:
        show_json(
            {
                **rows,
                "over_one": over,
                "transcripts": [{**cost._asdict(), "ratio": round(cost.ratio, 3)} for cost in costs],
            }
        )
        return
    turns, written = sum(cost.turns for cost in costs), sum(cost.written for cost in costs)
    found = f"{count(turns, 'turn')} in {count(len(costs), 'transcript')}; notes written {written:,} times"
    console().print(f"{found}\ntime for notes, relative to one pass of json.loads over the same lines:")
    for name, value in rows.items():
        console().print(f"{name:<10}{value:>6.2f}")
    console().print(f"more than one pass: {over} of {count(len(costs), 'transcript')}")


def _costs(files: list[str]) -> Iterator[Cost]:
    with tempfile.TemporaryDirectory(dir=_place()) as directory:
        for n, path in enumerate(files, 1):
            with (
                said(f"{n} of {len(files)}: {os.path.basename(path)}"),
                suppress(OSError, EOFError),
                unpacked(path) as plain,
            ):
                ends = _ends(plain)
                runs = [*_runs(plain, ends, os.path.join(directory, str(n)))]
            if ends:
                parsing, keeping = (
                    sum(map(min, zip(*times, strict=True))) for times in list(zip(*runs, strict=True))[:2]
                )
                yield Cost(os.path.basename(path), len(ends), runs[0].written, parsing, keeping)


def _place() -> str | None:
    """In memory, where there is such a place.

    A disk's file system takes processor time, too, and how much depends on what others did to it: for every new file, ext4 passes over
    all that were deleted nearby in the last minutes, be it by a run of tests or by this very command, which makes a session's files
    a thousand times as fast as a session does.
    """
    return _MEMORY if os.access(_MEMORY, os.W_OK | os.X_OK) and os.path.isdir(_MEMORY) else None


_MEMORY = "/dev/shm"  # noqa: S108 - a directory of a name that nobody can guess is made in it


class _Run(NamedTuple):
    """Once through a transcript, turn by turn: both are measured at each turn's end, since a machine that is busy is busy for both."""

    parsing: list[float]
    keeping: list[float]
    written: int


def _runs(path: str, ends: list[int], directory: str) -> Iterator[_Run]:
    until = time.process_time() + _SECONDS
    for n in count_from(1):
        yield _run(path, ends, f"{directory}-{n}")
        if n >= _PASSES and time.process_time() >= until:
            return


def _ends(path: str) -> list[int]:
    """The byte at which each turn ends: before the next line with a person's own words, and at the end of the file."""
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
