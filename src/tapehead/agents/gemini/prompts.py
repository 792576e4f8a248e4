"""Which words of a `user` message are the user's own: Gemini puts its surroundings, hooks' words, files and summaries there too."""

from __future__ import annotations

import re

_CONTEXT, _SNAPSHOT = "<session_context>", "<state_snapshot>"
_HOOK, _END_OF_HOOK = "<hook_context>", "</hook_context>"
_FILES = "--- Content from referenced files ---"
"""What the agent puts behind a prompt that names files with an `@`."""
_WORKSPACE = re.compile(r"Workspace Directories:\*\*\n\s+- (/[^\n]+)")
THANKS = "Got it. Thanks for the additional context!"
"""What the host lets the agent say to a summary."""


def is_surroundings(text: str) -> bool:
    """Whether the agent only tells the model where it is."""
    return text.lstrip().startswith(_CONTEXT)


def is_summary(text: str) -> bool:
    """Whether the words are the agent's own account of what it dropped."""
    return text.lstrip().startswith(_SNAPSHOT)


def is_hosts(text: str) -> bool:
    """Whether the words are the agent's, and stand nowhere but in the history that it keeps for the model."""
    return is_surroundings(text) or is_summary(text)


def workspace(text: str) -> str:
    """Give the directory that is worked on, where the agent tells the model."""
    found = _WORKSPACE.search(text)
    return found[1].strip() if found else ""


def own_words(text: str) -> str:
    """Give what the user typed, or nothing: no hook's words, no files, no command that asks for nothing."""
    text = _parted(text)[0].partition(_FILES)[0].strip()
    bare_command = text.startswith("/") and " " not in text and "/" not in text[1:]
    return "" if bare_command or text == "?" else text


def hook_words(text: str) -> str:
    """Give what a hook said in a prompt."""
    return _parted(text)[1]


def _parted(text: str) -> tuple[str, str]:
    """Part a prompt from what hooks put into it; a hook cannot close its own mark, for the agent escapes it."""
    said = ""
    while (start := text.find(_HOOK)) >= 0:
        end = text.find(_END_OF_HOOK, start)
        said += text[start + len(_HOOK) : end if end >= 0 else None]
        text = text[:start] + (text[end + len(_END_OF_HOOK) :] if end >= 0 else "")
    return text, said


def summary_words(text: str) -> str:
    """Give what a summary says, without the mark around it."""
    return text.strip().removeprefix(_SNAPSHOT).removesuffix(_SNAPSHOT.replace("<", "</")).strip()
