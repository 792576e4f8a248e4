"""What `tapehead monitor` shows, for the README: drawn by the program itself from three sessions that never were."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from tapehead.cli.monitor.rows import Context, Row
from tapehead.cli.monitor.view import picture
from tapehead.statemachine.vocabulary import Phase
from tapehead.store.state import TokenUsage
from tapehead.tokens.window import Margins, Thresholds

NOW = datetime(2026, 1, 2, 15, 4, tzinfo=UTC)


def example() -> str:
    """The picture as Markdown shows it, in 80 columns."""
    lines = "\n".join(line.plain.rstrip() for line in picture(_rows(), NOW, 80))
    return f"```text\n{lines}\n```\n"


def _rows() -> list[Row]:
    return [
        _row("3f2a91c0", Phase.ACTIVE, "shop", "main", 0, context=_context(82_000, 6), cost=1.23, compactions=2),
        _row("b81d04e7", Phase.IDLE, "shop-cart", "cart", 12, context=_context(151_000, 1), cost=4.5, compactions=0),
        _row("90cc17aa", Phase.HALTED, "shop", "", 190, context=Context(), cost=None, compactions=1),
    ]


def _row(  # noqa: PLR0913 - the columns
    session: str,
    phase: Phase,
    place: str,
    branch: str,
    minutes: int,
    *,
    context: Context,
    cost: float | None,
    compactions: int,
) -> Row:
    return Row(
        session_id=session,
        project="shop",
        phase=phase,
        gone=False,
        agent="claude",
        model="claude-opus-5-5",
        context=context,
        tokens=TokenUsage(input=1_900, output=45_000, cache_read=8_000_000, cache_creation=150_000),
        cost=cost,
        active_at=NOW - timedelta(minutes=minutes),
        compactions=compactions,
        worktree=f"/home/me/{place}",
        branch=branch,
    )


def _context(used: int, turns_left: int) -> Context:
    marks = Thresholds(200_000, Margins())
    return Context(used, 200_000, marks.marks, marks.level(used), marks.percent_left(used), turns_left)
