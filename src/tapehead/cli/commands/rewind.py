"""`tapehead rewind`: the files as they were after a turn, and back."""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import attrs
import click

from tapehead.cli.here import Here, here
from tapehead.cli.output import Failure, console, show_json, show_note
from tapehead.cli.rewind_points import before_call, list_points, points
from tapehead.cli.session_choice import choose_recorded, is_here
from tapehead.engine.chores import remember
from tapehead.git.run import GitFailed
from tapehead.git.trees import Busy
from tapehead.history.database import Unusable
from tapehead.rewind.file_writer import Impossible
from tapehead.rewind.rewind import Refused, Rewind, TurnMade, rewind_of
from tapehead.store import tape
from tapehead.store.sessions import Unreadable
from tapehead.text.plain import plain, row
from tapehead.text.redaction import redact
from tapehead.text.wording import count, when

if TYPE_CHECKING:
    from tapehead.rewind.file_writer import Plan
    from tapehead.store.state import State

_SHOWN = 6
_PROMPT = 60
_BACK = {False: "undo", True: "redo"}


@click.command()
@click.option("--session", metavar="ID", help="Session id, or its beginning. Default: the newest in this worktree.")
@click.option(
    "--to",
    "turn",
    metavar="TURN",
    help="Put the files back to the end of this turn. 0: before the first turn.",
)
@click.option(
    "--calls",
    metavar="TURN",
    help="List the tool calls of this turn, with numbers for --before.",
)
@click.option("--before", "call", metavar="CALL", help="Put the files back to before this call, such as 3.2.")
@click.option("--undo", is_flag=True, help="Undo the last rewind. Repeat it to undo the one before.")
@click.option("--redo", is_flag=True, help="Redo the rewind that you undid.")
@click.option("--force", is_flag=True, help="Overwrite your own uncommitted changes too. `--undo` brings them back.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def rewind(  # noqa: PLR0913 - one for each option
    *,
    session: str | None,
    turn: str | None,
    calls: str | None,
    call: str | None,
    undo: bool,
    redo: bool,
    force: bool,
    as_json: bool,
) -> None:
    """List what each turn changed, or put files back.

    Only files change. The conversation stays as it is.

    \b
    Examples:
      tapehead rewind
      tapehead rewind --to 3
      tapehead rewind --calls 3
      tapehead rewind --before 3.2
      tapehead rewind --undo
    """
    given = {"--to": bool(turn), "--calls": calls is not None, "--before": bool(call)}
    asked = [name for name, is_given in {**given, "--undo": undo, "--redo": redo}.items() if is_given]
    if len(asked) > 1:
        raise Failure(f"{' and '.join(asked)} cannot go together", "one after the other")
    if force and (not asked or calls is not None):
        raise Failure("--force alone does nothing", "`tapehead rewind --to TURN --force`")
    at = here()
    state = _chosen(at, session)
    with suppress(Unusable, Unreadable, OSError):  # then the numbers are the tape's own
        remember(at.engine, state.session_id)
    found = rewind_of(at.engine.layout, state)
    if found is None:
        raise Failure("This session worked outside git", "rewind needs git")
    try:
        if calls is not None:
            list_points(points(found, _made(found, calls)), as_json=as_json)
        elif asked:
            plan, made = _carried_out(at, found, turn or "", call or "", redo=redo, force=force)
            _answer(at, state.session_id, plan, asked[0].strip("-"), made, call=call or "", as_json=as_json)
        else:
            _list(found, as_json=as_json)
    except (GitFailed, Busy) as error:
        raise Failure(f"git failed: {error}", "`tapehead rewind --undo` restores the files from before") from None
    except Impossible as error:
        named = ", ".join(os.fsdecode(path) for path in error.files[:_SHOWN])
        raise Failure(
            f"nothing was changed: {error}{': ' if named else ''}{named}", "correct that, then try again"
        ) from None
    except OSError as error:
        raise Failure(f"nothing was changed: {error}", "correct that, then try again") from None
    except Refused as error:
        names = f": {', '.join(error.files[:_SHOWN])}" if error.files else ""
        back = f"`--{_BACK[undo]}` restores them"
        raise Failure(f"{error}{names}", f"commit or stash them, or `--force`; {back}") from None


