"""What our plugin in OpenCode sends, in the machine's words, and back. Light: loaded at every hook.

OpenCode has no hooks that run commands, only plugins: plugin.js beside this file is ours, and speaks in words of our own choosing. What
the host does was found by running it: docs/agents/opencode.md.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tapehead.agents import hook_defaults as defaults
from tapehead.agents.hook_event import copy_text, directory_of, nearest, read_opening, text_in, unknown
from tapehead.statemachine.vocabulary import Event

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tapehead.agents.hook_event import Heard, Payload

HOST = "opencode"
LIMIT = 40_000
"""Characters that one value may have. The agent cuts none."""
STARTS_TWICE = False
ONE_OFF: tuple[str, ...] = ("run",)

untold = defaults.untold
carries_context = defaults.carries_context
size = defaults.count_characters


def heard(payload: object, env: Mapping[str, str]) -> Heard:
    """What a payload says. Raises NotOurs for one that our plugin did not send, or that names no session."""
    found, payload = read_opening(HOST, payload, env)
    _READ.get(found.hook, unknown)(found, payload)
    copy_text(found, payload, "transcript_path")
    return found


def directory(payload: object, env: Mapping[str, str]) -> str:  # noqa: ARG001 - as above
    """Where the session belongs: the project it was started in."""
    return directory_of(payload.get("cwd") if isinstance(payload, dict) else None)


def host_pid(env: Mapping[str, str]) -> str:
    """The agent's process."""
    return env.get("OPENCODE_PID", "")


def carries_steer(hook: str) -> bool:
    """Whether what is printed now reaches the summariser."""
    return hook == "PreCompact"


def reply(hook: str, context: str, steer: str, person: str) -> str:
    """Plain words for the summariser, an object for the model and the user: our plugin reads both."""
    if carries_steer(hook):
        return steer
    said = {"context": context, "person": person} if carries_context(hook) else {}
    said = {to: words for to, words in said.items() if words}
    return json.dumps(said) if said else ""


def _prompt(found: Heard, payload: Payload) -> None:
    defaults.read_prompt(found, payload)
    copy_text(found, payload, "model")


def _stop(found: Heard, payload: Payload) -> None:
    found.event = Event.TURN_END
    found.data["reply"] = text_in(payload, "reply", defaults.REPLY)


def _stop_failure(found: Heard, payload: Payload) -> None:
    found.event = Event.TURN_FAILED
    copy_text(found, payload, "error")


def _post_compact(found: Heard, payload: Payload) -> None:
    found.event = Event.COMPACTED
    found.data["trigger"] = nearest(payload.get("trigger"), defaults.TRIGGERS, "auto")
    if summary := text_in(payload, "summary", defaults.SUMMARY):
        found.data["summary"] = summary


def _session_end(found: Heard, payload: Payload) -> None:
    """When the client goes, for every session that was worked in; one that was left for a new one goes on until then."""
    found.event = Event.SESSION_STOP
    found.data["reason"] = text_in(payload, "reason", 40) or "exit"


_READ: dict[str, Callable[[Heard, Payload], None]] = {
    "SessionStart": defaults.read_start,
    "UserPromptSubmit": _prompt,
    "Stop": _stop,
    "StopFailure": _stop_failure,
    "PreCompact": defaults.read_pre_compact,
    "PostCompact": _post_compact,
    "SessionEnd": _session_end,
}
HOOKS = tuple(_READ)
"""What our plugin tells."""
