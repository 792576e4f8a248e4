"""The captures on disk: the newest as `state.md`, the former ones in `archive/`, the agent's summaries beside.

A description carries its own checksum. One that was torn or tampered with is set aside and said, never handed to a model.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from tapehead.store import atomic
from tapehead.store.paths import make_private

if TYPE_CHECKING:
    from tapehead.store.paths import Layout


def path(layout: Layout, session_id: str) -> str:
    """Where the newest description of a session is."""
    return os.path.join(layout.captures(session_id), "state.md")


def write(layout: Layout, session_id: str, text: str, former: str | None) -> None:
    """Puts a description in place. `former` is the archive name for the one that stands there; None overwrites it.

    The former one is linked into the archive before it is replaced: a kill in between leaves it in both places.
    """
    here = path(layout, session_id)
    if former:
        archive = os.path.join(layout.captures(session_id), "archive")
        make_private(archive)
        _kept_as(here, os.path.join(archive, former))
    atomic.write(here, text.encode("utf-8", "replace"))


def _kept_as(here: str, there: str) -> None:
    try:
        with suppress(FileNotFoundError, FileExistsError):
            os.link(here, there, follow_symlinks=False)
    except OSError:  # a file system without links
        atomic.write(there, atomic.read(here))


def read(layout: Layout, session_id: str) -> str | None:
    """The newest description as it stands, or None where there is none."""
    try:
        return atomic.read(path(layout, session_id)).decode("utf-8", "replace")
    except (FileNotFoundError, NotADirectoryError):
        return None


def set_aside(layout: Layout, session_id: str) -> str:
    """Moves a description that cannot be trusted out of the way, with the reason beside it; returns where it is now."""
    make_private(layout.aside)
    here = path(layout, session_id)
    kept = os.path.join(layout.aside, f"{session_id}.{os.stat(here).st_mtime_ns}.md")
    os.rename(here, kept)
    atomic.write(kept + ".reason", b"the checksum does not fit the text: it was torn, or somebody changed it\n")
    return kept


def exists(layout: Layout, session_id: str) -> bool:
    """Whether a session has anything to hand back."""
    return os.path.exists(path(layout, session_id))


def keep_summary(layout: Layout, session_id: str, number: int, text: str) -> None:
    """Keeps what the agent wrote at a session's nth compaction. Written again it is the same file."""
    name = os.path.join(layout.captures(session_id), f"summary-{number:04d}.md")
    atomic.write(name, text.encode("utf-8", "replace"))


def summary(layout: Layout, session_id: str, number: int) -> str:
    """What the agent wrote at the nth compaction, or nothing."""
    return _text(os.path.join(layout.captures(session_id), f"summary-{number:04d}.md"))


def keep_memo(layout: Layout, session_id: str, text: str) -> None:
    """Keeps what a predecessor left word of for this session."""
    atomic.write(os.path.join(layout.captures(session_id), "memo.md"), text.encode("utf-8", "replace"))


def memo(layout: Layout, session_id: str) -> str:
    """What the predecessor left word of, or nothing."""
    return _text(os.path.join(layout.captures(session_id), "memo.md"))


def keep_handed(layout: Layout, session_id: str, text: str) -> None:
    """Keeps the text that was handed to the host: its receipt is compared with it, and `losses` asks what it held."""
    atomic.write(os.path.join(layout.captures(session_id), "handed.md"), text.encode("utf-8", "replace"))


def read_handed(layout: Layout, session_id: str) -> str:
    """The text that was last handed over, or nothing."""
    return _text(os.path.join(layout.captures(session_id), "handed.md"))


def _text(name: str) -> str:
    try:
        return atomic.read(name).decode("utf-8", "replace")
    except FileNotFoundError:
        return ""
