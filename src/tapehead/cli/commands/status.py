"""`tapehead status`: the sessions of this place."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

from tapehead.actions.window_room import room_of
from tapehead.cli import off_period
from tapehead.cli.columns import show_columns, show_line
from tapehead.cli.here import Here, everywhere, here, newest_first
from tapehead.cli.history_size import remembered
from tapehead.cli.output import show_json
from tapehead.cli.upkeep import attend, gc_if_due
from tapehead.engine.statusline import short
from tapehead.engine.waiting import as_data as waiting_data
from tapehead.engine.waiting import stands_out, told
from tapehead.statemachine.vocabulary import Phase
from tapehead.store.codec_light import unstructure
from tapehead.store.paths import STORE
from tapehead.text import redacted_excerpt
from tapehead.text.wording import age, ago, count, short_ids, size

if TYPE_CHECKING:
    from types import ModuleType

    from tapehead.store.state import State

_SHOWN = 15
_STYLES = {
    Phase.ACTIVE: "green",
    Phase.COMPACTING: "magenta",
    Phase.RESTORED: "cyan",
    Phase.HALTED: "bold red",
    Phase.ENDED: "dim",
}
_WAITS = "bold yellow"


@click.command()
@click.option("--all", "--global", "all_places", is_flag=True, help="Show all projects on this machine.")
@click.option("--every", is_flag=True, help=f"Show every session. Default: the newest {_SHOWN}.")
@click.option("--wide", is_flag=True, help="Show more columns.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: the whole state of every session.")
def status(*, all_places: bool, every: bool, wide: bool, as_json: bool) -> None:
    """List the sessions of this repository.

    \b
      phase      IDLE, ACTIVE (at work), COMPACTING, RESTORED (got a brief),
                 HALTED (stopped in mid-turn), ENDED; `waits`: for your answer
      age        time since the last activity
      room left  share of the context that is free before the next compaction

    \b
    Examples:
      tapehead status
      tapehead status --wide
      tapehead status --json | jq '.[0].sessions[].phase'
      tapehead status --all
    """
    places = everywhere() if all_places else [here()]
    attended = [(place, newest_first(attend(place.engine))) for place in places]
    for place in places:
        gc_if_due(place.engine, place.now)
    if as_json:
        show_json([_as_data(place, states) for place, states in attended])
        return
    if not attended:
        show_line("Nothing recorded on this machine yet. To begin: `tapehead install`, then start your agent.")
    for place, states in attended:
        _show(place, states, len(states) if every else _SHOWN, wide=wide, with_path=all_places)
    if all_places and attended:
        total = [state for _, states in attended for state in states]
        running = sum(not state.phase.is_closed for state in total)
        told = f"{count(len(attended), 'project')}, {count(len(total), 'session')}, {running} open"
        show_line(told, "bold")


def _as_data(place: Here, states: list[State]) -> dict[str, object]:
    return {
        **off_period.as_data(place, off_period.current(place)),
        "sessions": [_session_data(place, state) for state in states],
        "memory": remembered(place.engine.layout),
        "decisions": _decided(place),
        "archive": _archive().as_data(place),
    }


def _archive() -> ModuleType:
    from tapehead.cli import archive_line  # noqa: PLC0415 - not in the short view

    return archive_line


def _turn(place: Here, state: State) -> int:
    from tapehead.history.turn_numbers import current_turn  # noqa: PLC0415 - not in the short view

    return current_turn(place.engine.layout, state)


def _session_data(place: Here, state: State) -> dict[str, Any]:
    """The state, with the turn as every command numbers it."""
    found = {**_veiled(unstructure(state)), "waiting": waiting_data(state.waiting)}
    return {**found, "turn_number": _turn(place, state), "room": _room(place, state)}


def _veiled(state: dict[str, Any]) -> dict[str, Any]:
    """Without the secrets that may stand in what was said: an agent that asks hands the answer to its model."""
    return {**state, **{name: redacted_excerpt.data(state[name]) for name in _SAID if name in state}}


_SAID = ("last_prompt", "failures")


def _room(place: Here, state: State) -> dict[str, Any] | None:
    found = room_of(place.engine.layout, place.engine.settings, state)
    return found.data if found else None


def _left(place: Here, state: State) -> str:
    """What is left of the window, in the few letters of a column."""
    found = room_of(place.engine.layout, place.engine.settings, state)
    if found is None:
        return "-"
    about = "~" if found.estimated else ""
    return "-" if found.percent_left is None else f"{about}{found.percent_left}%"


def _used(place: Here, state: State) -> str:
    """How full the window is, which is known more often than its size."""
    found = room_of(place.engine.layout, place.engine.settings, state)
    return f"{'~' if found.estimated else ''}{short(found.used)}" if found else "-"


def _turns_left(place: Here, state: State) -> str:
    found = room_of(place.engine.layout, place.engine.settings, state)
    return f"~{found.turns_left}" if found and found.turns_left is not None else "-"


def _project(place: Here, states: list[State]) -> str:
    """Where a project is; the store of one outside git stands elsewhere, and its sessions know where they worked."""
    worked = next((state.worktree_path for state in states if state.worktree_path), "")
    outside = place.place.repository is None and os.path.basename(place.engine.layout.root) != STORE
    return (worked if outside else "") or place.place.worktree


def _show(place: Here, states: list[State], most: int, *, wide: bool, with_path: bool = False) -> None:
    total, names = len(states), short_ids(state.session_id for state in states)
    project = _project(place, states)
    name = os.path.basename(project) or project
    show_line(f"{name}: {count(total, 'session')}", "bold")
    if with_path:
        show_line(project, "dim")
    if period := off_period.current(place):
        show_line(
            f"tapehead is {off_period.told(period)}: nothing is recorded here. `tapehead on` turns it on.", _WAITS
        )
    if states:
        _show_table(place, states[:most], names, wide=wide)
    for state in states:
        if state.waiting and stands_out(state.waiting):
            show_line(f"{names[state.session_id]} {told(state.waiting)}", _WAITS)
    if total > most:
        show_line(f"{total - most} older ones are not shown (--every)", "dim")
    found = remembered(place.engine.layout)
    for line in _kept(place, found, wide=wide):
        show_line(line, "dim")
    if total or off_period.current(place):
        return
    nothing = "No session here yet; `tapehead resume` lists imported ones" if found else "Nothing recorded here yet"
    if _has_hooks(place):
        show_line(f"{nothing}. Start your agent in this directory.")
    else:
        show_line(f"{nothing}. Run `tapehead install`, then start your agent. `tapehead demo` shows how it works.")


def _kept(place: Here, found: dict[str, Any], *, wide: bool) -> Iterator[str]:
    """What is kept beside the sessions themselves, a line for each kind."""
    if found:
        yield _told(found, wide=wide)
    if decided := _decided(place):
        yield f"{count(decided, 'recorded decision')}: `tapehead adr`"
    if wide:
        yield _archive().told(place)


def _decided(place: Here) -> int:
    if not os.path.isdir(os.path.join(place.engine.layout.root, "adrs")):
        return 0
    from tapehead.documents import adrs  # noqa: PLC0415 - only where there are some

    return len(adrs.files(place.engine.layout))


def _has_hooks(place: Here) -> bool:
    """Whether an agent would tell us of its work here."""
    from tapehead.cli.hook_presence import has_hooks  # noqa: PLC0415 - only where there is nothing to show

    return has_hooks(place.place.worktree)


def _told(found: dict[str, Any], *, wide: bool) -> str:
    """What the history holds, in a line."""
    if "problem" in found:
        return f"history: {found['problem']}"
    rows = f", {count(sum(found['rows'].values()), 'searchable entry', 'searchable entries')}" if wide else ""
    return (
        f"history: {count(found['sessions'], 'session')}, {count(found['turns'], 'turn')}{rows}, {size(found['bytes'])}"
    )


_Cell = Callable[["Here", "State"], str]
_FIRST: dict[str, _Cell] = {
    "phase": lambda _, state: f"{state.phase.name}, waits" if stands_out(state.waiting) else state.phase.name,
    "age": lambda place, state: age(state.last_interaction_at or state.started_at, place.now),
    "room left": _left,
}
_REST: dict[str, _Cell] = {
    "used": _used,
    "agent": lambda _, state: state.agent or "-",
    "turns": lambda place, state: str(_turn(place, state)),
    "turns left": _turns_left,
    "compacted": lambda place, state: (
        f"{state.compaction_count}x, {ago(state.compacted_at, place.now)}" if state.compacted_at else "-"
    ),
    "brief": lambda _, state: f"{state.brief_tokens:,} tokens" if state.brief_tokens else "-",
    "delivery": lambda _, state: "pending" if state.pending_restore else state.delivery or "-",
    "terminal": lambda _, state: state.terminal or "-",
}
"""`brief` is what the next brief costs, `delivery` what became of the last one."""


def _show_table(place: Here, states: list[State], names: dict[str, str], *, wide: bool) -> None:
    """What matters stands first and is never cut; the last prompt takes the rest of the line. A wide table is broken by the terminal."""
    cells = {**_FIRST, **(_REST if wide else {})}
    rows = []
    for state in states:
        asked = redacted_excerpt.in_line(state.last_prompt)[:_PROMPT] or "-"
        style = _WAITS if stands_out(state.waiting) else _STYLES.get(state.phase, "")
        rows.append(([names[state.session_id], *(cell(place, state) for cell in cells.values()), asked], style))
    show_columns(["session", *cells, "last prompt"], rows, cut=not wide)


_PROMPT = 120
