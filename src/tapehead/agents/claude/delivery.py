"""What Claude Code's own record says that the model got from hooks.

Seen with the real client: text given as `additionalContext` is recorded as an attachment `hook_additional_context` whose content
is a list; plain text as `hook_success` with the text as its content (which is empty where the hook printed JSON).
2.0.77 to 2.1.80 write no attachments, so their record proves nothing; 1.0.128 puts the text into a user's line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tapehead.transcript import jsonl
from tapehead.transcript.entries import entry_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_KINDS = ("hook_additional_context", "hook_success")


_IN_A_LINE = b"<session-start-hook>"


def received(path: str, offset: int = 0) -> Iterator[str] | None:
    """The texts, in file order, from a byte on; None where this client does not write them down."""
    return _all(path, offset) if any(_is_kept(line) for _, line in jsonl.lines(path, offset)) else None


def _is_kept(line: bytes) -> bool:
    """Whether a line shows that the client keeps what hooks gave: it writes attachments of any kind, or the text itself."""
    return b'"attachment"' in line or _IN_A_LINE in line


def _all(path: str, offset: int) -> Iterator[str]:
    for _, line in jsonl.lines(path, offset):
        if b'"hook_' not in line and _IN_A_LINE not in line:
            continue
        yield from _texts(entry_of(line))


def _texts(entry: Any) -> Iterator[str]:
    if isinstance(entry, dict) and entry.get("type") == "user":
        yield from _said(entry.get("message"))
    about = entry.get("attachment") if isinstance(entry, dict) else None
    if not isinstance(about, dict) or about.get("type") not in _KINDS:
        return
    content = about.get("content")
    for text in content if isinstance(content, list) else [content]:
        if isinstance(text, str) and text:
            yield text


def _said(message: Any) -> Iterator[str]:
    """The texts of a user's line that a hook's text stands in."""
    content = message.get("content") if isinstance(message, dict) else None
    for part in content if isinstance(content, list) else [content]:
        text = part.get("text") if isinstance(part, dict) else part
        if isinstance(text, str) and text.lstrip().startswith(_IN_A_LINE.decode()):
            yield text
