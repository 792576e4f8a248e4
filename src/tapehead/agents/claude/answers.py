"""Whether Claude Code's user has answered what it asked. Light: the status line asks too.

No hook tells the answer. A no and Escape stand in the transcript at once. A yes stands there when the tool is done, which may be long after:
until then the shell that Claude Code runs a command in is the sign.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tapehead.agents.commands_run import runs_below
from tapehead.agents.hook_event import key_of
from tapehead.transcript import jsonl
from tapehead.transcript.entries import entry_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_LOOKED_AT = 512 * 1024
"""Bytes at the end of a transcript: what was asked stands there, and what came since."""
_SHELL = " && pwd -P >| "
"""How the command line of Claude Code's own shell ends: no hook's and no status line's does."""
_TIME = len("2026-01-01T00:00:00.000")


def is_answered(path: str, asked: dict[str, Any], pid: int | None) -> bool:
    """Whether what was `asked` (the fields of store.state.Waiting, the time as text) has its answer; `pid` is the agent's process."""
    if asked.get("what") == "prompt":
        return False  # the prompt itself says so
    return _is_on_record(_record(path, str(asked.get("agent_id") or "")), asked) or _is_running(asked, pid)


def _record(path: str, agent_id: str) -> str:
    """The transcript of whoever asks: a subagent has its own, below the session's or beside it."""
    if not agent_id or os.sep in agent_id:
        return path
    below = os.path.join(path.removesuffix(".jsonl"), "subagents", f"agent-{agent_id}.jsonl")
    beside = os.path.join(os.path.dirname(path), f"agent-{agent_id}.jsonl")
    return beside if os.path.isfile(beside) else below


def _is_on_record(path: str, asked: dict[str, Any]) -> bool:
    """Whether the call that was asked about has a result; where the call is not known, whether anything came back since."""
    since, call = str(asked.get("since") or "")[:_TIME], ""
    later = False
    for entry in _newest(path):
        for block in _blocks(entry):
            if _is_call(block, asked):
                call, later = str(block.get("id")), False
            elif block.get("type") == "tool_result" and call:
                later = later or block.get("tool_use_id") == call
        if not call and entry.get("type") == "user" and not entry.get("isMeta"):
            later = later or str(entry.get("timestamp") or "")[:_TIME] > since
    return later


def _is_call(block: dict[str, Any], asked: dict[str, Any]) -> bool:
    if block.get("type") != "tool_use" or not asked.get("tool") or block.get("name") != asked["tool"]:
        return False
    return key_of(block.get("input")) == asked.get("key")


def _newest(path: str) -> Iterator[dict[str, Any]]:
    try:
        for _, line in jsonl.lines(path, jsonl.tail(path, _LOOKED_AT)):
            if (b'"tool_use"' in line or b'"user"' in line) and b'"type":"api-request' not in line:
                yield entry_of(line)
    except OSError:
        return  # there is none yet, or none any more


def _blocks(entry: dict[str, Any]) -> list[dict[str, Any]]:
    message = entry.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _is_running(asked: dict[str, Any], pid: int | None) -> bool:
    """Whether the command runs by now: only a yes starts it."""
    return asked.get("tool") == "Bash" and runs_below(pid, str(asked.get("detail") or ""), _SHELL)
