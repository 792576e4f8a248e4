"""Putting a transcript back where its agent finds it. Never over a file that is there: what differs from one goes beside it, under a new id."""

from __future__ import annotations

import os
import re
import time
from typing import TYPE_CHECKING, NamedTuple

from tapehead import door, system
from tapehead.agents.readers import resumables_of
from tapehead.store import atomic
from tapehead.transcript import packed_files

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tapehead.agents.readers import Resumables
    from tapehead.archive.archive import Archive
    from tapehead.archive.kept import Kept, Source

_ENDING = ".jsonl"


class Refused(Exception):
    """It cannot be put back: what is wrong, and what to do."""


class Wish(NamedTuple):
    """What is to be put back."""

    session: str
    agent: str
    transcript: str = ""
    """Where the agent keeps or kept it; empty where only the archive knows."""
    before: int = 0
    """The compaction before which the conversation is to end, counted from 1; 0 for all of it."""
    new_id: str = ""
    """The id of a copy, should one be made."""
    moved_to: str = ""
    """The folder in which the agent looks now, should the directory that the transcript is about be gone."""


class Restored(NamedTuple):
    """What was put back."""

    session: str
    """Under which id it is resumed."""
    paths: tuple[str, ...] = ()
    """The files that were written, the transcript first."""
    problems: tuple[str, ...] = ()
    """What was the matter with it, and is mended."""
    hint: str = ""
    """What else the user should know."""


def restore(archive: Archive, wish: Wish) -> Restored:
    """Put a session's transcript back, with the files beside it. Raises Refused, Damaged, OSError."""
    kept = archive.kept(wish.session)
    _check([each.source for each in kept])
    resumables = resumables_of(wish.agent)
    if resumables is None:
        if wish.before:
            what = "Only a conversation of Claude Code can be cut off before a compaction"
            raise Refused(what, "leave `--before-compaction` out")
        return Restored(wish.session, _put_back(archive, kept))
    found = _best(archive, [each for each in kept if not each.source.beside], wish)
    made = _resumable(resumables, found, wish)
    path = os.path.join(_folder(resumables, found, wish), made.session + _ENDING)
    if made.data is not None:
        write_new(path, [made.data])
    beside = _put_back(archive, [each for each in kept if each.source.beside])
    return Restored(made.session, ((path,) if made.data is not None else ()) + beside, made.problems, made.hint)


def _folder(resumables: Resumables, found: _Found, wish: Wish) -> str:
    """Where the agent looks: where the transcript was, unless the project was moved."""
    worked_in = resumables.directory(found.data)
    is_moved = bool(worked_in and wish.moved_to) and not found.is_there and not os.path.isdir(worked_in)
    return wish.moved_to if is_moved else os.path.dirname(found.path)


class _Found(NamedTuple):
    """The best that there is of a transcript."""

    data: bytes
    path: str
    """Where its agent keeps or kept it."""
    is_there: bool
    """Whether a file is in that place."""
    is_that: bool = False
    """Whether that file is the best."""


class _Made(NamedTuple):
    """What is to be written; no data where all is well already."""

    session: str
    data: bytes | None
    problems: tuple[str, ...] = ()
    hint: str = ""


def _best(archive: Archive, own: list[Kept], wish: Wish) -> _Found:
    """The file that is there, or the longest version that is kept: an agent only ever adds to a transcript, so what is shorter lost something."""
    longest = max(own, key=lambda kept: (kept.size, -kept.version), default=None)
    path = wish.transcript or (longest.source.path if longest else "")
    there = _read_file(path)
    if longest is not None and (there is None or longest.size > len(there)):
        return _Found(b"".join(archive.read(longest)), path, there is not None)
    if there is None:
        raise Refused(
            f"The transcript of session {wish.session[:8]} is gone, and none was kept",
            "`tapehead archive --list` shows what is kept",
        )
    return _Found(there, path, is_there=True, is_that=True)


