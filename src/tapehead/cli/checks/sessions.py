"""The sessions: whose process is gone, who was left in mid-turn, what is owed, what failed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tapehead.actions.window_room import room_of
from tapehead.agents.setups import resuming
from tapehead.cli import off_period
from tapehead.cli.checks.finding import NOTE, WARNING, Finding
from tapehead.cli.here import states_of
from tapehead.cli.upkeep import gc
from tapehead.engine.chores import capture, look_for_delivery
from tapehead.engine.start import is_alive, process_is_lost
from tapehead.history.turn_numbers import current_turn
from tapehead.store.state import is_stale
from tapehead.text import redacted_excerpt
from tapehead.text.wording import age, ago, count, quote_words, when
from tapehead.tokens.window import FINE

if TYPE_CHECKING:
    from datetime import datetime

    from tapehead.cli.here import Here
    from tapehead.store.state import State

_LONG_BRIEF = 2_500
_NAMED = 20
"""Sessions that one finding names."""
_QUIET_SECONDS = 6 * 3600
"""A turn that nobody heard of for so long was left, even where nobody can tell whether its process lives."""


def lost(at: Here) -> list[Finding]:
    """Sessions that are open in the books while their agent is gone."""
    return [
        Finding(
            "lost",
            WARNING,
            f"{state.phase.name}, but its process {state.host_pid} is gone; last event {ago(_heard(state), at.now)}",
            "`tapehead status` or `tapehead doctor --fix` records that; the next start gets its brief",
            state.session_id,
            partial(_record_loss, at, state.session_id),
        )
        for state in ({} if off_period.current(at) else states_of(at)).values()
        if process_is_lost(state)
    ]


def left_in_mid_turn(at: Here) -> list[Finding]:
    """Sessions with work in flight that nobody is at work on."""
    found = []
    for state in states_of(at).values():
        if state.phase.is_halted:
            what = f"stopped in turn {current_turn(at.engine.layout, state)} at {when(_heard(state))}: {_why(state)}. Last prompt: {quote_words(redacted_excerpt.in_line(state.last_prompt)[:80])}"
            found.append(
                Finding(
                    "halted",
                    NOTE,
                    what,
                    f"`{resuming(state.agent, state.session_id)}` continues it",
                    state.session_id,
                )
            )
        elif state.phase.is_working and _quiet(state, at):
            what = f"{state.phase.name} in turn {current_turn(at.engine.layout, state)}, but no event since {when(_heard(state))}"
            found.append(
                Finding(
                    "quiet",
                    WARNING,
                    what,
                    "the session's next event corrects the phase",
                    state.session_id,
                )
            )
    return found


def stale(at: Here) -> list[Finding]:
    """Sessions of which nothing was heard for a week, by name and age: those that are open each in a finding, those that ended in one."""
    old = [state for state in states_of(at).values() if is_stale(state, at.now)]
    found = [_left_open(at, state) for state in old if state.ended_at is None]
    if ended := [state for state in old if state.ended_at is not None]:
        what = f"{count(len(ended), 'session')} ended more than 7 days ago: {_listed(at, ended)}"
        found.append(Finding("stale", NOTE, what, "`tapehead gc` takes them off the lists", mend=partial(_sweep, at)))
    return found


def _listed(at: Here, ended: list[State]) -> str:
    """The longest silent first."""
    named = [
        f"{state.session_id[:8]} ({age(_heard(state), at.now)})"
        for state in sorted(ended, key=lambda one: str(_heard(one)))
    ]
    more = [f"{len(named) - _NAMED} more"] if len(named) > _NAMED else []
    return ", ".join([*named[:_NAMED], *more])


def _left_open(at: Here, state: State) -> Finding:
    what = f"open ({state.phase.name}), but nothing was heard of it for {age(_heard(state), at.now)}"
    if is_alive(state):
        hint = f"its agent still runs (process {state.host_pid}): go on there, or close it"
        return Finding("stale", NOTE, what, hint, state.session_id)
    hint = f"`tapehead resume {state.session_id[:8]}` goes on with it; `tapehead gc` archives it"
    return Finding("stale", NOTE, what, hint, state.session_id, partial(_sweep, at))


def unknown_phase(at: Here) -> list[Finding]:
    """Phases of another version."""
    return [
        Finding(
            "phase",
            WARNING,
            f"the phase {quote_words(state.phase_as_found)} is unknown to this version, and is read as idle",
            "upgrade tapehead: a newer version wrote it",
            state.session_id,
        )
        for state in states_of(at).values()
        if state.phase_as_found
    ]


def pending(at: Here) -> list[Finding]:
    """Briefs that were not handed over yet."""
    return [
        Finding(
            "pending",
            NOTE,
            "a brief is waiting; the agent gets it with the next prompt or start",
            session=state.session_id,
        )
        for state in states_of(at).values()
        if state.pending_restore
    ]


def _look_again(at: Here, session_id: str) -> None:
    """A former version may have judged by a record that proves nothing: look once more, and take over what is found."""
    look_for_delivery(at.engine, session_id, give_up=True)
    at.engine.settle(session_id)


def delivery(at: Here) -> list[Finding]:
    """Briefs that did not reach the model as they were handed over, and accounts that have grown too long."""
    found = []
    for state in states_of(at).values():
        if state.delivery in ("cut", "missing"):
            what = f"the brief never reached the model ({state.delivery}, by the agent's transcript)"
            hint = f"`tapehead brief --session {state.session_id}` prints it, to paste it by hand"
            mend = partial(_look_again, at, state.session_id)
            found.append(Finding("delivery", WARNING, what, hint, state.session_id, mend))
        if (state.brief_tokens or 0) > _LONG_BRIEF:
            what = f"the brief costs {state.brief_tokens} tokens"
            found.append(
                Finding("tokens", WARNING, what, "`tapehead brief --json` shows what is in it", state.session_id)
            )
    return found


def room(at: Here) -> list[Finding]:
    """Open sessions whose window is nearly full."""
    found = []
    for state in states_of(at).values():
        left = room_of(at.engine.layout, at.engine.settings, state) if not state.phase.is_closed else None
        if left and left.level not in ("", FINE):
            hint = "nothing to do: the work is saved before a compaction. `/compact` picks the moment yourself"
            found.append(
                Finding("room", NOTE, f"the context window is nearly full: {left.told}", hint, state.session_id)
            )
    return found


def failures(at: Here) -> list[Finding]:
    """What failed, how often, and when last."""
    return [
        Finding(
            "failures",
            WARNING,
            f"{action} failed {failure.count} times, last at {when(failure.last_at)}: {failure.reason}",
            "`tapehead doctor --fix` clears this finding",
            state.session_id,
            partial(_put_behind, at, state.session_id, action),
        )
        for state in states_of(at).values()
        for action, failure in sorted(state.failures.items())
    ]


def check_unrecorded(at: Here) -> list[Finding]:
    """Times in which neither the store nor the fallback could be written: the agent's own record shows what came."""
    found = []
    for state in states_of(at).values():
        if gap := state.unrecorded:
            first, last = (when(str(gap.get(name))) for name in ("from", "to"))
            what = f"nothing could be recorded from {first} to {last}: {gap.get('prompts')} prompts are only in the transcript"
            hint = "the next prompt brings a brief of them from the transcript; `tapehead doctor --fix` clears this finding"
            mend = partial(_put_behind, at, state.session_id, "")
            found.append(Finding("unrecorded", WARNING, what, hint, state.session_id, mend))
    return found


def _why(state: State) -> str:
    if state.ended_at is None:
        return "the turn failed"
    return "the agent was closed in mid-turn" if state.ended_at == state.last_interaction_at else "the agent was killed"


def _heard(state: State) -> datetime | None:
    return state.last_interaction_at or state.started_at


def _quiet(state: State, at: Here) -> bool:
    heard = _heard(state)
    return heard is not None and (at.now - heard).total_seconds() > _QUIET_SECONDS


def _record_loss(at: Here, session_id: str) -> None:
    at.engine.lost(session_id)
    at.engine.settle(session_id)


def _put_behind(at: Here, session_id: str, action: str) -> None:
    """A capture that failed is made now, by hand: only if that succeeds is it behind us."""
    if action == "capture" and capture(at.engine, session_id):
        return
    at.engine.repaired(session_id)
    at.engine.settle(session_id)


def _sweep(at: Here) -> None:
    gc(at.engine, at.now)
