"""What Claude Code can resume: a transcript mended where it is damaged, cut off before a compaction, or copied under a new id. Pure.

Claude Code takes the newest line and follows `parentUuid` from there to the beginning, or to a compaction. So a line that cannot be read
costs all that is before it, and a compaction without its summary costs the whole conversation.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from tapehead.text.wording import count
from tapehead.transcript.entries import dicts, entry_of, within, word

if TYPE_CHECKING:
    from typing import Any

    Entry = dict[str, Any]


class Mended(NamedTuple):
    """A transcript that can be resumed."""

    data: bytes
    problems: tuple[str, ...] = ()
    """What was the matter with it: nothing where it is as it was."""


class Compaction(NamedTuple):
    """A compaction in a transcript."""

    at: int
    """The byte at which it begins."""
    was_full: bool
    """Whether the window was full: Claude Code then compacts the conversation again at the next prompt."""


class _Line(NamedTuple):
    raw: bytes
    entry: Entry
    """Empty where nobody here can read it."""
    is_readable: bool = True
    """Whether it is all that its writer wrote."""
    torn: int = 0
    """Bytes of a torn line before it."""


def mend(data: bytes) -> Mended:
    """A transcript without lines that cannot be read, results of lost tool calls and compactions without summary; parents link again."""
    lines = _lines(data)
    unreadable = sum(not line.is_readable for line in lines)
    taken_up, begun = _orphans(lines), _unfinished(lines)
    told = (
        f"{count(unreadable, 'line')} could not be read" if unreadable else "",
        "the last line had no end" if lines and lines[-1].entry and not lines[-1].raw.endswith(b"\n") else "",
        f"{count(len(taken_up), 'tool result')} without a call" if taken_up else "",
        "a compaction without its summary" if begun else "",
    )
    problems = tuple(filter(None, told))
    if not problems:
        return Mended(data)
    return Mended(b"".join(_relinked(lines, taken_up, begun, is_torn=bool(unreadable))), problems)


FULL_HINT = (
    "Claude Code compacted this conversation because its window was full, and does so again at the next prompt. "
    "`DISABLE_AUTO_COMPACT=1` in the environment keeps it from that while there is room"
)


def is_conversation(data: bytes) -> bool:
    """Whether anybody said anything: else there is nothing to resume."""
    return any(word(line.entry, "type") in ("user", "assistant") for line in _lines(data))


def compactions(data: bytes) -> list[Compaction]:
    """The compactions of the conversation, oldest first."""
    found, at, bounded = [], 0, False
    for line in _lines(data):
        if _is_boundary(line.entry):
            found.append(Compaction(at, word(within(line.entry, "compactMetadata"), "trigger") == "auto"))
            bounded = True
        elif line.entry.get("isCompactSummary") is True and not line.entry.get("isSidechain"):
            if not bounded:  # older versions wrote nothing before it, nor why they did it
                found.append(Compaction(at, was_full=True))
            bounded = False
        at += len(line.raw) + line.torn
    return found


def directory(data: bytes) -> str:
    """Where the session was started."""
    return next((where for line in _lines(data) if (where := word(line.entry, "cwd"))), "")


def copy(data: bytes, session: str, new: str) -> bytes:
    """The transcript under a new id. Each line says where it comes from, as Claude Code itself marks the lines of a branch."""
    return b"".join(_renamed(line, session, new) for line in _lines(data))


def _renamed(line: _Line, session: str, new: str) -> bytes:
    if "sessionId" not in line.entry:
        return line.raw
    entry = {**line.entry, "sessionId": new}
    if word(entry, "uuid"):
        entry["forkedFrom"] = {"sessionId": session, "messageUuid": word(entry, "uuid")}
    return _written(entry)


def _lines(data: bytes) -> list[_Line]:
    """Only a line feed ends a line of JSON."""
    rows = data.split(b"\n")
    last = rows.pop()
    return [_read(raw) for raw in [row + b"\n" for row in rows] + ([last] if last else [])]


def _read(raw: bytes) -> _Line:
    entry = entry_of(raw)
    if entry or not raw.strip():
        return _Line(raw, entry)
    try:
        return _Line(raw, {}, is_readable=isinstance(json.loads(raw.decode(errors="replace")), dict))
    except RecursionError:
        return _Line(raw, {})  # too deep for us, and not for its writer
    except ValueError:
        return _behind_a_tear(raw)


def _behind_a_tear(raw: bytes) -> _Line:
    """The whole line behind a torn one, where an agent went on writing without a new line."""
    at = 0
    for _ in range(_TRIES):
        found = [place for begin in _BEGINNINGS if (place := raw.find(begin, at + 1)) > 0]
        if not found:
            break
        at = min(found)
        if entry := entry_of(raw[at:]):
            return _Line(raw[at:], entry, is_readable=False, torn=at)
    return _Line(raw, {}, is_readable=False)


_BEGINNINGS = (b'{"parentUuid":', b'{"type":"', b'{"logicalParentUuid":')
_TRIES = 100


def _is_boundary(entry: Entry) -> bool:
    return word(entry, "type") == "system" and word(entry, "subtype") == "compact_boundary"


def _blocks(entry: Entry, kind: str) -> list[Entry]:
    return [block for block in dicts(within(entry, "message"), "content") if word(block, "type") == kind]


def _orphans(lines: list[_Line]) -> set[str]:
    """The results whose call is nowhere, by the call's id."""
    called = {word(block, "id") for line in lines for block in _blocks(line.entry, "tool_use")}
    results = {word(block, "tool_use_id") for line in lines for block in _blocks(line.entry, "tool_result")}
    return results - called


