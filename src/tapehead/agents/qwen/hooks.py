"""Qwen Code's hooks: its payloads in, the machine's words out, and back. Light: loaded at every hook.

Only this folder knows Qwen Code's own field names. What the agent does was found by running it: docs/agents/qwen.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.agents import hook_defaults as defaults
from tapehead.agents.hook_event import (
    copy_text,
    directory_of,
    inside_subagent,
    read_opening,
    text_in,
    unknown,
    waits,
)
from tapehead.statemachine.vocabulary import Event

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tapehead.agents.hook_event import Heard, Payload

HOST = "qwen"
LIMIT = 9_500
"""Characters that one value may have: its documents name 10,000 for one kind of hook, and more was not tried."""
STARTS_TWICE = False
ONE_OFF: tuple[str, ...] = ("-p", "--prompt")

untold = defaults.untold
host_pid = defaults.host_pid
carries_context = defaults.carries_context
carries_steer = defaults.carries_steer
reply = defaults.reply

_WAITS = {"permission_prompt": "approval", "idle_prompt": "prompt"}


def heard(payload: object, env: Mapping[str, str]) -> Heard:
    """What a payload says. Raises NotOurs for one that Qwen Code did not send, or that names no session."""
    found, payload = read_opening(HOST, payload, env)
    of_subagent = payload.get("agent_id") and found.hook not in ("PermissionRequest", "Notification")
    read = inside_subagent if of_subagent else _READ.get(found.hook, unknown)
    read(found, payload)
    copy_text(found, payload, "transcript_path")
    return found


def directory(payload: object, env: Mapping[str, str]) -> str:
    """Where the session belongs: the project it was started in."""
    return directory_of(env.get("QWEN_PROJECT_DIR", ""), payload.get("cwd") if isinstance(payload, dict) else None)


def size(text: str) -> int:
    """How much of LIMIT a text takes, with what the agent makes of the brackets in it."""
    return len(text) + 3 * (text.count("<") + text.count(">")) + 4 * text.count("&")


def _prompt(found: Heard, payload: Payload) -> None:
    """It comes before every request, those that carry a tool's result included: only there it has no words."""
    prompt = text_in(payload, "prompt", defaults.PROMPT)
    if not prompt.strip():
        found.note = "goes_on"
        return
    found.event = Event.TURN_START
    found.data["prompt"] = prompt
    copy_text(found, payload, "prompt_id")


def _notification(found: Heard, payload: Payload) -> None:
    if what := _WAITS.get(text_in(payload, "notification_type")):
        waits(found, what)
    else:
        unknown(found, payload)


_READ: dict[str, Callable[[Heard, Payload], None]] = {
    "SessionStart": defaults.read_start,
    "UserPromptSubmit": _prompt,
    "Stop": defaults.read_stop,
    "StopFailure": defaults.read_stop_failure,
    "PreCompact": defaults.read_pre_compact,
    "PostCompact": defaults.read_post_compact,
    "SessionEnd": defaults.read_end,  # never at the end of `qwen -p`
    "PermissionRequest": defaults.read_permission_request,
    "Notification": _notification,
}
HOOKS = tuple(_READ)
"""The hooks that `install` registers."""
