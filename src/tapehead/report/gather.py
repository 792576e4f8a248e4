"""Collects what a report tells of one session: from the agent's own record, the tape, the captures and git. It writes nothing."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING

from attrs import frozen

from tapehead.actions.fold import replay
from tapehead.agents.readers import agent_of_file, deliveries_of, reader_of
from tapehead.brief.losses import ARCHIVE, HANDED, SUMMARY, handed_at, handed_in, items
from tapehead.documents import adrs
from tapehead.report import report_values
from tapehead.report.commit_shares import shares
from tapehead.report.curve import curve
from tapehead.report.report_redaction import excerpt, redact_values
from tapehead.report.spent import costs_by_model, sum_models
from tapehead.report.timeline import moment, timeline
from tapehead.store import agent_figures, captures
from tapehead.store.line import readable
from tapehead.store.sessions import StateStore
from tapehead.tokens.estimate import tokens
from tapehead.tokens.prices import AS_OF
from tapehead.transcript.compactions import compactions
from tapehead.transcript.turns import number_turns
from tapehead.work_record.work_record import gather_work

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from tapehead.brief.losses import Item
    from tapehead.git.layout import Repository
    from tapehead.store.line import Line
    from tapehead.store.paths import Layout
    from tapehead.store.state import State
    from tapehead.tokens.prices import Prices
    from tapehead.transcript.compactions import Compaction
    from tapehead.transcript.turns import Turn
    from tapehead.work_record.facts import Fact

LETTERS = 3_000_000
"""Of what was said and done, in one report: a browser opens so much at once."""
_STEPS = 20_000
"""Steps that are read again to work out what compactions lost: seconds. The newest compactions go first."""
_BRIEF = 40_000
_SUMMARY = 6_000
_RECEIVED = 12
_ITEMS = 60
_OURS = "tapehead: "


@frozen
class Source:
    """Where a session is found: in a store, or in a file of its agent's alone."""

    transcript: str
    agent: str
    layout: Layout | None = None
    state: State | None = None
    repository: Repository | None = None
    also: tuple[str, ...] = ()
    """What the user wants redacted beside secrets."""
    prices: Prices | None = None
    """The price list, where it is not the common one."""


def gather(source: Source, now: datetime, letters: int = LETTERS) -> report_values.Report:
    """The report of one session, with its secrets taken out. Raises OSError where its record cannot be read."""
    turns, received = _recorded(source)
    handed = handed_in(received) or handed_in((_handed_last(source),))
    lines = _taped(source)
    own = [turn for turn in turns if not turn.subagent]
    state, work = source.state, gather_work(own)
    commits, left_out = shares(source.layout, source.repository, lines) if source.layout else ((), 0)
    models, points = costs_by_model(source.agent, source.transcript, source.prices), curve(turns)
    priced = [one.dollars for one in models if one.dollars is not None]
    said = agent_figures.look(source.layout, state.session_id) if source.layout and state else {}
    report = report_values.Report(
        session=state.session_id if state else work.session or os.path.basename(source.transcript),
        made_at=now,
        agent=source.agent,
        agent_version=state.agent_version if state else "",
        model=(state.model if state else "") or (models[-1].model if models else ""),
        project=os.path.basename((state.worktree_path if state else "") or work.cwd),
        branch=(state.branch if state else "") or work.branch,
        phase=state.phase.value if state else "",
        began=(state.started_at if state else None) or moment(work.began),
        ended=(state.ended_at or state.last_interaction_at if state else None) or moment(work.ended),
        turns=timeline(turns, letters),
        points=points,
        window=(state.context_window if state else None) or agent_figures.number(said, "window") or _window(turns),
        compactions=_compactions(own, handed, {point.compaction: point.at for point in points}),
        moves=_moves(source, lines),
        received=_received(source, received),
        tokens=sum_models(models),
        models=models,
        dollars=sum(priced) if priced and len(priced) == len(models) else None,
        prices_as_of=AS_OF,
        cost=agent_figures.cost(said),
        commits=commits,
        commits_left_out=left_out,
        rules=_statements(work.rules),
        decisions=_statements(work.decisions),
        kept_decisions=_kept(source.layout),
        is_missing=not os.path.isfile(source.transcript),
    )
    return redact_values(report, source.also)


def source_of_file(path: str) -> Source:
    """A transcript that no store knows, of whichever agent."""
    return Source(path, agent_of_file(path) or "claude")


def _recorded(source: Source) -> tuple[tuple[Turn, ...], list[str]]:
    """The turns, and the texts that hooks gave to the model, by the agent's own record."""
    reader, record = reader_of(source.agent), deliveries_of(source.agent)
    if reader is None or not os.path.isfile(source.transcript):
        return (), []
    texts = (record.received(source.transcript) if record else None) or ()
    turns = _numbered(reader.read(source.transcript).turns)
    return turns, [text for text in texts if text.startswith(_OURS)]


