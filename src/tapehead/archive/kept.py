"""What is known of one kept transcript: the index of its segments, as a small JSON file. Pure but for its reading and writing."""

from __future__ import annotations

import hashlib
import json
import os
from typing import NamedTuple

from tapehead.archive.segments import Damaged
from tapehead.store import atomic

FORMAT = 1
_KEY = 12


class Source(NamedTuple):
    """A file that is to be kept."""

    path: str
    agent: str
    session: str
    beside: bool = False
    """Whether it only belongs to the session's transcript: a subagent's, or the output of a tool."""


class Segment(NamedTuple):
    """A stretch of the transcript."""

    pack: str
    size: int
    """Bytes as they were."""
    is_marked: bool
    """Whether the session's id was taken out."""
    refers_to: tuple[str, ...] = ()
    """The packs with the lines that it shares with others."""


class Kept(NamedTuple):
    """One kept transcript, or a former version of one."""

    source: Source
    segments: tuple[Segment, ...] = ()
    is_open: bool = False
    """Whether the last segment ends where the transcript did, and not where it is cut: growth takes it up again."""
    tail: str = ""
    """The name of the file with what came after the segments."""
    tail_length: int = 0
    """How much of that file counts."""
    tail_size: int = 0
    """Bytes of the transcript that this is."""
    end: str = ""
    """The checksum of the last bytes: a transcript that goes on still has them."""
    seen: tuple[int, int] = (0, 0)
    """Size and modification time (in nanoseconds) of the file when it was last looked at."""
    kept_at: str = ""
    """When something was last added."""
    version: int = 0
    """0 for the newest; former ones are numbered from 1."""

    @property
    def sealed(self) -> int:
        """Bytes of the transcript in segments."""
        return sum(segment.size for segment in self.segments)

    @property
    def size(self) -> int:
        """Bytes of the transcript that are kept."""
        return self.sealed + self.tail_size

    @property
    def packs(self) -> set[str]:
        """All packs that it needs."""
        return {name for segment in self.segments for name in (segment.pack, *segment.refers_to)}


def stem_of(source: Source) -> str:
    """How the files of a kept transcript begin: with the session, so that they are found by it."""
    key = hashlib.sha256(source.path.encode("utf-8", "surrogateescape")).hexdigest()[:_KEY]
    return f"{source.session}.{key}"


def index_name(kept: Kept) -> str:
    """The name of its index."""
    return stem_of(kept.source) + (f".{kept.version}" if kept.version else "") + ".json"


def load(path: str) -> Kept:
    """The index in a file. Raises OSError, Damaged."""
    raw = atomic.read(path)
    try:
        data = json.loads(raw)
        if data["format"] != FORMAT:
            raise Damaged(f"{path} is of another version of tapehead")
        return Kept(
            source=Source(os.fsdecode(bytes.fromhex(data["path"])), *data["source"]),
            segments=tuple(
                Segment(pack, size, marked, tuple(refers)) for pack, size, marked, refers in data["segments"]
            ),
            seen=(data["seen"][0], data["seen"][1]),
            **{name: data[name] for name in _PLAIN},
        )
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise Damaged(f"{path}: {error}") from None


def save(path: str, kept: Kept) -> None:
    """Put it into a file, in one step."""
    source = kept.source
    data = {
        "format": FORMAT,
        "path": os.fsencode(source.path).hex(),  # a path is bytes, and need not be text
        "source": source[1:],
        "segments": kept.segments,
        "seen": kept.seen,
        **{name: getattr(kept, name) for name in _PLAIN},
    }
    atomic.write(path, json.dumps(data, separators=(",", ":")).encode())


_PLAIN = ("is_open", "tail", "tail_length", "tail_size", "end", "kept_at", "version")
