"""`tapehead log`: what happened in a session, or the tape with what the machine made of each line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from rich.text import Text

from tapehead.actions.fold import Move, replay
from tapehead.cli.adoption import lines_of_transcript
from tapehead.cli.completion_values import session_ids
from tapehead.cli.here import here
from tapehead.cli.note_words import describe_note
from tapehead.cli.output import console, print_hanging, show_json
from tapehead.cli.session_choice import choose
from tapehead.cli.tape_story import Entry, entries
from tapehead.cli.upkeep import gc_if_due
from tapehead.history.turn_numbers import turn_numbers
from tapehead.store import injections as handed
from tapehead.store.line import damage, readable
from tapehead.text import redacted_excerpt
from tapehead.text.plain import row
from tapehead.text.wording import clock, lasting, local, quote_words, short_ids, when

if TYPE_CHECKING:
    from tapehead.cli.here import Here
    from tapehead.store.line import Line

_SHORT = 100
_INDENT = " " * 8
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
    help="Session id, or its beginning. Default: the newest in this worktree.",
)
@click.option("-n", "--last", type=click.IntRange(min=1), metavar="N", help="Show only the last N lines.")
@click.option("--injections", is_flag=True, help="Show what agents got at each start, in all sessions, and why.")
@click.option("--raw", is_flag=True, help="Print the record as it is saved, line by line.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one object per recorded line.")
def log(*, session: str | None, last: int | None, injections: bool, raw: bool, as_json: bool) -> None:
    """Show what happened in a session, oldest first.

    Times are local.

    \b
    Examples:
      tapehead log
      tapehead log --session 3f2a --last 20
      tapehead log --raw
      tapehead log --injections
      tapehead log --json | jq 'map(select(.event)) | .[].to'
    """
    at = here()
    if injections:
        _show_injections(at, session, last, as_json=as_json)
        return
    state = choose(at, session)
    session_id = state.session_id
    recorded = session_id in at.engine.store.list()
    lines = at.engine.store.lines(session_id)[0] if recorded else lines_of_transcript(state)
    gc_if_due(at.engine, at.now)
    moves = list(replay(session_id, readable(lines)))
    if as_json:
        show_json([as_data(move) for move in _newest(moves, last)])
    elif raw:
        _show_raw(session_id, _newest(moves, last))
    else:
        numbers = turn_numbers(at.engine.layout, session_id).of_tape if recorded else {}
        _show_timeline(at, session_id, entries(moves, numbers), last)
    for place, reason in [] if as_json else damage(lines):
        console().print(row(f"line {place} is damaged and was skipped: {reason}"), style="red")


def _newest(found: list[Any], last: int | None) -> list[Any]:
    return found[-last:] if last else found


def _show_raw(session_id: str, moves: list[Move]) -> None:
    out = console()
    out.print(f"session {session_id}", style="bold")
    for move in moves:
        out.print(*map(row, _told(move)), sep="  ", style="dim" if move.line.event is None else None)


def _show_timeline(at: Here, session_id: str, told: list[Entry], last: int | None) -> None:
    """By day; the day's line has the zone, so that the times below it cannot be mistaken."""
    out = console()
    out.print(f"Session {short_ids({*at.engine.store.list(), session_id})[session_id]}", style="bold")
    day = ""
    for entry in _newest(told, last):
        here_and_now = local(entry.at)
        today = here_and_now.strftime("%Y-%m-%d, times %z") if here_and_now else ""
        if today != day:
            out.print(day := today, style="bold")
        for number, line in enumerate(Text(row(entry.told)).wrap(out, out.width - len(_INDENT))):
            out.print(Text(_INDENT if number else f"  {clock(entry.at)} ").append_text(line))


def _show_injections(at: Here, session: str | None, last: int | None, *, as_json: bool) -> None:
    """What was handed to whom, by which rule, how old it was and what it cost."""
    found = [one for one in handed.newest(at.engine.layout) if str(one.get("to", "")).startswith(session or "")]
    if session and not found:
        choose(at, session)  # says so where there is no such session
    found = found[-last:] if last else found
    if as_json:
        show_json(found)
        return
    out = console()
    for one in found:
        print_hanging(out, _injected(one), 2)
    if not found:
        out.print("No brief was given here yet.")


def _injected(one: dict[str, Any]) -> str:
    """What a start was told, or that it was told nothing, and why."""
    amount = str(one.get("amount") or ("full" if one.get("whole") else "pointer"))
    tokens = one.get("tokens") or 0
    what = {"full": "brief", "pointer": "pointer"}.get(amount, amount) if tokens else "nothing"
    parts = [f"{what}, {tokens} tokens" if tokens else what]
    parts += [str(one["why"])] if one.get("why") else []
    parts += [f"from session {str(one.get('session'))[:8]}"] if tokens and one.get("session") != one.get("to") else []
    parts += [f"{lasting(float(one['age_seconds']))} old"] if tokens and one.get("age_seconds") is not None else []
    parts += ["with a memo"] if one.get("memo") else []
    return f"{when(str(one.get('at')))}  {str(one.get('to'))[:8]}  {one.get('source') or '-'}: {'; '.join(parts)}"


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
        "data": redacted_excerpt.data(line.data),
    }


def _told(move: Move) -> list[str]:
    line = move.line
    time = line.at.strftime("%Y-%m-%dT%H:%M:%SZ")  # as it stands on the tape
    if line.event is None:
        return [time, f"  · {line.note:<16}", _detail(line)]
    moved = move.was.name if move.was is move.state.phase else f"{move.was.name} -> {move.state.phase.name}"
    facts = f"[{', '.join(sorted(fact.name for fact in line.facts))}]" if line.facts else ""
    actions = ", ".join(action.name for action in move.actions)
    return [time, f"{line.event.name:<14}", f"{moved:<24}", " ".join(filter(None, (facts, actions, _detail(line))))]


def _detail(line: Line) -> str:
    told = [f"{name}={_value(line.data[name])}" for name in _TOLD if line.data.get(name) not in (None, "")]
    prompt = line.text("prompt")
    told += [quote_words(redacted_excerpt.first(prompt, 60))] if prompt else []
    told += describe_note(line)
    return " ".join(told)[:_SHORT] if told else ""


def _value(value: object) -> str:
    return redacted_excerpt.first(str(value), _SHORT)
