"""Keeping a session's transcript after a turn, and looking after the archive once a day. The worker's, and a command's."""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from tapehead.archive.additions import Additions
from tapehead.archive.archive import Archive
from tapehead.archive.limit import enforce
from tapehead.archive.segments import Damaged
from tapehead.archive.session_files import files_of
from tapehead.store import atomic

if TYPE_CHECKING:
    from tapehead.settings.loading import Settings
    from tapehead.store.paths import Layout

DAY_NS = 24 * 3600 * 10**9


class Keeping(NamedTuple):
    """What was done for a session."""

    files: int = 0
    """Files of it that were looked at."""
    size: int = 0
    """Bytes that are kept now and were not before."""


class ArchiveKeeper:
    """For one store, at one moment."""

    def __init__(self, layout: Layout, settings: Settings, now_ns: int) -> None:
        self.archive = Archive(layout)
        self.limit = settings.number("archive.limit")
        self.now_ns = now_ns
        self.now = datetime.fromtimestamp(now_ns // 10**9, UTC).isoformat()
        self.additions = Additions(self.archive, self.now, now_ns)

    def keep(self, transcript: str, agent: str, session: str, *, final: bool = False) -> Keeping:
        """Keep what is new of a session's files. Raises OSError, Damaged."""
        files = files_of(transcript, agent, session)
        added = []
        for source in files:
            with suppress(FileNotFoundError):  # it went meanwhile: what was kept of it stays
                added.append(self.additions.add(source, final=final))
        if any(each.sealed for each in added):
            enforce(self.archive, self.limit, self.now, spare=session)
        return Keeping(len(added), sum(each.size for each in added))

    def tidy(self, *, always: bool = False) -> None:
        """Once a day: compress what has been quiet for a day, hold the limit, remove what killed writers left. Raises OSError."""
        mark = self.archive.file("tidy.json")
        if not always and self._was_tidied(mark):
            return
        atomic.write(mark, b"{}")
        for kept in self.archive.kept():
            if kept.tail and not kept.version and (always or self.now_ns - kept.seen[1] > DAY_NS):
                with suppress(Damaged):  # doctor tells
                    self.additions.seal(kept)
        enforce(self.archive, self.limit, self.now)
        with self.archive.held():
            self.archive.sweep()

    def _was_tidied(self, mark: str) -> bool:
        with suppress(FileNotFoundError):
            return self.now_ns - os.stat(mark).st_mtime_ns < DAY_NS
        return not os.path.isdir(self.archive.folder)
