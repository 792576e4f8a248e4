"""Qwen Code's own record of a session: a message on each line in the parts of Gemini's API, and where it was compacted.

What was found by running it. What a hook said with a prompt stands beside it (`hookContext`), and again in its last part; what one said at a
start goes into the instructions, and stands nowhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.agents.lines import Lines, Telling
from tapehead.agents.qwen.calls import call, result
from tapehead.agents.qwen.places import session_of
from tapehead.transcript import turns
from tapehead.transcript.entries import count, dicts, within, word
from tapehead.transcript.recorded_steps import HOOK, SYSTEM
from tapehead.transcript.usage import Usage

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from tapehead.agents.lines import Entry, Named

_HOOK, _END_OF_HOOK = "<qwen:user-prompt-submit-context>", "</qwen:user-prompt-submit-context>"
_REMINDER = "<system-reminder>"
_GO_ON = "\n\nResume the prior task using the summary above."
"""What the agent puts behind its summary."""
_FAILED = ("error", "cancelled")
_HUMANS = ("real_user", "")


class _Messages(Telling):
    """Reads messages."""

    def ident(self, entry: Entry) -> str:
        return word(entry, "uuid")

    def steps(self, entry: Entry) -> Named:
        self.time = word(entry, "timestamp") or self.time
        self.cwd, self.branch = word(entry, "cwd") or self.cwd, word(entry, "gitBranch") or self.branch
        tell = _TOLD.get(word(entry, "type"))
        if tell is not None:
            yield from tell(self, entry)

    def user(self, entry: Entry) -> Named:
        """Read a prompt; what a hook put behind it is told apart."""
        if said := hooks_words(entry):
            yield "hook", turns.Said(HOOK, said)
        who = turns.HUMAN if word(entry, "provenance") in _HUMANS else SYSTEM
        for number, text in enumerate(_texts(entry)):
            if not text.startswith(_HOOK):
                yield str(number), turns.Said(SYSTEM if text.startswith(_REMINDER) else who, text)

    def assistant(self, entry: Entry) -> Named:
        """Read what the agent said, thought and called."""
        self.model = word(entry, "model") or self.model
        for number, part in enumerate(dicts(within(entry, "message"), "parts")):
            called, text = within(part, "functionCall"), word(part, "text")
            if called:
                yield f"call/{word(called, 'id')}", call(called)
            elif text.strip():
                yield str(number), turns.Said(turns.THINKING if part.get("thought") else turns.AGENT, text)
        if tokens := within(entry, "usageMetadata"):
            yield "usage", _usage(tokens, self.model)

    def result(self, entry: Entry) -> Named:
        """Read what tools answered."""
        failed = word(within(entry, "toolCallResult"), "status") in _FAILED
        for part in dicts(within(entry, "message"), "parts"):
            if answer := within(part, "functionResponse"):
                yield f"result/{word(answer, 'id')}", result(answer, failed=failed)

    def system(self, entry: Entry) -> Named:
        """Read where the agent dropped context, and what it kept."""
        payload = within(entry, "systemPayload")
        if word(entry, "subtype") != "chat_compression":
            return
        info = within(payload, "info")
        manual = word(info, "triggerReason") == "manual"
        yield "boundary", turns.Boundary("manual" if manual else "auto", count(info, "originalTokenCount"))
        kept = next((text for one in dicts(payload, "compressedHistory") for text in _parts(one)), "")
        yield "summary", turns.Said(turns.SUMMARY, kept.partition(_GO_ON)[0])


_TOLD: dict[str, Callable[[_Messages, Entry], Named]] = {
    "user": _Messages.user,
    "assistant": _Messages.assistant,
    "tool_result": _Messages.result,
    "system": _Messages.system,
}


def hooks_words(entry: Entry) -> str:
    """Give what hooks put behind a prompt: the agent notes it, and an older one leaves it in the last part alone."""
    if said := word(within(entry, "systemPayload"), "hookContext"):
        return said
    last = (_texts(entry) or [""])[-1].strip()
    own = last.startswith(_HOOK) and last.endswith(_END_OF_HOOK)
    return last[len(_HOOK) : -len(_END_OF_HOOK)].strip() if own else ""


def _texts(entry: Entry) -> list[str]:
    return _parts(within(entry, "message"))


def _parts(message: Entry) -> list[str]:
    return [text for part in dicts(message, "parts") if (text := word(part, "text")).strip()]


def _usage(tokens: dict[str, Any], model: str) -> Usage:
    """Give what one message cost: what was cached is part of the input."""
    sent, cached = count(tokens, "promptTokenCount"), count(tokens, "cachedContentTokenCount")
    out = count(tokens, "candidatesTokenCount") + count(tokens, "thoughtsTokenCount")
    return Usage(max(0, sent - cached), out, cached, 0, 1, sent, model=model)


def _begun(path: str, known: dict[str, Any]) -> _Messages:
    return _Messages(session_of(path), known)


LINES = Lines(_begun)
read, skim, newest = LINES.read, LINES.skim, LINES.newest
