"""`tapehead rewind`: the files as they were after a turn, and back."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from tapehead.actions.rewinding import Refused, Rewind, TurnMade, rewind_of
from tapehead.cli.attend import attend
from tapehead.cli.here import Here, here, pick
from tapehead.cli.output import Failure, console, show_json
from tapehead.cli.telling import count
from tapehead.git.run import GitFailed
from tapehead.git.trees import Busy
from tapehead.store import tape

if TYPE_CHECKING:
    from tapehead.git.putting_back import Plan

_SHOWN = 6


@click.command()
@click.option("--session", metavar="ID", help="Which session (or how its id begins); the newest otherwise.")
@click.option(
    "--to",
    "turn",
    type=int,
    metavar="TURN",
    help="Put the files back to how this turn left them; 0 is before the first.",
)
@click.option("--undo", is_flag=True, help="Take the last rewind back.")
@click.option(
    "--force", is_flag=True, help="Also where uncommitted changes of your own go (`--undo` brings them back)."
)
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def rewind(*, session: str | None, turn: int | None, undo: bool, force: bool, as_json: bool) -> None:
    """List what each turn of a session changed, or put the files back to one of them. The conversation stays as it is.

    \b
    Examples:
      tapehead rewind
      tapehead rewind --to 3
      tapehead rewind --undo
    """
    at = here()
    session_id = pick(at, session)
    found = rewind_of(at.engine.layout, attend(at.engine)[session_id])
    if found is None:
        raise Failure("this session worked outside of git", "only what git records can be put back")
    try:
        if undo or turn is not None:
            _answer(at, session_id, _moved(at, found, turn, undo=undo, force=force), turn, as_json=as_json)
        else:
            _list(found.turns(), as_json=as_json)
    except (GitFailed, Busy) as error:
        raise Failure(f"git does not do it: {error}", "`tapehead rewind --undo` goes back to before") from None


def _moved(at: Here, found: Rewind, turn: int | None, *, undo: bool, force: bool) -> Plan:
    now = at.engine.clock_ns()
    line, seconds = tape.stamp(now, os.getpid()), now // 1_000_000_000
    if undo:
        plan = found.undo(line, seconds)
        if plan is None:
            raise Failure("there was no rewind to undo", "`tapehead rewind` lists the turns")
        return plan
    marks = {made.turn: made.mark for made in found.turns()}
    if turn not in marks:
        raise Failure(f"turn {turn} is not on record", "`tapehead rewind` lists the turns that are")
    try:
        return found.to(marks[turn], line, seconds, force=force)
    except Refused as error:
        names = f": {', '.join(error.files[:_SHOWN])}" if error.files else ""
        raise Failure(f"{error}{names}", "commit or stash them, or `--force`; `--undo` brings them back") from None


def _answer(at: Here, session_id: str, plan: Plan, turn: int | None, *, as_json: bool) -> None:
    files = [os.fsdecode(path) for path in plan.files]
    at.engine.rewound(session_id, turn, files)
    at.engine.settle(session_id)
    if as_json:
        show_json({"session": session_id, "turn": turn, "files": files})
    else:
        console().print(f"{count(len(files), 'file')} put back; `tapehead rewind --undo` undoes it")


def _list(turns: list[TurnMade], *, as_json: bool) -> None:
    if as_json:
        show_json([_as_data(made) for made in turns])
        return
    out = console()
    if not turns:
        out.print("No turn of this session is on record.")
    for made in turns:
        what = "before the first turn" if not made.files and made is turns[0] else count(len(made.files), "file")
        names = ", ".join(made.files[:_SHOWN]) + (" …" if len(made.files) > _SHOWN else "")
        out.print(f"{made.turn:>4}  {_when(made.at)}  {what}{': ' if names else ''}{names}", soft_wrap=True)


def _as_data(made: TurnMade) -> dict[str, Any]:
    return {"turn": made.turn, "at": _when(made.at), "files": list(made.files)}


def _when(at: int) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
