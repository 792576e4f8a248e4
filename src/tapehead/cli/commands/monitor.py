"""`tapehead monitor`: the sessions, live."""

from __future__ import annotations

import os
import sys
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import attrs
import click
from attrs import field, frozen

from tapehead.cli.completion_values import session_ids
from tapehead.cli.here import Here, everywhere, here, known, newest_first
from tapehead.cli.monitor.view import PLAIN, age, in_order, picture
from tapehead.cli.monitor.watch import StoreWatch
from tapehead.cli.off_period import current, told_of
from tapehead.cli.output import PIPE_WIDTH, console, show_json
from tapehead.cli.session_choice import choose_recorded
from tapehead.engine.waiting import as_data as waiting_data
from tapehead.engine.waiting import told
from tapehead.observable import Observable

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapehead.cli.monitor.rows import Row
    from tapehead.cli.monitor.screen import Screen

_QUITS = frozenset("qQ\x04")
_PIPE_WIDTH = 100


@frozen
class Sight:
    """What there is to see. When it is the same again, nothing is drawn."""

    rows: tuple[Row, ...] = ()
    off: str = ""
    """Where tapehead is off."""
    ages: tuple[str, ...] = ()
    """How long ago those on the screen were heard of, in its words: time alone is no news until it changes a word."""
    size: tuple[int, int] = (0, 0)
    entered: int = 0
    """How often the screen was taken: what was on it is gone then."""
    first: tuple[Row, ...] = field(default=(), eq=False)
    """Those that may be on the screen."""
    now: datetime = field(default=datetime.fromtimestamp(0, UTC), eq=False)


@click.command()
@click.option("--all", "all_places", is_flag=True, help="Show all projects on this machine.")
@click.option(
    "--session", metavar="ID", shell_complete=session_ids, help="Show only this session (id, or its beginning)."
)
@click.option("--once", is_flag=True, help="Print once and exit (the default in a pipe).")
@click.option("--diag", is_flag=True, help="Print where each number comes from, and what the terminal can do.")
@click.option("--json", "as_json", is_flag=True, help="Print once, as JSON.")
def monitor(*, all_places: bool, session: str | None, once: bool, diag: bool, as_json: bool) -> None:
    """Watch sessions live: phase, context, tokens, cost.

    The bar shows how full the context is. When the bar is full, the agent compacts. The mark in the bar shows where
    the warning begins (setting `window.warning`).

    `$` is the cost that the agent states. `~$` is an estimate from list prices. With the status
    line (`tapehead install --statusline`), cost and bar are exact.

    A session that waits for you stands first. The terminal's bell rings when the wait begins (setting
    `monitor.bell`).

    Press q or Ctrl-C to quit.

    \b
    Examples:
      tapehead monitor
      tapehead monitor --all
      tapehead monitor --once | grep ACTIVE
      tapehead monitor --diag --session 3f2a
      tapehead monitor --json | jq '.[] | {session, phase, left: .context.percent_left}'
    """
    places = everywhere() if all_places else [here()]
    if diag:
        _diagnose(places, session, as_json=as_json)
        return
    watches = [StoreWatch(place) for place in places] if session is None else [_watch_of(places, session)]
    if as_json:
        now = time.time()
        off = {row.session_id for watch in watches if current(watch.at) for row in watch.look(now)}
        show_json([{**_as_data(row), "off": row.session_id in off} for row in in_order(_rows(watches, now))])
    elif once or not sys.stdout.isatty():
        _print_once(watches)
    else:
        refresh = min((place.engine.settings.seconds("monitor.refresh") for place in places), default=1.0)
        _live(watches, refresh, bell=all(place.engine.settings.flag("monitor.bell") for place in places))


def _diagnose(places: list[Here], session: str | None, *, as_json: bool) -> None:
    from tapehead.cli.monitor import diagnosis  # noqa: PLC0415 - only here

    out = console()
    told = {"terminal": diagnosis.terminal(os.environ, (out.width, out.height))}
    for at in places:
        named = [choose_recorded(at, session, quiet=True)] if session else []
        for state in named or [each for each in newest_first(known(at.engine)) if not each.phase.is_closed]:
            told[state.session_id] = diagnosis.of_session(at, state)
    if as_json:
        show_json(told)
        return
    for name, numbers in told.items():
        out.print(name, style="bold")
        for what, why in numbers.items():
            out.print(f"  {what}: {why}", soft_wrap=not out.is_terminal)


