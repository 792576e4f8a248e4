"""What a session cost, by model: the agent's own counts, and money by the same table as `tapehead cost`."""

from __future__ import annotations

import os
from contextlib import suppress

import attrs

from tapehead.agents.agent_spending import spendings
from tapehead.archive.session_files import files_of
from tapehead.report.report_values import ModelCost, Tokens
from tapehead.tokens.prices import Prices, load_prices
from tapehead.transcript.packed_files import Unreadable
from tapehead.transcript.spending import Spending, Total


def costs_by_model(agent: str, transcript: str, prices: Prices | None) -> tuple[ModelCost, ...]:
    """The messages of a transcript and of its subagents' files, each once; the model that was used last stands last."""
    if not os.path.isfile(transcript):
        return ()
    known = prices or load_prices("")
    totals: dict[str, Total] = {}
    for one in _messages(agent, transcript):
        totals[one.model] = totals.pop(one.model, Total())
        totals[one.model].add(one, known)
    return tuple(_cost(model, total) for model, total in totals.items())


def sum_models(models: tuple[ModelCost, ...]) -> Tokens:
    """All models together."""
    counts = (attrs.astuple(one.tokens) for one in models)
    return Tokens(*map(sum, zip(*counts, strict=True)))


def _messages(agent: str, transcript: str) -> list[Spending]:
    """Lines without a count, such as the agent's own notices, are no messages of a model."""
    found: dict[str, Spending] = {}
    for place, file in enumerate(files_of(transcript, agent, "")):
        if file.beside and not file.path.endswith(".jsonl"):
            continue
        with suppress(OSError, Unreadable):
            for number, one in enumerate(spendings(agent, file.path)):
                if one.input or one.output or one.cache_read or one.cache_written:
                    found.setdefault(one.id or f"\n{place} {number}", one)
    return [*found.values()]


def _cost(model: str, total: Total) -> ModelCost:
    counts = total.counts
    used = Tokens(
        counts["input"], counts["output"], counts["cache_read"], counts["cache_written"], answers=total.messages
    )
    return ModelCost(model, used, total.dollars)
