"""Codex's hooks: its payloads in, the machine's words out, and back. Light: loaded at every hook.

Only this folder knows Codex's own field names. What the host does was found by running it: docs/agents/codex.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.agents import hook_defaults as defaults
from tapehead.agents.hook_event import (
    CLEAR,
    copy_text,
    directory_of,
    inside_subagent,
    nearest,
    read_opening,
    text_in,
    unknown,
)
from tapehead.statemachine.vocabulary import Event

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tapehead.agents.hook_event import Heard, Payload

HOST = "codex"
LIMIT = 9_600
"""Bytes that one value may have: the agent takes four for a token, and of more than 2,500 tokens shows the model both ends."""
STARTS_TWICE = True
"""After a compaction that came before a resumed session's first turn: SessionStart(resume), and at once SessionStart(compact)."""
ONE_OFF: tuple[str, ...] = ("exec", "e")

untold = defaults.untold
host_pid = defaults.host_pid
carries_context = defaults.carries_context
carries_steer = defaults.carries_steer
reply = defaults.reply
size = defaults.count_bytes


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


def directory(payload: object, env: Mapping[str, str]) -> str:  # noqa: ARG001 - one shape for all agents
    """Where the session belongs. Not from the environment: in the daemon it is another terminal's."""
    return directory_of(payload.get("cwd") if isinstance(payload, dict) else None)


def _prompt(found: Heard, payload: Payload) -> None:
    found.data["prompt"] = text_in(payload, "prompt", defaults.PROMPT)
    if str(found.data["prompt"]).strip() == CLEAR:  # the agent carries it out without a hook: this one it did not
        found.note = "not_carried_out"
        return
    found.event = Event.TURN_START
    if turn := text_in(payload, "turn_id"):
        found.data["prompt_id"] = turn
    copy_text(found, payload, "model")


def _post_compact(found: Heard, payload: Payload) -> None:
    """The summary is in the rollout by now, unless the provider keeps it to itself."""
    found.event = Event.COMPACTED
    found.data["trigger"] = nearest(payload.get("trigger"), defaults.TRIGGERS, "auto")


def _session_end(found: Heard, payload: Payload) -> None:
    """The reason is always "other", after a `/clear` too; it may come a minute late, and after TERM never."""
    found.event = Event.SESSION_STOP
    found.data["reason"] = text_in(payload, "reason", 40) or "other"


_READ: dict[str, Callable[[Heard, Payload], None]] = {
    "SessionStart": defaults.read_start,  # with the first prompt, not before; after a compaction between turns with the next one
    "UserPromptSubmit": _prompt,
    "Stop": defaults.read_stop,
    "PreCompact": defaults.read_pre_compact,
    "PostCompact": _post_compact,
    "SessionEnd": _session_end,
    "PermissionRequest": defaults.read_permission_request,
}
HOOKS = tuple(_READ)
"""The hooks that `install` registers."""
