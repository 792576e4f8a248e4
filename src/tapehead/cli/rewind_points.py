"""The points within a turn, as `tapehead rewind` lists them and goes to one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from tapehead.cli.output import Failure, console, show_json
from tapehead.rewind.points import NoPoints, known_at, points_of
from tapehead.text.plain import plain, row
from tapehead.text.redaction import redact
from tapehead.text.wording import count

if TYPE_CHECKING:
    from tapehead.attribution.snapshots import Known
    from tapehead.rewind.points import Point
    from tapehead.rewind.rewind import Rewind, TurnMade

_WHAT = 60
_SHOWN = 3


def points(found: Rewind, made: TurnMade) -> list[Point]:
    """Before each call of a turn."""
    try:
        return points_of(found, made)
    except NoPoints as error:
        raise Failure(f"Turn {made.name} has no points: {error}", "`tapehead rewind` lists the turns") from None


def before_call(found: Rewind, made: TurnMade, call: str) -> tuple[Known, Point]:
    """The files before a call, as far as nobody doubts it."""
    point = next((one for one in points(found, made) if one.name == call), None)
    if point is None:
        raise Failure(f"There is no call {call}", f"`tapehead rewind --calls {made.name}` lists them")
    if point.doubts:
        more = f" (and {len(point.doubts) - 1} more)" if len(point.doubts) > 1 else ""
        raise Failure(
            f"How the files were before {call} is not sure. {point.doubts[0]}{more}",
            f"`tapehead rewind --calls {made.name}` shows which points are sure",
        )
    return known_at(found, made, point), point


def list_points(found: list[Point], *, as_json: bool) -> None:
    """Each with its call, whose it was, and why it cannot be gone to."""
    if as_json:
        show_json([_as_data(point) for point in found])
        return
    out = console()
    if not found:
        out.print("No call of this turn changed files.")
    for point in found:
        by = f" ({plain(redact(point.call.subagent))})" if point.call.subagent else ""
        out.print(row(f"{point.name:>6}  before {point.call.tool}: {_what(point)}{by}"), soft_wrap=True)
        for doubt in point.doubts[:_SHOWN]:
            out.print(row(f"        not sure: {plain(doubt)}"), soft_wrap=True)
        if len(point.doubts) > _SHOWN:
            out.print(f"        and {count(len(point.doubts) - _SHOWN, 'file')} more", soft_wrap=True)


def _what(point: Point) -> str:
    text = " ".join(plain(redact(point.call.what)).split())
    return text if len(text) <= _WHAT else f"…{text[1 - _WHAT :]}" if point.call.file else f"{text[: _WHAT - 1]}…"


def _as_data(point: Point) -> dict[str, Any]:
    return {
        "before": point.name,
        "tool": point.call.tool,
        "what": plain(redact(point.call.what)),
        "subagent": plain(redact(point.call.subagent)),
        "sure": not point.doubts,
        "doubts": list(point.doubts),
        "not_recorded": [os.fsdecode(path) for path in point.unrecorded],
    }
