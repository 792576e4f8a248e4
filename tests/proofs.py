"""What must hold of the table, each walked over the whole finite space: every phase, every event, every set of facts.

Each function returns what breaks its property, so an empty answer is the proof, and a full one names the culprits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.statemachine.table import ROWS, Row
from tapehead.statemachine.transition import row_for
from tapehead.statemachine.vocabulary import Action, Event, Fact, Phase

if TYPE_CHECKING:
    from collections.abc import Iterator

PROVEN = {
    Event.TURN_START: {Phase.ACTIVE},
    Event.COMPACTION: {Phase.COMPACTING},
    Event.SESSION_START: {Phase.IDLE, Phase.RESTORED},
    Event.SESSION_STOP: {Phase.ENDED, Phase.HALTED},
    Event.PROCESS_LOST: {Phase.ENDED, Phase.HALTED},
    Event.TURN_FAILED: {Phase.IDLE, Phase.HALTED, Phase.ENDED},
    Event.TURN_END: {Phase.IDLE, Phase.ENDED},
}
"""The phases that an event itself proves, wherever the session was thought to be: a missed hook heals at the next one."""


def contexts() -> Iterator[frozenset[Fact]]:
    """Every set of facts."""
    facts = list(Fact)
    for bits in range(1 << len(facts)):
        yield frozenset(fact for place, fact in enumerate(facts) if bits >> place & 1)


def space() -> Iterator[tuple[Phase, Event, frozenset[Fact]]]:
    """Every question that can be asked."""
    for phase in Phase:
        for event in Event:
            for ctx in contexts():
                yield phase, event, ctx


def unanswered(rows: tuple[Row, ...] = ROWS) -> list[tuple[Phase, Event]]:
    """Questions without an answer, whatever the facts: each phase and event needs a last row that asks for none."""
    always = {(row.phase, row.event) for row in rows if not row.facts}
    return [(phase, event) for phase in Phase for event in Event if (phase, event) not in always]


def dead(rows: tuple[Row, ...] = ROWS) -> list[Row]:
    """Rows that can never answer, because an earlier row takes every set of facts that they would."""
    return [
        row
        for place, row in enumerate(rows)
        if any(
            (other.phase, other.event) == (row.phase, row.event) and other.facts <= row.facts for other in rows[:place]
        )
    ]


def reachable(start: Phase, rows: tuple[Row, ...] = ROWS) -> frozenset[Phase]:
    """The phases that some path leads to."""
    found, frontier = {start}, [start]
    while frontier:
        here = frontier.pop()
        new = {row.to for row in rows if row.phase is here} - found
        found |= new
        frontier += new
    return frozenset(found)


def unreachable(rows: tuple[Row, ...] = ROWS) -> frozenset[Phase]:
    """Phases that no path from IDLE leads to."""
    return frozenset(Phase) - reachable(Phase.IDLE, rows)


def trapped(rows: tuple[Row, ...] = ROWS) -> frozenset[Phase]:
    """Phases that no path leads back to IDLE from."""
    return frozenset(phase for phase in Phase if Phase.IDLE not in reachable(phase, rows))


def past_the_story(rows: tuple[Row, ...] = ROWS) -> list[Row]:
    """Rows that reach ENDED while something was done that no CAPTURE has seen.

    Walked over pairs of a phase and whether a capture is owed: a CAPTURE pays what was owed before it, and a turn makes
    one owed, even where the row that starts it captures, because the work comes after.
    """
    seen: set[tuple[Phase, bool]] = set()
    frontier = [(Phase.IDLE, False)]
    broken = []
    while frontier:
        here = frontier.pop()
        if here in seen:
            continue
        seen.add(here)
        phase, owed = here
        for row in rows:
            if row.phase is phase:
                owes = row.to is Phase.ACTIVE or (owed and Action.CAPTURE not in row.do)
                if owes and row.to is Phase.ENDED and phase is not Phase.ENDED:
                    broken.append(row)
                frontier.append((row.to, owes))
    return broken


def unproven(rows: tuple[Row, ...] = ROWS) -> list[Row]:
    """Rows that lead elsewhere than the event itself proves."""
    return [row for row in rows if row.to not in PROVEN.get(row.event, {row.to})]


def stuck_in_compaction(rows: tuple[Row, ...] = ROWS) -> list[Row]:
    """Rows that leave a session COMPACTING after something said that the compaction is over."""
    over = {Event.COMPACTED, Event.COMPACTION_FAILED, Event.TURN_FAILED, Event.TURN_END, Event.SESSION_STOP}
    return [row for row in rows if row.to is Phase.COMPACTING and row.event in over]


def misjudged_ends() -> list[tuple[Phase, Event, frozenset[Fact]]]:
    """Questions whose answer calls a session halted whose prompt was answered, or ended whose prompt was not.

    Where the phase alone tells (a turn runs, or none does) the table need not ask; what was halted stays so.
    """
    asked = (Phase.COMPACTING, Phase.RESTORED)
    return [
        (phase, event, ctx)
        for phase, event, ctx in space()
        if phase in asked
        and event in (Event.SESSION_STOP, Event.PROCESS_LOST)
        and (row_for(phase, event, ctx).to is Phase.HALTED) != (Fact.UNANSWERED in ctx)
    ]


def touching_commits(rows: tuple[Row, ...] = ROWS) -> list[Row]:
    """Commits that set the interaction time, which belongs to the agent and its user."""
    return [row for row in rows if row.event is Event.GIT_COMMIT and Action.TOUCH in row.do]


def condensing_rebases() -> list[tuple[Phase, frozenset[Fact]]]:
    """Commits of a rebase that would do anything at all: they are old work, moved."""
    return [
        (phase, ctx)
        for phase in Phase
        for ctx in contexts()
        if Fact.REBASING in ctx and row_for(phase, Event.GIT_COMMIT, ctx).do
    ]


def facts_that_matter(event: Event) -> frozenset[Fact]:
    """The facts that some row asks about when this event comes: what a hook has to find out, and nothing else."""
    return frozenset(fact for row in ROWS if row.event is event for fact in row.facts)
