"""Adding what is new of a transcript. It costs what is new: the segments that are kept already are not read again."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING, NamedTuple

from tapehead import door
from tapehead.archive import kept as index
from tapehead.archive import segments, tail
from tapehead.archive.kept import Kept, Segment, Source, stem_of
from tapehead.archive.segments import Damaged
from tapehead.store import atomic
from tapehead.store.paths import is_session_id, make_private

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from tapehead.archive.archive import Archive

_BLOCK = 1024 * 1024
_END = 4096
_FORMER = 3
"""Former versions of a file that are kept: an agent that writes its file anew each time would fill the archive."""


class Added(NamedTuple):
    """What an addition did."""

    size: int = 0
    """Bytes of the transcript that are kept now and were not before."""
    sealed: bool = False
    """Whether a segment was made."""


class Additions:
    """Adds to an archive. `now` is what it notes as the time; `stamp` makes names that nobody had before."""

    def __init__(self, archive: Archive, now: str, stamp: int) -> None:
        self.archive = archive
        self.now = now
        self.stamp = stamp

    def add(self, source: Source, *, final: bool = False) -> Added:
        """Keep what is new of a file; with `final` also a last line that is torn. Raises OSError, Damaged."""
        if not is_session_id(source.session):
            raise Damaged(f"no id of a session: {source.session[:80]!r}")
        with self.archive.held(), door.open_reader(source.path, 0) as file:
            about = os.fstat(file.fileno())
            kept = self.archive.find(source) or Kept(source)
            seen = (about.st_size, about.st_mtime_ns)
            if kept.seen == seen and (kept.size == about.st_size or not final):
                return Added()
            began = kept if _goes_on(kept, file, about.st_size) else self._begin_again(kept, about.st_size)
            end = about.st_size if final or not _has_lines(source) else _whole_lines(file, began.size, about.st_size)
            grown = self._grown(began, file, end)
            self._save(grown._replace(seen=seen, kept_at=self.now), kept)
            return Added(grown.size - began.size, sealed=len(grown.segments) > len(kept.segments))

    def seal(self, kept: Kept) -> None:
        """Make a segment of the newest bytes, since nothing seems to come after them: that takes less. Raises OSError, Damaged."""
        with self.archive.held():
            if not kept.tail or self.archive.find(kept.source) != kept:
                return
            raw = tail.read(self.archive.file(kept.tail), kept.tail_length)
            sealed = (*kept.segments, self._segment(raw, kept.source.session))
            self._save(kept._replace(segments=sealed, is_open=True, tail="", tail_length=0, tail_size=0), kept)

    def _begin_again(self, kept: Kept, size: int) -> Kept:
        """The file was written anew. What was kept of it stays as a former version, unless it is a document that has only grown."""
        if kept.size and (size < kept.size or _has_lines(kept.source)):
            path = self.archive.file(index.index_name(kept))
            for version in range(_FORMER, 0, -1):
                former = self.archive.file(index.index_name(kept._replace(version=version)))
                newer = self.archive.file(index.index_name(kept._replace(version=version - 1))) if version > 1 else path
                if os.path.exists(newer):
                    index.save(former, index.load(newer)._replace(version=version))
        return Kept(kept.source)

    def _grown(self, kept: Kept, file: BinaryIO, end: int) -> Kept:
        """With all up to a byte of the file."""
        start, session = kept.size, kept.source.session
        made = list(kept.segments[:-1] if kept.is_open else kept.segments)
        begins = sum(segment.size for segment in made)
        if end == start:
            return kept
        is_new_tail = kept.is_open or not kept.tail
        for cut in _cuts(file, start, end, begins, session):
            made.append(self._segment(_part(file, begins, cut), session))
            begins, is_new_tail = cut, True
        grown = kept._replace(segments=tuple(made), is_open=False, end=_end_of(file, end))
        if is_new_tail:
            return self._with_tail(grown, "", 0, _part(file, begins, end), end - begins)
        return self._with_tail(grown, kept.tail, kept.tail_length, _part(file, start, end), end - begins)

    def _with_tail(self, kept: Kept, name: str, length: int, raw: bytes, size: int) -> Kept:
        if not size:
            return kept._replace(tail="", tail_length=0, tail_size=0)
        name = name or f"{stem_of(kept.source)}.{self.stamp}.tail"
        length = tail.append(self.archive.file(name), length, raw)
        return kept._replace(tail=name, tail_length=length, tail_size=size)

    def _segment(self, raw: bytes, session: str) -> Segment:
        make_private(self.archive.packs.folder)
        marked = segments.mark(raw, session)
        name, refers_to = self.archive.packs.put(raw if marked is None else marked, may_refer=marked is not None)
        return Segment(name, len(raw), marked is not None, refers_to)

    def _save(self, kept: Kept, former: Kept) -> None:
        index.save(self.archive.file(index.index_name(kept)), kept)
        if former.tail not in ("", kept.tail) and former.tail not in {
            each.tail for each in self.archive.kept(kept.source.session)
        }:
            atomic.remove(self.archive.file(former.tail))


def _has_lines(source: Source) -> bool:
    """Whether a file grows line by line. Others are documents, or packed."""
    return source.path.endswith(".jsonl")


def _goes_on(kept: Kept, file: BinaryIO, size: int) -> bool:
    """Whether a file only grew since."""
    return size >= kept.size and (not kept.size or _end_of(file, kept.size) == kept.end)


def _end_of(file: BinaryIO, end: int) -> str:
    return hashlib.sha256(_part(file, max(0, end - _END), end)).hexdigest()


def _whole_lines(file: BinaryIO, start: int, end: int) -> int:
    """Where the last whole line ends."""
    at = end
    while at > start:
        begin = max(start, at - _BLOCK)
        found = _part(file, begin, at).rfind(b"\n")
        if found >= 0:
            return begin + found + 1
        at = begin
    return start


def _cuts(file: BinaryIO, start: int, end: int, begins: int, session: str) -> Iterator[int]:
    """Yield where segments end between two bytes; the open one begins before them."""
    while start < end:
        stop = min(end, start + _BLOCK)
        block = _part(file, start, stop)
        rest = block.rfind(b"\n") + 1
        while not rest and stop < end:  # a line that is longer than a block
            stop = min(end, stop + _BLOCK)
            block = _part(file, start, stop)
            rest = block.rfind(b"\n") + 1
        for cut in segments.cuts(block[:rest], start - begins, session):
            yield start + cut
            begins = start + cut
        start = start + rest if rest else end


def _part(file: BinaryIO, begin: int, end: int) -> bytes:
    """The bytes between two. Raises OSError where the file has become shorter meanwhile."""
    file.seek(begin)
    chunks, wanted = [], end - begin
    while wanted and (chunk := file.read(wanted)):
        chunks.append(chunk)
        wanted -= len(chunk)
    if wanted:
        raise OSError(f"{file.name} became shorter while it was read")
    return b"".join(chunks)
