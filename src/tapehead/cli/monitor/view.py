"""The monitor's picture: rows in, lines out, for a screen of any size or for none. Pure."""

from __future__ import annotations

import heapq
import os
from typing import TYPE_CHECKING

from rich.text import Text

from tapehead.engine.statusline import short
from tapehead.engine.waiting import told
from tapehead.statemachine.vocabulary import Phase
from tapehead.text.wording import count, short_ids
from tapehead.tokens.window import BLOCKED, COMPACTS, ERROR, FINE, WARNING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from tapehead.cli.monitor.rows import Context, Row

_PHASES = {
    Phase.ACTIVE: "green",
    Phase.COMPACTING: "magenta",
    Phase.RESTORED: "cyan",
    Phase.HALTED: "bold red",
    Phase.ENDED: "dim",
}
_WAITS = "bold yellow"
_LEVELS = {FINE: "green", WARNING: "yellow", ERROR: "red", COMPACTS: "bold red", BLOCKED: "bold red"}
_SAID = {COMPACTS: "compaction is due", BLOCKED: "full"}
_NARROWEST = 40
_BAR = 30
_INDENT = "  "
_GAP = "   "
_AGES = ((86_400, "d"), (3_600, "h"), (60, "min"))
LEGEND = "q quits"
FULL, EMPTY, MARK, WAITS = "█", "░", "│", "▶"
PLAIN = str.maketrans({FULL: "#", EMPTY: ".", MARK: "|", WAITS: ">", "…": "~", "·": "-"})
"""For a screen that has no other letters."""


def picture(rows: Sequence[Row], now: datetime, width: int, height: int | None = None, off: str = "") -> list[Text]:
    """The lines, none wider than the screen. Without a height there is no end to them; with one, what does not fit is counted.

    `off` says where tapehead is off.
    """
    width = max(_NARROWEST, width)
    lines = [_title(rows, width, live=height is not None)]
    if off:
        lines.append(Text(_clean(off), _WAITS))
    ordered = in_order(rows)
    if not rows and not off:
        lines += [Text(), Text("No session recorded here yet. Start your agent; see also `tapehead doctor`.")]
    names = short_ids(each.session_id for each in ordered)
    for place, each in enumerate(ordered):
        head = _head(each, names[each.session_id], now, width)
        block = (
            [Text(), head, *_waiting(each), *_flowed(_numbers(each), width)]
            if each.is_open
            else _closed(each, head, first=_first(ordered, place))
        )
        left = len(ordered) - place - 1
        if height is not None and len(lines) + len(block) + bool(left) > height:
            lines.append(Text(f"{_INDENT}… and {left + 1} more: `tapehead monitor --once` shows all", "dim"))
            break
        lines += block
    for line in lines:
        line.truncate(width, overflow="ellipsis")
    return lines if height is None else lines[:height]


def in_order(rows: Sequence[Row], most: int | None = None) -> list[Row]:
    """Those that wait for their user first, then those that are open, the newest first; of very many, only the first ones."""
    return heapq.nlargest(len(rows) if most is None else most, rows, key=_rank)


def _rank(row: Row) -> tuple[bool, bool, float, str]:
    return row.is_waiting, row.is_open, row.active_at.timestamp() if row.active_at else 0.0, row.session_id


def age(then: datetime | None, now: datetime) -> str:
    """How long ago, in whole minutes and up: a picture that counts seconds would never be at rest."""
    if then is None:
        return "-"
    seconds = int((now - then).total_seconds())
    return next((f"{seconds // size} {unit} ago" for size, unit in _AGES if seconds >= size), "just now")


