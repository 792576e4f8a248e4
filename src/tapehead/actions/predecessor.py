"""Whom a start goes on from: one table of rules, read from top to bottom. Pure; the tape records which rule it was.

Each earlier session is described by its traits, as this start sees it. A rule takes the newest session that has all the traits it needs and
none that bars it. docs/continuity.md shows the same table.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import datetime

    from tapehead.store.state import State

MOMENT_SECONDS = 60
RECENT_SECONDS = 24 * 3600


class Trait(Enum):
    """What holds of an earlier session, as a start sees it."""

    FORKED = "the start copied this session's conversation"
    NAMED = "a handoff names this session, and this start holds it"
    CLEARED_HERE = "`/clear` ended this session a moment ago, in the process of this start"
    SAME_TERMINAL = "it ran in this terminal, since the terminal was opened"
    SAME_BRANCH = "it was last on the branch that is checked out now"
    HALTED = "it stopped in mid-turn"
    ONLY_RECENT = "no other session of the last day could be meant"
    OLD_HALT = "it stopped in mid-turn more than a day ago"
    ALIVE = "its agent still runs, in another process"
    CONTINUED = "another session went on with it, or was offered it and still runs"
    ONE_OFF = "it was a single run, such as `claude -p`, and this start is not"


class Rule(NamedTuple):
    """One row: the newest session with all of `needs` and none of `bars` is the predecessor."""

    number: int
    """The number on the tape. It never changes its meaning; the order of the rows is what counts."""
    name: str
    needs: frozenset[Trait]
    bars: frozenset[Trait] = frozenset()
    is_near: bool = False
    """Whether it is sure who goes on with what: then the whole brief is handed over, else a pointer, unless a setting says otherwise."""


_OVER = frozenset({Trait.OLD_HALT, Trait.ALIVE, Trait.CONTINUED, Trait.ONE_OFF})
"""What keeps a session from being offered to a start that nobody sent to it."""
_UNLIKELY = _OVER | {Trait.HALTED}
"""The same where nothing but time speaks for it: work in flight on another branch is somebody else's."""

FORK, BATON = 7, 1
RULES = (
    Rule(FORK, "fork", frozenset({Trait.FORKED})),
    Rule(BATON, "handoff", frozenset({Trait.NAMED}), is_near=True),
    Rule(2, "clear", frozenset({Trait.CLEARED_HERE}), is_near=True),
    Rule(3, "terminal", frozenset({Trait.SAME_TERMINAL}), _OVER),
    Rule(4, "halted", frozenset({Trait.HALTED, Trait.SAME_BRANCH}), _OVER),
    Rule(5, "only", frozenset({Trait.ONLY_RECENT}), _UNLIKELY),
    Rule(6, "newest", frozenset(), _UNLIKELY),
)
NEAR = frozenset(rule.number for rule in RULES if rule.is_near)


class Start(NamedTuple):
    """The start that asks."""

    session_id: str
    at: datetime
    host_pid: int | None = None
    terminal: str = ""
    terminal_started: str = ""
    branch: str = ""
    cleared: bool = False
    one_off: bool = False
    forks: str | None = None
    """The session that it copied; empty where that is not known, None where it copied none."""


class Candidate(NamedTuple):
    """An earlier session of this worktree, and whether its agent still runs in another process."""

    state: State
    is_alive: bool = False


class Predecessor(NamedTuple):
    """The answer."""

    session_id: str
    rule: int


def find_predecessor(start: Start, candidates: list[Candidate], *, named: str = "") -> Predecessor | None:
    """The session that a start goes on from. `named` is the session of a handoff that it holds; the newest candidate comes first."""
    if start.forks is not None:
        return Predecessor(start.forks, FORK) if start.forks else None
    if named:
        return Predecessor(named, BATON)
    told = [one for one in candidates if one.state.turn_number and one.state.session_id != start.session_id]
    continued = {
        one.state.predecessor for one in candidates if one.state.session_id != start.session_id and _uses_up(one, start)
    }
    traits = [(one.state.session_id, _traits(start, one, continued)) for one in told]
    taken_over = {one.state.predecessor for one in candidates if one.state.predecessor_rule in NEAR}
    return match(_with_only_recent(start, told, traits), cleared_for_sure=_is_sure(start, traits, taken_over))


def match(seen: list[tuple[str, frozenset[Trait]]], *, cleared_for_sure: bool = True) -> Predecessor | None:
    """The first rule that takes a session, newest first."""
    for rule in RULES:
        if Trait.CLEARED_HERE in rule.needs and not cleared_for_sure:
            continue
        for session_id, traits in seen:
            if rule.needs <= traits and not rule.bars & traits:
                return Predecessor(session_id, rule.number)
    return None


def _uses_up(heir: Candidate, start: Start) -> bool:
    """Whether what this session went on from is not to be offered again: it got a prompt, or may still get one.

    A single run between two sittings takes nothing away from the second.
    """
    return (not heir.state.one_off or start.one_off) and bool(heir.state.turn_number or heir.is_alive)


def _traits(start: Start, one: Candidate, continued: set[str]) -> frozenset[Trait]:
    state = one.state
    halted = state.phase.is_halted
    holds = {
        Trait.CLEARED_HERE: _is_cleared_here(start, state),
        Trait.SAME_TERMINAL: bool(start.terminal)
        and (state.terminal, state.terminal_started) == (start.terminal, start.terminal_started),
        Trait.SAME_BRANCH: not state.branch or not start.branch or state.branch == start.branch,
        Trait.HALTED: halted,
        Trait.OLD_HALT: halted and not _is_recent(start, state),
        Trait.ALIVE: one.is_alive,
        Trait.CONTINUED: state.session_id in continued,
        Trait.ONE_OFF: state.one_off and not start.one_off,
    }
    return frozenset(trait for trait, true in holds.items() if true)


def _with_only_recent(
    start: Start, told: list[Candidate], traits: list[tuple[str, frozenset[Trait]]]
) -> list[tuple[str, frozenset[Trait]]]:
    """The same, with the trait that depends on all of them."""
    recent = [
        session_id
        for one, (session_id, has) in zip(told, traits, strict=True)
        if _is_recent(start, one.state) and not _UNLIKELY & has
    ]
    only = recent[0] if len(recent) == 1 else None
    return [(name, has | {Trait.ONLY_RECENT} if name == only else has) for name, has in traits]


def _is_cleared_here(start: Start, state: State) -> bool:
    """Ended by `/clear` a moment ago in the same process; or left open there by an agent that says nothing of the end."""
    same = start.host_pid is not None and state.host_pid == start.host_pid
    return start.cleared and same and (not state.ended_at or _age(state.ended_at, start) <= MOMENT_SECONDS)


def _is_sure(start: Start, traits: list[tuple[str, frozenset[Trait]]], taken_over: set[str]) -> bool:
    """A process without a terminal may serve several: where it has more than one session, nobody can tell which was cleared.

    One that another session took over is over. One that another was only pointed to may still be open in its own terminal.
    """
    cleared = [name for name, has in traits if Trait.CLEARED_HERE in has and name not in taken_over]
    return bool(start.terminal) or len(cleared) == 1


def _is_recent(start: Start, state: State) -> bool:
    return _age(state.last_interaction_at or state.started_at, start) <= RECENT_SECONDS


def _age(then: datetime | None, start: Start) -> float:
    return (start.at - then).total_seconds() if then else float("inf")
