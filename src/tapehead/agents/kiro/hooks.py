"""Kiro's hooks: its payloads in, the machine's words out, and back. Light: loaded at every hook.

Only this folder knows Kiro's own field names. From documents alone; not run with the real client: docs/agents.md. They name no session in a
payload: where none is named, the agent's process is the session.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

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

_PROMPT = 32_000
_REPLY = 16_000
_SUMMARY = 100_000
_TRIGGERS = ("manual", "auto")


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


def untold(found: Heard, tape_end: Callable[[], bytes]) -> list[Heard]:  # noqa: ARG001 - one shape for all agents
    """Nothing: its record is not read."""
    return []


def directory(payload: object, env: Mapping[str, str]) -> str:  # noqa: ARG001 - as above
    """Where the session belongs."""
    return directory_of(payload.get("cwd") if isinstance(payload, dict) else None)


def host_pid(env: Mapping[str, str]) -> str:  # noqa: ARG001 - as above
    """Nobody names it; it is the process above the hook."""
    return ""


def carries_context(hook: str) -> bool:
    """Whether what is printed now reaches the model."""
    return _NAMES.get(hook, hook) in ("SessionStart", "UserPromptSubmit")


def carries_steer(hook: str) -> bool:  # noqa: ARG001 - one shape for all agents
    """The summariser is told nothing that a hook says."""
    return False


def size(text: str) -> int:
    """How much of LIMIT a text takes."""
    return len(text.encode("utf-8", "replace"))


def reply(hook: str, context: str, steer: str, person: str) -> str:  # noqa: ARG001 - as above
    """Plain words: what is printed is added to the conversation as it is."""
    return context if carries_context(hook) else ""


def _session_start(found: Heard, payload: Payload) -> None:  # noqa: ARG001 - it does not say why
    found.event = Event.SESSION_START
    found.data["source"] = "startup"


def _prompt(found: Heard, payload: Payload) -> None:
    found.event = Event.TURN_START
    found.data["prompt"] = text_in(payload, "prompt", _PROMPT)


def _stop(found: Heard, payload: Payload) -> None:
    found.event = Event.TURN_END
    if said := text_in(payload, "assistant_response", _REPLY):
        found.data["reply"] = said


def _pre_compact(found: Heard, payload: Payload) -> None:
    found.event = Event.COMPACTION
    found.data["trigger"] = nearest(payload.get("trigger"), _TRIGGERS, "auto")


def _post_compact(found: Heard, payload: Payload) -> None:
    found.event = Event.COMPACTED
    found.data["trigger"] = nearest(payload.get("trigger"), _TRIGGERS, "auto")
    if summary := text_in(payload, "summary", _SUMMARY):
        found.data["summary"] = summary
    copy_text(found, payload, "custom_instructions")


_NAMES = {"agentSpawn": "SessionStart", "userPromptSubmit": "UserPromptSubmit", "stop": "Stop"}
"""What version 2 calls the hooks of version 3."""
_READ: dict[str, Callable[[Heard, Payload], None]] = {
    "SessionStart": _session_start,
    "UserPromptSubmit": _prompt,
    "Stop": _stop,
    "PreCompact": _pre_compact,
    "PostCompact": _post_compact,
}
HOOKS = tuple(_READ)
"""The hooks that `install` registers."""