def _watch_of(places: list[Here], session: str) -> StoreWatch:
    """The store that has this session; where none has, the first one says so."""
    having = [at for at in places if any(each.startswith(session) for each in at.engine.store.list())]
    at = (having or places or [here()])[0]
    return StoreWatch(at, choose_recorded(at, session).session_id)


def _rows(watches: list[StoreWatch], now: float) -> tuple[Row, ...]:
    return tuple(row for watch in watches for row in watch.look(now))


def _off(watches: list[StoreWatch]) -> str:
    return told_of([watch.at for watch in watches])


def _columns(said: str) -> int:
    """How wide a picture is in a pipe: as whoever reads it says, where that is a width."""
    return int(said) if said.isascii() and said.isdigit() and 0 < int(said) <= PIPE_WIDTH else _PIPE_WIDTH


def _print_once(watches: list[StoreWatch]) -> None:
    out = console()
    width = out.width if out.is_terminal else _columns(os.environ.get("COLUMNS", ""))
    now = time.time()
    for line in picture(_rows(watches, now), datetime.fromtimestamp(now, UTC), width, off=_off(watches)):
        if out.is_terminal:
            out.print(line, soft_wrap=True)
        else:
            click.echo(_letters(line.plain).rstrip())


def _letters(text: str) -> str:
    """As stdout can take them."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return text.translate(PLAIN).encode("ascii", "replace").decode()
    return text


def _live(watches: list[StoreWatch], refresh: float, *, bell: bool) -> None:
    from tapehead.cli.monitor.screen import taken  # noqa: PLC0415 - only for a terminal

    with taken() as screen:
        try:
            _watch(screen, watches, refresh, bell=bell)
        except KeyboardInterrupt:
            return


def _watch(screen: Screen, watches: list[StoreWatch], refresh: float, *, bell: bool) -> None:
    """Looks, draws what has changed, and waits for time to pass, a key, or another size. A session that begins to wait rings."""
    sight = Observable(Sight())
    sight.subscribe(lambda seen, _: screen.show(picture(seen.rows, seen.now, *seen.size, seen.off)))
    if bell:
        calls = Calls()
        sight.subscribe(lambda seen, _: calls.look(seen.rows, screen.tell))
    pressed = ""
    while not _QUITS & set(pressed):
        _look(sight, screen, watches)
        pressed = screen.wait(refresh)


class Calls:
    """Which waits the user was called for: each once, and none that was there before anybody looked."""

    def __init__(self) -> None:
        self._known: frozenset[object] | None = None

    def look(self, rows: tuple[Row, ...], tell: Callable[[str], None]) -> None:
        """Calls for what is new."""
        found = {(row.session_id, row.waiting.since): row for row in rows if row.waiting and row.is_waiting}
        new = [row for key, row in found.items() if self._known is not None and key not in self._known]
        self._known = frozenset(found)
        if new:
            more = f", and {len(new) - 1} more" if len(new) > 1 else ""
            waiting = new[0].waiting
            tell(f"{new[0].project} {told(waiting) if waiting else ''}{more}")


def _look(sight: Observable[Sight], screen: Screen, watches: list[StoreWatch]) -> None:
    now = time.time()
    rows = _rows(watches, now)
    off = _off(watches)
    sight.set(lambda former: _seen(former, rows, off, screen, datetime.fromtimestamp(now, UTC)))


def _seen(former: Sight, rows: tuple[Row, ...], off: str, screen: Screen, now: datetime) -> Sight:
    """What there is to see now. Ten thousand rows are put in order only when one of them is another."""
    size = screen.size
    same = (rows, size) == (former.rows, former.size)
    first = former.first if same else tuple(in_order(rows, size[1]))
    ages = tuple(age(row.active_at, now) for row in first)
    return Sight(former.rows if same else rows, off, ages, size, screen.entered, first, now)


def _as_data(row: Row) -> dict[str, object]:
    context = attrs.asdict(row.context)
    names = ("warning", "error", "auto_compact", "blocking")
    context["marks"] = dict(zip(names, row.context.marks, strict=True)) if row.context.marks else None
    return {
        "session": row.session_id,
        "project": row.project,
        "phase": row.phase.value,
        "process_gone": row.gone,
        "waiting": waiting_data(row.waiting),
        "agent": row.agent or None,
        "model": row.model or None,
        "context": context,
        "tokens": attrs.asdict(row.tokens),
        "cost": row.cost,
        "cost_by_list": None if row.listed is None else round(row.listed, 4),
        "last_activity": row.active_at.isoformat() if row.active_at else None,
        "compactions": row.compactions,
        "worktree": row.worktree or None,
        "branch": row.branch or None,
    }
