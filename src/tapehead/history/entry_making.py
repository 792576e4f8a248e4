"""From steps of a transcript to entries: which layer, which kind, redacted, without escapes, cut at the limit. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.history import layers
from tapehead.history.layers import BODY, DETAIL, SKELETON, Entry
from tapehead.text.plain import without_ansi
from tapehead.text.redaction import redact_all
from tapehead.text.repeated_secrets import Repeated
from tapehead.transcript import recorded_steps, turns
from tapehead.transcript.turns import Boundary, Call, Result, Said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tapehead.transcript.recorded_steps import Recorded

LIMIT = 200_000
"""Characters of one entry that are kept, where the user set no other limit."""
TOLD = "\0told"
"""The name among the calls under which hashes of secrets are kept: no call is called that."""
_SAID = {
    turns.HUMAN: (BODY, layers.HUMAN, layers.PROMPT),
    turns.AGENT: (BODY, layers.AGENT, layers.REPLY),
    turns.THINKING: (DETAIL, layers.AGENT, layers.THINKING),
    turns.SUMMARY: (DETAIL, layers.HOST, layers.SUMMARY),
    turns.INTERRUPTED: (DETAIL, layers.HOST, layers.SYSTEM),
    recorded_steps.SYSTEM: (DETAIL, layers.HOST, layers.SYSTEM),
    recorded_steps.HOOK: (DETAIL, layers.HOST, layers.HOOK),
    recorded_steps.IMAGE: (DETAIL, layers.HOST, layers.IMAGE),
    recorded_steps.TAKEN_BACK: (SKELETON, layers.HOST, layers.TAKEN_BACK),
}


class Entries:
    """Turns steps into entries, and remembers which file a call was about until its result comes."""

    def __init__(self, limit: int = LIMIT, *, thinking: bool = True, files: dict[str, list[str]] | None = None) -> None:
        self.limit = limit
        self.thinking = thinking
        self.calls: dict[str, list[str]] = dict(files or {})
        """The tool and file of calls without a result so far, by the call's id."""
        self.told = Repeated(self.calls.pop(TOLD, None))
        """The secrets of the session so far."""

    def remembered(self, calls: dict[str, list[str]]) -> dict[str, list[str]]:
        """Give the calls that are kept, and with them the hashes of secrets, where there are any."""
        return {**calls, TOLD: kept} if (kept := self.told.kept()) else calls

    def of(self, steps: Iterable[Recorded]) -> list[Entry]:
        """The entries of some steps; a step with nothing in it gives none."""
        return self.finished(self.made(steps))

    def made(self, steps: Iterable[Recorded]) -> list[Entry]:
        """The entries as they were said."""
        return [entry for step in steps if (entry := _MAKE[type(step.step)](self, step, step.step)) is not None]

    def finished(self, entries: list[Entry]) -> list[Entry]:
        """The same redacted and then cut: half a secret at a cut would not be known as one."""
        bodies = redact_all([entry.body for entry in entries], self.told)
        return [
            entry if body is entry.body and len(body) <= self.limit else entry._replace(body=cut(body, self.limit))
            for entry, body in zip(entries, bodies, strict=True)
        ]

    def _said(self, where: Recorded, said: Said) -> Entry | None:
        layer, role, kind = _SAID[said.who]
        if not said.text.strip() or (kind == layers.THINKING and not self.thinking):
            return None
        if where.subagent:
            layer, kind = DETAIL, layers.SUBAGENT if kind in (layers.PROMPT, layers.REPLY) else kind
            role = layers.AGENT if role == layers.HUMAN else role
        return self._entry(where, layer, role, kind, said.text, where.subagent)

    def _call(self, where: Recorded, call: Call) -> Entry:
        file = call.path if call.kind in _ON_FILES else ""
        if call.id:
            self.calls[call.id] = [call.tool, file]
        return self._entry(where, DETAIL, layers.AGENT, layers.CALL, _as_made(call), call.tool, file)

    def _result(self, where: Recorded, result: Result) -> Entry:
        tool, file = self.calls.pop(result.id, ("", ""))
        text = f"[failed] {result.text}" if result.failed else result.text
        return self._entry(where, DETAIL, layers.TOOL, layers.RESULT, text, tool, file)

    def _boundary(self, where: Recorded, boundary: Boundary) -> Entry:
        what = "old tool results were dropped" if boundary.partial else "the context was compacted"
        text = f"{what} ({boundary.trigger or 'no reason given'}, {boundary.tokens:,} tokens before)"
        return self._entry(where, DETAIL, layers.HOST, layers.SYSTEM, text)

    @staticmethod
    def _entry(  # noqa: PLR0913, PLR0917 - a row has that many columns
        where: Recorded, layer: int, role: str, kind: str, text: str, name: str = "", file: str = ""
    ) -> Entry:
        text = without_ansi(text)
        return Entry(where.source, where.turn, layer, role, kind, where.time, text, where.origin, name, file, len(text))


_ON_FILES = (turns.EDIT, turns.WRITE, turns.READ, turns.SEARCH)
_MAKE: dict[type, Callable[..., Entry | None]] = {
    Said: Entries._said,  # noqa: SLF001 - a table of this class's own methods
    Call: Entries._call,  # noqa: SLF001
    Result: Entries._result,  # noqa: SLF001
    Boundary: Entries._boundary,  # noqa: SLF001
}


def cut(text: str, limit: int) -> str:
    """Take out the middle of what is too long: how it begins and how it ends says most."""
    if len(text) <= limit:
        return text
    head = limit * 3 // 4
    return f"{text[:head]}\n[… {len(text) - limit:,} characters cut …]\n{text[len(text) - (limit - head) :]}"


def _as_made(call: Call) -> str:
    """The input of a call, as lines a user can read: one argument per line, long ones below their name."""
    if not call.arguments:
        return call.text or call.path
    return "\n".join(_argument(name, value) for name, value in call.arguments.items())


def _argument(name: str, value: object) -> str:
    if isinstance(value, str):
        return f"{name}:\n{value}" if "\n" in value else f"{name}: {value}"
    return f"{name}: {_json(value)}"


def _json(value: object) -> str:
    import json  # noqa: PLC0415 - loaded long before by whoever read the transcript

    return json.dumps(value, ensure_ascii=False)
