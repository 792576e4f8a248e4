"""The tapes: lines that are damaged, lines that nobody has read, and whether they lead to where the state says."""

from __future__ import annotations

import os
from binascii import crc32
from functools import partial
from typing import TYPE_CHECKING

from tapehead.cli.checks.finding import ERROR, NOTE, WARNING, Finding
from tapehead.cli.here import states_of
from tapehead.engine.replay import differences
from tapehead.store.line import damage, readable
from tapehead.store.tape import is_as_written

if TYPE_CHECKING:
    from tapehead.cli.here import Here


_WHOLE = 100
"""Tapes that are read whole, the newest: to read all of thousands takes long, and old ones do not change."""
_REPLAYED = 600_000
"""Bytes of tape that are replayed, about a third of a second."""


def _read_whole(at: Here, *, deep: bool) -> list[str]:
    """The sessions whose tapes are looked through."""
    ids = at.engine.store.list()
    return ids if deep or len(ids) <= _WHOLE else sorted(sorted(ids, key=partial(_changed, at))[-_WHOLE:])


def _replayed(at: Here, *, deep: bool) -> list[str]:
    """The sessions whose tapes are replayed: the newest, as many as there is time for, and always one."""
    ids = _read_whole(at, deep=deep)
    if deep:
        return ids
    room, found = _REPLAYED, []
    for session_id in sorted(ids, key=partial(_changed, at), reverse=True):
        if room > 0:
            found.append(session_id)
        room -= _length(at, session_id)
    return sorted(found)


def _length(at: Here, session_id: str) -> int:
    try:
        return os.path.getsize(at.engine.layout.tape(session_id))
    except OSError:
        return 0


def _changed(at: Here, session_id: str) -> float:
    try:
        return os.stat(at.engine.layout.tape(session_id)).st_mtime
    except OSError:
        return 0.0


def check_tapes(at: Here, deep: bool) -> list[Finding]:  # noqa: FBT001 - as it was asked
    """Lines that cannot be read. Those that a user has seen are good to know, and no complaint."""
    found = []
    for session_id in _read_whole(at, deep=deep):
        raw = at.engine.store.lines(session_id)[0]
        skipped = [(place, f"is damaged and was skipped: {reason}") for place, reason in damage(raw)]
        changed = [(place, _CHANGED) for place, line in enumerate(raw, 1) if not is_as_written(line)]
        bad = [*skipped, *(one for one in changed if one[0] not in dict(skipped))]
        known = _seen(raw) if bad else set()
        for place, reason in bad:
            name = _name(raw[place - 1])
            what = f"line {place} of the tape {reason}"
            hint = f"the line stays in {at.engine.layout.tape(session_id)}"
            if name in known:
                found.append(Finding("damaged", NOTE, what, hint, session_id))
            else:
                hint += "; `tapehead doctor --fix` clears this finding"
                mend = partial(_mark_seen, at, session_id, name)
                found.append(Finding("damaged", WARNING, what, hint, session_id, mend))
    return found


_CHANGED = "was changed after it was written (its checksum is wrong), and is read as it stands"
_SEEN = "damage_seen"


def _name(line: bytes) -> str:
    """By what a line is known that has no id that could be read."""
    return f"{crc32(line):08x}{len(line):x}"


def _seen(raw: list[bytes]) -> set[str]:
    return {line.text("line") for line in readable([each for each in raw if _SEEN.encode() in each])}


def _mark_seen(at: Here, session_id: str, name: str) -> None:
    at.engine.append(session_id, {"note": _SEEN, "data": {"line": name}})
    at.engine.settle(session_id)


def unread(at: Here) -> list[Finding]:
    """Lines that the state has not read: normal while a hook is at work, odd when it stays so."""
    found = []
    states = states_of(at)
    for session_id in at.engine.store.list():
        if at.engine.store.behind(session_id, states.get(session_id)):
            mend = partial(_settle, at, session_id)
            hint = "`tapehead status` or `tapehead doctor --fix` processes them"
            found.append(
                Finding("unread", WARNING, "the tape has events that were not processed yet", hint, session_id, mend)
            )
    return found


def replay_differs(at: Here, deep: bool) -> list[Finding]:  # noqa: FBT001 - as it was asked
    """States that are not what their tape gives."""
    found = []
    for session_id in _replayed(at, deep=deep):
        if fields := differences(at.engine, session_id):
            what = f"the saved state does not match the tape: {', '.join(sorted(fields))}"
            hint = f"`tapehead replay --session {session_id}` shows the difference"
            found.append(Finding("replay", ERROR, what, hint, session_id))
    return found


def _settle(at: Here, session_id: str) -> None:
    at.engine.settle(session_id)
