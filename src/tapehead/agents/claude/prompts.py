"""Which words of a `user` line are the person's own: Claude Code puts commands, reminders and notices there too."""

from __future__ import annotations

_NOT_THE_PERSON = (
    "<local-command",
    "<system-reminder",
    "<bash-stdout",
    "<bash-stderr",
    "<user-prompt-submit-hook",
    "<task-notification",
    "<agent-notification",
    "<bash-notification",
    "<agent-message",
    "<teammate-message",
    "Caveat:",
    '{"task_id"',
    "[Request interrupted",
)
INTERRUPTED = "[Request interrupted"
_REMINDER, _END_OF_REMINDER = "<system-reminder>", "</system-reminder>"
_SAID_WHILE_REFUSING = ("the user said:", "To tell you how to proceed, the user said:")
_REFUSED = "The user doesn't want to proceed with this tool use"


def own_words(text: str) -> str:
    """Give what the person typed, or nothing: a slash command as typed, a prompt without the host's reminders."""
    text = _without_reminders(text).strip()
    if text.startswith("<command-"):
        return _slash_command(text)
    if text.startswith("<bash-input>"):
        return "! " + between(text, "<bash-input>", "</bash-input>")
    bare_command = text.startswith("/") and " " not in text and "/" not in text[1:]
    return "" if bare_command or text.startswith(_NOT_THE_PERSON) else text


def _without_reminders(text: str) -> str:
    while (start := text.find(_REMINDER)) >= 0:
        end = text.find(_END_OF_REMINDER, start)
        text = text[:start] + (text[end + len(_END_OF_REMINDER) :] if end >= 0 else "")
    return text


def _slash_command(text: str) -> str:
    """`/name words`; a command without words (`/compact`, `/model`) asks for nothing that is part of the work."""
    words = between(text, "<command-args>", "</command-args>").strip()
    name = between(text, "<command-name>", "</command-name>").strip()
    return f"{name} {words}" if words and name != "/compact" else ""  # those are words to the summariser


_FRAME_BEGINS = "This session is being continued from a previous conversation"
_FRAME_ENDS = (
    "\nIf you need specific details from before compaction",
    "\nPlease continue the conversation from where",
    "\nContinue the conversation from where",
)


def summary_words(text: str) -> str:
    """Give what a summary says of the work, without the host's own orders around it: those were for the moment."""
    if text.startswith(_FRAME_BEGINS):
        text = text.partition("\n")[2].lstrip()
    ends = [at for mark in _FRAME_ENDS if (at := text.rfind(mark)) >= 0]
    return text[: min(ends)] if ends else text


def between(text: str, opening: str, closing: str) -> str:
    """Give what stands between two marks, or nothing."""
    start = text.find(opening)
    end = text.find(closing, start)
    return text[start + len(opening) : end] if 0 <= start < end else ""


def said_while_refusing(result: str) -> str:
    """Give the person's words in the result of a tool that they refused: the host records them nowhere else."""
    if not result.startswith(_REFUSED):
        return ""
    for mark in _SAID_WHILE_REFUSING:
        if (at := result.find(mark)) >= 0:
            return result[at + len(mark) :].strip()
    return ""
