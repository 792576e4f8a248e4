"""Factory Droid's hooks: its payloads in, the machine's words out, and back. Light: loaded at every hook.

Only this folder knows Droid's own field names. From the vendor's documents, and from running `droid exec`: docs/agents/droid.md.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tapehead.agents.hook_event import copy_text, directory_of, nearest, read_opening, text_in, unknown
from tapehead.statemachine.vocabulary import Event, Fact

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tapehead.agents.hook_event import Heard, Payload

HOST = "droid"
LIMIT = 9_500
"""Characters that one value may have. No limit is documented; this is what the least generous of its kin takes."""
STARTS_TWICE = False
ONE_OFF: tuple[str, ...] = ("exec",)

_PROMPT = 32_000
_SOURCES = ("startup", "resume", "clear", "compact")
_REASONS = ("clear", "logout", "prompt_input_exit", "other")
_TRIGGERS = ("manual", "auto")


def heard(payload: object, env: Mapping[str, str]) -> Heard:
    """What a payload says. Raises NotOurs for one that Droid did not send, or that names no session."""
    found, payload = read_opening(HOST, payload, env)
    _READ.get(found.hook, unknown)(found, payload)
    copy_text(found, payload, "transcript_path")
    return found


def untold(found: Heard, tape_end: Callable[[], bytes]) -> list[Heard]:
    """What `droid exec` has no hooks for: a prompt, and a compaction."""
    from tapehead.agents.droid.missing_events import untold as found_out  # noqa: PLC0415 - no other agent's hook needs it

    return found_out(found, tape_end)


def directory(payload: object, env: Mapping[str, str]) -> str:
    """Where the session belongs: the project it was started in."""
    return directory_of(env.get("FACTORY_PROJECT_DIR", ""), payload.get("cwd") if isinstance(payload, dict) else None)


def host_pid(env: Mapping[str, str]) -> str:  # noqa: ARG001 - one shape for all agents
    """Nobody names it; it is the process above the hook."""
    return ""


def carries_context(hook: str) -> bool:
    """Whether what is printed now reaches the model."""
    return hook in ("SessionStart", "UserPromptSubmit")


def carries_steer(hook: str) -> bool:  # noqa: ARG001 - one shape for all agents
    """The summariser is told nothing that a hook says."""
    return False


def size(text: str) -> int:
    """How much of LIMIT a text takes."""
    return len(text)


def reply(hook: str, context: str, steer: str, person: str) -> str:  # noqa: ARG001 - as above
    """JSON, where the model or the user is reached; else nothing."""
    if not carries_context(hook):
        return ""
    said: dict[str, object] = {}
    if person:
        said["systemMessage"] = person
    if context:
        said["hookSpecificOutput"] = {"hookEventName": hook, "additionalContext": context}
    return json.dumps(said) if said else ""


def _session_start(found: Heard, payload: Payload) -> None:
    found.event = Event.SESSION_START
    found.data["source"] = source = nearest(payload.get("source"), _SOURCES, "startup")
    if source == "compact":
        found.facts.append(Fact.AFTER_COMPACTION.value)
    if source == "clear":
        found.facts.append(Fact.CLEARED.value)


def _prompt(found: Heard, payload: Payload) -> None:
    found.event = Event.TURN_START
    found.data["prompt"] = text_in(payload, "prompt", _PROMPT)


def _stop(found: Heard, payload: Payload) -> None:  # noqa: ARG001 - it says nothing of what was answered
    found.event = Event.TURN_END


def _pre_compact(found: Heard, payload: Payload) -> None:
    found.event = Event.COMPACTION
    found.data["trigger"] = nearest(payload.get("trigger"), _TRIGGERS, "auto")
    copy_text(found, payload, "custom_instructions")


def _session_end(found: Heard, payload: Payload) -> None:
    found.event = Event.SESSION_STOP
    found.data["reason"] = reason = nearest(payload.get("reason"), _REASONS, "other")
    if reason == "clear":
        found.facts.append(Fact.CLEARED.value)


_READ: dict[str, Callable[[Heard, Payload], None]] = {
    "SessionStart": _session_start,
    "UserPromptSubmit": _prompt,
    "Stop": _stop,
    "PreCompact": _pre_compact,
    "SessionEnd": _session_end,
}
HOOKS = tuple(_READ)
"""The hooks that `install` registers."""
