"""Kiro's hooks: its payloads in, the machine's words out, and back. Light: loaded at every hook.

Only this folder knows Kiro's own field names. From documents alone; not run with the real client: docs/agents.md. They name no session in a
payload: where none is named, the agent's process is the session.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tapehead.agents import hook_defaults as defaults
from tapehead.agents.hook_event import copy_text, directory_of, nearest, read_opening, text_in, unknown
from tapehead.statemachine.vocabulary import Event
from tapehead.system import processes as process

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tapehead.agents.hook_event import Heard, Payload

HOST = "kiro"
LIMIT = 9_500
"""Bytes that one value may have: what it was made from took 10 KB of a hook's output."""
STARTS_TWICE = False
ONE_OFF: tuple[str, ...] = ("--no-interactive",)

untold = defaults.untold
host_pid = defaults.host_pid
carries_steer = defaults.carries_steer
size = defaults.count_bytes


def heard(payload: object, env: Mapping[str, str]) -> Heard:
    """What a payload says. Raises NotOurs for one that Kiro did not send, or whose session nobody can tell."""
    if isinstance(payload, dict) and "session_id" not in payload:
        payload = {**payload, "session_id": _by_process()}
    found, payload = read_opening(HOST, payload, env)
    _READ.get(_NAMES.get(found.hook, found.hook), unknown)(found, payload)
    return found


def _by_process() -> str:
    """A name for the session of the process that runs the hook: one conversation at a time, and another process is another one."""
    host = process.host_above(os.getppid())
    started = "".join(filter(str.isalnum, host.started)) if host else ""
    return f"kiro-{host.pid}-{started}" if host else ""


def directory(payload: object, env: Mapping[str, str]) -> str:  # noqa: ARG001 - as above
    """Where the session belongs."""
    return directory_of(payload.get("cwd") if isinstance(payload, dict) else None)


def carries_context(hook: str) -> bool:
    """Whether what is printed now reaches the model."""
    return _NAMES.get(hook, hook) in ("SessionStart", "UserPromptSubmit")


def reply(hook: str, context: str, steer: str, person: str) -> str:  # noqa: ARG001 - as above
    """Plain words: what is printed is added to the conversation as it is."""
    return context if carries_context(hook) else ""


def _session_start(found: Heard, payload: Payload) -> None:  # noqa: ARG001 - it does not say why
    found.event = Event.SESSION_START
    found.data["source"] = "startup"


def _stop(found: Heard, payload: Payload) -> None:
    found.event = Event.TURN_END
    if said := text_in(payload, "assistant_response", defaults.REPLY):
        found.data["reply"] = said


def _post_compact(found: Heard, payload: Payload) -> None:
    found.event = Event.COMPACTED
    found.data["trigger"] = nearest(payload.get("trigger"), defaults.TRIGGERS, "auto")
    if summary := text_in(payload, "summary", defaults.SUMMARY):
        found.data["summary"] = summary
    copy_text(found, payload, "custom_instructions")


_NAMES = {"agentSpawn": "SessionStart", "userPromptSubmit": "UserPromptSubmit", "stop": "Stop"}
"""What version 2 calls the hooks of version 3."""
_READ: dict[str, Callable[[Heard, Payload], None]] = {
    "SessionStart": _session_start,
    "UserPromptSubmit": defaults.read_prompt,
    "Stop": _stop,
    "PreCompact": defaults.read_pre_compact,
    "PostCompact": _post_compact,
}
HOOKS = tuple(_READ)
"""The hooks that `install` registers."""
