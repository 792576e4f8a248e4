"""Taking past transcripts into the memory: which files, whose, into which store, by as many processes as there are cores.

Reading, masking and packing are done by workers; one process writes. Each piece of a file is written together with where it ended, so
an import that was stopped goes on there, and a second one finds nothing to do.
"""

from __future__ import annotations

import os
import re
import time
from collections import deque
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from tapehead.agents.readers import RECORDS, agent_of_file, follower_of, places_of
from tapehead.cli.places import config_home, place_of, state_home
from tapehead.cli.stores import register
from tapehead.memory.database import Database
from tapehead.memory.entries import Entries
from tapehead.memory.keeping import Keeper, Mark, Prepared, prepare
from tapehead.settings.loading import load
from tapehead.store.paths import Layout

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from concurrent.futures import Future, ProcessPoolExecutor

_SUFFIXES = (".jsonl", ".jsonl.gz", ".jsonl.zst", ".json", ".json.gz")
_STILL_WRITTEN = 3600
"""Seconds since the last change after which nobody writes a transcript any more."""
_TIME = re.compile(rb'"timestamp" ?: ?"(\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d))"')
_TAIL = 256 * 1024
_PIECE = 4_000
"""Steps that one worker reads before it hands them over: so much is in memory, not a whole file."""
_PIECES = 8
_FEW_BYTES = 8 * 1024 * 1024
"""Less than this is read faster than workers are started."""


class Source(NamedTuple):
    """A transcript that is to be taken in."""

    path: str
    agent: str
    session: str
    root: str
    """The store."""
    size: int


class Outcome(NamedTuple):
    """What became of one."""

    source: Source
    entries: int = 0
    problem: str = ""


class Task(NamedTuple):
    """What a worker is asked: a piece of a file, from a mark on."""

    path: str
    agent: str
    mark: Mark
    limit: int
    thinking: bool
    final: bool


class Piece(NamedTuple):
    """What it answers."""

    batches: list[Prepared]
    is_last: bool


def found(paths: tuple[str, ...], env: Mapping[str, str]) -> Iterator[str]:
    """The files that are meant: those named, those below directories that are named, or all that agents keep."""
    for path in paths:
        if os.path.isdir(path):
            for directory, below, names in os.walk(path):
                below.sort()
                yield from (os.path.join(directory, name) for name in sorted(names) if name.endswith(_SUFFIXES))
        else:
            yield path
    if not paths:
        home = env.get("HOME", "") or os.path.expanduser("~")
        for agent in RECORDS:
            yield from places_of(agent).transcripts(home, env)


def source_of(path: str, env: Mapping[str, str], into: str, *, always: bool) -> Source | None:
    """Whose transcript a file is, and where it belongs; None where it is nobody's.

    It belongs to the project it was made in. Where that is not on this machine, it goes into the store `into`; with
    `always`, it does so anyway.
    """
    path = os.path.realpath(path)
    agent = agent_of_file(path)
    if agent is None:
        return None
    root = into if always and into else _root(path, agent, env) or into
    return Source(path, agent, places_of(agent).session_of(path), root, os.stat(path).st_size) if root else None


def _root(path: str, agent: str, env: Mapping[str, str]) -> str:
    """The store of the directory that a transcript names first."""
    follower = follower_of(agent)
    batch = next(follower.follow(path, at_once=1), None) if follower else None
    directory = str(batch.cursor.about.get("cwd") or "") if batch else ""
    if not os.path.isabs(directory) or not os.path.isdir(directory):
        return ""
    return next(iter(place_of(directory, env).roots), "")


def is_over(path: str, now: float) -> bool:
    """Whether nobody writes a file any more: it is packed, or old, or its last lines are (it may have been copied just now)."""
    if not path.endswith(".jsonl") or now - os.stat(path).st_mtime > _STILL_WRITTEN:
        return True
    with open(path, "rb") as file:
        file.seek(max(0, os.stat(path).st_size - _TAIL))
        times = _TIME.findall(file.read())
    try:
        return bool(times) and now - datetime.fromisoformat(times[-1].decode()).timestamp() > _STILL_WRITTEN
    except ValueError:
        return False


def read(task: Task) -> Piece:
    """Read the next piece of a file: all the work that needs no database. Runs in a worker."""
    follower = follower_of(task.agent)
    entries = Entries(task.limit, thinking=task.thinking, files=task.mark.calls)
    batches: list[Prepared] = []
    for batch in follower.follow(task.path, task.mark.cursor, final=task.final, at_once=_PIECE) if follower else ():
        batches.append(prepare(batch, entries))
        if len(batches) >= _PIECES:
            return Piece(batches, is_last=False)
    return Piece(batches, is_last=True)


class Importer:
    """Runs an import."""

    def __init__(self, env: Mapping[str, str], told: Callable[[Outcome], None], workers: int = 0) -> None:
        self.env = env
        self.told = told
        self.workers = workers or os.cpu_count() or 1
        self.keepers: dict[str, Keeper] = {}

    def run(self, sources: list[Source]) -> None:
        """Take them all in, the newest first: an import that is stopped has what is asked for most."""
        waiting = deque(sorted(sources, key=lambda source: -os.stat(source.path).st_mtime))
        try:
            if self.workers > 1 and sum(source.size for source in sources) > _FEW_BYTES:
                self._together(waiting)
            else:
                for source in waiting:
                    self._alone(source)
        finally:
            for keeper in self.keepers.values():
                keeper.database.close()

    def _alone(self, source: Source) -> None:
        new = 0
        try:
            piece = Piece([], is_last=False)
            while not piece.is_last:
                piece = read(self._task(source))
                new += self._write(source, piece)
        except OSError as error:
            self.told(Outcome(source, new, str(error)))
        else:
            self.told(Outcome(source, new))

    def _together(self, waiting: deque[Source]) -> None:
        from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait  # noqa: PLC0415 - heavy

        counts: dict[str, int] = {}
        with ProcessPoolExecutor(self.workers) as pool:
            running: dict[Future[Piece], Source] = {}
            while waiting or running:
                while waiting and len(running) <= self.workers:
                    self._start(pool, running, waiting.popleft())
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    self._finish(pool, running, future, counts)

    def _start(self, pool: ProcessPoolExecutor, running: dict[Future[Piece], Source], source: Source) -> None:
        running[pool.submit(read, self._task(source))] = source

    def _finish(
        self,
        pool: ProcessPoolExecutor,
        running: dict[Future[Piece], Source],
        future: Future[Piece],
        counts: dict[str, int],
    ) -> None:
        source = running.pop(future)
        try:
            piece = future.result()
            counts[source.path] = counts.get(source.path, 0) + self._write(source, piece)
        except OSError as error:
            self.told(Outcome(source, counts.get(source.path, 0), str(error)))
            return
        if piece.is_last:
            self.told(Outcome(source, counts.pop(source.path, 0)))
        else:
            self._start(pool, running, source)

    def _task(self, source: Source) -> Task:
        settings = load(source.root, config_home(self.env), self.env)
        final = is_over(source.path, time.time())
        limit, thinking = settings.number("memory.limit"), settings.flag("memory.thinking")
        return Task(source.path, source.agent, self._keeper(source.root).mark(source.path), limit, thinking, final)

    def _write(self, source: Source, piece: Piece) -> int:
        keeper = self._keeper(source.root)
        return sum(keeper.take(source.session, source.agent, source.path, batch) for batch in piece.batches)

    def _keeper(self, root: str) -> Keeper:
        if root not in self.keepers:
            register(state_home(self.env), root)
            self.keepers[root] = Keeper(Database(Layout(root).memory, bulk=True))
        return self.keepers[root]
