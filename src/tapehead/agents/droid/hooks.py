"""Factory Droid's hooks: its payloads in, the machine's words out, and back. Light: loaded at every hook.

Only this folder knows Droid's own field names. From the vendor's documents, and from running `droid exec`: docs/agents/droid.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.agents import hook_defaults as defaults
from tapehead.agents.hook_event import copy_text, directory_of, read_opening, unknown
from tapehead.statemachine.vocabulary import Event

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tapehead.agents.hook_event import Heard, Payload

HOST = "droid"
LIMIT = 9_500
"""Characters that one value may have. No limit is documented; this is what the least generous of its kin takes."""
STARTS_TWICE = False
ONE_OFF: tuple[str, ...] = ("exec",)

host_pid = defaults.host_pid
carries_context = defaults.carries_context
carries_steer = defaults.carries_steer
reply = defaults.reply
size = defaults.count_characters


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


def _stop(found: Heard, payload: Payload) -> None:  # noqa: ARG001 - it says nothing of what was answered
    found.event = Event.TURN_END


_READ: dict[str, Callable[[Heard, Payload], None]] = {
    "SessionStart": defaults.read_start,
    "UserPromptSubmit": defaults.read_prompt,
    "Stop": _stop,
    "PreCompact": defaults.read_pre_compact,
    "SessionEnd": defaults.read_end,
}
HOOKS = tuple(_READ)
"""The hooks that `install` registers."""
