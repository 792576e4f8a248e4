"""OpenCode's conversations, as our plugin writes them down: a message of the agent's on each line, with its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.agents.lines import Lines, Telling
from tapehead.agents.opencode.calls import call
from tapehead.agents.opencode.places import session_of
from tapehead.transcript import turns
from tapehead.transcript.entries import count, dicts, within, word
from tapehead.transcript.recorded_steps import HOOK, SYSTEM
from tapehead.transcript.usage import Usage

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from tapehead.agents.lines import Entry, Named

    Part = dict[str, Any]

OURS = "tapehead: "
"""How a text of ours begins, among those that the agent and plugins put behind a prompt."""
_STOPPED = "MessageAbortedError"
_OVER = ("completed", "error")


class _Messages(Telling):
    """Reads messages."""

    def meet(self, entry: Entry) -> None:
        self.cwd = word(entry, "directory")

    def ident(self, entry: Entry) -> str:
        return word(entry, "id")

    def steps(self, entry: Entry) -> Named:
        if word(entry, "type") == "told":
            yield "told", turns.Said(HOOK, word(entry, "text"))
        info = within(entry, "info")
        self.time = _instant(count(within(info, "time"), "created")) or self.time
        tell = {"user": self._asked, "assistant": self._answered}.get(word(info, "role"))
        if tell is not None:
            yield from tell(info, dicts(entry, "parts"))

    def _asked(self, info: Entry, parts: list[Part]) -> Named:
        self.model = word(within(info, "model"), "modelID") or self.model
        for number, part in enumerate(parts):
            if word(part, "type") == "compaction":
                yield f"{number}/boundary", turns.Boundary("auto" if part.get("auto") else "manual", self._context)
            elif word(part, "type") == "text":
                yield f"{number}/text", turns.Said(_whose(part), word(part, "text"))

    def _answered(self, info: Entry, parts: list[Part]) -> Named:
        self.model = word(info, "modelID") or self.model
        who = turns.SUMMARY if info.get("summary") is True else turns.AGENT
        for number, part in enumerate(parts):
            tell = _PARTS.get(word(part, "type"))
            for name, step in tell(part, who) if tell else ():
                yield name or str(number), step
        if error := within(info, "error"):
            said = turns.INTERRUPTED if word(error, "name") == _STOPPED else SYSTEM
            yield "error", turns.Said(said, word(within(error, "data"), "message") or word(error, "name"))
        if used := _usage(within(info, "tokens")):
            if who == turns.AGENT:
                self.known["context"] = used.context
            yield "usage", used

    @property
    def _context(self) -> int:
        return count(self.known, "context")


def _said(part: Part, who: str) -> Named:
    if word(part, "text").strip():
        yield "", turns.Said(who, word(part, "text"))


def _thought(part: Part, who: str) -> Named:  # noqa: ARG001 - one shape for all parts
    if word(part, "text").strip():
        yield "", turns.Said(turns.THINKING, word(part, "text"))


def _used(part: Part, who: str) -> Named:  # noqa: ARG001 - as above
    """Read a call, which has what came of it in it."""
    ident, state = word(part, "callID"), within(part, "state")
    yield f"call/{ident}", call(ident, word(part, "tool"), within(state, "input"))
    status = word(state, "status")
    if status in _OVER:
        text = word(state, "output") or word(state, "error")
        code = within(state, "metadata").get("exit")
        yield f"result/{ident}", turns.Result(ident, text, status == "error" or bool(code))


_PARTS: dict[str, Callable[[Part, str], Named]] = {"text": _said, "reasoning": _thought, "tool": _used}


def _whose(part: Part) -> str:
    """The user's words, ours, or the agent's own, such as what it says to go on after a compaction."""
    if part.get("synthetic") is not True:
        return turns.HUMAN
    return HOOK if word(part, "text").startswith(OURS) else SYSTEM


def _usage(tokens: Entry) -> Usage | None:
    cache = within(tokens, "cache")
    sent, read, written = count(tokens, "input"), count(cache, "read"), count(cache, "write")
    if not sent + read + written:
        return None
    out = count(tokens, "output") + count(tokens, "reasoning")
    return Usage(sent, out, read, written, 1, sent + read + written)


def _instant(milliseconds: int) -> str:
    """A time as the other records write it; nothing where it is none."""
    from datetime import UTC, datetime  # noqa: PLC0415 - only where a record is read

    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat() if milliseconds else ""
    except (ValueError, OverflowError, OSError):
        return ""


def _begun(path: str, known: dict[str, Any]) -> _Messages:
    return _Messages(session_of(path), known)


LINES = Lines(_begun)
read, skim, newest = LINES.read, LINES.skim, LINES.newest