def bar(context: Context, width: int) -> str:
    """The window from empty to where the agent compacts, with a mark where a warning is due."""
    if context.marks is None:
        return ""
    warning, end = context.marks[0], max(1, context.marks[2])
    filled = min(width, width * (context.used or 0) // end)
    cells = [FULL] * filled + [EMPTY] * (width - filled)
    cells[min(width - 1, width * warning // end)] = MARK
    return "".join(cells)


def _title(rows: Sequence[Row], width: int, *, live: bool) -> Text:
    projects = {row.project for row in rows}
    where = next(iter(projects)) if len(projects) == 1 else count(len(projects), "project") if projects else ""
    busy = sum(row.phase.is_on_a_prompt for row in rows)
    said = " · ".join(filter(None, ("tapehead", _clean(where), count(len(rows), "session"), f"{busy} active")))
    title = Text(said, "bold")
    if waiting := sum(row.is_waiting for row in rows):
        title.append(" · ").append(f"{waiting} waiting for you", _WAITS)
    if live and title.cell_len + len(LEGEND) + 2 <= width:
        title.append(LEGEND.rjust(width - title.cell_len), "dim")
    return title


def _waiting(row: Row) -> list[Text]:
    """What the agent waits for, where it waits: it stands out from all else."""
    return [Text(f"{_INDENT}{WAITS} {told(row.waiting)}", _WAITS)] if row.waiting and row.is_waiting else []


def _head(row: Row, name: str, now: datetime, width: int) -> Text:
    """The line that says who it is."""
    style = _WAITS if row.is_waiting else _PHASES.get(row.phase, "")
    line = Text.assemble((row.phase.name.ljust(10), style), " ", (_clean(name), "bold"))
    for part in (row.agent, row.model.removeprefix(f"{row.agent}-"), _where(row)):
        if part:
            line.append(_GAP + _clean(part))
    if row.gone:
        line.append(_GAP + "its process is gone", "red")
    money = f"{row.money}{_GAP}" if row.money and not row.is_open else ""  # one that is open has a line for its numbers
    when = money + age(row.active_at, now)
    line.truncate(width - len(when) - 2, overflow="ellipsis")
    line.append(when.rjust(width - line.cell_len))
    return line


def _where(row: Row) -> str:
    """The worktree, which mostly has the project in its name, and the branch."""
    place = os.path.basename(row.worktree.rstrip("/")) or row.project
    named = place if place.startswith(row.project) else f"{row.project}/{place}"
    return f"{named} on {row.branch}" if row.branch else named


def _numbers(row: Row) -> list[Text]:
    used, tokens = row.context, row.tokens
    cells = _context(used)
    if tokens.input or tokens.output or tokens.cache_read or tokens.cache_creation:
        cached = tokens.cache_read + tokens.cache_creation
        cells.append(Text(f"in {short(tokens.input)}  out {short(tokens.output)}  cached {short(cached)}"))
    if row.money:
        cells.append(Text(row.money))
    if row.compactions:
        cells.append(Text(count(row.compactions, "compaction")))
    return cells


def _context(context: Context) -> list[Text]:
    style = _LEVELS.get(context.level, "")
    if context.used is None:
        at = f"compacts at {short(context.marks[2])}" if context.marks else ""
        return [Text("context not known yet" + (f", {at}" if at else ""), "dim")]
    if context.marks is None:
        return [Text(f"context {short(context.used)}, window not known")]
    left = _SAID.get(context.level, f"{context.percent_left}% left")
    cells = [
        Text(bar(context, _BAR), style),
        Text(f"{short(context.used)} of {short(context.marks[2])}, {left}", style),
    ]
    if context.turns_left is not None:
        cells.append(Text(f"about {count(context.turns_left, 'turn')} to go" if context.turns_left else "at its end"))
    return cells


def _flowed(cells: list[Text], width: int) -> list[Text]:
    """The cells one after the other, on as many lines as they need."""
    lines: list[Text] = []
    for cell in cells:
        if lines and lines[-1].cell_len + len(_GAP) + cell.cell_len <= width:
            lines[-1].append(_GAP).append_text(cell)
        else:
            lines.append(Text(_INDENT).append_text(cell))
    return lines


def _first(ordered: list[Row], place: int) -> bool:
    return place == 0 or ordered[place - 1].is_open


def _closed(row: Row, line: Text, *, first: bool) -> list[Text]:
    """A session that is over has one line; the first of them keeps a distance."""
    if row.phase.is_ended:
        line.stylize("dim")
    return [Text(), line] if first else [line]


def _clean(text: str) -> str:
    """Names come from outside: nothing in them may move the cursor."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)
