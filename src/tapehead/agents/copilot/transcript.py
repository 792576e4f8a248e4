"""Copilot's own record of a session: one event on each line. As turns, and step by step for the memory.

What the events look like was found by running the client. Hooks and system prompts stand among them, and are passed over.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tapehead.agents.copilot.calls import call
from tapehead.agents.copilot.places import session_of
from tapehead.agents.lines import Lines, Telling
from tapehead.transcript import turns
from tapehead.transcript.entries import count, dicts, within, word
from tapehead.transcript.recorded_steps import HOOK, SYSTEM
from tapehead.transcript.usage import Usage

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from tapehead.agents.lines import Entry, Named

    Data = dict[str, Any]

HOOKS_WORDS = re.compile(r"<system_reminder>\n(.*?)\n</system_reminder>", re.DOTALL)
_AT_ONCE = ("", "idle")
"""How a prompt came where the agent was not at work."""


class _Events(Telling):
    """Reads events, and remembers where it is worked on and by which model."""

    def meet(self, entry: Entry) -> None:
        self._stands(within(entry, "data"))

    def ident(self, entry: Entry) -> str:
        return word(entry, "id")

    def steps(self, entry: Entry) -> Named:
        data = within(entry, "data")
        self.time = word(entry, "timestamp") or self.time
        tell = _TOLD.get(word(entry, "type"))
        if tell is not None and not _a_subagents(entry, data):
            yield from tell(self, data)

    def stands(self, data: Data) -> Named:
        """Take over where the session is worked on."""
        self._stands(data)
        yield from ()

    def _stands(self, data: Data) -> None:
        context = within(data, "context") or data
        self.cwd = self.cwd or word(context, "cwd")
        self.branch = word(context, "branch") or self.branch
        self.model = word(data, "selectedModel") or self.model

    def prompt(self, data: Data) -> Named:
        """Read the user's words; and what hooks put behind them, which stands only in what the model was sent."""
        own = word(data, "source") in ("", "user")
        queued = word(data, "delivery") not in _AT_ONCE
        yield "prompt", turns.Said(turns.HUMAN if own else SYSTEM, word(data, "content"), queued)
        for number, said in enumerate(HOOKS_WORDS.findall(word(data, "transformedContent"))):
            yield f"hook/{number}", turns.Said(HOOK, said)

    def answer(self, data: Data) -> Named:
        """Read what the agent thought, said and asked its tools for."""
        self.model = word(data, "model") or self.model
        if thought := word(data, "reasoningText"):
            yield "thought", turns.Said(turns.THINKING, thought)
        if word(data, "content").strip():
            yield "reply", turns.Said(turns.AGENT, word(data, "content"))
        for request in dicts(data, "toolRequests"):
            ident = word(request, "toolCallId")
            yield f"call/{ident}", call(ident, word(request, "name"), within(request, "arguments"))

    def result(self, data: Data) -> Named:
        """Read what a tool said."""
        ident, failed = word(data, "toolCallId"), data.get("success") is not True
        code = within(data, "shellExecution").get("exitCode")
        text = word(within(data, "result"), "content") or word(within(data, "error"), "message")
        yield f"result/{ident}", turns.Result(ident, text, failed or bool(code))

    def compaction(self, data: Data) -> Named:
        """Read where the agent dropped context, and what it kept."""
        if data.get("success") is True:
            trigger = "manual" if word(data, "trigger") == "manual" else "auto"
            yield "boundary", turns.Boundary(trigger, count(data, "preCompactionTokens"))
            yield "summary", turns.Said(turns.SUMMARY, word(data, "summaryContent"))

    def usage(self, data: Data) -> Named:
        """Read what one message cost. The agent counts what was cached as part of the input."""
        used = within(data, "usage")
        sent, cached = count(used, "inputTokens"), count(used, "cacheReadTokens")
        written, window = count(used, "cacheWriteTokens"), count(used, "maxPromptTokens")
        if sent:
            out = count(used, "outputTokens")
            yield "usage", Usage(max(0, sent - cached), out, cached, written, 1, sent, window)

    def stopped(self, data: Data) -> Named:
        """Read that the user stopped the agent."""
        yield "abort", turns.Said(turns.INTERRUPTED, word(data, "reason"))

    def notice(self, data: Data) -> Named:
        """Read what the agent said beside the conversation."""
        yield "notice", turns.Said(SYSTEM, word(data, "message"))


_TOLD: dict[str, Callable[[_Events, Data], Named]] = {
    "session.start": _Events.stands,
    "session.resume": _Events.stands,
    "session.context_changed": _Events.stands,
    "user.message": _Events.prompt,
    "assistant.message": _Events.answer,
    "tool.execution_complete": _Events.result,
    "session.compaction_complete": _Events.compaction,
    "session.usage_record": _Events.usage,
    "session.error": _Events.notice,
    "session.warning": _Events.notice,
    "abort": _Events.stopped,
}


def _a_subagents(entry: Entry, data: Data) -> bool:
    """Whether an event is of a subagent's own conversation."""
    return bool(word(entry, "agentId") or word(data, "parentToolCallId"))


def _begun(path: str, known: dict[str, Any]) -> _Events:
    return _Events(session_of(path), known)


LINES = Lines(_begun)
read, skim, newest = LINES.read, LINES.skim, LINES.newest
