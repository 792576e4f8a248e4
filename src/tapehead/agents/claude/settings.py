"""Claude Code's settings file: which events are asked for, and what is written for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.agents.hook_entries import HookEntries, InstalledHook, UnexpectedShapeError, switch

if TYPE_CHECKING:
    from typing import Any

__all__ = ["EVENTS", "InstalledHook", "UnexpectedShapeError", "group_of", "hooks_are_off", "hooks_of_ours", "is_ours"]

EVENTS = (
    "SessionStart",
    "UserPromptSubmit",
    "Stop",
    "StopFailure",
    "SubagentStop",
    "PreCompact",
    "PostCompact",
    "SessionEnd",
    "PermissionRequest",
    "Notification",
)
# Also the budget that a session's end gives its hooks, which is 1.5 seconds where no hook asks for more.
TIMEOUT_SECONDS = 10
ASKED_FOR = {"edit": "PreToolUse", "failure": "PostToolUseFailure"}
"""Events that are registered only where a word of the setting `recall.at` asks for them."""


def hooks_are_off(text: str) -> bool:
    """Whether the file switches all hooks off."""
    return switch(text, "disableAllHooks") == "true"


def group_of(command: str) -> dict[str, Any]:
    """Make the group that an event gets: without a matcher, for all its sources."""
    return {"hooks": [{"type": "command", "command": command, "timeout": TIMEOUT_SECONDS}]}


def _group_of(event: str, command: str) -> dict[str, Any]:
    """Of tools only those that a pointer may be for: each other call would start a process for nothing."""
    tools = {"PreToolUse": "Edit|MultiEdit|Write|NotebookEdit", "PostToolUseFailure": "Bash"}.get(event)
    return {**({"matcher": tools} if tools else {}), **group_of(command)}


ENTRIES = HookEntries("claude", EVENTS, _group_of, on_request=tuple(ASKED_FOR.values()))
is_ours = ENTRIES.is_ours
hooks_of_ours = ENTRIES.hooks_of_ours
with_hooks = ENTRIES.with_hooks
without_hooks = ENTRIES.without_hooks
