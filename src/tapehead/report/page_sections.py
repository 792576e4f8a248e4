"""The parts of a page that tell of the session as a whole. Each gives its markup, or None where there is nothing to tell."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tapehead.report.markup import Html, el, join_markup
from tapehead.report.phrases import day_and_clock, first_line, money, number, things
from tapehead.report.picture import machine, ribbon
from tapehead.report.pieces import cut_note, turn_link

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

    from tapehead.report.report_values import Report, Statement, Tokens

_MOVES = 300
_FILES = 60
_LISTED = 80
_LINKS = 12


def machine_path(report: Report, zone: tzinfo | None) -> Html | None:
    """The picture, the ribbon and the moves."""
    if not report.moves:
        return None
    shown = report.moves[-_MOVES:]
    rows = (
        el(
            "tr",
            el("td", day_and_clock(move.at, zone)),
            el("td", move.event),
            el("td", f"{move.was} → {move.to}" if move.was != move.to else f"stays {move.to}"),
            el("td", ", ".join(move.actions), class_="soft"),
        )
        for move in shown
    )
    head = el("tr", *(el("th", word) for word in ("time", "event", "phase", "actions")))
    left = (
        el("p", f"{things(len(report.moves) - len(shown), 'earlier event')} not listed.", class_="cut-note")
        if len(shown) < len(report.moves)
        else None
    )
    said = f"{things(len(report.moves), 'event')} moved this session. Strong lines are the moves it made, faint ones those it could have made; below, the phases in their order."
    listed = el(
        "details", el("summary", "Every event"), el("div", el("table", head, *rows), class_="wide"), left, class_="more"
    )
    return join_markup(
        [
            el("p", said, class_="soft small"),
            el("div", machine(report.moves), class_="wide"),
            ribbon(report.moves, zone),
            listed,
        ]
    )


def briefs(report: Report) -> Html | None:
    """What the model was given by tapehead, as it got it; the newest open."""
    if not report.received:
        return None
    made = []
    for place, one in enumerate(report.received, 1):
        word = {"delivered": "reached the model", "cut": "was cut short", "missing": "never reached the model"}.get(
            one.delivery, ""
        )
        colour = "green" if one.delivery == "delivered" else "red"
        head = el(
            "summary",
            f"{first_line(one.text.text, 90)} ",
            el("span", f"{number(one.tokens)} tokens", class_="chip"),
            el("span", word, class_=f"chip {colour}") if word else None,
        )
        made.append(
            el(
                "details",
                head,
                el("pre", one.text.text, class_="said-to"),
                cut_note(one.text),
                class_="more",
                open=place == len(report.received),
            )
        )
    return join_markup(made)


def costs(report: Report) -> Html | None:
    """Tokens as the agent counted them, by model, and money."""
    if not report.models:
        return None
    columns = ("answers", "input", "output", "cache read", "cache written", "money")
    head = el("tr", el("th", "model"), *(el("th", word, class_="n") for word in columns))
    rows = [_counts(one.model or "unknown", one.tokens, one.dollars) for one in report.models]
    rows += [_counts("all", report.tokens, report.dollars)] if len(rows) > 1 else []
    return join_markup(
        [el("div", el("table", head, *rows), class_="wide"), el("p", money(report), class_="soft small")]
    )


def _counts(name: str, used: Tokens, dollars: float | None) -> Html:
    numbers = (used.answers, used.input, used.output, used.cache_read, used.cache_written)
    told = [*map(number, numbers), "?" if dollars is None else f"${dollars:,.2f}"]
    return el("tr", el("td", name), *(el("td", value, class_="n") for value in told))


def work(report: Report, key: str) -> Html | None:
    """The tools of the session, and the files that it changed with the turns that did."""
    tools: Counter[str] = Counter()
    files: dict[str, list[int]] = {}
    for turn in report.turns:
        tools.update(dict(turn.tools))
        for path in turn.files:
            files.setdefault(path, []).append(turn.number)
    if not tools:
        return None
    chips = el(
        "div",
        *(el("span", f"{tool} {number(many)}", class_="chip") for tool, many in tools.most_common(30)),
        class_="chips",
    )
    if not files:
        return chips
    most = sorted(files.items(), key=lambda item: (-len(item[1]), item[0]))
    rows = (
        el(
            "tr",
            el("td", el("code", path)),
            el(
                "td",
                *(turn_link(turn, key) for turn in turns[:_LINKS]),
                f"and {len(turns) - _LINKS} more" if len(turns) > _LINKS else None,
            ),
        )
        for path, turns in most[:_FILES]
    )
    left = (
        el("p", f"{things(len(most) - _FILES, 'more file')} not listed.", class_="cut-note")
        if len(most) > _FILES
        else None
    )
    head = el("tr", el("th", "file"), el("th", "changed in"))
    return join_markup([chips, el("div", el("table", head, *rows), class_="wide"), left])


def rules(report: Report, key: str) -> Html | None:
    """What the user laid down, what was decided, and what the project keeps."""
    parts = [
        (title, _statements(found, key))
        for title, found in (
            ("Rules of the user", report.rules),
            ("Decisions", report.decisions),
            ("Kept decisions", report.kept_decisions),
        )
        if found
    ]
    return join_markup(part for title, listed in parts for part in (el("h3", title), listed)) if parts else None


def _statements(found: Sequence[Statement], key: str) -> Html:
    items = (
        el(
            "li",
            one.text,
            el("span", f" ({one.note}) ", class_="soft") if one.note else " ",
            turn_link(one.turn, key) if one.turn else None,
            class_=None if one.holds else "gone",
        )
        for one in found[-_LISTED:]
    )
    return el("ul", *items)
