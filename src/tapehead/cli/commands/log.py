"""`tapehead log`: the tape, with what the machine made of each line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tapehead.actions.fold import Move, replay
from tapehead.cli.attend import gc_if_due
from tapehead.cli.completing import session_ids
from tapehead.cli.here import here, pick
from tapehead.cli.noted import noted
from tapehead.cli.output import console, show_json
from tapehead.cli.telling import spell, when
from tapehead.store import injections as handed
from tapehead.store.line import damage, readable
from tapehead.text import veil

if TYPE_CHECKING:
    from tapehead.cli.here import Here
    from tapehead.store.line import Line

_SHORT = 100
_TOLD = (
    "source",
    "reason",
    "trigger",
    "rule",
    "predecessor",
    "action",
    "characters",
    "tokens",
    "brief_tokens",
    "delivery",
    "whole",
    "place",
    "hook",
    "error",
    "agent_type",
)
"""Fields of a line that say most about it, in this order."""


@click.command()
@click.option(
    "--session",
    metavar="ID",
    shell_complete=session_ids,
    help="Which session (or how its id begins); the newest otherwise.",
)
@click.option("-n", "--last", type=click.IntRange(min=1), metavar="N", help="Only the last N lines.")
@click.option("--injections", is_flag=True, help="Every text that was handed to a model, over all sessions, instead.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, one object a line of the tape.")
def log(*, session: str | None, last: int | None, injections: bool, as_json: bool) -> None:
    """Print a session's tape: what happened, and how the machine moved.

    \b
    Examples:
      tapehead log
      tapehead log --session 3f2a --last 20
      tapehead log --injections
      tapehead log --json | jq 'map(select(.event)) | .[].to'
    """
    at = here()
    if injections:
        _show_injections(at, session, last, as_json=as_json)
        return
    session_id = pick(at, session)
    raw, _ = at.engine.store.lines(session_id)
    gc_if_due(at.engine, at.now)
    moves = list(replay(session_id, readable(raw)))
    shown = moves[-last:] if last else moves
    if as_json:
        show_json([as_data(move) for move in shown])
        return
    out = console()
    out.print(f"session {session_id}", style="bold")
    for move in shown:
        out.print(*_told(move), sep="  ", style="dim" if move.line.event is None else None)
    for place, reason in damage(raw):
        out.print(f"line {place} is damaged and was passed over: {reason}", style="red")


def _show_injections(at: Here, session: str | None, last: int | None, *, as_json: bool) -> None:
    """What was handed to whom, by which rule, how old it was and what it cost."""
    found = [one for one in handed.newest(at.engine.layout) if str(one.get("to", "")).startswith(session or "")]
    if session and not found:
        pick(at, session)  # says so where there is no such session
    found = found[-last:] if last else found
    if as_json:
        show_json(found)
        return
    out = console()
    for one in found:
        rule = f"rule {one['rule']}" if one.get("rule") else "its own"
        age = f", {spell(float(one['age_seconds']))} old" if one.get("age_seconds") is not None else ""
        what = ("whole" if one.get("whole") else "a pointer") + (" with a memo" if one.get("memo") else "")
        out.print(
            f"{one.get('at')}  {one.get('to')}  {one.get('source') or '-'}: {what}, {rule}, of {one.get('session')}{age}, {one.get('tokens')} tokens"
        )
    if not found:
        out.print("Nothing was handed to a model here yet.")


def as_data(move: Move) -> dict[str, Any]:
    """A move for programs."""
    line = move.line
    return {
        "id": line.id,
        "at": line.at.isoformat(),
        "host": line.host,
        "event": line.event.value if line.event else None,
        "note": line.note if line.event is None else None,
        "of": line.of or None,
        "facts": sorted(fact.value for fact in line.facts),
        "from": move.was.value,
        "to": move.state.phase.value,
        "actions": [action.value for action in move.actions],
        "data": veil.data(line.data),
    }


def _told(move: Move) -> list[str]:
    line = move.line
    time = when(line.at)
    if line.event is None:
        return [time, f"  · {line.note:<16}", _detail(line)]
    moved = move.was.name if move.was is move.state.phase else f"{move.was.name} -> {move.state.phase.name}"
    facts = f"[{', '.join(sorted(fact.name for fact in line.facts))}]" if line.facts else ""
    actions = ", ".join(action.name for action in move.actions)
    return [time, f"{line.event.name:<14}", f"{moved:<24}", " ".join(filter(None, (facts, actions, _detail(line))))]


def _detail(line: Line) -> str:
    told = [f"{name}={_value(line.data[name])}" for name in _TOLD if line.data.get(name) not in (None, "")]
    prompt = line.text("prompt")
    told += [repr(veil.first(prompt, 60))] if prompt else []
    told += noted(line)
    return " ".join(told)[:_SHORT] if told else ""


def _value(value: object) -> str:
    return veil.first(str(value), _SHORT)
