"""The machine as a picture, with the path that one session took: from the rows of the table and the moves on the tape."""

from __future__ import annotations

from collections import Counter
from math import hypot, log2
from typing import TYPE_CHECKING

from tapehead.report.markup import Html, el
from tapehead.report.phrases import clock, things
from tapehead.statemachine.table import ROWS
from tapehead.statemachine.vocabulary import Phase

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import tzinfo

    from tapehead.report.report_values import ReportedMove

    Edge = tuple[str, str]

WIDTH, HEIGHT = 760, 400
_CORNERS = {
    Phase.IDLE: (110, 130),
    Phase.ACTIVE: (380, 48),
    Phase.COMPACTING: (650, 130),
    Phase.RESTORED: (650, 280),
    Phase.HALTED: (380, 352),
    Phase.ENDED: (110, 280),
}
"""Six corners of a hexagon: no line between two of them passes behind a third."""
_BOX = (140, 56)
_BOW = 22
"""How far a line bends aside, so that the way back has a line of its own."""
RIBBON = 400
"""Moves in the ribbon; of more, the newest."""


def machine(moves: tuple[ReportedMove, ...]) -> Html:
    """The six phases, faint lines for the moves that the table allows, strong ones with a count for those that were made."""
    made = Counter((move.was, move.to) for move in moves)
    possible = dict.fromkeys((row.phase.value, row.to.value) for row in ROWS if row.phase is not row.to)
    here = moves[-1].to if moves else Phase.IDLE.value
    return el(
        "svg",
        *(_edge(edge, 0) for edge in possible if edge not in made),
        *(_edge(edge, made[edge]) for edge in possible if edge in made),
        *(_box(phase, made[phase.value, phase.value], is_here=phase.value == here) for phase in Phase),
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        class_="machine",
        role="img",
        aria_label="The state machine, with the path of this session",
    )


def ribbon(moves: tuple[ReportedMove, ...], zone: tzinfo | None) -> Html | None:
    """The phases one after the other, a stripe for each event."""
    shown = moves[-RIBBON:]
    if not shown:
        return None
    width = 1_000 / len(shown)
    stripes = (
        el(
            "rect",
            x=f"{place * width:.2f}",
            y=0,
            width=f"{width + 0.3:.2f}",
            height=24,
            class_=f"phase {move.to}",
        )
        for place, move in enumerate(shown)
    )
    told = (
        el("g", stripe, el("title", f"{clock(move.at, zone)} {move.event}: {move.was} to {move.to}"))
        for stripe, move in zip(stripes, shown, strict=True)
    )
    return el(
        "svg",
        *told,
        viewBox="0 0 1000 24",
        preserveAspectRatio="none",
        class_="ribbon",
        role="img",
        aria_label="The phases over time",
    )


def arrow_heads() -> Html:
    """What the lines end in: once for all pictures of a page."""
    tip = el("path", d="M0,0 L8,4 L0,8 Z", class_="tip")
    sizes = {"viewBox": "0 0 8 8", "refX": 7, "refY": 4, "markerWidth": 10, "markerHeight": 10}
    marker = el("marker", tip, id="tip", markerUnits="userSpaceOnUse", orient="auto", **sizes)
    return el("svg", el("defs", marker), class_="defs", aria_hidden="true", width=0, height=0)


def _edge(edge: Edge, many: int) -> Html:
    (x1, y1), (x2, y2) = (_CORNERS[Phase(word)] for word in edge)
    length = hypot(x2 - x1, y2 - y1)
    aside = -(y2 - y1) / length * _BOW, (x2 - x1) / length * _BOW
    middle = (x1 + x2) / 2 + 2 * aside[0], (y1 + y2) / 2 + 2 * aside[1]
    start, end = _border((x1, y1), middle), _border((x2, y2), middle)
    curve = f"M{start[0]:.1f},{start[1]:.1f} Q{middle[0]:.1f},{middle[1]:.1f} {end[0]:.1f},{end[1]:.1f}"
    if not many:
        return el("path", d=curve, class_="possible")
    at = (start[0] + 2 * middle[0] + end[0]) / 4, (start[1] + 2 * middle[1] + end[1]) / 4
    return el(
        "g",
        el("title", f"{edge[0]} to {edge[1]}: {things(many, 'time')}"),
        el(
            "path",
            d=curve,
            class_="taken",
            stroke_width=f"{min(5.0, 1.6 + log2(many) / 2):.1f}",
            marker_end="url(#tip)",
        ),
        el("circle", cx=f"{at[0]:.1f}", cy=f"{at[1]:.1f}", r=11, class_="times"),
        el("text", many, x=f"{at[0]:.1f}", y=f"{at[1] + 4:.1f}", class_="times-number"),
        class_="move",
        data_from=edge[0],
        data_to=edge[1],
        data_times=many,
    )


def _border(centre: tuple[float, float], towards: tuple[float, float]) -> tuple[float, float]:
    """Where a line from the middle of a box leaves it."""
    dx, dy = towards[0] - centre[0], towards[1] - centre[1]
    reach = min(
        (_BOX[0] / 2 + 4) / abs(dx) if dx else 1e9,
        (_BOX[1] / 2 + 4) / abs(dy) if dy else 1e9,
    )
    return centre[0] + dx * reach, centre[1] + dy * reach


def _box(phase: Phase, stayed: int, *, is_here: bool) -> Html:
    return el("g", *_in_box(phase, stayed), class_=f"box {'here' if is_here else ''}".strip(), data_phase=phase.value)


def _in_box(phase: Phase, stayed: int) -> Iterator[Html]:
    (x, y), (width, height) = _CORNERS[phase], _BOX
    yield el("rect", x=x - width / 2, y=y - height / 2, width=width, height=height, rx=10, class_="frame")
    yield el("rect", x=x - width / 2 + 10, y=y - 8, width=8, height=16, rx=3, class_=f"phase {phase.value}")
    yield el("text", phase.value, x=x + 6, y=y + (-2 if stayed else 5), class_="phase-name")
    if stayed:
        yield el("text", f"stayed {things(stayed, 'time')}", x=x + 6, y=y + 15, class_="stayed")
