"""At an edit or a failure: one line that points to former work, once for each session and matter, and mostly nothing. Light.

The list is made by the worker (actions/former_work.py) and is there only where the setting `recall.at` asks for it. What is said goes onto
the tape first, and into the list of what models were told.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from tapehead import door, system
from tapehead.store import tape
from tapehead.store.paths import Layout

if TYPE_CHECKING:
    from tapehead.agents.hook_event import Heard
    from tapehead.engine.store_location import Place

_LARGEST = 1 << 22
_LATELY = 128 * 1024
"""Bytes of what was pointed to that are looked at."""
_WAIT = 0.5
"""Seconds that a hook waits for another to write down where it pointed; a pointer less is no loss."""
_WHY = {"edit": "another session changed this file lately", "failure": "the same error was solved before"}


def point(place: Place, heard: Heard, now: int) -> str:
    """What is said of a tool's use; empty where nobody surely did the same before."""
    for root in place.roots:
        layout = Layout(root)
        try:
            raw = door.read(layout.former_work, _LARGEST, follow=False)
        except OSError:
            continue
        return _told(layout, heard, raw, now)
    return ""


def _told(layout: Layout, heard: Heard, raw: bytes, now: int) -> str:
    about = next((word for word in _WHY if heard.data.get(word)), "")
    matter = str(heard.data.get(about) or "")
    if about == "failure":
        from tapehead.text.error_shape import same_shape  # noqa: PLC0415 - only after a failure

        matter = same_shape(matter)
    if not matter or json.dumps(matter, ensure_ascii=False).encode("utf-8", "replace") not in raw:
        return ""
    found = json.loads(raw).get(about, {}).get(matter)
    if not found or found[0] == heard.session_id or not _is_first(layout, heard.session_id, matter):
        return ""
    _put_on_record(layout, heard, {"about": about, "matter": matter[:300], "session": found[0], "text": found[1]}, now)
    return str(found[1])


def _is_first(layout: Layout, session_id: str, matter: str) -> bool:
    """Whether a session was not pointed there before; from now on it was. Two tools at once are told apart by a lock."""
    mark = json.dumps([session_id, matter]).encode() + b"\n"
    from tapehead.store import lock  # noqa: PLC0415 - only where there is something to point to

    descriptor = lock.take(layout.pointed, _WAIT)
    if descriptor is None:
        return False
    try:
        size = os.fstat(descriptor).st_size
        if mark in system.read_at(descriptor, _LATELY, max(0, size - _LATELY)):
            return False
        os.write(descriptor, mark)
    finally:
        os.close(descriptor)
    return True


def _put_on_record(layout: Layout, heard: Heard, about: dict[str, object], now: int) -> None:
    told = {**about, "amount": "pointer", "why": _WHY[str(about["about"])], "tokens": -(-len(str(about["text"])) // 4)}
    line = {"id": tape.stamp(now, os.getpid()), "at": tape.instant(now), "host": heard.host, "note": "pointed"}
    tape.append(layout.tape(heard.session_id), {**line, "facts": [], "data": told})
    tape.append(layout.injections, {"at": tape.instant(now), "to": heard.session_id, "agent": heard.host, **told})
