"""What a scenario left behind: the hooks as the host sent them, our tape, and what reached the model."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any

from rig.waiting import until
from tapehead.engine import spool
from tapehead.engine.store_location import state_home

if TYPE_CHECKING:
    from rig.place import Place


class Evidence:
    """Reads; changes nothing."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.sessions_dir = os.path.join(place.project, ".git", "tapehead", "sessions")

    def hooks(self) -> list[dict[str, Any]]:
        """The payloads in the order in which the host sent them."""
        return [line["payload"] for line in _lines(self.place.recorded)]

    def order(self, session_id: str | None = None) -> list[str]:
        """The same in short, such as `SessionStart(startup)`."""
        return [_short(each) for each in self.hooks() if session_id in (None, each["session_id"])]

    def sessions(self) -> list[str]:
        """The sessions in the order in which they were first heard of."""
        return list(dict.fromkeys(each["session_id"] for each in self.hooks()))

    def wait_for(self, *shorts: str) -> None:
        """Waits until the host has sent these, in this order, with whatever else in between."""
        until(lambda: _contains(self.order(), shorts), f"hooks {shorts}", show=lambda: str(self.order()))

    def requests(self) -> list[dict[str, Any]]:
        """What the model was asked."""
        return [line["body"] for line in _lines(self.place.log) if _conversation(line["body"])]

    def told(self) -> list[str]:
        """What hooks of ours told the model, one text for each time that it was told something else, in order."""
        found = [story for request in self.requests() for story in briefs(request)]
        return list(dict.fromkeys(found))

    def wait_for_request(self, words: str) -> None:
        """Waits until a prompt has reached the model: the turn runs."""
        until(lambda: any(times(request, words) for request in self.requests()), f"{words!r} reached the model")

    def request_after(self, words: str) -> dict[str, Any]:
        """The first request that holds these words of a prompt."""
        return next(request for request in self.requests() if times(request, words))

    def log(self, session_id: str) -> list[dict[str, Any]]:
        """`tapehead log` of a session."""
        done = self.place.tapehead("log", "--session", session_id, "--json")
        assert done.returncode == 0, done.stderr
        found: list[dict[str, Any]] = json.loads(done.stdout)
        return found

    def path(self, session_id: str) -> list[str]:
        """The way through the machine: each event and the phase that it led to."""
        return [f"{move['event']} -> {move['to']}" for move in self.log(session_id) if move["event"]]

    def notes(self, session_id: str, kind: str) -> list[dict[str, Any]]:
        """What the notes of one kind say."""
        return [move["data"] for move in self.log(session_id) if move["note"] == kind]

    def inheritance(self, session_id: str) -> tuple[str, int] | None:
        """Whom a session's first start inherited from, and by which rule."""
        data = next(move["data"] for move in self.log(session_id) if move["event"] == "session_start")
        return (data["predecessor"], data["rule"]) if "predecessor" in data else None

    def state(self, session_id: str) -> dict[str, Any]:
        """The saved state, once the whole tape has been folded into it: the detached settle has done its work."""

        def settled() -> dict[str, Any] | None:
            if spool.has_entries(spool.folder_in(state_home(self.place.env))):
                self.place.tapehead("status")  # any command takes in what waits for the next hook
            found = _document(os.path.join(self.sessions_dir, f"{session_id}.json"))
            size = os.path.getsize(os.path.join(self.sessions_dir, f"{session_id}.tape"))
            return found if found and found["tape_offset"] == size else None

        found: dict[str, Any] = until(settled, f"the tape of {session_id} is settled")
        return found

    def ended(self) -> str:
        """The session that was heard of last, once its end is settled."""
        session_id = self.sessions()[-1]
        until(lambda: self.state(session_id)["phase"] == "ended", "its end is settled")
        return session_id

    def transcript(self, session_id: str) -> list[dict[str, Any]]:
        """The lines of the host's own record."""
        return _lines(next(each["transcript_path"] for each in self.hooks() if each["session_id"] == session_id))

    def attachments(self, session_id: str, kind: str) -> list[dict[str, Any]]:
        """The attachments of one kind in the host's own record."""
        found = [line["attachment"] for line in self.transcript(session_id) if line["type"] == "attachment"]
        return [each for each in found if each["type"] == kind]

    def handed_back(self, session_id: str) -> list[str]:
        """What the host says that hooks gave the model, oldest first: ours, since nobody else's says anything."""
        return [text for each in self.attachments(session_id, "hook_additional_context") for text in each["content"]]

    def ours(self, request: dict[str, Any]) -> list[str]:
        """The texts of ours that Claude Code gave the model in a request, as often as they stand there."""
        handed = dict.fromkeys(text for session_id in self.sessions() for text in self.handed_back(session_id))
        found = [text.strip() for text in handed for _ in range(times(request, text))]
        assert len(found) == times(request, "hook additional context: tapehead: "), found
        return found

    def story_told(self, session_id: str, prompt: str) -> str:
        """The one story that a session was given: once in the request that carried this prompt, and the receipt says so."""
        [story] = self.handed_back(session_id)
        assert times(self.request_after(prompt), story) == 1
        assert self.delivery(session_id) == "delivered"
        return story

    def delivery(self, session_id: str) -> str:
        """What the receipt says, once there is one."""
        found: str = until(lambda: self.state(session_id)["delivery"], "there is a receipt")
        return found


def texts(value: object) -> list[str]:
    """Every text in a request (or in a part of one), in order."""
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for part in parts for text in texts(part)]


def times(request: dict[str, Any], words: str) -> int:
    """How often the model reads these words in a request."""
    return "\n".join(texts(_conversation(request))).count(words.strip())


def briefs(request: dict[str, Any]) -> list[str]:
    """The texts of ours in a request, without what a host puts around them."""
    said = [_HOOKS_OWN.sub("", text) for text in texts(_conversation(request))]
    behind = [told for text in said for kind in _BEHIND for told in kind.findall(text)]
    return [text.strip() for text in (*said, *behind) if text.startswith("tapehead: ")]


_BEHIND = (
    re.compile(r"<system_reminder>\n(.*?)\n</system_reminder>", re.DOTALL),
    re.compile(
        r"<qwen:session-start-context hidden=\"true\">\n[^\n]*\n(.*?)\n</qwen:session-start-context>", re.DOTALL
    ),
    re.compile(r"<qwen:user-prompt-submit-context>\n(.*?)\n</qwen:user-prompt-submit-context>", re.DOTALL),
)
"""What agents put around our words behind a prompt, or behind their own instructions."""
_HOOKS_OWN = re.compile(r"\A\s*<hook_context>|</hook_context>\s*\Z")


def _conversation(request: dict[str, Any]) -> object:
    """What was said so far, in the words of each model's API."""
    return next((request[name] for name in ("messages", "input", "contents") if request.get(name)), None)


def _contains(order: list[str], wanted: tuple[str, ...]) -> bool:
    rest = iter(order)
    return all(any(each == want for each in rest) for want in wanted)


def _short(payload: dict[str, Any]) -> str:
    detail = payload.get("source") or payload.get("reason") or payload.get("trigger")
    return f"{payload['hook_event_name']}({detail})" if detail else str(payload["hook_event_name"])


def _lines(path: str) -> list[dict[str, Any]]:
    if not os.path.exists(path):
        return []
    with open(path, "rb") as file:
        return [json.loads(line) for line in file.read().split(b"\n")[:-1]]  # a torn last line is still being written


def _document(path: str) -> dict[str, Any] | None:
    try:
        with open(path, "rb") as file:
            found: dict[str, Any] = json.load(file)
            return found
    except FileNotFoundError:
        return None
