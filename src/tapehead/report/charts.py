"""The curve of the window as SVG: drawn from the points alone, coloured by the page's style."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.report.markup import Html, el, join_markup
from tapehead.report.phrases import clock, day, day_and_clock, number, short

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import tzinfo

    from tapehead.report.report_values import Point, Report, ReportedCompaction

WIDTH, HEIGHT = 1_000, 320
LEFT, RIGHT, TOP, BOTTOM = 62, 20, 44, 40
_DOTS = 250
"""Points up to which each has a dot to point at."""
_LABELS = 6
"""Compactions up to which each says in the curve what it lost."""
_TICKS = 6
_LETTER = 7
"""The width of a letter under the curve."""
_APART = 23
"""Between two numbers, so that both can be read."""
_STEPS = (1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000)


def window_chart(report: Report, zone: tzinfo | None) -> Html | None:
    """How full the window was, with every compaction and what was handed back; None where the agent counted nothing."""
    if not report.points:
        return None
    top = _top(report)
    places = [(_x(place, len(report.points)), _y(point.tokens, top)) for place, point in enumerate(report.points)]
    return el(
        "svg",
        *_grid(report, top),
        *_ticks(report.points, places, zone),
        el("path", d=_area(places), class_="area"),
        el("polyline", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in places), class_="curve"),
        *_dots(report.points, places, zone),
        *_marks(report, places),
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        class_="window",
        role="img",
        aria_label="Tokens in the window over time",
    )


def _top(report: Report) -> int:
    """The highest value on the axis."""
    return max(report.window, int(max(point.tokens for point in report.points) * 1.08), 1_000)


def _x(place: int, many: int) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * (place / (many - 1) if many > 1 else 0.5)


def _y(tokens: int, top: int) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * tokens / top


def _area(places: list[tuple[float, float]]) -> str:
    base = HEIGHT - BOTTOM
    line = " L".join(f"{x:.1f},{y:.1f}" for x, y in places)
    return f"M{places[0][0]:.1f},{base} L{line} L{places[-1][0]:.1f},{base} Z"


def _grid(report: Report, top: int) -> Iterator[Html]:
    step = next((step for step in _STEPS if top / step <= _TICKS), top)
    for tokens in range(0, top + 1, step):
        y = f"{_y(tokens, top):.1f}"
        yield el("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y, class_="grid")
        yield el("text", short(tokens), x=LEFT - 8, y=y, class_="y-label")
    if report.window:
        y = f"{_y(report.window, top):.1f}"
        yield el("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y, class_="limit")
        yield el(
            "text", f"window {short(report.window)}", x=WIDTH - RIGHT, y=f"{float(y) - 6:.1f}", class_="limit-label"
        )


def _ticks(points: tuple[Point, ...], places: list[tuple[float, float]], zone: tzinfo | None) -> Iterator[Html]:
    """The turn and the time under some of the points, never two so close that they touch."""
    told = clock if day(points[0].at, zone) == day(points[-1].at, zone) else day_and_clock
    apart = (
        1.5 * _LETTER * len(told(points[0].at, zone)) + _LETTER
    )  # the outer ones stand beside their point, not around it
    last, taken = places[-1][0], -apart
    for place in sorted({round(n * (len(points) - 1) / _TICKS) for n in range(_TICKS + 1)}):
        point, x = points[place], places[place][0]
        if x - taken < apart or 0 < last - x < apart:
            continue
        taken = x
        anchor = "start" if x < LEFT + 30 else "end" if x > WIDTH - RIGHT - 30 else "middle"
        yield el("text", f"turn {point.turn}", x=f"{x:.1f}", y=HEIGHT - 22, class_="x-label", text_anchor=anchor)
        at = told(point.at, zone)
        yield el("text", at, x=f"{x:.1f}", y=HEIGHT - 8, class_="x-label", text_anchor=anchor)


def _dots(points: tuple[Point, ...], places: list[tuple[float, float]], zone: tzinfo | None) -> Iterator[Html]:
    if len(points) > _DOTS:
        return
    for point, (x, y) in zip(points, places, strict=True):
        told = el("title", f"turn {point.turn}, {clock(point.at, zone)}: {number(point.tokens)} tokens")
        yield el(
            "g",
            told,
            el("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=3, class_="dot"),
            class_="point",
            data_turn=point.turn,
            data_tokens=point.tokens,
        )


def _marks(report: Report, places: list[tuple[float, float]]) -> Iterator[Html]:
    """Each compaction at its height, and at the foot of the drop what was handed back."""
    told = {one.number: one for one in report.compactions}
    last: float = -_APART
    for place, point in enumerate(report.points):
        if not point.compaction:
            continue
        (x, y), one = places[place], told.get(point.compaction)
        after = places[place + 1] if place + 1 < len(places) else None
        yield el(
            "g",
            el("title", _sentence(point, one)),
            el("line", x1=f"{x:.1f}", x2=f"{x:.1f}", y1=TOP - 12, y2=HEIGHT - BOTTOM, class_="cut"),
            _number(point, x) if x - last >= _APART else None,
            el("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=4, class_="cut-point"),
            _lost(one, x) if one and len(told) <= _LABELS else None,
            _handed(one, after) if one and after else None,
            class_="compaction",
            data_compaction=point.compaction,
            data_tokens=point.tokens,
        )
        last = x if x - last >= _APART else last


def _number(point: Point, x: float) -> Html:
    return join_markup(
        [
            el("circle", cx=f"{x:.1f}", cy=TOP - 20, r=11, class_="mark"),
            el("text", point.compaction, x=f"{x:.1f}", y=TOP - 16, class_="mark-number"),
        ]
    )


def _sentence(point: Point, one: ReportedCompaction | None) -> str:
    head = f"Compaction {point.compaction} at {number(point.tokens)} tokens"
    if one is None or not one.is_told:
        return head
    return (
        f"{head}: the summary kept {one.kept} things, the brief handed back {one.handed_back}, "
        f"{one.archived} are only in the transcript"
    )


def _lost(one: ReportedCompaction, x: float) -> Html | None:
    gone = one.handed_back + one.archived
    is_right = x > WIDTH - 200
    anchor, at = ("end", x - 16) if is_right else ("start", x + 16)
    return (
        el("text", f"{gone} things lost", x=f"{at:.1f}", y=TOP - 16, class_="lost", text_anchor=anchor)
        if gone
        else None
    )


def _handed(one: ReportedCompaction, after: tuple[float, float]) -> Html | None:
    """A diamond where the curve goes on."""
    if not one.handed_tokens:
        return None
    x, y = after
    is_right = x > WIDTH - 220
    back = f"{one.handed_back} back, " if one.handed_back else ""
    label = f"{back}{number(one.handed_tokens)} tokens"
    diamond = f"M{x:.1f},{y - 7:.1f} l7,7 l-7,7 l-7,-7 Z"
    at, anchor = (x - 12, "end") if is_right else (x + 12, "start")
    return join_markup(
        [
            el("path", d=diamond, class_="handed"),
            el("text", label, x=f"{at:.1f}", y=f"{y + 18:.1f}", class_="handed-label", text_anchor=anchor),
        ]
    )


def share_bar(parts: list[tuple[str, int]]) -> Html | None:
    """Parts of a whole, side by side, each in the colour of its class; None where there is nothing."""
    whole = sum(many for _, many in parts)
    if not whole:
        return None
    rects, at = [], 0.0
    for name, many in parts:
        width = 100 * many / whole
        if many:
            rects.append(el("rect", x=f"{at:.2f}", y=0, width=f"{width:.2f}", height=10, class_=f"part {name}"))
        at += width
    return el("svg", *rects, viewBox="0 0 100 10", preserveAspectRatio="none", class_="share", aria_hidden="true")
