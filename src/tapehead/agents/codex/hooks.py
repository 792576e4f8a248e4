"""Codex's hooks: its payloads in, the machine's words out, and back. Light: loaded at every hook.

Only this folder knows Codex's own field names. What the host does was found by running it: docs/agents/codex.md.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tapehead.agents.hook_event import (
    CLEAR,
    copy_text,
    directory_of,
    inside_subagent,
    nearest,
    read_opening,
    text_in,
    unknown,
    waits,
)
from tapehead.statemachine.vocabulary import Event, Fact

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tapehead.agents.hook_event import Heard, Payload

HOST = "codex"
LIMIT = 9_600
"""Bytes that one value may have: the agent takes four for a token, and of more than 2,500 tokens shows the model both ends."""
STARTS_TWICE = True
"""After a compaction that came before a resumed session's first turn: SessionStart(resume), and at once SessionStart(compact)."""
ONE_OFF: tuple[str, ...] = ("exec", "e")

_PROMPT = 32_000
_REPLY = 16_000

_SOURCES = ("startup", "resume", "clear", "compact", "fork")
_TRIGGERS = ("manual", "auto")


def heard(payload: object, env: Mapping[str, str]) -> Heard:
    """What a payload says. Raises NotOurs for one that Codex did not send, or that names no session."""
    found, payload = read_opening(HOST, payload, env)
    inside = (
        payload.get("agent_id") and found.hook != "PermissionRequest"
    )  # what a subagent asks, its session's user answers
    read = inside_subagent if inside else _READ.get(found.hook, unknown)
    read(found, payload)
    copy_text(found, payload, "transcript_path")  # there is none in a session that is not to be kept
    return found


def untold(found: Heard, tape_end: Callable[[], bytes]) -> list[Heard]:  # noqa: ARG001 - one shape for all agents
    """Nothing: what Codex does not say (an end after TERM), its process says by being gone."""
    return []


def directory(payload: object, env: Mapping[str, str]) -> str:  # noqa: ARG001 - one shape for all agents
    """Where the session belongs. Not from the environment: in the daemon it is another terminal's."""
    return directory_of(payload.get("cwd") if isinstance(payload, dict) else None)


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
    """How much of LIMIT a text takes: the agent counts bytes."""
    return len(text.encode("utf-8", "replace"))


def reply(hook: str, context: str, steer: str, person: str) -> str:  # noqa: ARG001 - as above
    """JSON with the keys that this hook's schema has and no other: one that is unknown to the agent voids all of it.

    Only where the model or the user is reached: at a Stop plain text is an error, elsewhere it is lost.
    """
    if not carries_context(hook):
        return ""
    said: dict[str, object] = {}
    if person:
        said["systemMessage"] = person
    if context:
        said["hookSpecificOutput"] = {"hookEventName": hook, "additionalContext": context}
    return json.dumps(said) if said else ""


def _session_start(found: Heard, payload: Payload) -> None:
    """With the first prompt, not before; after a compaction between turns with the next one."""
    found.event = Event.SESSION_START
    found.data["source"] = source = nearest(payload.get("source"), _SOURCES, "startup")
    if source == "compact":
        found.facts.append(Fact.AFTER_COMPACTION.value)
    if source == "clear":
        found.facts.append(Fact.CLEARED.value)
    copy_text(found, payload, "model")


def _prompt(found: Heard, payload: Payload) -> None:
    found.data["prompt"] = text_in(payload, "prompt", _PROMPT)
    if str(found.data["prompt"]).strip() == CLEAR:  # the agent carries it out without a hook: this one it did not
        found.note = "not_carried_out"
        return
    found.event = Event.TURN_START
    if turn := text_in(payload, "turn_id"):
        found.data["prompt_id"] = turn
    copy_text(found, payload, "model")


def _stop(found: Heard, payload: Payload) -> None:
    found.event = Event.TURN_END
    found.data["reply"] = text_in(payload, "last_assistant_message", _REPLY)


def _pre_compact(found: Heard, payload: Payload) -> None:
    found.event = Event.COMPACTION
    found.data["trigger"] = nearest(payload.get("trigger"), _TRIGGERS, "auto")


def _post_compact(found: Heard, payload: Payload) -> None:
    """The summary is in the rollout by now, unless the provider keeps it to itself."""
    found.event = Event.COMPACTED
    found.data["trigger"] = nearest(payload.get("trigger"), _TRIGGERS, "auto")


def _session_end(found: Heard, payload: Payload) -> None:
    """The reason is always "other", after a `/clear` too; it may come a minute late, and after TERM never."""
    found.event = Event.SESSION_STOP
    found.data["reason"] = text_in(payload, "reason", 40) or "other"


def _permission_request(found: Heard, payload: Payload) -> None:
    """A dialog is shown. Nothing is printed, so the user decides."""
    waits(found, "approval", text_in(payload, "tool_name") or "a tool", payload.get("tool_input"))
    copy_text(found, payload, "agent_id")


_READ: dict[str, Callable[[Heard, Payload], None]] = {
    "SessionStart": _session_start,
    "UserPromptSubmit": _prompt,
    "Stop": _stop,
    "PreCompact": _pre_compact,
    "PostCompact": _post_compact,
    "SessionEnd": _session_end,
    "PermissionRequest": _permission_request,
}
HOOKS = tuple(_READ)
"""The hooks that `install` registers."""