def _resumable(resumables: Resumables, found: _Found, wish: Wish) -> _Made:
    """Make of the best data what the agent resumes."""
    mended = resumables.mend(found.data)
    data, hint = mended.data, ""
    if wish.before:
        data, hint = _cut(resumables, data, wish.before)
    if not resumables.is_conversation(data):
        raise Refused(
            "There is nothing to resume: nobody said anything in it", "`tapehead archive --list` shows what is kept"
        )
    if not found.is_there and not wish.before:
        return _Made(wish.session, data, mended.problems)
    if found.is_that and not wish.before and not mended.problems:
        return _Made(wish.session, None)
    return _Made(wish.new_id, resumables.copy(data, wish.session, wish.new_id), mended.problems, hint)


def _cut(resumables: Resumables, data: bytes, number: int) -> tuple[bytes, str]:
    """The conversation before a compaction, and what to say about it."""
    found = resumables.compactions(data)
    if number > len(found):
        times = {0: "never compacted", 1: "compacted once"}.get(len(found), f"compacted {len(found)} times")
        raise Refused(f"This session was {times}", "`--before-compaction 1` is the first one" if found else "")
    chosen = found[number - 1]
    return resumables.mend(data[: chosen.at]).data, resumables.FULL_HINT if chosen.was_full else ""


def _put_back(archive: Archive, kept: list[Kept]) -> tuple[str, ...]:
    """Write the files that are gone, as they were: of each the longest version."""
    best: dict[str, Kept] = {}
    for each in kept:
        if each.source.path not in best or each.size > best[each.source.path].size:
            best[each.source.path] = each
    gone = [path for path in best if not os.path.lexists(path)]
    for path in gone:
        write_new(path, archive.read(best[path]))
    return tuple(gone)


def _check(sources: list[Source]) -> None:
    """That all are files of the session: an index that somebody else made may name any file of the user's."""
    transcripts = [each.path for each in sources if not each.beside]
    for each in sources:
        if not (_is_beside(each, transcripts) if each.beside else is_named_after(each.path, each.session)):
            what = f"{each.path} is no name of this session's files, so tapehead did not keep it"
            raise Refused(what, "nothing was written")


def is_named_after(path: str, session: str) -> bool:
    """Whether a file can be a session's transcript, by its name."""
    name, ending = os.path.splitext(packed_files.plain_name(path))
    if ending not in (".jsonl", ".json") or ".." in path.split(os.sep):
        return False
    if _UUID.search(name):
        return True  # a subagent's, whose name says its own id
    start = session[:_A_START]
    if len(start) == _A_START and any(map(str.isdigit, session)):
        return start in name or start in os.path.basename(os.path.dirname(path))
    return name == session and ending == ".jsonl"


def _is_beside(source: Source, transcripts: list[str]) -> bool:
    """Whether a file lies below the name of a transcript of its session."""
    folders = [os.path.splitext(path)[0] + os.sep for path in transcripts if is_named_after(path, source.session)]
    return source.path.startswith(tuple(folders)) and ".." not in source.path.split(os.sep)


_A_START = 8
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)


def _read_file(path: str) -> bytes | None:
    try:
        with door.open_reader(path) as file:
            return file.read()
    except FileNotFoundError:
        return None


def write_new(path: str, pieces: Iterable[bytes]) -> None:
    """Write a file that is not there yet, whole or not at all. Raises FileExistsError, Damaged, OSError.

    Its time is now, not that of the old file: an agent that deletes old files would delete it again.
    """
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    scratch = f"{path}.{os.getpid()}-{time.monotonic_ns()}{atomic.SCRATCH}"
    descriptor = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL | system.PRIVATELY, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            for piece in pieces:
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        _name_it(scratch, path)
    finally:
        atomic.remove(scratch)


def _name_it(scratch: str, path: str) -> None:
    """Give a file its name, unless another has it: a link fails then, and a rename would not."""
    try:
        os.link(scratch, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if os.path.lexists(path):
            raise FileExistsError(17, "there is a file already", path) from None
        os.rename(scratch, path)