def _unfinished(lines: list[_Line]) -> set[str]:
    """The boundaries that no summary follows before the next one."""
    open_ones: set[str] = set()
    last = ""
    for line in lines:
        if _is_boundary(line.entry):
            open_ones |= {last} - {""}
            last = word(line.entry, "uuid")
        elif line.entry.get("isCompactSummary") is True:
            last = ""
    return open_ones | ({last} - {""})


def _relinked(lines: list[_Line], orphans: set[str], begun: set[str], *, is_torn: bool) -> list[bytes]:
    """The lines that stay, each with a parent that is there."""
    known = {word(line.entry, "uuid") for line in lines}
    instead: dict[str, str | None] = {}
    newest: dict[str, str] = {}
    """By thread: the conversation, or a subagent's."""
    made = []
    for raw, entry, is_readable, _ in lines:
        if not entry:
            made += [raw] if is_readable and raw.strip() else []
            continue
        thread = word(entry, "agentId") or str(bool(entry.get("isSidechain")))
        changed = _without(entry, orphans)
        ident, parent = word(entry, "uuid"), entry.get("parentUuid")
        if isinstance(parent, str) and (parent in instead or (is_torn and parent not in known)):
            parent = instead.get(parent, newest.get(thread))
            changed = {**changed, "parentUuid": parent} if changed else changed
        if not changed or ident in begun:
            beyond = word(entry, "logicalParentUuid") if ident in begun else ""
            instead[ident] = beyond if beyond and beyond in known else parent or newest.get(thread)
            continue
        if ident:
            newest[thread] = ident
        made.append(raw.rstrip(b"\n") + b"\n" if changed == entry else _written(changed))
    return made


def _without(entry: Entry, orphans: set[str]) -> Entry:
    """A line without results whose call is lost; nothing where nothing else is in it."""
    results = _blocks(entry, "tool_result")
    if not any(word(block, "tool_use_id") in orphans for block in results):
        return entry
    message = within(entry, "message")
    rest = [
        block
        for block in message["content"]
        if not (
            isinstance(block, dict) and word(block, "type") == "tool_result" and word(block, "tool_use_id") in orphans
        )
    ]
    return {**entry, "message": {**message, "content": rest}} if rest else {}


def _written(entry: Entry) -> bytes:
    """As ASCII: half of a character outside it is no text, and may stand in a transcript."""
    return json.dumps(entry, separators=(",", ":")).encode() + b"\n"
