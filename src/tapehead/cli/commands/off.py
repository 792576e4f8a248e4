"""`tapehead off` and `tapehead on`: not in this repository, or not for a while."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from tapehead.agents.readers import reader_of
from tapehead.cli.columns import show_line
from tapehead.cli.here import Here, known, look_here
from tapehead.cli.off_period import as_data, told
from tapehead.cli.output import Failure, show_json, show_note
from tapehead.engine import commit_intake
from tapehead.engine.current_state import look_at_state
from tapehead.engine.engine import Engine
from tapehead.engine.store_location import make_home, state_home
from tapehead.engine.store_registry import register, unregister
from tapehead.settings.setting_values import Wrong, seconds
from tapehead.statemachine.vocabulary import Event
from tapehead.store import off_switch
from tapehead.store.paths import Layout

if TYPE_CHECKING:
    from tapehead.store.off_switch import Period
    from tapehead.store.state import State

_SECOND = 1_000_000_000


@click.command()
@click.option("--for", "length", metavar="DURATION", help="Only for this long, such as 30m or 2h. Default: until `on`.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def off(*, length: str | None, as_json: bool) -> None:
    """Turn tapehead off in this repository, for good or for a while.

    \b
    While it is off, in this repository and all its worktrees:
      - no session is recorded, no transcript is copied
      - agents get no text, and commit messages no `Tapehead-Checkpoint` line
      - no snapshot of your files is made, and nothing is pushed

    What was recorded before stays, and you can read it. Hooks and MCP tools stay installed.

    If a session goes on while tapehead is off, tapehead saves only its id, and does not read its transcript later.
    (`tapehead import` and `tapehead archive` read it if you run them.)

    \b
    Examples:
      tapehead off
      tapehead off --for 2h
      tapehead on
    """
    at = look_here()
    now = at.engine.clock_ns()
    until = now + int(_seconds(length) * _SECOND) if length is not None else 0
    former = off_switch.running(at.engine.layout, now)
    states = [] if former else _open_sessions(at)
    sessions = former.sessions if former else tuple(state.session_id for state in states)
    period = off_switch.Period(former.since if former else now, until, sessions)
    engine = _turn_off(at, period, [state.session_id for state in states if state.phase.is_working])
    if not former:
        for session_id in period.sessions:
            _tell_off(engine, session_id, until)
    _show(at, period, as_json=as_json)


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def on(*, as_json: bool) -> None:
    """Turn tapehead on again in this repository.

    Recording begins with the next prompt. What happened while it was off stays out.

    \b
    Examples:
      tapehead on
    """
    at = look_here()
    now = at.engine.clock_ns()
    found = [(layout, period) for layout in map(Layout, at.place.roots) if (period := off_switch.read(layout))]
    runs = {layout.root for layout, _ in found if off_switch.running(layout, now)}
    said = f"{'on again' if runs else 'tapehead is on'} in {_whereof(at)}"
    for layout, period in found:
        for session_id in period.sessions if layout.root in runs else ():
            if os.path.exists(layout.tape(session_id)):
                _leave_out_if_it_spoke(layout, session_id, period.since)
                Engine(layout, at.engine.clock_ns).append(session_id, {"note": "on"})
        try:
            off_switch.turn_on(layout, now)
        except OSError as error:
            raise Failure(f"It stays off: {layout.off} cannot be removed ({error.strerror})") from error
        if not os.path.isdir(layout.root):
            unregister(state_home(os.environ), layout.root)
    if as_json:
        show_json({**as_data(at, None), "was_off": bool(found)})
        return
    show_line(said)


def _leave_out_if_it_spoke(layout: Layout, session_id: str, since: int) -> None:
    """One that rested when it was turned off, and went on without a hook that says so: its transcript tells."""
    state = look_at_state(Engine(layout, time.time_ns).store, session_id)
    reader = reader_of(state.agent)
    if reader is None or not state.transcript_path or not os.path.isfile(state.transcript_path):
        return
    with suppress(OSError):
        moment = datetime.fromtimestamp(since // _SECOND, UTC).strftime("%Y-%m-%dT%H:%M:%S")
        if any(turn.ended[: len(moment)] > moment for turn in reader.newest(state.transcript_path).turns):
            off_switch.leave_out(layout, session_id)


def _seconds(text: str) -> float:
    try:
        found = seconds(text)
    except Wrong as error:
        raise Failure(f"Can't parse {text!r} as a duration", "try 30m or 2h") from error
    if not 0 < found < _LONGEST:
        raise Failure(f"Can't turn tapehead off for {text!r}", "try 30m or 2h; `tapehead off` alone has no end")
    return found


_LONGEST = 100 * 365 * 86_400.0


def _open_sessions(at: Here) -> list[State]:
    """Those that may go on: their tapes are told."""
    engine = at.engine
    if at.place.repository and os.path.isdir(engine.layout.root):
        with suppress(OSError):
            commit_intake.take_in(engine.layout, os.environ)
    states = (look_at_state(engine.store, session_id) for session_id in known(engine))
    return [state for state in states if not state.phase.is_closed]


def _turn_off(at: Here, period: Period, at_work: list[str]) -> Engine:
    """In the first store that takes it."""
    trouble: OSError | None = None
    for root in at.place.roots:
        try:
            make_home(root, os.environ)
            off_switch.turn_off(Layout(root), period, at_work)
        except OSError as error:
            trouble = trouble or error
            continue
        register(state_home(os.environ), root)
        return Engine(Layout(root), at.engine.clock_ns)
    raise Failure(f"Can't turn tapehead off: {trouble}") from trouble


def _tell_off(engine: Engine, session_id: str, until: int) -> None:
    """A turn that runs is over as far as anybody will know: what became of it is not recorded, so it counts neither as lost nor as broken off."""
    with suppress(OSError):  # it is off all the same
        engine.settle(session_id)
        if look_at_state(engine.store, session_id).phase.is_working:
            engine.append(session_id, {"event": Event.TURN_END.value, "data": {"off": True}})
        engine.append(session_id, {"note": "off", "data": {"until": until}})
        engine.settle(session_id)


def _whereof(at: Here) -> str:
    where = at.place.worktree
    name = os.path.basename(where) or where
    return f"the repository {name}" if at.place.repository else f"the directory {name}"


def _show(at: Here, period: Period, *, as_json: bool) -> None:
    if as_json:
        show_json(as_data(at, period))
        return
    show_line(f"tapehead is {told(period)} in {_whereof(at)}: nothing is recorded, and agents get nothing")
    show_note("`tapehead on` turns it on before that" if period.until else "`tapehead on` turns it on again")
