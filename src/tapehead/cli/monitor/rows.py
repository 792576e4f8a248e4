"""What the monitor shows of one session, as a value. Pure: what was read comes in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import field, frozen

from tapehead.actions.window_room import said_since
from tapehead.engine.waiting import stands_out
from tapehead.statemachine.transition import transition
from tapehead.statemachine.vocabulary import Event, Phase
from tapehead.store import agent_figures
from tapehead.tokens.window import Thresholds
from tapehead.transcript.turns import AGENT, Boundary, Call, Said

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from tapehead.store.state import State, TokenUsage, Waiting
    from tapehead.tokens.prices import Price, Prices
    from tapehead.tokens.window import Margins
    from tapehead.transcript.turns import Turn


@frozen
class Context:
    """How full the window is."""

    used: int | None = None
    """None where nobody knows: before the first answer, and after a compaction until the next one."""
    window: int | None = None
    """None where the agent does not say."""
    marks: tuple[int, int, int, int] | None = None
    """Where warning, error, automatic compaction and blocking begin."""
    level: str = ""
    percent_left: int | None = None
    turns_left: int | None = None


@frozen
class Row:
    """One session."""

    session_id: str
    project: str
    phase: Phase
    gone: bool
    """The agent's process is gone, and nobody has said so yet."""
    agent: str
    model: str
    context: Context
    tokens: TokenUsage
    cost: float | None
    """Dollars, as the agent's status line says."""
    active_at: datetime | None
    compactions: int
    worktree: str
    branch: str
    waiting: Waiting | None = None
    """What its agent waits for; None where the agent is at work, or gone."""
    asked: str = ""
    """The last prompt, as it was said."""
    turns: int = 0
    listed: float | None = None
    """About as many dollars by list prices: all tokens at the price of the newest model."""

    @property
    def money(self) -> str:
        """What it cost, with a sign where that is only about so much; nothing where nobody knows."""
        if self.cost is not None:
            return f"${self.cost:,.2f}"
        return f"~${self.listed:,.2f}" if self.listed else ""

    @property
    def is_waiting(self) -> bool:
        """Whether work stands still until the user does something."""
        return stands_out(self.waiting)

    @property
    def is_open(self) -> bool:
        """Whether its agent may still go on."""
        return not self.phase.is_closed


@frozen
class Read:
    """What was read of a session beside its state."""

    turns: Sequence[Turn] | None = None
    """The newest ones of its transcript; None where it was not read."""
    said: dict[str, object] = field(factory=dict)
    """What the agent said (store/agent_figures.py)."""
    branch: str = ""
    gone: bool = False
    waiting: Waiting | None = None
    written_at: datetime | None = None
    """When the transcript last grew."""


def row(state: State, read: Read, margins: Margins, project: str, prices: Prices | None = None) -> Row:
    """The session as it stands."""
    heard = [at for at in (state.last_interaction_at or state.started_at, read.written_at) if at]
    said = read.said.get("model")
    model = said if isinstance(said, str) and said else state.model
    return Row(
        session_id=state.session_id,
        project=project,
        phase=transition(state.phase, Event.PROCESS_LOST, frozenset())[0] if read.gone else state.phase,
        gone=read.gone,
        agent=state.agent,
        model=model,
        context=_context(state, read, margins),
        tokens=state.token_usage,
        cost=agent_figures.cost(read.said),
        active_at=max(heard, default=None),
        compactions=state.compaction_count,
        worktree=state.worktree_path,
        branch=read.branch,
        waiting=None if read.gone else read.waiting,
        asked=state.last_prompt,
        turns=state.turn_number,
        listed=_listed(state.token_usage, prices.of(model) if prices else None),
    )


def _listed(used: TokenUsage, price: Price | None) -> float | None:
    """What stays in the cache for an hour is not counted apart here."""
    return price.dollars(used.input, used.output, used.cache_read, used.cache_creation) if price else None


def contexts(turns: Sequence[Turn]) -> list[int]:
    """How full the window was after each turn of the session's own, oldest first; empty right after a compaction."""
    own = [turn for turn in turns if not turn.subagent]
    if any(_ends_compacted(turn) for turn in own[-1:]):
        return []
    return [turn.usage.context for turn in own if turn.usage.context]


def _ends_compacted(turn: Turn) -> bool:
    """Whether the host dropped the context in this turn, and the agent has not been heard from since."""
    for step in reversed(turn.steps):
        if isinstance(step, Boundary) and not step.partial:
            return True
        if isinstance(step, Call) or (isinstance(step, Said) and step.who == AGENT):
            return False
    return False


def _context(state: State, read: Read, margins: Margins) -> Context:
    known = contexts(read.turns) if read.turns is not None and not _is_past(state, read.turns) else []
    used = said_since(state, read.said) or (known[-1] if known else _otherwise(state, read))
    window = agent_figures.number(read.said, "window") or _told(read) or state.context_window
    if not window:
        return Context(used=used)
    marks = Thresholds(window, margins)
    if used is None:
        return Context(window=window, marks=marks.marks)
    left = marks.turns_left(known)
    return Context(used, window, marks.marks, marks.level(used), marks.percent_left(used), left)


def _is_past(state: State, turns: Sequence[Turn]) -> bool:
    """Whether the agent has compacted since it last wrote: it may do so before its record says it."""
    written = max((turn.ended for turn in turns if not turn.subagent), default="")
    return state.compacted_at is not None and bool(written) and written[:_A_SECOND] < state.compacted_at.isoformat()


_A_SECOND = len("2026-01-01T00:00:00")


def _told(read: Read) -> int | None:
    """The window as the transcript has it, where its agent writes that down."""
    own = (turn.usage.window for turn in reversed(read.turns or ()) if not turn.subagent)
    return next(filter(None, own), None)


def _otherwise(state: State, read: Read) -> int | None:
    """Where the transcript has no number: what the agent said last. After a compaction that is of the past."""
    if read.turns and any(map(_ends_compacted, [turn for turn in read.turns if not turn.subagent][-1:])):
        return None
    if state.compacted_at and read.turns and _is_past(state, read.turns):
        return None  # what the agent said since stands above
    return agent_figures.number(read.said, "used") or state.context_tokens
