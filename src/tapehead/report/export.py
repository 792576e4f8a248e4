"""A report as text: JSON for programs, Markdown for people and for other tools."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import attrs

from tapehead.report import report_values
from tapehead.report.phrases import clock, day_and_clock, duration, money, number, things, with_zone
from tapehead.report.report_values import Excerpt
from tapehead.text.plain import plain, row

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import tzinfo

    from tapehead.report.report_values import Entry, Report, ReportedCommit, ReportedCompaction, ReportedTurn, Statement

_SIGNS = "\\`*_[]<>#|"


def as_data(value: Any) -> Any:
    """Values as JSON has them: times in UTC, a text that was cut with how much of it is missing."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, Excerpt):
        return {"text": value.text, "left_out": value.left_out} if value.left_out else value.text
    if isinstance(value, tuple):
        return [as_data(item) for item in value]
    if attrs.has(type(value)):
        return {field.name: as_data(getattr(value, field.name)) for field in attrs.fields(type(value))}
    return value


def as_markdown(report: Report, zone: tzinfo | None) -> str:
    """The same as Markdown. What was said stands in fences, so that nothing in it makes a heading or a link."""
    return "\n".join(_lines(report, zone)).rstrip() + "\n"


def _lines(report: Report, zone: tzinfo | None) -> Iterator[str]:
    yield from (f"# Session {_safe(report.session)}", "")
    about = (report.agent, report.model, report.project, report.branch, report.phase)
    yield from (", ".join(_safe(word) for word in about if word) + ".", "")
    took = duration(report.began, report.ended)
    yield from (f"{with_zone(report.began, zone)}{f', {took}' if took else ''}. All times in this zone.", "")
    yield from _costs(report)
    for one in report.compactions:
        yield from _compaction(one, zone)
    if report.received:
        yield from ("## The brief, as the agent got it", "", *_fenced(report.received[-1].text), "")
    for commit in report.commits:
        yield from _commit(commit)
    titles = (
        ("Rules of the user", report.rules),
        ("Decisions", report.decisions),
        ("Kept decisions", report.kept_decisions),
    )
    for title, found in titles:
        yield from _statements(title, found)
    if report.moves:
        yield from ("## Path through the machine", "")
        yield from (f"- {day_and_clock(move.at, zone)} {move.event}: {move.was} to {move.to}" for move in report.moves)
        yield ""
    for turn in report.turns:
        yield from _turn(turn, zone)


def _costs(report: Report) -> Iterator[str]:
    if not report.models:
        return
    yield from (
        "## Costs",
        "",
        "| model | answers | input | output | cache read | cache written | money |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    )
    for one in report.models:
        used = one.tokens
        counts = (used.answers, used.input, used.output, used.cache_read, used.cache_written)
        told = [*map(number, counts), "?" if one.dollars is None else f"${one.dollars:,.2f}"]
        yield f"| {_safe(one.model or 'unknown')} | {' | '.join(told)} |"
    yield from ("", _safe(money(report)), "")


def _compaction(one: ReportedCompaction, zone: tzinfo | None) -> Iterator[str]:
    yield from (f"## Compaction {one.number}", "")
    yield f"In turn {one.turn}, {day_and_clock(one.at, zone)}. {number(one.tokens)} tokens before it, {number(one.handed_tokens)} handed back."
    if one.is_told:
        yield f"{number(one.kept)} things kept by the summary, {number(one.handed_back)} handed back, {number(one.archived)} only in the transcript."
    yield ""
    yield from (
        f"- {'handed back' if item.where == 'handed' else 'lost'}: {item.kind}, turn {item.turn}: {_safe(item.text)}"
        for item in one.items
    )
    yield ""


def _commit(one: ReportedCommit) -> Iterator[str]:
    yield from (f"## Commit {_safe(one.commit[:10])}: {_safe(one.subject)}", "")
    yield from (
        f"{number(one.session)} of {things(one.added, 'added line')} by this session, {number(one.removed)} removed.",
        "",
    )
    for file in one.files:
        runs = ", ".join(f"{first}-{last}" for first, last in file.runs)
        yield f"- {_safe(file.path)}: {file.session} of {file.added}{f' (lines {runs})' if runs else ''}"
    yield ""


def _statements(title: str, found: Sequence[Statement]) -> Iterator[str]:
    if found:
        yield from (f"## {title}", "")
        for one in found:
            where = f" (turn {one.turn})" if one.turn else ""
            yield f"- {_safe(one.text)}{where}{'' if one.holds else ' (no longer holds)'}"
        yield ""


def _turn(turn: ReportedTurn, zone: tzinfo | None) -> Iterator[str]:
    took = duration(turn.began, turn.ended)
    back = ", taken back by the user" if turn.withdrawn else ""
    yield from (f"## Turn {turn.number}, {clock(turn.began, zone)}{f', {took}' if took else ''}{back}", "")
    if turn.prompt.text:
        yield from ("User:", "", *_fenced(turn.prompt), "")
    for entry in turn.entries:
        yield from _entry(entry)
    if turn.left_out:
        yield from (f"({things(turn.left_out, 'step')} in the middle of this turn not shown.)", "")


def _entry(entry: Entry) -> Iterator[str]:
    names = {
        report_values.REPLY: "Agent",
        report_values.PROMPT: "User",
        report_values.SUMMARY: "Summary of the agent",
        report_values.INTERRUPTED: "Interrupted",
        report_values.COMPACTION: "Compaction",
    }
    name = names.get(entry.kind) or _safe(entry.title)
    yield from (f"{name}{f' {_safe(entry.path)}' if entry.path else ''}{' (failed)' if entry.failed else ''}:", "")
    for text, sign in ((entry.text, ""), (entry.removed, "- "), (entry.added, "+ "), (entry.outcome, "")):
        if text.text.strip():
            yield from (*_fenced(text, sign), "")


def _fenced(text: Excerpt, sign: str = "") -> Iterator[str]:
    """A text between fences that are longer than any in it."""
    lines = [f"{sign}{line}" for line in plain(text.text).rstrip().split("\n")]
    longest = max((len(line) - len(line.lstrip("`")) for line in map(str.strip, lines)), default=0)
    fence = "`" * max(3, longest + 1)
    yield from (fence, *lines, fence)
    if text.left_out:
        yield f"({number(text.left_out)} more characters are not shown.)"


def _safe(text: str) -> str:
    """A name or a sentence in a line of Markdown."""
    return "".join(f"\\{letter}" if letter in _SIGNS else letter for letter in row(text))
