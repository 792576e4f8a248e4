"""Copilot CLI's hooks: its payloads in, the machine's words out, and back. Light: loaded at every hook.

Only this folder knows Copilot's own field names. What the host does was found by running it: docs/agents/copilot.md. Its hook for a start
runs beside the one for the first prompt, in no order, and comes no sooner; so the prompt alone is asked for, and a start is known by it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tapehead.agents import hook_defaults as defaults
from tapehead.agents.hook_event import copy_text, directory_of, nearest, read_opening, unknown
from tapehead.statemachine.vocabulary import Event

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tapehead.agents.hook_event import Heard, Payload

HOST = "copilot"
LIMIT = 9_500
"""Bytes that one value may have: the agent documents 10 KB for another hook of the same kind."""
STARTS_TWICE = False
ONE_OFF: tuple[str, ...] = ("-p", "--prompt")

_REASONS = ("complete", "error", "abort", "timeout", "user_exit")

host_pid = defaults.host_pid
carries_steer = defaults.carries_steer
size = defaults.count_bytes


def heard(payload: object, env: Mapping[str, str]) -> Heard:
    """What a payload says. Raises NotOurs for one that Copilot did not send, or that names no session."""
    found, payload = read_opening(HOST, payload, env)
    _READ.get(found.hook, unknown)(found, payload)
    copy_text(found, payload, "transcript_path")
    if record := _record_of(found, env):
        found.data.setdefault("transcript_path", record)
    return found


def _record_of(found: Heard, env: Mapping[str, str]) -> str:
    """Where the session's record is: a prompt does not say."""
    home, own = env.get("HOME", ""), env.get("COPILOT_HOME", "")
    root = own or (f"{home}/.copilot" if home else "")
    return directory_of(f"{root}/session-state/{found.session_id}/events.jsonl") if root else ""


def untold(found: Heard, tape_end: Callable[[], bytes]) -> list[Heard]:
    """A start, and the compactions that are over: the agent tells of neither in time."""
    from tapehead.agents.copilot.missing_events import untold as found_out  # noqa: PLC0415 - no other agent's hook needs it

    return found_out(found, tape_end)


def directory(payload: object, env: Mapping[str, str]) -> str:
    """Where the session belongs: the project it was started in."""
    return directory_of(env.get("COPILOT_PROJECT_DIR", ""), payload.get("cwd") if isinstance(payload, dict) else None)


def carries_context(hook: str) -> bool:
    """Whether what is printed now reaches the model."""
    return hook == "UserPromptSubmit"


def reply(hook: str, context: str, steer: str, person: str) -> str:  # noqa: ARG001 - as above
    """One flat object, where the model is reached; the user is shown nothing that a hook says."""
    return json.dumps({"additionalContext": context}) if context and carries_context(hook) else ""


def _stop(found: Heard, payload: Payload) -> None:  # noqa: ARG001 - it says nothing of what was answered
    found.event = Event.TURN_END


def _session_end(found: Heard, payload: Payload) -> None:
    """A `/clear` ends the old session with the same words as an exit does; the new one is known by its process."""
    found.event = Event.SESSION_STOP
    found.data["reason"] = nearest(payload.get("reason"), _REASONS, "complete")


_READ: dict[str, Callable[[Heard, Payload], None]] = {
    "UserPromptSubmit": defaults.read_prompt,
    "Stop": _stop,
    "PreCompact": defaults.read_pre_compact,
    "SessionEnd": _session_end,
}
HOOKS = tuple(_READ)
"""The hooks that `install` registers."""
