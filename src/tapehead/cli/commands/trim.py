"""`tapehead trim`: fewer turns in a Codex thread, in the same thread."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from tapehead.agents.trims import WENT_ON, Refused, Trims
from tapehead.cli.completion_values import session_ids
from tapehead.cli.here import here
from tapehead.cli.output import Failure, console, show_json
from tapehead.cli.trim_plan import Planned, carry_out, plan_trim, undo
from tapehead.engine.store_location import state_home
from tapehead.text.wording import when

if TYPE_CHECKING:
    from rich.console import Console

_DEFAULT = 20


@click.command()
@click.argument("session", metavar="[SESSION]", default="", shell_complete=session_ids)
@click.option(
    "--keep", type=click.IntRange(min=1), default=_DEFAULT, show_default=True, help="Number of newest turns that stay."
)
@click.option("--apply", "applies", is_flag=True, help="Replace the old turns.")
@click.option("--undo", "undoes", is_flag=True, help="Put the original back.")
@click.option("--force", is_flag=True, help="With --undo: undo even if the thread went on. Both versions are kept.")
@click.option("--let-go", "lets_go", is_flag=True, help="Delete the kept original.")
@click.option("--note", "shows_note", is_flag=True, help="Also print the brief that replaces the turns.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def trim(  # noqa: PLR0913 - one for each option
    *, session: str, keep: int, applies: bool, undoes: bool, force: bool, lets_go: bool, shows_note: bool, as_json: bool
) -> None:
    """Shorten a Codex thread: a brief replaces old turns.

    Codex calls a session a thread. Without options, this shows what would go and what would stay. Close the thread
    in Codex, then use `--apply`. The original is kept until `--let-go`. tapehead changes no file that it does not
    fully understand.

    \b
    Examples:
      tapehead trim
      tapehead trim 01a1ed90 --keep 40 --apply
      tapehead trim 01a1ed90 --undo
    """
    asked = [word for word, given in (("--apply", applies), ("--undo", undoes), ("--let-go", lets_go)) if given]
    if len(asked) > 1:
        raise Failure(f"{asked[0]} and {asked[1]} exclude each other", "one at a time")
    trims = Trims(state_home(os.environ))
    if undoes or lets_go:
        _answer(_ended(trims, session, undoes=undoes, force=force), as_json=as_json)
        return
    found = plan_trim(here(), session, keep)
    if applies and found.refused:
        raise Failure(f"Not trimmed: {found.refused}", "nothing was changed")
    if applies:
        try:
            carry_out(trims, found)
        except Refused as error:
            raise Failure(f"Not trimmed: {error}", "nothing was changed") from None
    if as_json:
        show_json({**_as_data(found), "applied": applies})
    else:
        _show(console(), found, applies=applies, shows_note=shows_note)
    if found.refused:
        raise SystemExit(1)


def _ended(trims: Trims, session: str, *, undoes: bool, force: bool) -> dict[str, Any]:
    """Undoes a trim, or lets go of its original."""
    kept = [each for each in trims.records() if str(each["thread"]).startswith(session)]
    if len(kept) != 1:
        names = ", ".join(str(each["thread"])[:13] for each in kept)
        raise Failure(
            f"{len(kept)} trimmed threads are kept: {names}" if kept else "No original of a trimmed thread is kept",
            "name one of them" if kept else "",
        )
    [record] = kept
    if not undoes:
        trims.let_go(str(record["thread"]))
        return {"thread": record["thread"], "done": "let go"}
    try:
        stood = undo(trims, record, force=force)
    except Refused as error:
        hint = (
            "--force puts the original back all the same, and keeps the newer one beside it"
            if trims.state(record) == WENT_ON
            else ""
        )
        raise Failure(f"Not undone: {error}", hint) from None
    return {"thread": record["thread"], "done": "undone", "stood": stood, "path": record["path"]}


def _answer(told: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        show_json(told)
    elif told["done"] == "undone":
        console().print(f"the rollout of {told['thread']} is as it was before the trim", soft_wrap=True)
    else:
        console().print(f"the original of {told['thread']} is deleted")


def _as_data(found: Planned) -> dict[str, Any]:
    plan = found.plan._asdict() if found.plan else {}
    plan.pop("kept", None)
    return {
        "session": found.session,
        "path": found.path,
        "refused": found.refused or None,
        "note": found.note,
        "checks": found.checks,
        **plan,
    }


def _show(out: Console, found: Planned, *, applies: bool, shows_note: bool) -> None:
    wrap = not out.is_terminal
    out.print(f"thread {found.session}", soft_wrap=wrap)
    for name, told in found.checks.items():
        out.print(f"  {name}: {told}", soft_wrap=wrap)
    if found.refused:
        out.print(f"  can't be trimmed: {found.refused}", style="bold red", soft_wrap=wrap)
        return
    plan = found.plan
    if plan is None:
        return
    words = ("went", "stayed", "took", "takes") if applies else ("would go", "would stay", "takes", "would take")
    also = ", and what an earlier compaction left" if plan.compacted else ""
    out.print(f"  {words[0]}: {plan.goes} turns{also}; a brief of them is put in their place", soft_wrap=wrap)
    out.print(f"  {words[1]}: the newest {plan.stays} turns, as they are", soft_wrap=wrap)
    out.print(
        f"  the conversation {words[2]} about {plan.tokens_before:,} tokens, and {words[3]} about {plan.tokens_after:,}",
        soft_wrap=wrap,
    )
    if shows_note:
        out.print(found.note, markup=False, highlight=False, soft_wrap=True)
    if applies:
        out.print(
            f"trimmed at {when(found.at)}. `tapehead trim {found.session[:13]} --undo` takes it back, `--let-go` deletes the original",
            soft_wrap=wrap,
        )
    else:
        out.print(
            f"nothing was changed. `tapehead trim {found.session[:13]} --keep {plan.stays} --apply` does it",
            soft_wrap=wrap,
        )
