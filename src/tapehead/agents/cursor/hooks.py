"""Cursor's hooks: its payloads in, the machine's words out, and back. Light: loaded at every hook.

Only this folder knows Cursor's own field names. From documents alone; not run with the real client: docs/agents.md.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tapehead.agents.hook_event import NotOurs, copy_text, directory_of, nearest, read_opening, text_in, unknown
from tapehead.statemachine.vocabulary import Event

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tapehead.agents.hook_event import Heard, Payload

HOST = "cursor"
LIMIT = 9_500
"""Characters that one value may have. No limit is documented; this is what the least generous of the others takes."""
STARTS_TWICE = False
ONE_OFF: tuple[str, ...] = ("-p", "--print")

_PROMPT = 32_000
_TRIGGERS = ("manual", "auto")


def heard(payload: object, env: Mapping[str, str]) -> Heard:
    """What a payload says. Raises NotOurs for one that Cursor did not send, or that names no conversation."""
    if (
        isinstance(payload, dict) and "conversation_id" in payload
    ):  # what elsewhere is a session; only a start says both
        payload = {**payload, "session_id": payload["conversation_id"]}
    found, payload = read_opening(HOST, payload, env)
    if "conversation_id" not in payload:
        raise NotOurs("no conversation_id")
    _READ.get(found.hook, unknown)(found, payload)
    copy_text(found, payload, "transcript_path", "model")
    return found


def untold(found: Heard, tape_end: Callable[[], bytes]) -> list[Heard]:  # noqa: ARG001 - one shape for all agents
    """Nothing: its record does not say when it was compacted."""
    return []


def directory(payload: object, env: Mapping[str, str]) -> str:
    """Where the session belongs: the first of the folders that are open."""
    roots = payload.get("workspace_roots") if isinstance(payload, dict) else None
    first = roots[0] if isinstance(roots, list) and roots else None
    return directory_of(first, env.get("CURSOR_PROJECT_DIR", ""))


def host_pid(env: Mapping[str, str]) -> str:  # noqa: ARG001 - as above
    """Nobody names it; it is the process above the hook."""
    return ""


def carries_context(hook: str) -> bool:
    """Whether what is printed now reaches the model: only where a conversation begins."""
    return hook == "sessionStart"


def carries_steer(hook: str) -> bool:  # noqa: ARG001 - one shape for all agents
    """The summariser is told nothing that a hook says."""
    return False


def size(text: str) -> int:
    """How much of LIMIT a text takes."""
    return len(text)


def reply(hook: str, context: str, steer: str, person: str) -> str:  # noqa: ARG001 - as above
    """One object, where the model is reached; nothing is known to show the user what a start says."""
    return json.dumps({"additional_context": context}) if context and carries_context(hook) else ""


def _session_start(found: Heard, payload: Payload) -> None:  # noqa: ARG001 - it comes for new conversations alone
    found.event = Event.SESSION_START
    found.data["source"] = "startup"


def _prompt(found: Heard, payload: Payload) -> None:
    found.event = Event.TURN_START
    found.data["prompt"] = text_in(payload, "prompt", _PROMPT)


def _stop(found: Heard, payload: Payload) -> None:
    failed = payload.get("status") == "error"
    found.event = Event.TURN_FAILED if failed else Event.TURN_END
    if failed:
        found.data["error"] = "error"


def _pre_compact(found: Heard, payload: Payload) -> None:
    found.event = Event.COMPACTION
    found.data["trigger"] = nearest(payload.get("trigger"), _TRIGGERS, "auto")


def _session_end(found: Heard, payload: Payload) -> None:
    found.event = Event.SESSION_STOP
    found.data["reason"] = text_in(payload, "reason", 40) or "other"


_READ: dict[str, Callable[[Heard, Payload], None]] = {
    "sessionStart": _session_start,
    "beforeSubmitPrompt": _prompt,
    "stop": _stop,
    "preCompact": _pre_compact,
    "sessionEnd": _session_end,
}
HOOKS = tuple(_READ)
"""The hooks that `install` registers."""
