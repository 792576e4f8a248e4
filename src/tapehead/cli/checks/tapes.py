"""The tapes: lines that are damaged, lines that nobody has read, and whether they lead to where the state says."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tapehead.cli.checks.finding import ERROR, WARNING, Finding
from tapehead.cli.here import known
from tapehead.cli.replaying import differences
from tapehead.store.line import damage

if TYPE_CHECKING:
    from tapehead.cli.here import Here


def damaged(at: Here) -> list[Finding]:
    """Lines that cannot be read."""
    found = []
    for session_id in at.engine.store.list():
        for place, reason in damage(at.engine.store.lines(session_id)[0]):
            what = f"line {place} of the tape is damaged and was passed over: {reason}"
            hint = f"the line stays where it is: {at.engine.layout.tape(session_id)}"
            found.append(Finding("damaged", WARNING, what, hint, session_id))
    return found


def unread(at: Here) -> list[Finding]:
    """Lines that the state has not read: normal while a hook is at work, odd when it stays so."""
    found = []
    states = known(at.engine)
    for session_id in at.engine.store.list():
        if at.engine.store.behind(session_id, states.get(session_id)):
            mend = partial(_settle, at, session_id)
            hint = "`tapehead status` or `tapehead doctor --fix` reads them"
            found.append(
                Finding("unread", WARNING, "the tape has lines that were not read yet", hint, session_id, mend)
            )
    return found


def replay_differs(at: Here) -> list[Finding]:
    """States that are not what their tape gives."""
    found = []
    for session_id in known(at.engine):
        if fields := differences(at.engine, session_id):
            what = f"the saved state is not what the tape gives: {', '.join(sorted(fields))}"
            hint = f"`tapehead replay --session {session_id}` shows the difference"
            found.append(Finding("replay", ERROR, what, hint, session_id))
    return found


def _settle(at: Here, session_id: str) -> None:
    at.engine.settle(session_id)