def _chosen(at: Here, wanted: str | None) -> State:
    """The session that was meant, if it worked here: another worktree's files are not this one's."""
    state = choose_recorded(at, wanted)
    if not is_here(at, state):
        raise Failure(f"this session worked in {state.worktree_path}", f"`cd {state.worktree_path}` first")
    return state


def _made(found: Rewind, turn: str) -> TurnMade:
    """The turn that was meant; by its bare number, the last of several of that number."""
    turns = found.turns()
    meant = [made for made in turns if made.name == turn] or [made for made in turns if str(made.turn) == turn]
    if not meant:
        raise Failure(f"Turn {turn} has no snapshot", "`tapehead rewind` lists the turns that have one")
    return meant[-1]


def _carried_out(  # noqa: PLR0913 - as it was asked
    at: Here, found: Rewind, turn: str, call: str, *, redo: bool, force: bool
) -> tuple[Plan, int | None]:
    """What was done, and the turn that was gone back to."""
    if call:
        made = _made(found, call.rpartition(".")[0])
        target, point = before_call(found, made, call)
        plan = found.to_known(target, *_stamp(at), force=force)
        return attrs.evolve(plan, left=(*plan.left, *point.unrecorded)), made.turn
    if turn:
        made = _made(found, turn)
        return found.to(made.mark, *_stamp(at), force=force), made.turn
    return _back(at, found, redo=redo, force=force), None


def _back(at: Here, found: Rewind, *, redo: bool, force: bool) -> Plan:
    step = found.redo if redo else found.undo
    plan = step(*_stamp(at), force=force)
    if plan is None:
        raise Failure(f"There is no {'undo' if redo else 'rewind'} to revert", "`tapehead rewind` lists the turns")
    return plan


def _stamp(at: Here) -> tuple[str, int]:
    now = at.engine.clock_ns()
    return tape.stamp(now, os.getpid()), now // 1_000_000_000


def _answer(  # noqa: PLR0913 - as it was asked
    at: Here, session_id: str, plan: Plan, how: str, turn: int | None, *, as_json: bool, call: str = ""
) -> None:
    files = [os.fsdecode(path) for path in plan.files]
    left = [os.fsdecode(path) for path in plan.left]
    if files:
        at.engine.rewound(session_id, turn, files, redone=how == "redo", before=call)
        at.engine.settle(session_id)
    if as_json:
        before = {"before": call} if call else {}
        show_json({"session": session_id, "turn": turn, **before, "files": files, "left": left})
        return
    back = f"; `tapehead rewind --{_BACK[how == 'undo']}` takes that back"
    console().print(f"{count(len(files), 'file')} put back{back}" if files else "The files are already like that.")
    if left:
        names = ", ".join(left[:_SHOWN]) + (" …" if len(left) > _SHOWN else "")
        show_note(f"not restored (ignored by git, or too large): {names}")


def _list(found: Rewind, *, as_json: bool) -> None:
    turns = found.turns()
    now = found.now() if turns else ""
    if as_json:
        show_json([_as_data(made, now) for made in turns])
        return
    out = console()
    if not turns:
        out.print("No turn of this session has a snapshot.")
    for made in turns:
        what = "before the first turn" if not made.files and made is turns[0] else count(len(made.files), "file")
        names = ", ".join(made.files[:_SHOWN]) + (" …" if len(made.files) > _SHOWN else "")
        here_now = " <- current files" if made.work == now else ""
        told = row(f"{made.name:>4}  {when(_utc(made.at))}  {what}{': ' if names else ''}{names}{here_now}")
        out.print(told, soft_wrap=True)
        if made.prompt:
            out.print(f"      asked: {_asked(made, _PROMPT)}", soft_wrap=True)


def _asked(made: TurnMade, most: int | None = None) -> str:
    text = " ".join(plain(redact(made.prompt)).split())
    return text if most is None or len(text) <= most else text[: most - 1] + "…"


def _as_data(made: TurnMade, now: str) -> dict[str, Any]:
    return {
        "turn": made.turn,
        "to": made.name,
        "at": _utc(made.at).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "files": list(made.files),
        "prompt": _asked(made),
        "now": made.work == now,
    }


def _utc(at: int) -> datetime:
    return datetime.fromtimestamp(at, UTC)
