"""`tapehead explain`: how a commit, or a line, came about."""

from __future__ import annotations

import os
from typing import Any

import attrs
import click

from tapehead.actions.explaining import Explained, Part
from tapehead.actions.explaining import explain as explained
from tapehead.cli.attend import attend
from tapehead.cli.commands.blame import blamed
from tapehead.cli.git_setup import catch_up_here
from tapehead.cli.here import Here, here
from tapehead.cli.output import Failure, console, show_json
from tapehead.git.run import GitFailed

_SHORT = 10
_PROMPT = 300


@click.command()
@click.argument("what", metavar="COMMIT | FILE:LINE", default="HEAD")
@click.option("--brief", "with_brief", is_flag=True, help="The account of the work as it stood then, too.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def explain(*, what: str, with_brief: bool, as_json: bool) -> None:
    """Tell how a commit came about: session, prompts, whose lines, and what the work was then.

    \b
    Examples:
      tapehead explain HEAD~3
      tapehead explain src/app.py:120
      tapehead explain HEAD --json
    """
    at = here()
    attend(at.engine)
    catch_up_here(at)
    found = _explained(at, _commit(at, what))
    if as_json:
        show_json(_as_data(found))
        return
    _show(found, with_brief=with_brief)


def _commit(at: Here, what: str) -> str:
    """The commit that was meant: of a line, the one that brought it."""
    file, _, line = what.rpartition(":")
    if not line.isdigit() or not os.path.isfile(file):
        return what
    lines = blamed(at.engine.layout, file)
    if not 0 < int(line) <= len(lines):
        raise Failure(f"{file} has {len(lines)} lines", "the first one is 1")
    commit = lines[int(line) - 1].commit
    if not commit.strip("0"):
        raise Failure(f"line {line} of {file} is not committed", "`tapehead blame` says whose it is")
    return commit


def _explained(at: Here, wanted: str) -> Explained:
    if at.place.repository is None:
        raise Failure("this is no git repository", "`cd` into one")
    try:
        return explained(at.engine.layout, at.place.repository, wanted)
    except GitFailed:
        raise Failure(f"git knows no commit {wanted!r}", "`git log` lists them") from None


def _as_data(found: Explained) -> dict[str, Any]:
    parts = [{**attrs.asdict(part.checkpoint), "brief": part.brief} for part in found.parts]
    return {"commit": found.commit, "subject": found.subject, "found_by": found.found_by, "parts": parts}


def _show(found: Explained, *, with_brief: bool) -> None:
    out = console()
    out.print(f"{found.commit[:_SHORT]} {found.subject}")
    if not found.parts:
        out.print("No checkpoint: no agent had a part in it, or it was made where tapehead was not.")
    for part in found.parts:
        for row in _rows(part):
            out.print(row, soft_wrap=True)
        if with_brief and part.brief:
            out.print("\n" + part.brief.rstrip(), soft_wrap=True)


def _rows(part: Part) -> list[str]:
    one = part.checkpoint
    lines = one.attribution
    by_agents, by_human = lines.get("agent_added", 0), lines.get("human_added", 0)
    share = round(100 * by_agents / (by_agents + by_human)) if by_agents + by_human else 0
    return [
        "",
        f"checkpoint {one.id}, session {one.session} ({one.agent or 'unknown agent'} {one.model})".rstrip(),
        f"  turns {one.first_turn} to {one.last_turn}, {one.created_at}, compactions before it: {one.compactions}",
        (
            f"  lines: {by_agents} by agents ({share} %; {lines.get('session_added', 0)} by this session), {by_human} by the human,"
            f" {lines.get('removed', 0)} removed"
        ),
        *([f"  once called {', '.join(name[:_SHORT] for name in one.former_commits)}"] if one.former_commits else []),
        *(f"  asked: {' '.join(prompt.split())[:_PROMPT]}" for prompt in one.prompts),
        *(f"  decided: {text[:_PROMPT]}" for text in one.decisions),
        *(f"  tried: {text[:_PROMPT]}" for text in one.tried),
        *(f"  {_prompt(turn, taken)}" for turn, taken in one.per_prompt.items() if isinstance(taken, dict)),
        *(f"  {_file(name, counts)}" for name, counts in one.per_file.items()),
        *([f"  masked: {sum(one.masked.values())}"] if one.masked else []),
    ]


def _prompt(turn: str, taken: dict[str, Any]) -> str:
    """What had changed when a turn's prompt came."""
    human, agents = (f"+{taken.get(f'{who}_added', 0)} -{taken.get(f'{who}_removed', 0)}" for who in ("user", "agent"))
    return f"before turn {turn}: {human} by the human since the last checkpoint, {agents} by agents so far"


def _file(name: str, counts: dict[str, int]) -> str:
    return f"{name}: +{counts.get('added', 0)} ({counts.get('agent', 0)} by agents) -{counts.get('removed', 0)}"
