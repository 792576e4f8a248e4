"""`tapehead losses`: what a compaction lost, what was handed back, and where the rest is."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

import click
from rich.padding import Padding
from rich.text import Text

from tapehead.agents.readers import agent_of_file, deliveries_of, reader_of
from tapehead.brief.losses import ARCHIVE, HANDED, SUMMARY, UNKNOWN, Item, handed_at, handed_in, items
from tapehead.cli.completion_values import session_ids
from tapehead.cli.here import here
from tapehead.cli.output import Failure, console, show_json
from tapehead.cli.session_choice import choose
from tapehead.store import captures
from tapehead.text.fence import shorten
from tapehead.text.plain import row
from tapehead.text.wording import count, short_ids, when
from tapehead.transcript.compactions import Compaction, compactions
from tapehead.work_record.work_record import gather_work

_SHOWN = 12
_SHOWN_AS = {"ask": "prompt"}
"""Kinds whose word in `--json` is not the one that users know."""


@click.command()
@click.option(
    "--session",
    metavar="ID",
    shell_complete=session_ids,
    help="Session id, or its beginning. Default: the newest in this worktree.",
)
@click.option("--transcript", metavar="FILE", type=click.Path(), help="Use this transcript instead of a session.")
@click.option("--all", "every", is_flag=True, help="Every compaction, not only the last.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with every item.")
def losses(*, session: str | None, transcript: str | None, every: bool, as_json: bool) -> None:
    """Show what a compaction lost, and what came back.

    \b
    Examples:
      tapehead losses
      tapehead losses --all --json
      tapehead losses --transcript ~/.claude/projects/x/y.jsonl
    """
    path, rest, begun, last = (
        (transcript, f"tapehead brief --full --transcript {transcript}", True, "")
        if transcript
        else _of_session(session)
    )
    if not begun:
        _tell_nothing(as_json=as_json)
        return
    agent = (agent_of_file(path) if os.path.isfile(path) else None) or "claude"
    reader, record = reader_of(agent), deliveries_of(agent)
    if reader is None or not os.path.isfile(path):
        what = f"No transcript at {path!r}" if path else "No transcript known for this session"
        raise Failure(what, "name one with `--transcript FILE`")
    turns = reader.read(path).turns
    if transcript and not turns:
        raise Failure(f"No work found in {transcript}", "a transcript has one JSON object per line")
    found = compactions(turns)
    received = record.received(path) if record else None
    handed = handed_in(received or ()) or handed_in((last,))
    told = [
        _told(compaction, handed_at(compaction, len(found), handed) or (None if received is None else ""))
        for compaction in (found if every else found[-1:])
    ]
    if not told:
        _tell_nothing(as_json=as_json)
    elif as_json:
        show_json([_as_data(compaction, lost) for compaction, lost in told])
    for compaction, lost in [] if as_json else told:
        _show(compaction, lost, rest)


def _tell_nothing(*, as_json: bool) -> None:
    if as_json:
        show_json([])
    else:
        console().print("No compaction in this session's transcript: nothing was lost.")


def _of_session(session: str | None) -> tuple[str, str, bool, str]:
    """Its transcript, the command that shows all of it, whether there is anything in it yet (after a /clear there is not), and what it was handed last."""
    at = here()
    state = choose(at, session)
    begun = bool(state.turn_number or state.compaction_count) or os.path.isfile(state.transcript_path)
    name = short_ids({*at.engine.store.list(), state.session_id})[state.session_id]
    handed = captures.read_handed(at.engine.layout, state.session_id) if state.delivery != "missing" else ""
    return state.transcript_path, f"tapehead brief --full --session {name}", begun, handed


def _told(compaction: Compaction, handed: str | None) -> tuple[Compaction, tuple[Item, ...]]:
    return compaction, items(gather_work(compaction.before), compaction.summary, handed)


def _as_data(compaction: Compaction, lost: tuple[Item, ...]) -> dict[str, Any]:
    listed = [{"kind": item.kind, "text": item.text, "turn": item.turn, "where": item.where} for item in lost]
    return {"compaction": compaction.number, "at": compaction.at, "items": listed}


def _show(compaction: Compaction, lost: tuple[Item, ...], rest: str) -> None:
    out = console()
    out.print(
        f"Compaction {compaction.number}, {when(compaction.at) if compaction.at else 'time unknown'}", style="bold"
    )
    kinds = dict.fromkeys(item.kind for item in lost)
    is_unknown = any(item.where == UNKNOWN for item in lost)
    for kind in kinds:
        where = Counter(item.where for item in lost if item.kind == kind)
        back = "" if is_unknown else f"{where[HANDED]:>3} handed back, "
        gone_there = where[ARCHIVE] + where[UNKNOWN]
        out.print(
            f"  {count(sum(where.values()), _SHOWN_AS.get(kind, kind)):<14} {where[SUMMARY]:>3} in the summary, {back}"
            f"{gone_there:>3} {'not in it' if is_unknown else 'only in the transcript'}"
        )
    if is_unknown:
        out.print("  What was handed back is not known: this transcript does not record it.", style="dim")
    gone = [item for item in lost if item.where in (ARCHIVE, UNKNOWN) and item.kind not in ("file", "command")]
    if gone:
        out.print(f"{'Not in the summary' if is_unknown else 'Only in the transcript'}, see `{rest}`:")
    for item in gone[-_SHOWN:]:
        told = Text(row(f"{_SHOWN_AS.get(item.kind, item.kind)}, turn {item.turn}: {shorten(item.text, 160)}"))
        out.print(Padding(told, (0, 0, 0, 2)) if out.is_terminal else Text("  ").append_text(told))
    if len(gone) > _SHOWN:
        out.print(f"  … and {len(gone) - _SHOWN} earlier ones")
