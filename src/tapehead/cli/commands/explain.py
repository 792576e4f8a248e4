"""`tapehead explain`: how a commit, or a line, came about."""

from __future__ import annotations

import os
from typing import Any

import attrs
import click

from tapehead.attribution.blame import UNKNOWN, Blamed, repository_of
from tapehead.attribution.explanation import Explained, Part
from tapehead.attribution.explanation import explain as explained
from tapehead.attribution.line_prompt import Asked, asked_for
from tapehead.attribution.line_turns import asked_in
from tapehead.cli.branch_rows import show_range
from tapehead.cli.commands.blame import blame_file, here_of
from tapehead.cli.commit_rows import SHORT, as_data, rows
from tapehead.cli.here import Here, here
from tapehead.cli.output import Failure, console, print_hanging, show_json
from tapehead.cli.upkeep import attend
from tapehead.engine.git_setup import catch_up_here
from tapehead.git.run import GitFailed
from tapehead.history.turn_numbers import turn_numbers
from tapehead.text.plain import plain
from tapehead.text.redaction import redact

_PROMPT = 300


@attrs.frozen
class Line:
    """A line that was asked about, whose it is, and what it was asked for with."""

    file: str
    found: Blamed
    asked: Asked | None


@click.command()
@click.argument("what", metavar="[COMMIT | FILE:LINE | A..B]", default="HEAD")
@click.option("--branch", is_flag=True, help="Explain all that this branch adds to the main branch.")
@click.option("--brief", "with_brief", is_flag=True, help="Also print the state of the work at that commit.")
@click.option("--transcript", is_flag=True, help="Also print the transcript of these turns, redacted.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def explain(*, what: str, branch: bool, with_brief: bool, transcript: bool, as_json: bool) -> None:
    """Show which prompts led to a commit (default: HEAD).

    FILE:LINE means the commit that wrote this line. A range (A..B) or --branch shows how many lines each agent wrote.
    To see all turns that changed a file, use `tapehead why`.

    \b
    Examples:
      tapehead explain HEAD~3
      tapehead explain src/app.py:120
      tapehead explain main..feature
      tapehead explain --branch
      tapehead explain HEAD --json
    """
    file = what.rpartition(":")[0]
    at = here_of(file) if os.path.isfile(file) else here()
    attend(at.engine)
    catch_up_here(at.engine, at.place)
    if branch or ".." in what.strip("."):
        show_range(at, what, branch=branch, as_json=as_json)
        return
    line = _line(at, what)
    found = None
    if not line or line.found.commit:
        found = _explained(at, line.found.commit if line else what, with_transcript=transcript)
    if as_json:
        show_json({**_as_data(found), **({"line": _line_data(line)} if line else {})})
        return
    out = console()
    for row in (*(_line_rows(line) if line else ()), *(rows(found, with_brief=with_brief) if found else ())):
        print_hanging(out, row, 4)


def _line(at: Here, what: str) -> Line | None:
    """The line that was meant; None where it is no line."""
    file, _, number = what.rpartition(":")
    if not number.isdigit() or not os.path.isfile(file):
        return None
    blame, lines = blame_file(at.engine.layout, file)
    if not 0 < int(number) <= len(lines):
        raise Failure(f"{file} has {len(lines)} lines", "the first one is 1")
    found = lines[int(number) - 1]
    repository = repository_of(file)
    if not found.session or repository is None:
        return Line(file, found, None)
    asked = asked_for(at.engine.layout, repository, found.session, os.fsdecode(blame.path), found.text)
    if asked is None and (told := asked_in(blame.kept, found.checkpoints, blame.path, found.text)):
        asked = Asked(*told)  # written elsewhere: its checkpoint came along
    return Line(file, found, asked)


def _line_rows(line: Line) -> list[str]:
    otherwise = "not known who wrote it" if line.found.who == UNKNOWN else "no agent's"
    whose = f"written by an agent, session {line.found.session}" if line.found.session else otherwise
    where = f"commit {line.found.commit[:SHORT]}" if line.found.commit else "not committed"
    asked = line.asked
    told = [f"  asked in turn {asked.turn}: {_words(asked)[:_PROMPT]}".rstrip(": ")] if asked else []
    return [f"{line.file}:{line.found.number}: {plain(line.found.text)}", f"  {whose}, {where}", *told, ""]


def _words(asked: Asked) -> str:
    return " ".join(plain(redact(asked.prompt)).split())


def _explained(at: Here, wanted: str, *, with_transcript: bool) -> Explained:
    if at.place.repository is None:
        raise Failure("Not a git repository", "`cd` into one")
    try:
        found = explained(at.engine.layout, at.place.repository, wanted, with_transcript=with_transcript)
        return found._replace(parts=tuple(_renumbered(at, part) for part in found.parts))
    except GitFailed:
        hint = f"`tapehead explain {wanted}:LINE`" if os.path.isfile(wanted) else "`git log` lists them"
        raise Failure(f"No commit {wanted!r}", hint) from None


def _renumbered(at: Here, part: Part) -> Part:
    """With the turn numbers of all commands: a checkpoint has those that the tape counted."""
    one, numbers = part.checkpoint, turn_numbers(at.engine.layout, part.checkpoint.session)
    first, last = (numbers.of(turn) for turn in (one.first_turn, one.last_turn))
    taken = {str(numbers.of(int(turn))) if turn.isdecimal() else turn: each for turn, each in one.per_prompt.items()}
    return part._replace(checkpoint=attrs.evolve(one, first_turn=first, last_turn=last, per_prompt=taken))


def _as_data(found: Explained | None) -> dict[str, Any]:
    if found is None:
        return {"commit": "", "subject": "", "found_by": "", "derived": "", "missing": [], "lines": {}, "parts": []}
    parts = [_part_data(part) for part in found.parts]
    named = {"commit": found.commit, "subject": found.subject, "found_by": found.found_by}
    derived = found.record.derived if found.record else ""
    return {**named, "derived": derived, "missing": list(found.absent), "lines": as_data(found.shares), "parts": parts}


def _part_data(part: Part) -> dict[str, Any]:
    shown = {"transcript_lines": part.transcript.splitlines()} if part.transcript else {}
    return {**attrs.asdict(part.checkpoint), "brief": part.brief, **shown}


def _line_data(line: Line) -> dict[str, Any]:
    asked = {"turn": line.asked.turn, "prompt": _words(line.asked)} if line.asked else None
    return {"file": line.file, **line.found._asdict(), "checkpoints": list(line.found.checkpoints), "asked": asked}
