"""The calls of a session by which files may have changed, in the order in which they were done, its subagents' among them: by Claude Code's transcripts."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from tapehead.agents.claude.writings import EDITS, NEVER, READS, blocks_of, entry_of, nanoseconds
from tapehead.transcript import jsonl
from tapehead.transcript.file_writes import Change, WritingCall

if TYPE_CHECKING:
    from collections.abc import Iterator

_SIGNS = (b'"tool_use"', b'"tool_result"')
_SUBAGENT = "a subagent"


def writing_calls(path: str, since: int, until: int) -> list[WritingCall]:
    """Those that were made between two moments (nanoseconds since 1970). What failed wrote nothing. Raises OSError."""
    begun: dict[str, WritingCall] = {}
    ended: dict[str, tuple[int, bool, Any]] = {}
    for source in (path, *_subagents(path)):
        own = "" if source == path else _name_of(source)
        for entry in _entries(source):
            at = nanoseconds(entry)
            who = own or (_SUBAGENT if entry.get("isSidechain") is True else "")
            for block in blocks_of(entry):
                if block.get("type") == "tool_use" and since <= at <= until:
                    if call := _call(block, at, who):
                        begun[call.id] = call
                elif block.get("type") == "tool_result":
                    told = (at, block.get("is_error") is True, entry.get("toolUseResult"))
                    ended[str(block.get("tool_use_id"))] = told
    names = _names(begun, ended)
    calls = [_finished(call, ended.get(name)) for name, call in begun.items()]
    known = {call.subagent for call in calls if call.subagent}
    found = [
        call._replace(subagent=names.get(call.subagent, call.subagent))
        for call in calls
        if call is not None and _agent_of(ended.get(call.id)) not in known  # its own calls say what it did
    ]
    return sorted(found, key=lambda call: call.ended if call.ended != NEVER else call.at)


def _finished(call: WritingCall, told: tuple[int, bool, Any] | None) -> WritingCall:
    """With what its result says; one that has none, or that only began something, may write for ever."""
    if told is None or call.is_background:
        return call._replace(changes=None, ended=NEVER)
    at, failed, result = told
    before = result.get("originalFile") if isinstance(result, dict) else None
    done = call._replace(ended=at, before=before if isinstance(before, str) else None)
    return done._replace(changes=()) if failed and call.changes is not None else done


def _call(block: dict[str, Any], at: int, who: str) -> WritingCall | None:
    name, given = str(block.get("name")), block.get("input")
    if name in READS or not isinstance(given, dict):
        return None
    file = str(given.get("file_path") or given.get("notebook_path") or "")
    is_background = given.get("run_in_background") is True
    what = file or str(given.get("command") or given.get("description") or "")
    call = WritingCall(str(block.get("id")), name, at, subagent=who, what=what, is_background=is_background)
    return call._replace(file=file, changes=_changes(name, given)) if name in EDITS else call


def _changes(name: str, given: dict[str, Any]) -> tuple[Change, ...] | None:
    """What a call put into its file; None where that cannot be done again from here."""
    if name == "Write":
        content = given.get("content")
        return (Change(None, content),) if isinstance(content, str) else None
    parts = given.get("edits") if name == "MultiEdit" else [given]
    found = []
    for part in parts if isinstance(parts, list) else ():
        old, new = (part.get("old_string"), part.get("new_string")) if isinstance(part, dict) else (None, None)
        if not isinstance(old, str) or not isinstance(new, str):
            return None
        found.append(Change(old, new, everywhere=part.get("replace_all") is True))
    return tuple(found) or None


def _names(begun: dict[str, WritingCall], ended: dict[str, tuple[int, bool, Any]]) -> dict[str, str]:
    """By a subagent's id, what the call that began it was about."""
    return {
        agent: f"subagent {call.what}" if call.what else _SUBAGENT
        for name, call in begun.items()
        if (agent := _agent_of(ended.get(name)))
    }


def _agent_of(told: tuple[int, bool, Any] | None) -> str:
    found = told[2].get("agentId") if told and isinstance(told[2], dict) else None
    return found if isinstance(found, str) else ""


def _subagents(path: str) -> list[str]:
    folder = os.path.join(path.removesuffix(".jsonl"), "subagents")
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    return [os.path.join(folder, name) for name in names if name.startswith("agent-") and name.endswith(".jsonl")]


def _name_of(path: str) -> str:
    return os.path.basename(path).removeprefix("agent-").removesuffix(".jsonl")


def _entries(path: str) -> Iterator[dict[str, Any]]:
    for line in jsonl.part(path, 0, os.stat(path).st_size)[0]:
        if any(sign in line for sign in _SIGNS) and (entry := entry_of(line)):
            yield entry
