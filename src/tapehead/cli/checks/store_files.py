"""The files of a store: whose they are, who may read them, what could not be read, what nobody could use."""

from __future__ import annotations

import os
import stat
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from tapehead import system
from tapehead.cli import upkeep
from tapehead.cli.checks.finding import ERROR, NOTE, WARNING, Finding
from tapehead.cli.here import states_of
from tapehead.engine import fallback_lines
from tapehead.store import atomic, batons, codec, tape
from tapehead.store import rejected_payloads as kept
from tapehead.store.line import readable
from tapehead.store.paths import Layout, make_private
from tapehead.store.sessions import Unreadable
from tapehead.text.wording import quote_words, when

if TYPE_CHECKING:
    from tapehead.cli.here import Here

_SHOWN = 3


def unwritable(at: Here) -> list[Finding]:
    """Whether the store can be used at all."""
    root = at.engine.layout.root
    if at.place.refused:
        what = f"{at.place.refused}; {root} is used instead"
        hint = "correct that; then `tapehead doctor --fix` moves the recorded events back"
        return [Finding("store", ERROR if at.place.repository else WARNING, what, hint)]
    if os.path.exists(root) and not os.path.isdir(root):
        return [Finding("store", ERROR, f"{root} is not a directory", "move it out of the way")]
    if os.path.isdir(root) and not os.access(root, os.W_OK):
        return [
            Finding("store", ERROR, f"{root} cannot be written", "check its owner, and whether the disk is read-only")
        ]
    return []


def irregular(at: Here, deep: bool) -> list[Finding]:  # noqa: FBT001 - as it was asked
    """Links, pipes and directories where files belong: nothing is read from them or written through them."""
    quarantine = os.path.join(at.engine.layout.aside, "")
    odd = [path for path in upkeep.files_of(at.engine, whole=deep) if _is_odd(path) and not path.startswith(quarantine)]
    if not odd:
        return []
    what = f"{len(odd)} paths in the store are not regular files and are ignored, such as {odd[0]}"
    hint = "`tapehead doctor --fix` moves them out of the way"
    return [Finding("irregular", ERROR, what, hint, mend=partial(_put_aside, at, odd))]


def damaged_handoffs(at: Here) -> list[Finding]:
    """Handoffs that cannot be read: no start will get them."""
    folder = os.path.dirname(at.engine.layout.baton(""))
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    bad = [
        os.path.join(folder, name)
        for name in names
        if name.endswith(".json") and batons.look(at.engine.layout, name.removesuffix(".json")) is None
    ]
    if not bad:
        return []
    hint = (
        "hand the session over again with `tapehead handoff`; `tapehead doctor --fix` moves this file to the quarantine"
    )
    return [
        Finding(
            "handoffs",
            WARNING,
            f"a handoff cannot be read: {bad[0]}",
            hint,
            mend=partial(_put_aside, at, bad, "a handoff that cannot be read"),
        )
    ]


def _is_odd(path: str) -> bool:
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return False
    if stat.S_ISDIR(mode):  # a session may be called anything, and so may its captures
        return path.endswith(_OF_FILES) and os.path.basename(os.path.dirname(path)) != "captures"
    return not stat.S_ISREG(mode)


_OF_FILES = (".tape", ".json", ".lock", ".worker", ".seen", ".db", ".toml", ".md", ".known")


def _put_aside(at: Here, paths: list[str], why: str = "no regular file, in the place of one") -> None:
    """The link itself, and not what it leads to."""
    make_private(at.engine.layout.aside)
    for path in paths:
        kept = os.path.join(at.engine.layout.aside, f"{os.path.basename(path)}.{time.time_ns()}")
        with suppress(FileNotFoundError):  # it went with the directory that it was in
            os.rename(path, kept)
            atomic.write(kept + ".reason", f"{why}\n".encode())


