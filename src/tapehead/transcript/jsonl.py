"""The lines of a growing file, from a byte on.

An agent appends to its transcript while we read it: the last line may be torn, and a torn line is not ours yet.
Whatever else is wrong with a line (not JSON, NUL bytes, half a character) is for the next reader to shrug at.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from tapehead import door

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType
    from typing import BinaryIO

LONGEST = 64 * 1024 * 1024
"""A line beyond this is passed over unread: no message is that long, and it would have to be held in memory at once."""

_CHUNK = 1 << 14


def lines(path: str, offset: int = 0, *, final: bool = False, chunk: int = _CHUNK) -> Iterator[tuple[int, bytes]]:
    """Yield (the byte after the line, the line) for every whole line from a byte on; a torn one is left for later.

    With `final` a last line that only lacks its break is whole: the beginning of an object is never an object. An offset
    beyond the end means that the file was replaced by a shorter one, which is then read from its start. `chunk` is how
    many bytes are fetched at once: a small one spares memory, a large one time.
    """
    with open_jsonl(path, chunk) as file:
        at = file.seek(offset if 0 <= offset <= _end(path, offset) else 0)
        while line := file.readline(LONGEST):
            at += len(line)
            if line.endswith(b"\n") or (final and _is_object(line)):
                yield at, line
            elif len(line) == LONGEST:
                at += _pass_over(file)


def part(path: str, offset: int, until: int) -> tuple[list[bytes], int]:
    """Give the whole lines between two bytes of a file that is not packed, and where they end: for a part that is known to be small."""
    with door.open_reader(path, 0) as file:
        file.seek(offset)
        data = file.read(max(0, until - offset))
    end = data.rfind(b"\n") + 1
    return data[:end].split(b"\n")[:-1], offset + end


def _is_object(line: bytes) -> bool:
    """Whether a line is an object to its end."""
    if not (line.startswith(b"{") and line.endswith(b"}") and len(line) < LONGEST):
        return False
    try:
        json.loads(line.decode(errors="replace"))
    except (ValueError, RecursionError):
        return False
    return True


def is_packed(path: str) -> bool:
    """Whether a file is read through something that unpacks it."""
    return path.endswith(PACKED)


PACKED = (".gz", ".zst")


def _packed() -> ModuleType:
    from tapehead.transcript import packed_files  # noqa: PLC0415  archives only: a brief and a hook need none of it

    return packed_files


def open_jsonl(path: str, chunk: int = _CHUNK) -> BinaryIO:
    """Open a file, or a packed one as what is in it: in that one, bytes are counted as unpacked."""
    return _packed().open_packed(path) if is_packed(path) else door.open_reader(path, chunk)


def _end(path: str, offset: int) -> int:
    """Where a file ends; of a packed one that is only known when one gets there."""
    return offset if is_packed(path) else size(path)


def _pass_over(file: BinaryIO) -> int:
    """Skip the rest of an endless line; how many bytes that were."""
    skipped = 0
    while chunk := file.readline(_CHUNK):
        skipped += len(chunk)
        if chunk.endswith(b"\n"):
            break
    return skipped


def size(path: str) -> int:
    """How many bytes the file has now; 0 where there is none."""
    try:
        return _packed().size(path) if is_packed(path) else os.stat(path).st_size
    except OSError:
        return 0


def tail(path: str, length: int) -> int:
    """Find where the first whole line of the last `length` bytes begins: from there a huge file is read cheaply."""
    start = size(path) - length
    if start <= 0:
        return 0
    with open_jsonl(path) as file:
        # One byte earlier, so that a line that begins exactly there counts as whole.
        file.seek(start - 1)
        return start - 1 + _pass_over(file)
