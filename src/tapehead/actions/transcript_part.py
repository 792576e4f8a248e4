"""The part of a transcript that a checkpoint keeps: from where the last one ended, with what is secret taken out, compressed."""

from __future__ import annotations

import gzip
import json
import os
from typing import TYPE_CHECKING, Any

from tapehead.checkpoints.checkpoint import TRANSCRIPT
from tapehead.text.redaction import MASK, redact_and_count
from tapehead.transcript import jsonl

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapehead.checkpoints.checkpoint import Checkpoint
    from tapehead.checkpoints.checkpoint_ref import Checkpoints

MOST = 16 * 1024 * 1024
"""Bytes of a transcript in one checkpoint; of more than that the end."""


class Masked:
    """Masks texts, and counts what it took out."""

    def __init__(self, also: tuple[str, ...] = ()) -> None:
        self.count = 0
        self.also = also
        """What the user listed: names and numbers that no pattern knows."""

    def __call__(self, text: str) -> str:
        """The text as it may be kept."""
        for word in self.also:
            self.count += text.count(word)
            text = text.replace(word, MASK)
        safe, count = redact_and_count(text)
        self.count += count
        return safe


def slice_of(path: str, offset: int, redact_and_count: Callable[[str], str], most: int = MOST) -> tuple[bytes, int]:
    """The whole lines from a byte on, redacted and compressed, and the byte after them; nothing where there are none."""
    rows = []
    end = offset
    try:
        for at, line in jsonl.lines(path, max(offset, jsonl.tail(path, most)) if path else 0):
            rows.append(safe(line, redact_and_count))
            end = at
    except OSError:
        return b"", offset
    return (gzip.compress(b"".join(rows), mtime=0), end) if rows else (b"", offset)


def grown(
    kept: Checkpoints, known: Checkpoint, path: str, offset: int, redact_and_count: Callable[[str], str]
) -> tuple[bytes, int]:
    """A checkpoint's part of the transcript with all that came since, and the byte after it; nothing where nothing came.

    What it has already is not taken twice. Two compressed parts, one behind the other, are read as one.
    """
    end = known.transcript.get("end") if known.transcript.get("file") == os.path.basename(path) else None
    more, offset = slice_of(path, max(offset, end if type(end) is int else 0), redact_and_count)
    before = (kept.file(known.id, TRANSCRIPT) or b"") if more and known.commit else b""
    return (before + more if len(before) + len(more) <= MOST else more), offset


def safe(line: bytes, redact_and_count: Callable[[str], str]) -> bytes:
    """Each text of the line by itself: a mask must not eat the JSON around it."""
    try:
        found = json.loads(line)
        return (
            json.dumps(_walked(found, redact_and_count), ensure_ascii=False, separators=(",", ":")).encode(
                "utf-8", "replace"
            )
            + b"\n"
        )
    except (ValueError, RecursionError):
        return redact_and_count(line.decode("utf-8", "replace")).encode("utf-8", "replace")


def _walked(value: Any, redact_and_count: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return redact_and_count(value)
    if isinstance(value, list):
        return [_walked(item, redact_and_count) for item in value]
    if isinstance(value, dict):
        return {redact_and_count(key): _kept(key, item, redact_and_count) for key, item in value.items()}
    return value


def _kept(key: str, value: Any, redact_and_count: Callable[[str], str]) -> Any:
    """A value that only its name gives away (`"password": "…"`) is looked at with its name."""
    if (
        isinstance(value, str)
        and value == (safe := redact_and_count(value))
        and redact_and_count(f"{key}={value}") != f"{key}={value}"
    ):
        return MASK
    return _walked(value, redact_and_count) if not isinstance(value, str) else safe
