"""The files of a store: whose they are, who may read them, what could not be read, what nobody could use."""

from __future__ import annotations

import os
import stat
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from tapehead.cli import attend
from tapehead.cli.checks.finding import ERROR, NOTE, WARNING, Finding
from tapehead.cli.places import is_ours
from tapehead.store import atomic, codec, tape
from tapehead.store import strays as kept
from tapehead.store.line import readable
from tapehead.store.paths import Layout
from tapehead.store.sessions import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.cli.here import Here

_SHOWN = 3


def unwritable(at: Here) -> list[Finding]:
    """Whether the store can be used at all."""
    root = at.engine.layout.root
    if at.place.repository and root == at.place.roots[-1]:
        where = os.path.join(at.place.repository.common_dir, "tapehead")
        if not is_ours(where):
            return [Finding("store", WARNING, f"{where} belongs to someone else; {root} is used instead", "`chown` it")]
    if os.path.exists(root) and not os.path.isdir(root):
        return [Finding("store", ERROR, f"{root} is not a directory", "move it out of the way")]
    if os.path.isdir(root) and not os.access(root, os.W_OK):
        return [
            Finding("store", ERROR, f"{root} cannot be written", "see who owns it, and whether the disk is read-only")
        ]
    return []


def permissions(at: Here) -> list[Finding]:
    """Everything of ours is private: transcripts and prompts hold secrets."""
    open_ones = [path for path in _everything(at.engine.layout.root) if _too_open(path)]
    if not open_ones:
        return []
    what = f"{len(open_ones)} files or directories can be read by others, such as {open_ones[0]}"
    return [
        Finding("permissions", WARNING, what, "`tapehead doctor --fix` closes them", mend=partial(_close, open_ones))
    ]


_INSTEAD = {
    ".md": "it was made again from the transcript",
    ".json": "it was made again from the tape",
    ".db": "`tapehead import` fills a new one from the transcripts",
}


def set_aside(at: Here) -> list[Finding]:
    """Unreadable files that were moved out of the way."""
    directory = at.engine.layout.aside
    names = sorted(os.listdir(directory)) if os.path.isdir(directory) else []
    found = []
    for name in names:
        if not name.endswith((".reason", "-wal", "-shm")):
            path = os.path.join(directory, name)
            reason = _reason(path)
            instead = _INSTEAD.get(os.path.splitext(name)[1], "it was made again")
            hint = f"{instead}; the file may be removed once you have looked at it"
            found.append(Finding("aside", NOTE, f"{path} could not be read: {reason}", hint))
    return found


def unreadable(at: Here) -> list[Finding]:
    """State files that cannot be read, still in their place."""
    found = []
    for session_id in at.engine.store.list():
        try:
            at.engine.store.load(session_id)
        except Unreadable as error:
            reason = _explained(at.engine.layout.state(session_id)) or str(error)
            mend = partial(_settle, at, session_id)
            hint = "`tapehead doctor --fix` sets it aside and makes it again from the tape"
            found.append(Finding("unreadable", ERROR, f"the state cannot be read: {reason}", hint, session_id, mend))
        except OSError as error:
            found.append(Finding("unreadable", ERROR, f"the state cannot be read: {error}", session=session_id))
    return found


def leftovers(at: Here) -> list[Finding]:
    """Scratch files of writers that were killed."""
    paths = attend.leftovers(at.engine)
    if not paths:
        return []
    return [Finding("leftovers", NOTE, f"{len(paths)} scratch files of killed writers", "`tapehead gc` removes them")]


def strays(at: Here) -> list[Finding]:
    """What came in and could not be used."""
    lines = readable(kept.lines(at.engine.layout))
    if not lines:
        return []
    last = lines[-_SHOWN:]
    told = "; ".join(
        f"{line.at:%Y-%m-%dT%H:%M:%SZ} {line.text('reason')}: {line.text('begins')[:60]!r}" for line in last
    )
    what = f"{len(lines)} payloads could not be used. The last: {told}"
    return [Finding("strays", NOTE, what, f"all of them: {at.engine.layout.strays}")]


def elsewhere(at: Here) -> list[Finding]:
    """Lines that went to the second store because the first could not be written."""
    if len(at.place.roots) < 2 or not os.path.isdir(os.path.join(at.place.roots[1], "sessions")):  # noqa: PLR2004 - a pair
        return []
    second = Layout(at.place.roots[1])
    names = [name for name in os.listdir(second.sessions) if name.endswith(".tape")]
    if not names:
        return []
    what = f"{len(names)} sessions have lines in {second.root}, from when this store could not be written"
    mend = partial(_bring_home, at, second, names)
    return [Finding("elsewhere", WARNING, what, "`tapehead doctor --fix` brings them home", mend=mend)]


def _bring_home(at: Here, second: Layout, names: list[str]) -> None:
    """Appends those lines to the tapes where they belong, then puts the second tape into that store's archive."""
    for name in names:
        session_id = name.removesuffix(".tape")
        kept = os.path.join(second.archive, f"{session_id}.{time.time_ns()}.tape")
        os.makedirs(second.archive, mode=0o700, exist_ok=True)
        _append_new(second.tape(session_id), at.engine.layout.tape(session_id))
        os.replace(second.tape(session_id), kept)
        _append_new(kept, at.engine.layout.tape(session_id))  # what a hook wrote there in between
        at.engine.settle(session_id)


def _append_new(there: str, home: str) -> None:
    """A run that was killed half-way has brought some of them already."""
    known = set(tape.unread(home, 0)[0])
    for line in tape.unread(there, 0)[0]:
        if line and line not in known:
            tape.append_raw(home, line)


def _everything(root: str) -> Iterator[str]:
    if os.path.isdir(root):
        yield root
    for directory, folders, files in os.walk(root):
        for name in (*folders, *files):
            yield os.path.join(directory, name)


def _too_open(path: str) -> bool:
    try:
        found = os.lstat(path)
    except OSError:
        return False
    return not stat.S_ISLNK(found.st_mode) and bool(found.st_mode & 0o077)


def _close(paths: list[str]) -> None:
    for path in paths:
        with suppress(OSError):
            os.chmod(path, 0o700 if os.path.isdir(path) else 0o600)


def _settle(at: Here, session_id: str) -> None:
    at.engine.settle(session_id)


def _reason(path: str) -> str:
    try:
        return atomic.read(path + ".reason").decode("utf-8", "replace").strip()
    except OSError:
        return "no reason on record"


def _explained(path: str) -> str:
    import json  # noqa: PLC0415 - only for a file that is broken

    try:
        return codec.complaint(json.loads(atomic.read(path)))
    except (OSError, ValueError):
        return ""
