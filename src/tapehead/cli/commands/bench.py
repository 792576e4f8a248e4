"""`tapehead bench`: measure tapehead on one's own work."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING, Any

import attrs
import click

from tapehead.agents.readers import agent_of_file, reader_of
from tapehead.benchmark.contexts import NAMES, contexts
from tapehead.benchmark.held import Held
from tapehead.benchmark.needed import find_needed
from tapehead.benchmark.scoring import COLUMNS, Score, score, table
from tapehead.cli.bench_corpus import files_in, open_unpacked, own, said
from tapehead.cli.commands.bench_notes import notes
from tapehead.cli.commands.bench_recall import recall
from tapehead.cli.commands.bench_tokens import tokens
from tapehead.cli.output import Failure, console, show_json
from tapehead.text.wording import count
from tapehead.transcript.compactions import compactions

if TYPE_CHECKING:
    from collections.abc import Iterator

_SEED = 11
"""A sample is drawn the same way each time: two runs are about the same transcripts."""


@click.group()
def bench() -> None:
    r"""Measure tapehead on your own transcripts.

    \b
    Examples:
      tapehead bench continuity
      tapehead bench tokens ~/.claude/projects/my-project
      tapehead bench notes
      tapehead bench recall
    """


bench.add_command(tokens)
bench.add_command(notes)
bench.add_command(recall)


@bench.command()
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path(exists=True))
@click.option(
    "--budget", default=2000, show_default=True, type=click.IntRange(min=1), help="Limit of the brief, in tokens."
)
@click.option(
    "--sample", metavar="N", type=click.IntRange(min=1), help="Only N of the transcripts (always the same ones)."
)
@click.option("--notes", "with_notes", is_flag=True, help="Let the briefs use running notes, as in a real session.")
@click.option("--each", is_flag=True, help="Also print a line for every compaction.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def continuity(  # noqa: PLR0913 - one for each option
    *, paths: tuple[str, ...], budget: int, sample: int | None, with_notes: bool, each: bool, as_json: bool
) -> None:
    r"""Measure how much of what the agent needs next is in its brief.

    For each compaction, it compares the brief with what the agent used next. Nothing is written or sent.
    docs/continuity.md describes the method.

    PATH is a transcript (.jsonl or .jsonl.gz) or a directory of them. Default: all transcripts of Claude Code.

    \b
    Examples:
      tapehead bench continuity
      tapehead bench continuity --budget 1000 --each ~/.claude/projects/my-project
      tapehead bench continuity --sample 20 --json | jq .contexts.brief.score
    """
    files = files_in(paths or (own(os.environ),))
    if sample is not None and sample < len(files):
        files = sorted(random.Random(_SEED).sample(files, sample))  # noqa: S311  a draw, not a secret
    cases = list(_cases(files, budget, notes=with_notes))
    if not cases:
        raise Failure(
            f"No compaction to score in {count(len(files), 'transcript')}",
            "name transcripts of sessions that continued after a compaction",
        )
    show = _show_json if as_json else _show
    show(cases, len(files), budget, each=each)


@attrs.frozen
class Case:
    """One compaction, and how each context did."""

    name: str
    scores: dict[str, Score]


def _cases(files: list[str], budget: int, *, notes: bool = False) -> Iterator[Case]:
    """One transcript at a time: no more than one is in memory."""
    for n, path in enumerate(files, 1):
        with said(f"{n} of {len(files)}: {os.path.basename(path)}"):
            yield from _of_file(path, budget, notes=notes)


def _of_file(path: str, budget: int, *, notes: bool = False) -> Iterator[Case]:
    try:
        reader = reader_of(agent_of_file(path) or "claude")
        assert reader is not None  # every agent whose files are known has one
        with open_unpacked(path) as plain:
            turns = reader.read(plain).turns
    except (OSError, EOFError) as error:
        console(stderr=True).print(f"note: {path} skipped: {error}")
        return
    for compaction in compactions(turns):
        if (asked := find_needed(compaction)) is not None:
            summary = Held(compaction.summary)
            told = contexts(compaction, budget, notes=notes)
            scores = {name: score(text, asked, summary) for name, text in told.items()}
            yield Case(f"{os.path.basename(path)}#{compaction.number}", scores)


def _show_json(cases: list[Case], files: int, budget: int, *, each: bool) -> None:
    about = {"transcripts": files, "compactions": len(cases), "budget": budget}
    found: dict[str, Any] = {**about, "contexts": _means(cases)}
    if each:
        found["each"] = [
            {"compaction": case.name, **{name: table([one]) for name, one in case.scores.items()}} for case in cases
        ]
    show_json(found)


def _show(cases: list[Case], files: int, budget: int, *, each: bool) -> None:
    out = console()
    wide = max(len(name) for name in NAMES)
    if each:
        for case in cases:
            for name, one in case.scores.items():
                out.print(f"{case.name}  {name:<{wide}}{_cells(table([one]))}")
        out.print()
    found = f"{count(len(cases), 'compaction')} in {count(files, 'transcript')}"
    out.print(f"{found}; limit for brief and tail: {budget:,} tokens")
    out.print(f"{'':<{wide}}" + "".join(f"{column:>{_WIDTHS[column]}}" for column in COLUMNS), style="bold")
    for name, row in _means(cases).items():
        out.print(f"{name:<{wide}}{_cells(row)}")


def _means(cases: list[Case]) -> dict[str, dict[str, float | None]]:
    return {name: table(case.scores[name] for case in cases) for name in NAMES}


def _cells(row: dict[str, float | None]) -> str:
    shown = (
        "-" if value is None else f"{value:.0f}" if column == "tokens" else f"{value:.2f}"
        for column, value in row.items()
    )
    return "".join(f"{cell:>{width}}" for cell, width in zip(shown, _WIDTHS.values(), strict=True))


_WIDTHS = {column: max(6, len(column) + 2) for column in COLUMNS}
