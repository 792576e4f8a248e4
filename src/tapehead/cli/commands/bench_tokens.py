"""`tapehead bench tokens`: how far an estimate of tokens is from what the agent counted."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from tapehead.benchmark.token_error import LEAST, Measured, measure, summarize
from tapehead.cli.bench_corpus import files_in, open_unpacked, own, said
from tapehead.cli.output import Failure, console, show_json
from tapehead.text.wording import count

if TYPE_CHECKING:
    from collections.abc import Sequence


@click.command()
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path(exists=True))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def tokens(*, paths: tuple[str, ...], as_json: bool) -> None:
    r"""Measure the error of the token estimate.

    It compares the estimate with the agent's own counts, for single steps and for whole contexts. docs/notes.md has
    details.

    PATH is a transcript (.jsonl or .jsonl.gz) or a directory of them. Default: all transcripts of Claude Code.

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
    rows = {"steps": summarize(steps), "contexts": summarize(contexts)}
    if as_json:
        show_json({"transcripts": len(files), "counted": {"steps": len(steps), "contexts": len(contexts)}, **rows})
    else:
        _show(rows, len(files), {"steps": len(steps), "contexts": len(contexts)})


def _measured(files: Sequence[str]) -> tuple[list[Measured], list[Measured]]:
    steps: list[Measured] = []
    contexts: list[Measured] = []
    for n, path in enumerate(files, 1):
        with said(f"{n} of {len(files)}: {os.path.basename(path)}"):
            try:
                with open_unpacked(path) as plain:
                    some, whole = measure(plain)
            except (OSError, EOFError) as error:
                console(stderr=True).print(f"note: {path} skipped: {error}")
                continue
        steps += some
        contexts += whole
    return steps, contexts


def _show(rows: dict[str, Any], files: int, counted: dict[str, int]) -> None:
    out = console()
    found = f"{count(counted['steps'], 'step')} of {LEAST} tokens and more, {count(counted['contexts'], 'context')}"
    out.print(f"{found}, in {count(files, 'transcript')}; error, as a share of the agent's own count")
    for what, table in rows.items():
        out.print(f"\n{what:<16}{'median':>10}{'95th':>10}{'of total':>10}", style="bold")
        for name, row in table.items():
            out.print(f"{name:<16}" + "".join(f"{value:>10.2f}" for value in row.values()))
