"""The transcripts that `tapehead watch` follows: those that agents write now."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from tapehead.cli.import_sources import found, is_over, source_of
from tapehead.cli.output import show_note
from tapehead.engine.record_watch import RecordWatch
from tapehead.engine.store_location import make_home, place_of
from tapehead.store.paths import Layout, is_session_id

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tapehead.engine.record_watch import News

_SEARCH_SECONDS = 5.0
"""New transcripts are looked for this often: an agent's folder may hold thousands."""
_OF_SUBAGENTS = "subagents"


class WatchedRecords:
    """All that are followed, and those that are not."""

    def __init__(
        self, paths: tuple[str, ...], agent: str, env: Mapping[str, str], work: Callable[[Layout, str], object]
    ) -> None:
        self.paths, self.agent, self.env, self.work = paths, agent, env, work
        self.directory = os.getcwd() if paths else ""
        """Where a session that is named works, if its record does not say."""
        self.into = next(iter(place_of(self.directory, env).roots), "") if paths else ""
        self.watches: dict[str, RecordWatch] = {}
        self.left_out: dict[str, int] = {}
        """Files that are not followed, with their size when that was decided: one that grows is looked at again."""
        self.searched = float("-inf")

    def look(self, seconds: float) -> list[News]:
        """One look at all of them; what it tells is on the tapes already."""
        told: list[News] = []
        for path, watch in self.watches.items():
            told += self._told(path, watch, watch.look, seconds)
        if seconds - self.searched >= _SEARCH_SECONDS:
            self.searched = seconds
            told += self._search(seconds)
        return told

    def _search(self, seconds: float) -> list[News]:
        told: list[News] = []
        for path in found(self.paths, self.env):
            if path not in self.watches and (watch := self._new_watch(path)):
                self.watches[path] = watch
                told += self._told(path, watch, watch.begin, seconds)
        return told

    def _new_watch(self, path: str) -> RecordWatch | None:
        if os.path.basename(os.path.dirname(path)) == _OF_SUBAGENTS:
            return None
        try:
            size = os.stat(path).st_size
            if self.left_out.get(path) == size:
                return None
            self.left_out[path] = size
            is_old = not self.paths and is_over(path, time.time())  # one that is named is meant
            source = None if is_old else source_of(path, self.env, self.into, always=False)
        except OSError:
            return None  # it went while we looked
        if source is None or not is_session_id(source.session) or self.agent not in ("", source.agent):
            return None
        if source.root == self.into:
            make_home(source.root, self.env)
        return RecordWatch(Layout(source.root), source.agent, source.session, source.path, self.env, self.directory)

    def _told(
        self, path: str, watch: RecordWatch, look: Callable[[float, int], list[News]], seconds: float
    ) -> list[News]:
        try:
            told = look(seconds, time.time_ns())
        except OSError as error:
            show_note(f"{path}: {error.strerror or error}")
            return []
        if told:
            self.work(watch.layout, watch.session)
        return told
