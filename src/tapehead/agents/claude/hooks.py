"""Claude Code's hooks: its payloads in, the machine's words out, and back. Light: loaded at every hook.

Only this folder knows Claude Code's own field names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.agents import hook_defaults as defaults
from tapehead.agents.hook_event import (
    ABOUT_TOOL,
    CLEAR,
    PATH,
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

HOST = "claude"
LIMIT = 9_500
"""Characters that one value may have: above 10,000 the agent shows the model a preview of 2,000 and hides the rest."""
STARTS_TWICE = False
ONE_OFF: tuple[str, ...] = ("-p", "--print")
_SINGLE = ("sdk-cli", "sdk-ts", "sdk-py")
"""How the agent says that it was started for one task, by a script or a program."""

_NAME, _WHAT, _TASKS = 200, 300, 50

untold = defaults.untold
size = defaults.count_characters

_NOTICES = ("<task-notification", "<agent-notification", "<bash-notification", "<teammate-message")
"""How prompts begin that the agent itself sends when something in the background is done; it names no other source."""

_ENDS = tuple(f"</{notice[1:]}>" for notice in _NOTICES)

_OVER = ("completed", "failed", "killed", "stopped")

_OF_SUBAGENTS_TOO = ("SubagentStop", "PermissionRequest", "Notification")
"""What a subagent asks, its session's user has to answer."""
_WAITS = {
    "permission_prompt": "approval",
    "worker_permission_prompt": "approval",
    "elicitation_dialog": "question",
    "idle_prompt": "prompt",
}
"""Of the notices that have a kind, those that say what the agent waits for."""
_ANSWERED = ("elicitation_complete", "elicitation_response")
_WORDED = (("permission", "approval"), ("approval", "approval"), ("waiting for your input", "prompt"))
"""Before 2.0.37 a notice has no kind: its words say it."""


def heard(payload: object, env: Mapping[str, str]) -> Heard:
    """What a payload says. Raises NotOurs for one that Claude Code did not send, or that names no session."""
    found, payload = read_opening(HOST, payload, env)
    if found.hook in _OF_TOOLS:  # a subagent's too: it edits the same files
        _OF_TOOLS[found.hook](found, payload)
    elif found.hook == "StopFailure" and payload.get("agent_id") and not payload.get("agent_type"):
        _summariser_failed(found, payload)
    elif found.hook not in _OF_SUBAGENTS_TOO and payload.get("agent_id"):
        inside_subagent(found, payload)
    else:
        _READ.get(found.hook, unknown)(found, payload)
    copy_text(found, payload, "transcript_path")
    if found.event is Event.SESSION_START and env.get("CLAUDE_CODE_ENTRYPOINT") in _SINGLE:
        found.data["one_off"] = True
    return found


def directory(payload: object, env: Mapping[str, str]) -> str:
    """Where the session belongs: the project it was started in, since its own cwd wanders off with every `cd`."""
    return directory_of(env.get("CLAUDE_PROJECT_DIR", ""), payload.get("cwd") if isinstance(payload, dict) else None)


def host_pid(env: Mapping[str, str]) -> str:
    """The agent's process, where the agent names it."""
    return env.get("CLAUDE_PID", "")


def carries_context(hook: str) -> bool:
    """Whether what is printed now reaches the model."""
    return hook in ("SessionStart", "UserPromptSubmit", *_OF_TOOLS)


def carries_steer(hook: str) -> bool:
    """Whether what is printed now reaches the summariser."""
    return hook == "PreCompact"


def reply(hook: str, context: str, steer: str, person: str) -> str:
    """What to print so that the agent takes it as meant: nothing at all where there is nothing to say.

    PreCompact's raw stdout goes to the summariser, JSON included, so it gets plain text. Elsewhere JSON keeps apart what
    the model reads and what the user is shown.
    """
    if hook == "PreCompact":
        return steer
    return defaults.answer(hook, context if carries_context(hook) else "", person)


def _session_start(found: Heard, payload: Payload) -> None:
    defaults.read_start(found, payload)
    tokens = payload.get("context_tokens")
    if isinstance(tokens, int) and not isinstance(tokens, bool):
        found.data["context_tokens"] = tokens


def _prompt(found: Heard, payload: Payload) -> None:
    found.data["prompt"] = text_in(payload, "prompt", defaults.PROMPT)
    if str(found.data["prompt"]).strip() == CLEAR:  # the agent carries it out without a hook: this one it did not
        found.note = "not_carried_out"
        return
    found.event = Event.TURN_START
    copy_text(found, payload, "prompt_id")
    source = payload.get("source")
    prompt = str(found.data["prompt"]).rstrip()
    if prompt.startswith(_NOTICES) and prompt.endswith(_ENDS):  # with words behind it, it is somebody's prompt
        source = "notice"
    if isinstance(source, str) and source != "user":
        found.data["asked_by"] = source[:40]  # a timer or the agent itself: not the human's words


