"""What can be told of a line of a transcript without parsing it, which takes far longer.

An unescaped key cannot stand inside a string: where one is found, the line has it. What kind of line it is stands before its message.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.transcript import turns

if TYPE_CHECKING:
    from collections.abc import Container

_HEAD = 1_500
"""Bytes at the beginning of a line in which what kind of line it is stands."""
_MESSAGE = b'"message":{'


def repeats(line: bytes) -> bool:
    """Tell a line that repeats a subagent's message while it works."""
    return line.find(b'"type":"progress","data"', 0, _HEAD) >= 0


def passed_over(line: bytes, kinds: Container[str]) -> bool:
    """Tell a line of which a work record wants nothing. Turns are made of `kinds`."""
    message = line.find(_MESSAGE, 0, _HEAD)
    if message < 0:
        return _tells_nothing(line, kinds) or is_unwanted(line)
    return (
        line.find(b'"isSidechain":true', 0, message) >= 0
        or line.find(b'"type":"progress"', 0, message) >= 0
        or _only_thinking(line, message)
    )


def _only_thinking(line: bytes, message: int) -> bool:
    """Tell a line that is nothing but thinking, a third of some files."""
    return (
        line.find(b'"content":[{"type":"thinking"', message, message + _HEAD) >= 0
        and b'"type":"text"' not in line
        and b'"type":"tool_use"' not in line
    )


def _tells_nothing(line: bytes, kinds: Container[str]) -> bool:
    """Tell a line that no turn is made of, a third of some files: a snapshot, a title, a hook's or a turn's end."""
    if line.startswith(b'{"type":"'):
        return line[9 : line.find(b'"', 9)].decode(errors="replace") not in kinds
    return (
        line.find(b'"type":"system"', 0, _HEAD) >= 0
        and b'_boundary"' not in line
        and not any(sign in line for sign in _WITH_CONTENT)
    )


_WITH_CONTENT = (b'"message":', b'"attachment":')
"""What such a line does not have: in what others quote, anything may stand."""


def is_unwanted(line: bytes) -> bool:
    """Tell a subagent's line, or a repetition."""
    return line.find(b'"isSidechain":true', 0, _HEAD) >= 0 or repeats(line)


def left_out(line: bytes) -> turns.Result | None:
    """Tell a result by its id alone, where it is one that went well and its text is not wanted."""
    if line.count(b'"type":"tool_result"') != 1 or _tells_more(line):
        return None
    at = line.find(b'"tool_use_id":"') + len(b'"tool_use_id":"')
    ident = line[at : line.find(b'"', at)].decode(errors="replace")
    return turns.Result(ident, "", left_out=len(line))


def _tells_more(line: bytes) -> bool:
    """Whether a result is more than its text: a failure, a user's refusal, a subagent's own, or work in the background."""
    if b'":true' in line and any(sign in line for sign in _TRUE):  # one search instead of three: lines are long
        return True
    return any(sign in line for sign in _OF_A_TASK)


_OF_A_TASK = (b'"toolDenialKind":"', b'"backgroundTaskId":"', b'"task_id":"', b'"shell_id":"', b'"shellId":"')
_TRUE = (b'"is_error":true', b'"isSidechain":true', b'"isAsync":true')
