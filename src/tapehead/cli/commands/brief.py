"""`tapehead brief`: what the next context would be told."""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING, Any, NoReturn

import click

if TYPE_CHECKING:
    from tapehead.transcript.found import Digest

SOURCES = ("startup", "compact", "resume", "clear", "full")


@click.command(name="brief")
@click.option("--session", metavar="ID", help="Which session (or how its id begins); the newest otherwise.")
@click.option("--transcript", metavar="FILE", help="Any transcript of Claude Code instead; no repository is needed.")
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
    """Print what the next context is told of the work so far, within a budget.

    \b
    Examples:
      tapehead brief
      tapehead brief --session 3f2a --full
      tapehead brief --transcript ~/.claude/projects/x/y.jsonl --budget 1000
    """
    # A short life that makes many small values and frees none: collecting them costs a fifth of the run.
    gc.disable()
    found, given = _of_file(transcript) if transcript is not None else _of_session(session)
    budget = FULL if full else budget
    text = _text(found, budget, "full" if full else source, given)
    gc.freeze()  # and none is looked through on the way out
    if as_json:
        _print_json(text, found, budget)
    elif text:
        sys.stdout.write(text)
    else:
        what = transcript or "this session"
        _fail(f"no work found in {what}", "is it a transcript of Claude Code, with one JSON object per line?")


FULL = 50_000
"""Tokens: as good as no budget, and still bounded."""


def _of_file(transcript: str) -> tuple[Digest, dict[str, Any]]:
    from tapehead.agents.claude.transcript import skim  # noqa: PLC0415  `--help` needs none of it
    from tapehead.transcript.digest import digest  # noqa: PLC0415

    try:
        return digest(skim(transcript)), {}
    except OSError as error:
        _fail(f"cannot read {transcript}: {error.strerror}", "--transcript takes the path of a .jsonl file")


def _of_session(session: str | None) -> tuple[Digest, dict[str, Any]]:
    from tapehead.cli.attend import attend  # noqa: PLC0415  a transcript alone needs no store
    from tapehead.cli.here import here, pick  # noqa: PLC0415

    at = here()
    state = attend(at.engine)[pick(at, session)]
    return at.engine.stories.accounts.of(state), at.engine.stories.given(state, state)


def _text(found: Digest, budget: int, source: str, given: dict[str, Any]) -> str:
    from tapehead.restore.brief import brief as text_of  # noqa: PLC0415  `--help` needs none of it

    return text_of(found, budget=budget, source=source, **given)


def _print_json(text: str, found: Digest, budget: int) -> None:
    import json  # noqa: PLC0415

    from tapehead.tokens.estimate import tokens  # noqa: PLC0415

    about = {"session": found.session, "turns": found.turns, "branch": found.branch, "ended": found.ended}
    sys.stdout.write(json.dumps({**about, "budget": budget, "tokens": tokens(text), "text": text}) + "\n")


def _fail(problem: str, hint: str) -> NoReturn:
    click.echo(f"error: {problem}\n\nhint: {hint}", err=True)
    sys.exit(1)
