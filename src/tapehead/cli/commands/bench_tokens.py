"""`tapehead bench tokens`: how far an estimate of tokens is from what the host counted."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import attrs
import click

from tapehead.agents.claude.growth import growth
from tapehead.cli.bench_corpus import files_in, own, said, unpacked
from tapehead.cli.output import Failure, console, show_json
from tapehead.text.wording import count
from tapehead.tokens.estimate import estimated_all

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tapehead.agents.claude.growth import Growth

LEAST = 100
"""Tokens. Of a smaller step most is what the host added unseen."""


@attrs.frozen
class Measured:
    """One step, or a whole context: what was counted, and what each way of estimating says."""

    counted: int
    said: dict[str, float]


ESTIMATES: dict[str, Callable[[Growth], float]] = {
    "estimate": lambda step: estimated_all(step.texts, step.calls),
    "characters / 4": lambda step: sum(map(len, step.texts)) / 4,
}


@click.command()
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path(exists=True))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def tokens(*, paths: tuple[str, ...], as_json: bool) -> None:
    r"""Measure the error of the token estimate.

    It is compared with the agent's own counts.

    PATH is a transcript (.jsonl or .jsonl.gz) or a directory of them. Default: all transcripts of Claude Code. A step is what was added
    to the context between two answers; a context is everything from one compaction to the next. docs/notes.md has details.

    \b
    Examples:
      tapehead bench tokens
      tapehead bench tokens --json ~/.claude/projects/my-project
    """
    files = files_in(paths or (own(os.environ),))
    steps, contexts = _measured(files)
    if not steps:
        what = f"No context grew by {LEAST} tokens or more between two counted answers, in {count(len(files), 'transcript')}"
        raise Failure(what, "name a longer transcript of Claude Code")
    rows = {"steps": _rows(steps), "contexts": _rows(contexts)}
    if as_json:
        show_json({"transcripts": len(files), "counted": {"steps": len(steps), "contexts": len(contexts)}, **rows})
    else:
        _show(rows, len(files), {"steps": len(steps), "contexts": len(contexts)})


def _measured(files: Sequence[str]) -> tuple[list[Measured], list[Measured]]:
    steps: list[Measured] = []
    contexts: list[Measured] = []
    for n, path in enumerate(files, 1):
        with said(f"{n} of {len(files)}: {os.path.basename(path)}"):
            runs: dict[int, list[Measured]] = {}
            for step in _grown(path):
                runs.setdefault(step.run, []).append(
                    Measured(step.tokens, {name: way(step) for name, way in ESTIMATES.items()})
                )
        steps += [one for run in runs.values() for one in run if one.counted >= LEAST]
        contexts += map(_together, runs.values())
    return steps, contexts


def _grown(path: str) -> Iterator[Growth]:
    try:
        with unpacked(path) as plain:
            yield from growth(plain)
    except (OSError, EOFError) as error:
        console(stderr=True).print(f"note: {path} skipped: {error}")


def _together(run: list[Measured]) -> Measured:
    return Measured(sum(one.counted for one in run), {name: sum(one.said[name] for one in run) for name in ESTIMATES})


def _rows(measured: list[Measured]) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for name in ESTIMATES:
        off = sorted(abs(one.said[name] - one.counted) / one.counted for one in measured)
        total = sum(one.said[name] for one in measured) / sum(one.counted for one in measured)
        found[name] = {"median": _at(off, 0.5), "95th": _at(off, 0.95), "of the total": round(total, 3)}
    return found


def _at(ordered: list[float], share: float) -> float:
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 3)


def _show(rows: dict[str, Any], files: int, counted: dict[str, int]) -> None:
    out = console()
    found = f"{count(counted['steps'], 'step')} of {LEAST} tokens and more, {count(counted['contexts'], 'context')}"
    out.print(f"{found}, in {count(files, 'transcript')}; error, as a share of the agent's own count")
    for what, table in rows.items():
        out.print(f"\n{what:<16}{'median':>10}{'95th':>10}{'of total':>10}", style="bold")
        for name, row in table.items():
            out.print(f"{name:<16}" + "".join(f"{value:>10.2f}" for value in row.values()))