def _numbered(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """The session's own turns counted from 1, as the work record counts them."""
    own = (turn._replace(number=number) for number, turn in number_turns(turn for turn in turns if not turn.subagent))
    return tuple(turn if turn.subagent else next(own) for turn in turns)


def _taped(source: Source) -> list[Line]:
    if source.layout is None or source.state is None:
        return []
    return readable(StateStore(source.layout).lines(source.state.session_id)[0])


def _moves(source: Source, lines: list[Line]) -> tuple[report_values.ReportedMove, ...]:
    if source.state is None:
        return ()
    return tuple(
        report_values.ReportedMove(
            move.line.at,
            move.line.event.value,
            move.was.value,
            move.state.phase.value,
            tuple(action.value for action in move.actions),
        )
        for move in replay(source.state.session_id, lines)
        if move.line.event
    )


def _compactions(
    own: Sequence[Turn], handed: list[str], times: Mapping[int, datetime | None]
) -> tuple[report_values.ReportedCompaction, ...]:
    """The newest first, while there is time for it; then in their order."""
    found, left = compactions(own), _STEPS
    told = []
    for one in reversed(found):
        steps = sum(len(turn.steps) for turn in one.before)
        left -= steps
        text = handed_at(one, len(found), handed)
        told.append(_compaction(one, text, times.get(one.number), is_told=left >= 0 or one is found[-1]))
    return tuple(reversed(told))


def _compaction(
    one: Compaction, handed: str, at: datetime | None, *, is_told: bool
) -> report_values.ReportedCompaction:
    lost = items(gather_work(one.before), one.summary, handed) if is_told else ()
    dropped = next((step for turn in one.after for step in turn.boundaries if not step.partial), None)
    return report_values.ReportedCompaction(
        number=one.number,
        turn=one.before[-1].number,
        at=at or moment(one.at),
        tokens=dropped.tokens if dropped else 0,
        handed_tokens=tokens(handed),
        handed=excerpt(handed, _BRIEF),
        summary=excerpt(one.summary, _SUMMARY),
        kinds=_kinds(lost),
        items=tuple(report_values.Lost(item.kind, item.text, item.turn, item.where) for item in _worth_showing(lost)),
        is_told=is_told,
    )


def _kinds(lost: Sequence[Item]) -> tuple[report_values.LostKind, ...]:
    counts = Counter((item.kind, item.where) for item in lost)
    return tuple(
        report_values.LostKind(kind, *(counts[kind, where] for where in (SUMMARY, HANDED, ARCHIVE)))
        for kind in dict.fromkeys(item.kind for item in lost)
    )


def _worth_showing(lost: Sequence[Item]) -> list[Item]:
    """What the summary lost, newest last; files and commands are many, and stand in the turns."""
    gone = [item for item in lost if item.where != SUMMARY and item.kind not in {"file", "command"}]
    return gone[-_ITEMS:]


def _received(source: Source, received: list[str]) -> tuple[report_values.Received, ...]:
    """What the model was given, oldest first; what was handed over last is kept, whether or not the record has it."""
    state = source.state
    texts = received[-_RECEIVED:] or [text for text in (_kept_brief(source),) if text]
    told = [
        report_values.Received(excerpt(text, _BRIEF), tokens(text), "delivered" if received else "") for text in texts
    ]
    if told and state and state.delivery:
        told[-1] = report_values.Received(told[-1].text, told[-1].tokens, state.delivery)
    return tuple(told)


def _kept_brief(source: Source) -> str:
    """The newest brief that was given, as the store keeps it."""
    if source.layout is None or source.state is None:
        return ""
    with suppress(OSError):
        return captures.read_handed(source.layout, source.state.session_id)
    return ""


def _handed_last(source: Source) -> str:
    """The same, unless it is known that it did not reach the model: what `tapehead losses` counts by, too."""
    return "" if source.state is None or source.state.delivery == "missing" else _kept_brief(source)


def _window(turns: Sequence[Turn]) -> int:
    return next((turn.usage.window for turn in reversed(turns) if turn.usage.window and not turn.subagent), 0)


def _statements(facts: Sequence[Fact]) -> tuple[report_values.Statement, ...]:
    return tuple(report_values.Statement(fact.text, fact.turn, fact.note, fact.holds) for fact in facts)


def _kept(layout: Layout | None) -> tuple[report_values.Statement, ...]:
    if layout is None:
        return ()
    with suppress(OSError):
        return tuple(
            report_values.Statement(
                f"{adr.name} {adr.title}: {adr.gist}".rstrip(": "), note=adr.status, holds=adr.holds
            )
            for adr in adrs.list_adrs(layout)
        )
    return ()
