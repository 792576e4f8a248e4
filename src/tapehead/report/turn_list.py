"""The timeline of a page: a line for each turn, which opens to what was said and done in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.report import report_values
from tapehead.report.markup import Html, el, join_markup
from tapehead.report.phrases import clock, day, duration, first_line, in_one_line, short, things
from tapehead.report.pieces import cut_note

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import tzinfo

    from tapehead.report.report_values import Entry, Excerpt, Report, ReportedTurn

_TOOLS = 5
_TALK = {
    report_values.PROMPT: "User",
    report_values.REPLY: "Agent",
    report_values.SUMMARY: "Summary of the agent",
    report_values.INTERRUPTED: "Interrupted by the user",
}


def turn_list(report: Report, key: str, zone: tzinfo | None) -> Html:
    """All turns, with a field to search them by."""
    if not report.turns:
        why = (
            "The agent's own record of this session is gone."
            if report.is_missing
            else "Nothing was said in this session."
        )
        return el("p", why, class_="soft")
    bar = el(
        "div",
        el("input", type="search", placeholder="Search the turns", aria_label="Search the turns"),
        el("output", class_="soft small"),
        el("button", "Open all", type="button", data_open="yes"),
        el("button", "Close all", type="button", data_open="no"),
        class_="bar",
        data_script=True,
        hidden=True,
    )
    return join_markup([bar, *_listed(report, key, zone)])


def _listed(report: Report, key: str, zone: tzinfo | None) -> Iterator[Html]:
    """The turns, each new day with its date."""
    former = ""
    for turn in report.turns:
        today = day(turn.began, zone) or former
        if today != former:
            yield el("div", today, class_="day")
        former = today
        yield _turn(turn, key, zone)


def _turn(turn: ReportedTurn, key: str, zone: tzinfo | None) -> Html:
    marks = {"compacted": turn.compactions, "failed": turn.failed and not turn.files, "withdrawn": turn.withdrawn}
    took = duration(turn.began, turn.ended)
    summary = el(
        "summary",
        el(
            "span",
            el("b", f"Turn {turn.number}"),
            " ".join(filter(None, (clock(turn.began, zone), took and f"· {took}"))),
            class_="when",
        ),
        el("span", in_one_line(turn.prompt.text, 240) or "(no prompt)", class_="ask"),
        _chips(turn),
    )
    asked = _said("User", turn.prompt, report_values.PROMPT) if turn.prompt.text else None
    left = (
        el("p", f"{things(turn.left_out, 'step')} in the middle of this turn not shown.", class_="cut-note")
        if turn.left_out
        else None
    )
    body = el("div", asked, *map(_entry, turn.entries), left, class_="body")
    names = " ".join(("turn", *(name for name, is_so in marks.items() if is_so)))
    return el("details", summary, body, class_=names, id=f"{key}-t{turn.number}")


def _chips(turn: ReportedTurn) -> Html | None:
    told = [(f"{tool} {many}" if many > 1 else tool, "") for tool, many in turn.tools[:_TOOLS]]
    told += [(things(len(turn.tools) - _TOOLS, "more tool"), "")] if len(turn.tools) > _TOOLS else []
    told += [(things(len(turn.files), "file") + " changed", "blue")] if turn.files else []
    told += [(f"{turn.failed} failed", "red")] if turn.failed else []
    told += [("compacted", "violet")] if turn.compactions else []
    told += [("taken back by the user", "")] if turn.withdrawn else []
    told += (
        [(f"{short(turn.tokens.output)} token{'' if turn.tokens.output == 1 else 's'} written", "")]
        if turn.tokens.output
        else []
    )
    return (
        el("span", *(el("span", word, class_=f"chip {look}".strip()) for word, look in told), class_="chips")
        if told
        else None
    )


def _entry(entry: Entry) -> Html:
    if entry.kind in _TALK:
        return _said(_TALK[entry.kind], entry.text, entry.kind)
    if entry.kind == report_values.COMPACTION:
        trigger = f" ({entry.title})" if entry.title else ""
        return el("div", el("b", f"Compaction{trigger}: "), entry.text.text, class_="entry compaction")
    return _used(entry)


def _said(who: str, text: Excerpt, kind: str) -> Html:
    return el(
        "div", el("div", who, class_="who"), el("div", text.text, class_="said"), cut_note(text), class_=f"entry {kind}"
    )


def _used(entry: Entry) -> Html:
    """A tool in one line, which opens to what it was given and what it said."""
    name = f"Subagent {entry.title}" if entry.kind == report_values.SUBAGENT else entry.title
    about = entry.path or first_line(entry.text.text)
    line = join_markup(
        [
            el("b", name),
            " ",
            el("code", about) if about else None,
            el("span", " failed", class_="chip red") if entry.failed else None,
        ]
    )
    look = "failed" if entry.failed else ""
    inside = [*_texts(entry)]
    if not inside:
        return el("div", line, class_=f"entry plain {look}".strip())
    return el("details", el("summary", line), *inside, class_=f"entry call {look}".strip())


def _texts(entry: Entry) -> list[Html | None]:
    shown = (
        entry.text
        if entry.text.text.strip() not in {"", first_line(entry.text.text)} or entry.path
        else report_values.NOTHING
    )
    parts = ((shown, ""), (entry.removed, "del"), (entry.added, "ins"), (entry.outcome, "out"))
    return [
        piece
        for text, look in parts
        if text.text.strip()
        for piece in (el("pre", text.text, class_=look or None), cut_note(text))
        if piece
    ]
