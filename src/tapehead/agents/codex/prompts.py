"""Which words of a `user` message are the user's own: Codex puts instructions, surroundings and notices there too."""

from __future__ import annotations

import re

PERSON, HOST, HOOK, ABORTED, SUMMARY = "person", "host", "hook", "aborted", "summary"

_NOT_THE_PERSON = (
    "# agents.md instructions",
    "<user_instructions>",
    "<instructions>",
    "<environment_context>",
    "<external_",
    "<skill>",
    "<subagent_notification>",
    "<codex_internal_context",
    "<goal_context>",
    "<recommended_plugins>",
    "<user_action>",
    "<image_resize_notice>",
    "<model_switch>",
    "<permissions instructions>",
    "<current_time_reminder>",
    "warning: the maximum number of unified exec processes",
    "warning: apply_patch was requested via ",
    "warning: your account was flagged for potentially high-risk",
)
_LONGEST_MARK = 80
_ABORTED, _HOOK, _SHELL = "<turn_aborted>", "<hook_prompt", "<user_shell_command>"
_REQUEST = "## My request for Codex:"
"""An editor puts what it has open before the user's words, and this line between the two."""
_FRAME = "Another language model started to solve this problem and produced a summary"
_LABEL = re.compile(r"</?(?:image|audio)(?: [^<>\n]*)?>")
"""Stands around an image or a recording; the words of the agent, not of the user."""


def whose(text: str, kind: str = "") -> str:
    """Whose words a part of a `user` message is. `kind` is what newer versions say of it themselves, and they know best."""
    if kind.startswith("user."):
        return PERSON
    if kind.startswith(("hooks.", "hook.")) or text.lstrip().startswith(_HOOK):
        return HOOK
    if text.lstrip().startswith(_ABORTED):
        return ABORTED
    if text.startswith(_FRAME):
        return SUMMARY
    if kind and kind != "unknown":
        return HOST
    return HOST if text.lstrip()[:_LONGEST_MARK].lower().startswith(_NOT_THE_PERSON) else PERSON


def own_words(text: str) -> str:
    """Give what the user typed, or nothing: a shell command as typed, a request without what the editor put before it."""
    text = text.strip()
    if text.startswith(_SHELL):
        return "! " + between(text, "<command>", "</command>").strip()
    if _LABEL.fullmatch(text):
        return ""
    request = text.rpartition(_REQUEST)[2].strip() if _REQUEST in text else ""  # an open file may hold that line too
    return request or text


def summary_words(text: str) -> str:
    """Give what a summary says of the work, without the agent's own words before it: those were for the moment."""
    return text.partition("\n")[2].strip() if text.startswith(_FRAME) else text.strip()


def between(text: str, opening: str, closing: str) -> str:
    """Give what stands between two marks, or nothing."""
    start = text.find(opening)
    end = text.find(closing, start)
    return text[start + len(opening) : end] if 0 <= start < end else ""
