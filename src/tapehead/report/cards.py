"""The cards of a page: each compaction with what it lost, each commit with whose its lines are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.report.charts import share_bar, window_chart
from tapehead.report.markup import Html, el, join_markup
from tapehead.report.phrases import clock, day_and_clock, number, things
from tapehead.report.pieces import cut_note, turn_link

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import tzinfo

    from tapehead.report.report_values import Excerpt, FileShare, Report, ReportedCommit, ReportedCompaction

_FILES = 60
_RUNS = 8


def window(report: Report, key: str, zone: tzinfo | None) -> Html | None:
    """The curve, and a card for each compaction."""
    chart = window_chart(report, zone)
    if chart is None and not report.compactions:
        return None
    said = "How full the model's context window was at each answer, in tokens."
    if report.compactions:
        said += " A numbered line is a compaction."
    if any(one.handed_tokens for one in report.compactions):
        said += " A diamond is the brief that tapehead gave back."
    drawn = (
        el("div", chart, class_="wide")
        if chart
        else el("p", "The agent counted no tokens, so there is no curve.", class_="soft")
    )
    return join_markup([el("p", said, class_="soft small"), drawn, *_compactions(report, key, zone)])


def _explained(colour: str, words: str) -> Html:
    """What a colour means, never broken between the two."""
    return el("span", el("span", class_=f"key {colour}"), words, class_="meaning")


def _compactions(report: Report, key: str, zone: tzinfo | None) -> Iterator[Html]:
    """Those whose losses are known as cards, the newest first; the others in a table."""
    yield from (_compaction(one, key, zone) for one in reversed(report.compactions) if one.is_told)
    earlier = [one for one in report.compactions if not one.is_told]
    if earlier:
        rows = (
            el(
                "tr",
                *(
                    el("td", cell)
                    for cell in (one.number, turn_link(one.turn, key), day_and_clock(one.at, zone), number(one.tokens))
                ),
            )
            for one in earlier
        )
        head = el("tr", *(el("th", word) for word in ("compaction", "in", "time", "tokens before it")))
        said = el("p", "What these lost: `tapehead losses --all` tells.", class_="soft small")
        table = el("div", el("table", head, *rows), class_="wide")
        yield el("details", el("summary", things(len(earlier), "earlier compaction")), said, table, class_="more")


def _compaction(one: ReportedCompaction, key: str, zone: tzinfo | None) -> Html:
    head = el(
        "div",
        el("b", f"Compaction {one.number}"),
        el("span", " ".join(filter(None, (f"in turn {one.turn},", clock(one.at, zone)))), class_="soft"),
        el("span", f"{number(one.tokens)} tokens before it", class_="chip violet") if one.tokens else None,
        el("span", f"{number(one.handed_tokens)} tokens handed back", class_="chip green")
        if one.handed_tokens
        else None,
        class_="head",
    )
    legend = el(
        "p",
        _explained("kept", f"{number(one.kept)} kept by the summary"),
        _explained("handed", f"{number(one.handed_back)} handed back"),
        _explained("archive", f"{number(one.archived)} only in the transcript"),
        class_="small",
    )
    bar = share_bar([("kept", one.kept), ("handed", one.handed_back), ("archive", one.archived)])
    return el(
        "div",
        head,
        bar,
        legend if bar else None,
        _lost(one, key),
        _folded("What the agent's summary says", one.summary),
        class_="card",
    )


def _lost(one: ReportedCompaction, key: str) -> Html | None:
    if not one.kinds:
        return None
    rows = (
        el(
            "tr",
            el("td", kind.kind),
            *(el("td", number(many), class_="n") for many in (kind.kept, kind.handed, kind.archived)),
        )
        for kind in one.kinds
    )
    head = el(
        "tr", el("th", "kind"), *(el("th", word, class_="n") for word in ("kept", "handed back", "transcript only"))
    )
    items = (
        el(
            "li",
            el(
                "span",
                "handed back" if item.where == "handed" else "lost",
                class_=f"chip {'green' if item.where == 'handed' else 'red'}",
            ),
            f" {item.kind}: {item.text} ",
            turn_link(item.turn, key),
        )
        for item in one.items
    )
    listed = el("ul", *items) if one.items else None
    return el(
        "details",
        el("summary", "What the summary lost"),
        el("div", el("table", head, *rows), class_="wide"),
        listed,
        class_="more",
    )


def _folded(title: str, text: Excerpt) -> Html | None:
    return (
        el("details", el("summary", title), el("pre", text.text), cut_note(text), class_="more") if text.text else None
    )


def commits(report: Report, zone: tzinfo | None) -> Html | None:
    """Each commit, with whose its lines are."""
    if not report.commits:
        return None
    legend = el(
        "p",
        _explained("session", "this session"),
        _explained("agents", "other agents"),
        _explained("human", "human"),
        class_="small soft",
    )
    left = (
        el("p", f"{things(report.commits_left_out, 'earlier commit')} not listed.", class_="cut-note")
        if report.commits_left_out
        else None
    )
    return join_markup([legend, *(_commit(one, zone) for one in report.commits), left])


def _commit(one: ReportedCommit, zone: tzinfo | None) -> Html:
    share = f"{number(one.session)} of {things(one.added, 'added line')} by this session, {number(one.removed)} removed"
    head = el(
        "div",
        el("code", one.commit[:10]),
        el("b", one.subject or "(this commit is gone)"),
        el("span", day_and_clock(one.at, zone), class_="soft small"),
        class_="head",
    )
    bar = share_bar([("session", one.session), ("agents", one.agents - one.session), ("human", one.added - one.agents)])
    rows = (
        el(
            "tr",
            el("td", el("code", file.path)),
            el("td", f"{number(file.session)} of {number(file.added)}", class_="n"),
            el("td", _runs(file)),
        )
        for file in one.files[:_FILES]
    )
    table = el(
        "table", el("tr", el("th", "file"), el("th", "lines", class_="n"), el("th", "this session's lines")), *rows
    )
    return el(
        "div",
        head,
        bar,
        el("p", share, class_="small"),
        el("details", el("summary", things(len(one.files), "file")), el("div", table, class_="wide"), class_="more"),
        class_="card",
    )


def _runs(file: FileShare) -> str:
    told = [f"{first}" if first == last else f"{first}-{last}" for first, last in file.runs]
    more = f" and {len(told) - _RUNS} more" if len(told) > _RUNS else ""
    return ", ".join(told[:_RUNS]) + more
