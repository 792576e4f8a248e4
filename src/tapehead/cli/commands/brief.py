"""`tapehead brief`: what the next context would be told."""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING, NoReturn

import click

if TYPE_CHECKING:
    from tapehead.transcript.found import Digest

SOURCES = ("startup", "compact", "resume", "clear", "full")


@click.command(name="brief")
@click.option("--transcript", metavar="FILE", help="A transcript of Claude Code; no repository is needed.")
@click.option("--session", metavar="ID", help="A session that tapehead knows.")
@click.option(
    "--budget", default=2000, show_default=True, type=click.IntRange(min=1), help="Tokens that the text may cost."
)
@click.option("--full", is_flag=True, help="Every section, whatever it costs.")
@click.option(
    "--source", type=click.Choice(SOURCES), default="compact", show_default=True, help="What the text is for."
)
@click.option("--json", "as_json", is_flag=True, help="The text with what it is made of, as JSON.")
def brief(  # noqa: PLR0913  one argument per option
    *, transcript: str | None, session: str | None, budget: int, full: bool, source: str, as_json: bool
) -> None:
    """Print what the next context is told of the work so far, within a budget."""
    if transcript is None:
        _fail(f"no transcript for session {session}" if session else "which work?", "tapehead brief --transcript FILE")
    print_brief(transcript, budget=FULL if full else budget, source="full" if full else source, as_json=as_json)


FULL = 50_000
"""Tokens: as good as no budget, and still bounded."""


def print_brief(transcript: str, *, budget: int, source: str, as_json: bool) -> None:
    """Read a transcript and print its brief."""
    from tapehead.agents.claude.transcript import skim  # noqa: PLC0415  `--help` needs none of it
    from tapehead.restore.brief import brief as text_of  # noqa: PLC0415
    from tapehead.transcript.digest import digest  # noqa: PLC0415

    # A short life that makes many small values and frees none: collecting them costs a fifth of the run.
    gc.disable()
    try:
        found = digest(skim(transcript))
    except OSError as error:
        _fail(f"cannot read {transcript}: {error.strerror}", "--transcript takes the path of a .jsonl file")
    text = text_of(found, budget=budget, source=source)
    if as_json:
        _print_json(text, found, budget)
    elif text:
        sys.stdout.write(text)
    else:
        _fail(f"no work found in {transcript}", "is it a transcript of Claude Code, with one JSON object per line?")


def _print_json(text: str, found: Digest, budget: int) -> None:
    import json  # noqa: PLC0415

    from tapehead.tokens.estimate import tokens  # noqa: PLC0415

    about = {"session": found.session, "turns": found.turns, "branch": found.branch, "ended": found.ended}
    sys.stdout.write(json.dumps({**about, "budget": budget, "tokens": tokens(text), "text": text}) + "\n")


def _fail(problem: str, hint: str) -> NoReturn:
    click.echo(f"error: {problem}\n\nhint: {hint}", err=True)
    sys.exit(1)
