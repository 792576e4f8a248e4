"""What a scenario left behind: the hooks as the host sent them, our tape, and what reached the model."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from tapehead.actions.fold import replay
from tapehead.store.line import readable

from rig.waiting import until

if TYPE_CHECKING:
    from rig.place import Place
    from tapehead.actions.fold import Move


class Evidence:
    """Reads; changes nothing."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.store = os.path.join(place.project, ".git", "tapehead")

    def hooks(self) -> list[dict[str, Any]]:
        """The payloads in the order in which the host sent them."""
        return [line["payload"] for line in _lines(self.place.recorded)]

    def order(self, session_id: str | None = None) -> list[str]:
        """The same in short, such as `SessionStart(startup)`."""
        return [_short(each) for each in self.hooks() if session_id in (None, each["session_id"])]

    def sessions(self) -> list[str]:
        """The sessions in the order in which they first were heard of."""
        return list(dict.fromkeys(each["session_id"] for each in self.hooks()))

    def requests(self) -> list[dict[str, Any]]:
        """What the model was asked, turn by turn: requests with tools; the client's side questions have none."""
        return [line["body"] for line in _lines(self.place.log) if line["body"].get("messages")]

    def raw_tape(self, session_id: str) -> list[bytes]:
        path = os.path.join(self.store, "sessions", f"{session_id}.tape")
        if not os.path.exists(path):
            return []
        with open(path, "rb") as file:
            return file.read().splitlines()

    def moves(self, session_id: str) -> list[Move]:
        """What each event on the tape did."""
        return [move for move in replay(session_id, readable(self.raw_tape(session_id))) if move.line.event]

    def phases(self, session_id: str) -> list[str]:
        """The path through the machine: `event>PHASE` for each event."""
        return [f"{move.line.event.value}>{move.state.phase.name}" for move in self.moves(session_id)]

    def notes(self, session_id: str, kind: str) -> list[dict[str, Any]]:
        """The data of the notes of one kind."""
        return [line.data for line in readable(self.raw_tape(session_id)) if line.event is None and line.note == kind]

    def state(self, session_id: str) -> dict[str, Any]:
        """The saved state, once the whole tape has been folded into it: the detached settle has done its work."""
        tape = os.path.join(self.store, "sessions", f"{session_id}.tape")
        path = os.path.join(self.store, "sessions", f"{session_id}.json")

        def settled() -> dict[str, Any] | None:
            found = _document(path)
            return found if found and found["tape_offset"] == os.path.getsize(tape) else None

        return until(settled, f"the tape of {session_id} is settled")

    def wait_for(self, *shorts: str) -> None:
        """Waits until the host has sent these, in this order, with whatever else in between."""
        until(lambda: _contains(self.order(), shorts), f"hooks {shorts}", show=lambda: str(self.order()))

    def transcript(self, session_id: str) -> list[dict[str, Any]]:
        """The lines of the host's own record."""
        paths = {each["transcript_path"] for each in self.hooks() if each["session_id"] == session_id}
        return _lines(paths.pop())


def texts(value: object) -> list[str]:
    """Every text in a request (or in a part of one), in order."""
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for part in parts for text in texts(part)]


def times(request: dict[str, Any], words: str) -> int:
    """How often the model reads these words in a request."""
    return "\n".join(texts(request.get("messages"))).count(words)


def _contains(order: list[str], wanted: tuple[str, ...]) -> bool:
    rest = iter(order)
    return all(any(each == want for each in rest) for want in wanted)


def _short(payload: dict[str, Any]) -> str:
    detail = payload.get("source") or payload.get("reason") or payload.get("trigger")
    return f"{payload['hook_event_name']}({detail})" if detail else payload["hook_event_name"]


def _lines(path: str) -> list[dict[str, Any]]:
    if not os.path.exists(path):
        return []
    with open(path, "rb") as file:
        return [json.loads(line) for line in file.read().split(b"\n")[:-1]]


def _document(path: str) -> dict[str, Any] | None:
    try:
        with open(path, "rb") as file:
            return json.load(file)
    except FileNotFoundError:
        return None