def _stop(found: Heard, payload: Payload) -> None:
    defaults.read_stop(found, payload)
    tasks = payload.get("background_tasks")
    if isinstance(tasks, list) and len(tasks) <= _TASKS:  # of a list that was cut, what is not named might still run
        found.data["running"] = [name for task in tasks if isinstance(task, dict) and (name := _running(task))]
        if at_work := [_running(task) for task in tasks if isinstance(task, dict) and _is_subagent(task)]:
            found.data["subagents"] = [name.partition(" ")[0] for name in at_work if name]


def _running(task: Payload) -> str:
    """A task that goes on beside the session: the agent's name for it, and what it is; nothing for one that is over."""
    name = text_in(task, "id", _NAME)
    over = task.get("status") in _OVER or not name or " " in name
    return "" if over else f"{name} {text_in(task, 'command', _WHAT) or text_in(task, 'description', _WHAT)}".rstrip()


def _is_subagent(task: Payload) -> bool:
    """A shell has a command; what has none, and is said to be an agent, writes files by itself."""
    return not task.get("command") and "agent" in str(task.get("type") or "")[:_NAME].lower()


def _summariser_failed(found: Heard, payload: Payload) -> None:
    """The agent that has an id and no kind is the host's summariser: a compaction failed. Subagents have a kind."""
    defaults.read_stop_failure(found, payload)
    found.event = Event.COMPACTION_FAILED


def _subagent_stop(found: Heard, payload: Payload) -> None:
    """News. Between PreCompact and SessionStart the nameless one is the agent's summariser: its words are the summary."""
    found.note = "subagent_stop"
    copy_text(found, payload, "agent_id")
    copy_text(found, payload, "agent_type")
    summarised = "<summary>" in text_in(payload, "last_assistant_message", defaults.SUMMARY)
    name, limit = (
        ("summary", defaults.SUMMARY) if summarised and not payload.get("agent_type") else ("reply", defaults.REPLY)
    )
    found.data[name] = text_in(payload, "last_assistant_message", limit)


def _permission_request(found: Heard, payload: Payload) -> None:
    """A dialog is shown. Nothing is printed, so the user decides."""
    tool, given = text_in(payload, "tool_name"), payload.get("tool_input")
    asks = given.get("questions") if isinstance(given, dict) and tool == "AskUserQuestion" else None
    waits(found, "approval" if asks is None else "question", tool or "a tool", given)
    if isinstance(asks, list) and asks and isinstance(asks[0], dict):
        found.data["detail"] = text_in(asks[0], "question", _WHAT)
    copy_text(found, payload, "agent_id")


def _notification(found: Heard, payload: Payload) -> None:
    kind, words = text_in(payload, "notification_type"), text_in(payload, "message").lower()
    what = _WAITS.get(kind) or next((what for word, what in _WORDED if not kind and word in words), "")
    if what:
        waits(found, what)
    elif kind in _ANSWERED:
        found.note = "answered"
    else:
        unknown(found, payload)
    copy_text(found, payload, "agent_id")


def _before_edit(found: Heard, payload: Payload) -> None:
    arguments = payload.get("tool_input")
    arguments = arguments if isinstance(arguments, dict) else {}
    found.note = ABOUT_TOOL
    found.data["edit"] = text_in(arguments, "file_path", PATH) or text_in(arguments, "notebook_path", PATH)


def _after_failure(found: Heard, payload: Payload) -> None:
    """Not where the user stopped it: that is no error."""
    found.note = ABOUT_TOOL
    found.data["failure"] = "" if payload.get("is_interrupt") is True else text_in(payload, "error", defaults.REPLY)


_READ: dict[str, Callable[[Heard, Payload], None]] = {
    "SessionStart": _session_start,
    "UserPromptSubmit": _prompt,
    "Stop": _stop,
    "StopFailure": defaults.read_stop_failure,
    "PreCompact": defaults.read_pre_compact,
    "PostCompact": defaults.read_post_compact,
    "SessionEnd": defaults.read_end,
    "SubagentStop": _subagent_stop,
    "PermissionRequest": _permission_request,
    "Notification": _notification,
}
_OF_TOOLS: dict[str, Callable[[Heard, Payload], None]] = {
    "PreToolUse": _before_edit,
    "PostToolUseFailure": _after_failure,
}
"""Registered only where the setting `recall.at` asks for it: nothing of them goes onto the tape."""
HOOKS = tuple(_READ)
"""The hooks that `install` registers."""
