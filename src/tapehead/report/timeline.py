"""A session's turns as a report shows them: each prompt, and what was said and done until the next one. Pure."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import TYPE_CHECKING

import attrs

from tapehead.report import report_values
from tapehead.report.report_redaction import excerpt
from tapehead.report.report_values import Entry, ReportedTurn, Tokens
from tapehead.transcript.turns import (
    AGENT,
    EDIT,
    HUMAN,
    INTERRUPTED,
    RUN,
    SUMMARY,
    TODOS,
    WRITE,
    Boundary,
    Call,
    Result,
    Said,
    living,
)
from tapehead.work_record.files_in_play import shorter

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tapehead.transcript.turns import Step, Turn
    from tapehead.transcript.usage import Usage

MOST_ENTRIES = 400
"""Entries of one turn; of more, the first and the last."""
_PROMPT, _REPLY, _OTHER = 6_000, 6_000, 2_500
_SCALES = (1.0, 0.4, 0.15, 0.06, 0.02)
_LEAST = 60


def timeline(turns: Sequence[Turn], letters: int) -> tuple[ReportedTurn, ...]:
    """The session's own turns, with its subagents' work in them; texts are cut so that all have about so many letters."""
    own = [(turn.number, turn) for turn in turns if not turn.subagent]
    staying = {id(turn) for _, turn in living(own)[0]}
    beside = _beside([turn for _, turn in own], [turn for turn in turns if turn.subagent])
    scale = _scale(turns, letters)
    return tuple(
        _reported(turn, beside.get(place, []), scale, withdrawn=id(turn) not in staying)
        for place, (_, turn) in enumerate(own)
    )


def moment(time: str) -> datetime | None:
    """A time as an agent wrote it."""
    try:
        found = datetime.fromisoformat(time)
    except ValueError:
        return None
    return found if found.tzinfo else None


def count_usage(usage: Usage) -> Tokens:
    """What the agent counted."""
    return Tokens(usage.input, usage.output, usage.cache_read, usage.cache_written, usage.messages)


def _beside(own: Sequence[Turn], subagents: Sequence[Turn]) -> dict[int, list[Turn]]:
    """The subagents' turns by the place of the turn in which each began."""
    found: dict[int, list[Turn]] = {}
    for turn in subagents:
        begun = [place for place, one in enumerate(own) if one.began <= turn.began]
        found.setdefault(begun[-1] if begun else 0, []).append(turn)
    return found


def _scale(turns: Sequence[Turn], letters: int) -> float:
    """How much shorter than usual texts must be. A long session is mostly what tools said."""
    lengths = [len(text) for turn in turns for step in turn.steps for text in _texts(step)]
    for scale in _SCALES:
        if sum(min(length, _limit(_OTHER, scale)) for length in lengths) <= letters:
            return scale
    return _SCALES[-1]


def _texts(step: Step) -> Iterator[str]:
    if not isinstance(step, Boundary):
        yield step.text
    if isinstance(step, Call):
        yield from (text for pair in step.pairs for text in pair)


def _limit(usual: int, scale: float) -> int:
    return max(_LEAST, int(usual * scale))


def _reported(turn: Turn, beside: Sequence[Turn], scale: float, *, withdrawn: bool) -> ReportedTurn:
    entries = [*_entries(turn, scale), *(_delegated(one, scale) for one in beside)]
    calls = [call for one in (turn, *beside) for call in one.calls]
    failed = {result.id for one in (turn, *beside) for result in one.results if result.failed}
    changed = (shorter(call.path, turn.cwd) for call in calls if call.kind in {EDIT, WRITE} and call.path)
    usage = turn.usage
    for one in beside:
        usage = usage.plus(one.usage._replace(context=0, window=0))
    half = MOST_ENTRIES // 2
    shown = entries if len(entries) <= MOST_ENTRIES else [*entries[:half], *entries[-half:]]
    return ReportedTurn(
        number=turn.number,
        prompt=excerpt("\n\n".join(turn.human), _limit(_PROMPT, max(scale, 0.2))),
        began=moment(turn.began),
        ended=moment(turn.ended),
        entries=tuple(shown),
        left_out=len(entries) - len(shown),
        tools=tuple(Counter(call.tool for call in calls).most_common()),
        files=tuple(dict.fromkeys(changed)),
        commands=sum(call.kind == RUN for call in calls),
        failed=len(failed),
        compactions=sum(not boundary.partial for boundary in turn.boundaries),
        withdrawn=withdrawn,
        tokens=count_usage(usage),
        context=turn.usage.context,
    )


def _entries(turn: Turn, scale: float) -> Iterator[Entry]:
    """In order, each call with what came of it; the first prompt is the turn's own, and thinking is left out."""
    results = {result.id: result for result in turn.results}
    first = True
    for step in turn.steps:
        if isinstance(step, Said) and step.who == HUMAN and first:
            first = False
        elif isinstance(step, Said) and step.who in _SPEAKERS:
            kind, usual = _SPEAKERS[step.who]
            yield Entry(kind, text=excerpt(step.text, _limit(usual, max(scale, 0.1))))
        elif isinstance(step, Call):
            yield _called(step, results.get(step.id), turn.cwd, scale)
        elif isinstance(step, Boundary):
            told = "old tool results were dropped" if step.partial else f"{step.tokens:,} tokens before it"
            yield Entry(report_values.COMPACTION, title=step.trigger, text=excerpt(told, _OTHER))


_SPEAKERS = {
    HUMAN: (report_values.PROMPT, _PROMPT),
    AGENT: (report_values.REPLY, _REPLY),
    SUMMARY: (report_values.SUMMARY, _REPLY),
    INTERRUPTED: (report_values.INTERRUPTED, _OTHER),
}


def _called(call: Call, result: Result | None, cwd: str, scale: float) -> Entry:
    limit = _limit(_OTHER, scale)
    edits = call.pairs if call.kind == EDIT else ()
    tasks = "\n".join(f"[{status}] {text}" for text, status in call.pairs) if call.kind == TODOS else ""
    return Entry(
        report_values.CALL,
        title=call.tool,
        path=shorter(call.path, cwd) if call.path else "",
        text=excerpt(tasks or call.text, limit),
        outcome=excerpt(result.text, limit) if result else report_values.NOTHING,
        removed=excerpt("\n".join(old for old, _ in edits), limit),
        added=excerpt("\n".join(new for _, new in edits), limit),
        failed=bool(result and result.failed),
    )


def _delegated(turn: Turn, scale: float) -> Entry:
    """A subagent's turn in one entry: what it was asked, what it used, and its last words."""
    tools = ", ".join(f"{tool} {many}" for tool, many in Counter(call.tool for call in turn.calls).most_common())
    words = turn.agent
    asked = excerpt("\n\n".join(turn.human), _limit(_OTHER, scale))
    said = excerpt(words[-1] if words else "", _limit(_OTHER, scale))
    return attrs.evolve(Entry(report_values.SUBAGENT, title=turn.subagent, text=asked, outcome=said), path=tools)