def permissions(at: Here, deep: bool) -> list[Finding]:  # noqa: FBT001 - as it was asked
    """Everything of ours is private: transcripts and prompts hold secrets."""
    open_ones = [path for path in upkeep.files_of(at.engine, whole=deep) if _too_open(path)]
    if not open_ones or not system.IS_POSIX:  # Windows has no mode bits: who may read follows from the directory
        return []
    what = f"{len(open_ones)} files or directories can be read by others, such as {open_ones[0]}"
    return [
        Finding("permissions", WARNING, what, "`tapehead doctor --fix` closes them", mend=partial(_close, open_ones))
    ]


_INSTEAD = {
    ".md": "it was rebuilt from the transcript",
    ".json": "it was rebuilt from the tape",
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
            instead = _INSTEAD.get(os.path.splitext(name)[1], "it was rebuilt")
            hint = f"{instead}; you can delete the file"
            found.append(Finding("aside", NOTE, f"{path} could not be read: {reason}", hint))
    return found


def unreadable(at: Here) -> list[Finding]:
    """State files that cannot be read, still in their place."""
    found = []
    read = states_of(at)
    for session_id in at.engine.store.list():
        try:
            if session_id not in read:
                at.engine.store.load(session_id)
        except Unreadable as error:
            reason = _explained(at.engine.layout.state(session_id)) or str(error)
            mend = partial(_settle, at, session_id)
            hint = "`tapehead doctor --fix` moves it to the quarantine and rebuilds it from the tape"
            found.append(Finding("unreadable", ERROR, f"the state cannot be read: {reason}", hint, session_id, mend))
        except OSError as error:
            found.append(Finding("unreadable", ERROR, f"the state cannot be read: {error}", session=session_id))
    return found


def leftovers(at: Here, deep: bool) -> list[Finding]:  # noqa: FBT001 - as it was asked
    """Scratch files of writers that were killed."""
    paths = upkeep.leftovers(at.engine, whole=deep)
    if not paths:
        return []
    return [
        Finding(
            "leftovers", NOTE, f"{len(paths)} temporary files left by killed processes", "`tapehead gc` removes them"
        )
    ]


def strays(at: Here) -> list[Finding]:
    """What came in and could not be used."""
    lines = readable(kept.lines(at.engine.layout))
    if not lines:
        return []
    last = lines[-_SHOWN:]
    told = "; ".join(f"{when(line.at)} {line.text('reason')}: {quote_words(line.text('begins')[:60])}" for line in last)
    what = f"{len(lines)} payloads were rejected. The last: {told}"
    return [Finding("strays", NOTE, what, f"see {at.engine.layout.strays}")]


def elsewhere(at: Here) -> list[Finding]:
    """Lines that went to the second store because the first could not be written."""
    if len(at.place.roots) < 2 or not os.path.isdir(os.path.join(at.place.roots[1], "sessions")):  # noqa: PLR2004 - a pair
        return []
    second = Layout(at.place.roots[1])
    names = [name for name in os.listdir(second.sessions) if name.endswith(".tape")]
    if not names:
        return []
    what = f"{len(names)} sessions have events in {second.root}, from a time when this store could not be written"
    mend = partial(_bring_home, at, second, names)
    return [Finding("elsewhere", WARNING, what, "`tapehead doctor --fix` moves them here", mend=mend)]


def _bring_home(at: Here, second: Layout, names: list[str]) -> None:
    """Puts those lines where they belong in time, then puts the second tape into that store's archive."""
    for name in names:
        session_id = name.removesuffix(".tape")
        kept = os.path.join(second.archive, f"{session_id}.{time.time_ns()}.tape")
        os.makedirs(second.archive, mode=0o700, exist_ok=True)
        fallback_lines.bring(at.engine, session_id, tape.unread(second.tape(session_id), 0)[0])
        os.replace(second.tape(session_id), kept)
        fallback_lines.bring(at.engine, session_id, tape.unread(kept, 0)[0])  # what a hook wrote there in between
        at.engine.settle(session_id)


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
