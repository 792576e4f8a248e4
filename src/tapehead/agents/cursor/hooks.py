"""Cursor's hooks: its payloads in, the machine's words out, and back. Light: loaded at every hook.

Only this folder knows Cursor's own field names. From documents alone; not run with the real client: docs/agents.md.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tapehead.agents import hook_defaults as defaults
from tapehead.agents.hook_event import NotOurs, copy_text, directory_of, read_opening, text_in, unknown
from tapehead.statemachine.vocabulary import Event

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tapehead.agents.hook_event import Heard, Payload

HOST = "cursor"
LIMIT = 9_500
"""Characters that one value may have. No limit is documented; this is what the least generous of the others takes."""
STARTS_TWICE = False
ONE_OFF: tuple[str, ...] = ("-p", "--print")

untold = defaults.untold
host_pid = defaults.host_pid
carries_steer = defaults.carries_steer
size = defaults.count_characters


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


def directory(payload: object, env: Mapping[str, str]) -> str:
    """Where the session belongs: the first of the folders that are open."""
    roots = payload.get("workspace_roots") if isinstance(payload, dict) else None
    first = roots[0] if isinstance(roots, list) and roots else None
    return directory_of(first, env.get("CURSOR_PROJECT_DIR", ""))


def carries_context(hook: str) -> bool:
    """Whether what is printed now reaches the model: only where a conversation begins."""
    return hook == "sessionStart"


def reply(hook: str, context: str, steer: str, person: str) -> str:  # noqa: ARG001 - as above
    """One object, where the model is reached; nothing is known to show the user what a start says."""
    return json.dumps({"additional_context": context}) if context and carries_context(hook) else ""


def _session_start(found: Heard, payload: Payload) -> None:  # noqa: ARG001 - it comes for new conversations alone
    found.event = Event.SESSION_START
    found.data["source"] = "startup"


def _stop(found: Heard, payload: Payload) -> None:
    failed = payload.get("status") == "error"
    found.event = Event.TURN_FAILED if failed else Event.TURN_END
    if failed:
        found.data["error"] = "error"


def _session_end(found: Heard, payload: Payload) -> None:
    found.event = Event.SESSION_STOP
    found.data["reason"] = text_in(payload, "reason", 40) or "other"


_READ: dict[str, Callable[[Heard, Payload], None]] = {
    "sessionStart": _session_start,
    "beforeSubmitPrompt": defaults.read_prompt,
    "stop": _stop,
    "preCompact": defaults.read_pre_compact,
    "sessionEnd": _session_end,
}
HOOKS = tuple(_READ)
"""The hooks that `install` registers."""
