"""`tapehead watch`: sessions of agents whose hooks do not run, from their transcripts alone."""

from __future__ import annotations

import json
import os
import sys
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from tapehead.agents.readers import RECORDS
from tapehead.cli.output import Failure, show_note
from tapehead.cli.watched_records import WatchedRecords
from tapehead.engine.background import start
from tapehead.settings.setting_values import Wrong, seconds
from tapehead.statemachine.vocabulary import Event

if TYPE_CHECKING:
    from tapehead.engine.record_watch import News

_PAUSE = 1.0
_WORDS = {
    Event.SESSION_START: "followed from here on",
    Event.TURN_START: "turn began",
    Event.TURN_END: "turn ended",
    Event.PROCESS_LOST: "agent is gone",
    Event.COMPACTED: "compacted: `tapehead brief --session {}` prints what to paste",
}


@click.command()
@click.argument("transcripts", nargs=-1, type=click.Path(exists=True))
@click.option("--agent", type=click.Choice(sorted(RECORDS)), help="Record only this agent.")
@click.option("--for", "length", metavar="DURATION", help="Stop after this long, such as 30m. Default: at Ctrl-C.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
def watch(*, transcripts: tuple[str, ...], agent: str | None, length: str | None, as_json: bool) -> None:
    """Record agents that have no hooks, from their transcripts.

    It follows every transcript that an agent writes to, until you stop it. With TRANSCRIPTS, it follows only these.
    It records what hooks would record. Sessions with hooks are left alone.

    An agent without hooks gets no brief by itself. After a compaction, give it the output of `tapehead brief`.

    \b
    Examples:
      tapehead watch
      tapehead watch --agent cursor
      tapehead watch --for 8h --json
    """
    ends = time.monotonic() + _length(length)
    records = WatchedRecords(
        transcripts, agent or "", os.environ, lambda layout, session: start(layout, session, os.environ)
    )
    show_note("waiting for an agent to write to its transcript; Ctrl-C stops it")
    try:
        while True:
            for news in records.look(time.monotonic()):
                _show(news, as_json=as_json)
            left = ends - time.monotonic()
            if left <= 0:
                return
            time.sleep(min(_PAUSE, left))
    except KeyboardInterrupt:
        return


def _length(text: str | None) -> float:
    if text is None:
        return float("inf")
    try:
        return seconds(text)
    except Wrong as error:
        raise Failure(f"Can't parse {text!r} as a duration", "try 30m or 8h") from error


def _show(news: News, *, as_json: bool) -> None:
    now = datetime.now(UTC)
    if as_json:
        told = {"at": now.isoformat(), "session": news.session, "agent": news.agent, "event": news.event.value}
        sys.stdout.write(json.dumps(told) + "\n")
    elif words := _WORDS.get(news.event):
        click.echo(f"{now.astimezone():%H:%M:%S}  {news.agent}  {news.session[:8]}  {words.format(news.session[:8])}")
    sys.stdout.flush()  # whoever reads it from a pipe waits for it
