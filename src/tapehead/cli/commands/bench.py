"""`tapehead bench`: measure tapehead on one's own work."""

from __future__ import annotations

import gzip
import os
import random
import shutil
import sys
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import attrs
import click

from tapehead.agents.readers import reader_of
from tapehead.cli.output import Failure, console, show_json
from tapehead.cli.telling import count
from tapehead.restore.continuity.contexts import NAMES, contexts
from tapehead.restore.continuity.held import Held
from tapehead.restore.continuity.needed import needed
from tapehead.restore.continuity.scoring import COLUMNS, Score, score, table
from tapehead.transcript.compactions import compactions

if TYPE_CHECKING:
    from collections.abc import Iterator

_ENDINGS = (".jsonl", ".jsonl.gz")
_SEED = 11
"""A sample is drawn the same way each time: two runs are about the same transcripts."""


@click.group()
def bench() -> None:
    """Measure tapehead on your own transcripts."""


@bench.command()
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path(exists=True))
@click.option(
    "--budget", default=2000, show_default=True, type=click.IntRange(min=1), help="Tokens that a brief may cost."
)
@click.option(
    "--sample", metavar="N", type=click.IntRange(min=1), help="Only N of the transcripts, always the same ones."
)
@click.option("--each", is_flag=True, help="A line for every compaction, too.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def continuity(*, paths: tuple[str, ...], budget: int, sample: int | None, each: bool, as_json: bool) -> None:
    r"""Measure how much of what was needed after your compactions a brief would have handed back.

    PATH is a transcript (.jsonl or .jsonl.gz) or a directory of them; without one, all of Claude Code's own. Nothing is
    written and nothing leaves this machine. docs/continuity.md says how it is measured.

    \b
    Examples:
      tapehead bench continuity
      tapehead bench continuity --budget 1000 --each ~/.claude/projects/my-project
      tapehead bench continuity --sample 20 --json | jq .contexts.brief.score
    """
    files = _files(paths or (_own(os.environ),))
    if sample is not None and sample < len(files):
        files = sorted(random.Random(_SEED).sample(files, sample))  # noqa: S311  a draw, not a secret
    cases = list(_cases(files, budget))
    if not cases:
        raise Failure(
            f"no compaction that could be scored in {count(len(files), 'transcript')}",
            "name a transcript, or a directory of them, in which a session was compacted and then went on",
        )
    _show_json(cases, budget, each=each) if as_json else _show(cases, budget, each=each)


@attrs.frozen
class Case:
    """One compaction, and how each context did."""

    name: str
    scores: dict[str, Score]


def _own(env: Any) -> str:
    home = env.get("CLAUDE_CONFIG_DIR") or os.path.join(os.path.expanduser("~"), ".claude")
    return os.path.join(home, "projects")


def _files(paths: tuple[str, ...]) -> list[str]:
    found: set[str] = set()
    for path in paths:
        if os.path.isdir(path):
            inside = (os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names)
            found.update(name for name in inside if name.endswith(_ENDINGS))
        elif os.path.exists(path):
            found.add(path)
    return sorted(found)


def _cases(files: list[str], budget: int) -> Iterator[Case]:
    """One transcript at a time: no more than one is in memory."""
    for n, path in enumerate(files, 1):
        with _said(f"{n} of {len(files)}: {os.path.basename(path)}"):
            yield from _of_file(path, budget)


def _of_file(path: str, budget: int) -> Iterator[Case]:
    reader = reader_of("claude")
    assert reader is not None  # it ships with this program
    try:
        with _unpacked(path) as plain:
            turns = reader.read(plain).turns
    except (OSError, EOFError) as error:
        console(stderr=True).print(f"note: {path} is left out: {error}")
        return
    for compaction in compactions(turns):
        if (asked := needed(compaction)) is not None:
            summary = Held(compaction.summary)
            told = contexts(compaction, budget)
            scores = {name: score(text, asked, summary) for name, text in told.items()}
            yield Case(f"{os.path.basename(path)}#{compaction.number}", scores)


@contextmanager
def _unpacked(path: str) -> Iterator[str]:
    """The path itself, or that of a plain copy which is gone afterwards."""
    if not path.endswith(".gz"):
        yield path
        return
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as plain:
        with gzip.open(path) as packed:
            shutil.copyfileobj(packed, plain)
        plain.flush()
        yield plain.name


@contextmanager
def _said(what: str) -> Iterator[None]:
    """Says what is being done while it is done, to whoever sits at a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    with console(stderr=True).status(what):
        yield


def _show_json(cases: list[Case], budget: int, *, each: bool) -> None:
    found: dict[str, Any] = {"compactions": len(cases), "budget": budget, "contexts": _means(cases)}
    if each:
        found["each"] = [
            {"compaction": case.name, **{name: table([one]) for name, one in case.scores.items()}} for case in cases
        ]
    show_json(found)


def _show(cases: list[Case], budget: int, *, each: bool) -> None:
    out = console()
    wide = max(len(name) for name in NAMES)
    if each:
        for case in cases:
            for name, one in case.scores.items():
                out.print(f"{case.name}  {name:<{wide}}{_cells(table([one]))}")
        out.print()
    out.print(f"{count(len(cases), 'compaction')}; a brief and the tail may cost {budget} tokens")
    out.print(f"{'':<{wide}}" + "".join(f"{column:>10}" for column in COLUMNS), style="bold")
    for name, row in _means(cases).items():
        out.print(f"{name:<{wide}}{_cells(row)}")


def _means(cases: list[Case]) -> dict[str, dict[str, float | None]]:
    return {name: table(case.scores[name] for case in cases) for name in NAMES}


def _cells(row: dict[str, float | None]) -> str:
    shown = (
        "-" if value is None else f"{value:.0f}" if column == "tokens" else f"{value:.2f}"
        for column, value in row.items()
    )
    return "".join(f"{cell:>10}" for cell in shown)
