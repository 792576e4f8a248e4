"""What Claude Code's tools wrote since a moment, by its transcript: the texts of its edits, and when anything else ran that may write files."""

from __future__ import annotations

import json
import os
from datetime import datetime
from typing import Any, NamedTuple

from tapehead.agents.claude.shell_commands import only_reads
from tapehead.transcript import jsonl

_LOOKED_AT = 4 << 20
EDITS = frozenset({"Edit", "MultiEdit", "Write", "NotebookEdit"})
READS = frozenset(
    {"Read", "Grep", "Glob", "LS", "WebFetch", "WebSearch", "TodoWrite", "TodoRead", "NotebookRead", "ExitPlanMode"}
    | {"AskUserQuestion", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet", "ToolSearch", "Skill"}
)
"""Tools that write no file of the user's. Any other may: a shell, a subagent, a server's."""
NEVER = 1 << 63
"""The end of what has none that anybody hears of."""


class Writings(NamedTuple):
    """What is known of one agent's tools in a turn."""

    texts: dict[str, str]
    """By file, all that edits put there."""
    edits: tuple[tuple[int, int], ...]
    """When edits were under way: from the call to its result, in nanoseconds since 1970."""
    others: tuple[tuple[int, int], ...]
    """The same for all that may have written any file. What runs in the background has no end."""
    originals: dict[str, tuple[tuple[int, int, str], ...]]
    """By file, of each edit whose result tells it: when it was under way, and what the file held before."""
    until: int
    """When the newest line of the transcript was written: what changed later it does not know of."""


def writings_of(path: str, since: int) -> Writings | None:
    """Since a moment (nanoseconds since 1970); None where the transcript is too long to tell. Raises OSError."""
    size = os.stat(path).st_size
    begin = max(0, size - _LOOKED_AT)
    entries = [entry for line in jsonl.part(path, begin, size)[0] if (entry := entry_of(line))]
    times = [nanoseconds(entry) for entry in entries]
    if begin and (not times or min(filter(None, times), default=NEVER) > since):
        return None
    texts: dict[str, str] = {}
    files: dict[str, str] = {}
    begun: dict[str, tuple[int, str, bool]] = {}
    ended: dict[str, int] = {}
    before: dict[str, str] = {}
    for entry, at in zip(entries, times, strict=True):
        for block in blocks_of(entry) if at >= since else ():
            if block.get("type") == "tool_use" and isinstance(block.get("input"), dict):
                name, given = str(block.get("name")), block["input"]
                if name == "Bash" and only_reads(str(given.get("command"))):
                    continue
                begun[str(block.get("id"))] = (at, name, given.get("run_in_background") is True)
                if name in EDITS:
                    file = str(given.get("file_path") or given.get("notebook_path") or "")
                    files[str(block.get("id"))] = file
                    texts[file] = f"{texts.get(file, '')}\n{_written(given)}"
            elif block.get("type") == "tool_result":
                ended[str(block.get("tool_use_id"))] = at
                before |= _before(entry, str(block.get("tool_use_id")))
    spans = {name: (at, NEVER if background else ended.get(name, NEVER)) for name, (at, _, background) in begun.items()}
    edits = tuple(spans[name] for name, (_, tool, _) in begun.items() if tool in EDITS)
    others = tuple(spans[name] for name, (_, tool, _) in begun.items() if tool not in EDITS | READS)
    originals: dict[str, tuple[tuple[int, int, str], ...]] = {}
    for name, content in before.items():
        if name in files and name in spans:
            originals[files[name]] = (*originals.get(files[name], ()), (*spans[name], content))
    return Writings(texts, edits, others, originals, max(times, default=0))


def _before(entry: dict[str, Any], call: str) -> dict[str, str]:
    """What a file held before an edit, where the edit's result says so."""
    result = entry.get("toolUseResult")
    if not isinstance(result, dict) or "filePath" not in result or "originalFile" not in result:
        return {}
    content = result["originalFile"]
    if content is None and result.get("type") == "create":
        content = ""
    return {call: content} if isinstance(content, str) else {}


def _written(given: dict[str, Any]) -> str:
    parts = [given, *(one for one in given.get("edits") or () if isinstance(one, dict))]
    words = (part.get(key) for part in parts for key in ("content", "new_string", "new_source"))
    return "\n".join(word for word in words if isinstance(word, str))


def entry_of(line: bytes) -> dict[str, Any] | None:
    """A line as an object; None where it is none."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def blocks_of(entry: dict[str, Any]) -> list[dict[str, Any]]:
    """The parts of a message."""
    message = entry.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def nanoseconds(entry: dict[str, Any]) -> int:
    """When a line was written, since 1970; 0 where it does not say."""
    try:
        return int(datetime.fromisoformat(str(entry.get("timestamp"))).timestamp() * 1e9)
    except ValueError:
        return 0
