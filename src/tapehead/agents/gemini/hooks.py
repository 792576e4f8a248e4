"""Gemini's hooks: its payloads in, the machine's words out, and back. Light: loaded at every hook.

Only this folder knows Gemini's own field names. What the host does was found by running it: docs/agents/gemini.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.agents import hook_defaults as defaults
from tapehead.agents.hook_event import copy_text, directory_of, read_opening, text_in, unknown, waits
from tapehead.statemachine.vocabulary import Event

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tapehead.agents.hook_event import Heard, Payload

HOST = "gemini"
LIMIT = 40_000
"""Characters that one value may have. The agent was not seen to cut any, and 60,000 arrived whole."""
STARTS_TWICE = False
ONE_OFF: tuple[str, ...] = ("-p", "--prompt")

host_pid = defaults.host_pid
carries_steer = defaults.carries_steer
_HOOK, _END_OF_HOOK = "<hook_context>", "</hook_context>"


def heard(payload: object, env: Mapping[str, str]) -> Heard:
    """What a payload says. Raises NotOurs for one that Gemini did not send, or that names no session."""
    found, payload = read_opening(HOST, payload, env)
    _READ.get(found.hook, unknown)(found, payload)
    if (
        found.data.get("source") != "resume"
    ):  # there it names a new file, which the agent gives up for the old one at once
        copy_text(found, payload, "transcript_path")
    return found


def untold(found: Heard, tape_end: Callable[[], bytes]) -> list[Heard]:
    """The compressions that its session file shows: the agent announces them all the time, and never says that one happened."""
    from tapehead.agents.gemini.compressions import compressions  # noqa: PLC0415 - no other agent's hook needs it

    return compressions(found, tape_end)


def directory(payload: object, env: Mapping[str, str]) -> str:
    """Where the session belongs: the project it was started in."""
    return directory_of(env.get("GEMINI_PROJECT_DIR", ""), payload.get("cwd") if isinstance(payload, dict) else None)


def carries_context(hook: str) -> bool:
    """Whether what is printed now reaches the model, whatever led here.

    What a start says would reach it too, sometimes; but there it stands before the user's first prompt in one message, and a
    later resume then drops that message as a whole.
    """
    return hook == "BeforeAgent"


def size(text: str) -> int:
    """How much of LIMIT a text takes, with what the agent makes of the brackets in it."""
    return len(text) + 3 * (text.count("<") + text.count(">"))


def reply(hook: str, context: str, steer: str, person: str) -> str:  # noqa: ARG001 - as above
    """JSON, or nothing: plain text would be shown to the user, at any hook."""
    return defaults.answer(hook, context if carries_context(hook) else "", person)


def _before_agent(found: Heard, payload: Payload) -> None:
    found.event = Event.TURN_START
    found.data["prompt"] = _without_hooks(text_in(payload, "prompt", defaults.PROMPT))


def _after_agent(found: Heard, payload: Payload) -> None:
    """Also when the user stops the turn."""
    found.event = Event.TURN_END
    found.data["reply"] = text_in(payload, "prompt_response", defaults.REPLY)


def _pre_compress(found: Heard, payload: Payload) -> None:
    """Asked for by the user it is a compression to come; else it comes before every answer and means nothing."""
    trigger = payload.get("trigger")
    if trigger != "manual":
        found.note = "may_compress"
        return
    found.event = Event.COMPACTION
    found.data["trigger"] = trigger


def _session_end(found: Heard, payload: Payload) -> None:
    """Three times at one exit, where there is a terminal."""
    defaults.read_end(found, payload)
    found.once = True


def _notification(found: Heard, payload: Payload) -> None:
    """A dialog is shown; the details say what for, each kind of tool in its own words."""
    if payload.get("notification_type") != "ToolPermission":
        unknown(found, payload)
        return
    details = payload.get("details")
    details = details if isinstance(details, dict) else {}
    given = {"command": details.get("command"), "file_path": details.get("filePath") or details.get("fileName")}
    waits(
        found, "approval", _ASKED.get(str(details.get("type")), "") or text_in(details, "title", 80) or "a tool", given
    )


_ASKED = {"exec": "Shell", "edit": "Edit", "mcp": "MCP", "info": "Fetch", "ask_user": "question"}


_READ: dict[str, Callable[[Heard, Payload], None]] = {
    "SessionStart": defaults.read_start,
    "BeforeAgent": _before_agent,
    "AfterAgent": _after_agent,
    "PreCompress": _pre_compress,
    "SessionEnd": _session_end,
    "Notification": _notification,
}
HOOKS = tuple(_READ)
"""The hooks that `install` registers."""


def _without_hooks(prompt: str) -> str:
    """The user's words, without what the hook of somebody else put before them at the start."""
    while prompt.startswith(_HOOK):
        prompt = prompt.partition(_END_OF_HOOK)[2].lstrip()
    return prompt
