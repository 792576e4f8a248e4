"""Taking past transcripts into the memory: by as many processes as there are cores, of which one writes.

Each piece of a file is written together with where it ended, so an import that was stopped goes on there, and a second one finds
nothing to do.
"""

from __future__ import annotations

import gc
import os
import time
from collections import deque
from typing import TYPE_CHECKING, NamedTuple, Self

from tapehead.cli.import_reader import Task, pack_task, read, read_in_two, unpack_answer
from tapehead.cli.import_sources import is_over
from tapehead.engine.store_location import config_home, state_home
from tapehead.engine.store_registry import register
from tapehead.history.database import Database
from tapehead.history.writing import Keeper, Taking
from tapehead.settings.loading import load
from tapehead.store.paths import Layout
from tapehead.system.ahead_process import DIED, IS_POSSIBLE, Ahead, waited_for

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tapehead.cli.import_sources import Source
    from tapehead.settings.loading import Settings

_FEW_BYTES = 8 * 1024 * 1024
"""Less than this is read faster than processes are started."""
_AT_HAND = 16 * 1024 * 1024
"""Bytes of files that a reader is given ahead: it need not wait for the writer, who may be busy, to be given the next."""
_ROWS = 2_000
"""Entries that are written in one stroke: more at once are written faster, but the last stroke has nothing beside it."""


class Outcome(NamedTuple):
    """What became of a transcript."""

    source: Source
    entries: int = 0
    problem: str = ""


class Importer:
    """Runs an import. Its processes are started when it is made, before anything else that a fork would have to leave behind."""

    def __init__(self, env: Mapping[str, str], sources: list[Source], workers: int = 0, few: int = _FEW_BYTES) -> None:
        self.env = env
        # The newest first: an import that is stopped has what is asked for most.
        self.waiting = deque(sorted(sources, key=lambda source: -source.changed))
        self.readers = self._readers(workers or os.cpu_count() or 1, few)
        self.told: Callable[[Outcome], None] = lambda _: None
        self._settings: dict[str, Settings] = {}
        self._keepers: dict[str, Keeper] = {}
        self._unwritten: list[tuple[Source, Taking]] = []
        self._read: list[Outcome] = []
        """Files that are read to their end, of which something may still be unwritten."""
        self._counts: dict[str, int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for reader in self.readers:
            reader.end()
        for keeper in self._keepers.values():
            keeper.database.close()
        gc.enable()

    def run(self, told: Callable[[Outcome], None]) -> None:
        """Take them all in; each is told when all of it is written."""
        gc.disable()  # what is read does not refer to itself: looking for what does takes as long as writing it
        self.told = told
        if self.readers:
            self._together()
        else:
            while self.waiting:
                self._alone(self.waiting.popleft())
        self._write()

    def _readers(self, workers: int, few: int) -> list[Ahead]:
        size = sum(source.size for source in self.waiting)
        if workers < 2 or size < few or not IS_POSSIBLE:  # noqa: PLR2004 - one core has room for one
            return []
        # With fewer files than cores, two processes share the work on each.
        work = read if len(self.waiting) >= workers else read_in_two
        return [Ahead(work) for _ in range(min(workers, len(self.waiting)))]

    def _alone(self, source: Source) -> None:
        problem = ""
        try:
            for piece in read(pack_task(self._task(source))):
                self._take(source, piece)
        except OSError as error:
            problem = str(error)
        self._read.append(Outcome(source, problem=problem))

    def _together(self) -> None:
        given: dict[Ahead, deque[Source]] = {reader: deque() for reader in self.readers}
        self._give(given)
        while busy := [reader for reader, sources in given.items() if sources]:
            for reader in waited_for(busy):
                piece, problem = reader.answer()
                if piece is not None:
                    self._take(given[reader][0], piece)
                    continue
                self._read.append(Outcome(given[reader].popleft(), problem=problem))
                if problem == DIED:
                    self.waiting.extend(given.pop(reader))
                self._give(given)
        while self.waiting:  # nobody is left to read them
            self._alone(self.waiting.popleft())

    def _give(self, given: dict[Ahead, deque[Source]]) -> None:
        """Give out files, always to whoever has the least to read: each has the next ones at hand, and all are done at the same time."""
        at_hand = {reader: sum(source.size for source in sources) for reader, sources in given.items()}
        while self.waiting and at_hand and min(at_hand.values()) < _AT_HAND:
            reader = min(at_hand, key=lambda one: at_hand[one])
            source = self.waiting.popleft()
            reader.ask(pack_task(self._task(source)))
            given[reader].append(source)
            at_hand[reader] += max(source.size, 1)

    def _take(self, source: Source, piece: tuple[object, ...]) -> None:
        self._unwritten.append((source, Taking(source.session, source.agent, source.path, unpack_answer(piece))))
        if sum(len(taking.prepared.rows) for _, taking in self._unwritten) >= _ROWS:
            self._write()

    def _write(self) -> None:
        by_root: dict[str, list[Taking]] = {}
        for source, taking in self._unwritten:
            by_root.setdefault(source.root, []).append(taking)
        for root, takings in by_root.items():
            for taking, new in zip(takings, self._keeper(root).take_all(takings), strict=True):
                self._counts[taking.path] = self._counts.get(taking.path, 0) + new
        self._unwritten.clear()
        for outcome in self._read:
            self.told(outcome._replace(entries=self._counts.pop(outcome.source.path, 0)))
        self._read.clear()

    def _task(self, source: Source) -> Task:
        settings = self._settings.setdefault(source.root, load(source.root, config_home(self.env), self.env))
        limit, thinking = settings.number("memory.limit"), settings.flag("memory.thinking")
        final = is_over(source.path, time.time())
        return Task(source.path, source.agent, self._keeper(source.root).mark(source.path), limit, thinking, final)

    def _keeper(self, root: str) -> Keeper:
        if root not in self._keepers:
            register(state_home(self.env), root)
            self._keepers[root] = Keeper(Database(Layout(root).memory, bulk=True))
        return self._keepers[root]
