"""`tapehead brief`: what the next context would be told."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from tapehead.cli.completion_values import session_ids
from tapehead.cli.output import Failure, show_note
from tapehead.cli.transcript_brief import FULL, of_file, text_of_file, usual_budget

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapehead.cli.here import Here
    from tapehead.work_record.facts import WorkRecord

SOURCES = ("startup", "compact", "resume", "clear", "full")


@click.command(name="brief")
@click.option(
    "--session",
    metavar="ID",
    shell_complete=session_ids,
    help="Session id, or its beginning. Default: the newest in this worktree.",
)
@click.option(
    "--transcript",
    metavar="FILE",
    type=click.Path(),
    help="Use this transcript, of any agent, instead of a session.",
)
@click.option(
    "--budget",
    metavar="N",
    type=click.IntRange(min=1),
    help="At most N tokens. Default: setting restore.budget (2000).",
)
@click.option("--full", is_flag=True, help="Print every section, without a limit.")
@click.option(
    "--source",
    type=click.Choice(SOURCES),
    default="compact",
    show_default=True,
    help="Print it as the agent gets it in this situation.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON: the text and its parts.")
def brief(  # noqa: PLR0913  one argument per option
    *, transcript: str | None, session: str | None, budget: int | None, full: bool, source: str, as_json: bool
) -> None:
    """Print the brief: what the agent gets after a compaction.

    \b
    Examples:
      tapehead brief
      tapehead brief --session 3f2a --full
      tapehead brief --transcript ~/.claude/projects/x/y.jsonl --budget 1000
    """
    tokens, source = (FULL, "full") if full else (budget or _usual(transcript), source)
    found, tell = _of_file(transcript, source) if transcript else _of_session(session, source)
    text = tell(tokens)
    if as_json:
        _print_json(text, tell(FULL) if text else "", found, tokens)
    elif text:
        sys.stdout.write(text)
    else:
        raise _nothing(found, transcript, tokens)


def _nothing(found: WorkRecord, transcript: str | None, tokens: int) -> Failure:
    """Why there is no text: it does not fit, or there is nothing to tell."""
    if found.asks or found.files or found.commands or found.in_flight:
        return Failure(f"{tokens} tokens are too few for a brief", "try --budget 500")
    if transcript:
        return Failure(f"No work found in {transcript}", "a transcript has one JSON object per line")
    return Failure("Nothing is recorded of this session's work", "run `tapehead doctor`")


def _usual(transcript: str | None) -> int:
    if transcript:
        return usual_budget()
    from tapehead.cli.here import here  # noqa: PLC0415  a transcript alone needs no store

    return here().engine.settings.number("restore.budget")


def _of_file(transcript: str, source: str) -> tuple[WorkRecord, Callable[[int], str]]:
    try:
        found = of_file(transcript)
    except OSError as error:
        hint = "--transcript needs the path of a .jsonl file"
        raise Failure(f"Can't read {transcript}: {error.strerror}", hint) from None
    return found, lambda budget: text_of_file(found, transcript, budget, source)


def _of_session(session: str | None, source: str) -> tuple[WorkRecord, Callable[[int], str]]:
    from tapehead.brief.brief import brief as text_of  # noqa: PLC0415  as above
    from tapehead.cli.here import here  # noqa: PLC0415  a transcript alone needs no store
    from tapehead.cli.session_choice import choose  # noqa: PLC0415  as above

    at = here()
    state = choose(at, session)
    found = at.engine.captures.accounts.of(state)
    given = at.engine.briefs.given(state, state)
    for path in at.engine.captures.mistrusted.values():
        show_note(f"the capture of this session was damaged: it was moved to {path} and rebuilt")
    if source == "full":
        given["extras"] = given["extras"]._replace(project=_project(at))
    return found, lambda budget: text_of(found, budget=budget, source=source, **given)


def _project(at: Here) -> tuple[str, ...]:
    from tapehead.brief.newcomer import context  # noqa: PLC0415  only where all is told

    told = context(at.place.worktree, at.now.date().isoformat()).told if at.place.worktree else []
    return tuple(line.removeprefix("- ") for line in told)


def _sections(text: str, everything: str) -> list[dict[str, object]]:
    """What each section costs, how many items of it were chosen, and how many were left out for want of room."""
    from tapehead.tokens.estimate import tokens  # noqa: PLC0415  only for --json

    chosen, offered = _parts(text), _parts(everything)
    return [
        {
            "section": title,
            "tokens": tokens(chosen.get(title, "")),
            "items": _items(chosen.get(title, "")),
            "left_out": max(0, _items(offered.get(title, "")) - _items(chosen.get(title, ""))),
        }
        for title in dict.fromkeys((*chosen, *offered))
    ]


def _parts(text: str) -> dict[str, str]:
    """A brief by its headings; what stands above the first is its head."""
    head, *rest = f"\n{text}".split("\n## ")
    parts = {"head": head.removeprefix("\n")} if head.strip() else {}
    return {**parts, **{part.partition("\n")[0]: f"## {part}" for part in rest}}


def _items(part: str) -> int:
    return sum(line.startswith("- ") for line in part.splitlines())


def _print_json(text: str, everything: str, found: WorkRecord, budget: int) -> None:
    import json  # noqa: PLC0415  only for --json

    from tapehead.tokens.estimate import tokens  # noqa: PLC0415  only for --json

    about = {"session": found.session, "turns": found.turns, "branch": found.branch, "ended": found.ended}
    costs = {"budget": budget, "tokens": tokens(text), "sections": _sections(text, everything)}
    sys.stdout.write(json.dumps({**about, **costs, "text": text}) + "\n")
