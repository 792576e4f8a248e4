"""`tapehead bench notes`: what it costs to keep running notes over whole sessions."""

from __future__ import annotations

import os
import statistics
import tempfile
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from tapehead.benchmark.notes_cost import Cost, measure
from tapehead.cli.bench_corpus import files_in, open_unpacked, own, said
from tapehead.cli.output import Failure, console, show_json
from tapehead.text.wording import count

if TYPE_CHECKING:
    from collections.abc import Iterator


@click.command()
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path(exists=True))
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with a row for every transcript.")
def notes(*, paths: tuple[str, ...], as_json: bool) -> None:
    r"""Measure how much processor time the notes of a session take.

    The result is a ratio to reading each transcript once with json.loads.

    PATH is a transcript (.jsonl or .jsonl.gz) or a directory of them. Default: all transcripts of Claude Code.

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
            cost, name = None, os.path.basename(path)
            with said(f"{n} of {len(files)}: {name}"), suppress(OSError, EOFError), open_unpacked(path) as plain:
                cost = measure(plain, name, os.path.join(directory, str(n)))
            if cost:
                yield cost


def _place() -> str | None:
    """In memory, where there is such a place.

    A disk's file system takes processor time, too, and how much depends on what others did to it: for every new file, ext4 passes over
    all that were deleted nearby in the last minutes, be it by a run of tests or by this very command, which makes a session's files
    a thousand times as fast as a session does.
    """
    return _MEMORY if os.access(_MEMORY, os.W_OK | os.X_OK) and os.path.isdir(_MEMORY) else None


_MEMORY = "/dev/shm"  # noqa: S108 - a directory of a name that nobody can guess is made in it
