"""What the pages of `tapehead web` are made from: the sessions of all stores, looked at as the monitor looks, and nothing written.

Nobody looks while nobody has a page open: whoever waits for news looks for it, and two who wait share one look.
"""

from __future__ import annotations

import hashlib
import os
import threading
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from attrs import frozen

from tapehead.cli.here import Here, everywhere, look_here
from tapehead.cli.monitor.view import in_order
from tapehead.cli.monitor.watch import StoreWatch
from tapehead.cli.off_period import current, name_of
from tapehead.cli.output import Failure
from tapehead.cli.report_choice import gather_report
from tapehead.cli.session_choice import choose, list_imported, look_at_session
from tapehead.engine.store_location import place_of
from tapehead.engine.waiting import told
from tapehead.observable import Observable
from tapehead.report.board import Card, Found
from tapehead.report.gather import LETTERS
from tapehead.store.paths import is_session_id
from tapehead.text import redacted_excerpt
from tapehead.text.wording import local

if TYPE_CHECKING:
    from tapehead.cli.monitor.rows import Row
    from tapehead.history.ask import Passage
    from tapehead.report.report_values import Report
    from tapehead.store.state import State

MOST = 240
"""Cards of the board: the newest."""
_TITLE = 180
_STORES_SECONDS = 5
_LOOK_SECONDS = 0.4
"""Two looks are at least so far apart, however many pages are open."""


@frozen
class Sight:
    """The cards of a moment."""

    cards: tuple[Card, ...] = ()
    left_out: int = 0
    off: tuple[str, ...] = ()
    """The projects in which tapehead is off."""


class Board:
    """All stores. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sight = Observable(Sight())
        self._sight.subscribe(self._count)
        self._version = 0
        self._watches: dict[str, StoreWatch] = {}
        self._imported: dict[str, tuple[tuple[int, int], tuple[Card, ...]]] = {}
        self._stores_asked = self._looked = float("-inf")

    def look(self) -> tuple[int, Sight]:
        """The cards as they are now, and a number that is another one whenever they are."""
        with self._lock:
            now = time.monotonic()
            if now - self._looked >= _LOOK_SECONDS:
                self._find_stores(now)
                seen = self._seen(time.time())
                self._sight.set(lambda _: seen)
                self._looked = time.monotonic()
            return self._version, self._sight.get()

    def report(self, key: str) -> Report:
        """The report of the session behind a card's key. Raises Failure where there is none."""
        at, session_id = self._place(key)
        state = choose(at, session_id, reader=look_at_session, quiet=True)
        if state.session_id != session_id:
            raise Failure("no such session")  # a command takes the beginning of an id, a page does not
        return gather_report(_with_repository(at, state), state, LETTERS)

    def stamp(self, key: str) -> tuple[tuple[int, int], ...]:
        """What is another value whenever a session went on."""
        at, session_id = self._place(key)
        layout = at.engine.layout
        transcript = ""
        if session_id in at.engine.store.list():
            transcript = look_at_session(at.engine, session_id).transcript_path
        return tuple(_looks(path) for path in (layout.tape(session_id), layout.state(session_id), transcript))

    def search(self, question: str, limit: int) -> list[Found]:
        """The best places in the histories of all stores."""
        with self._lock:
            self._find_stores(time.monotonic())
            places = [watch.at for watch in self._watches.values()]
        hits = [(at, passage) for at in places for passage in _asked(at, question, limit)]
        hits.sort(key=lambda one: one[1].hit.order())
        return [_found(at, passage) for at, passage in hits[:limit]]

    def _place(self, key: str) -> tuple[Here, str]:
        store, _, session_id = key.partition("/")
        with self._lock:
            self._find_stores(time.monotonic())
            watch = self._watches.get(store)
        if watch is None or not is_session_id(session_id):
            raise Failure("no such session")
        return watch.at, session_id

    def _count(self, _new: Sight, _old: Sight) -> None:
        self._version += 1

    def _find_stores(self, now: float) -> None:
        """Every store of the machine, and that of the working directory, whether or not it was ever named."""
        if now - self._stores_asked < _STORES_SECONDS:
            return
        self._stores_asked = now
        found = {_key(at): at for at in (*_own(), *everywhere())}
        self._watches = {key: self._watches.get(key) or StoreWatch(at) for key, at in found.items()}

    def _seen(self, now: float) -> Sight:
        keys: dict[int, str] = {}
        rows: list[Row] = []
        for key, watch in self._watches.items():
            for row in watch.look(now):
                if row.turns or row.is_open:  # nobody ever said anything in the others
                    keys[id(row)] = key
                    rows.append(row)
        cards = [_card(keys[id(row)], row) for row in in_order(rows, MOST)]
        old = [card for key, watch in self._watches.items() for card in self._past(key, watch.at)]
        old.sort(key=lambda card: (card.at is not None, card.at or 0), reverse=True)
        shown = (cards + old)[:MOST]
        return Sight(tuple(shown), len(rows) + len(old) - len(shown), self._off())

    def _off(self) -> tuple[str, ...]:
        return tuple(sorted(name_of(watch.at) for watch in self._watches.values() if current(watch.at)))

    def _past(self, key: str, at: Here) -> tuple[Card, ...]:
        """The sessions that were imported, read again only when the history has changed."""
        stamp = _looks(at.engine.layout.memory)
        known = self._imported.get(key)
        if known is None or known[0] != stamp:
            found = tuple(_old_card(key, state) for state in list_imported(at).values())
            known = self._imported[key] = (stamp, found)
        return known[1]


def _own() -> list[Here]:
    """The store of the working directory, where it has one."""
    try:
        at = look_here()
    except Failure:
        return []
    return [at] if os.path.isdir(at.engine.layout.root) else []


def _key(at: Here) -> str:
    return hashlib.sha256(at.engine.layout.root.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def _with_repository(at: Here, state: State) -> Here:
    """With the repository that git itself would take for the session's directory: a registry only names stores."""
    where = state.worktree_path if os.path.isdir(state.worktree_path) else at.place.worktree
    place = place_of(where, os.environ)
    return Here(place if at.engine.layout.root in place.roots else at.place, at.engine, datetime.now(UTC))


def _card(key: str, row: Row) -> Card:
    waits = told(row.waiting) if row.waiting and row.is_waiting else ""
    return Card(
        key=f"{key}/{row.session_id}",
        title=redacted_excerpt.first(row.asked, _TITLE),
        project=row.project,
        branch=row.branch,
        agent=row.agent,
        model=row.model,
        phase=row.phase.value,
        session=row.session_id,
        at=row.active_at,
        turns=row.turns,
        compactions=row.compactions,
        written=row.tokens.output,
        money=row.money,
        used=row.context.used,
        room=row.context.marks[2] if row.context.marks else None,
        level=row.context.level,
        waiting=waits[:1].upper() + waits[1:],
        is_open=row.is_open,
    )


def _old_card(key: str, state: State) -> Card:
    return Card(
        key=f"{key}/{state.session_id}",
        title=redacted_excerpt.first(state.last_prompt, _TITLE),
        project=os.path.basename(state.worktree_path.rstrip("/")),
        branch=state.branch,
        agent=state.agent,
        model=state.model,
        session=state.session_id,
        at=state.last_interaction_at or state.ended_at or state.started_at,
        turns=state.turn_number,
    )


def _asked(at: Here, question: str, limit: int) -> list[Passage]:
    """What one history has; one that cannot be asked hides nothing else."""
    from tapehead.history.ask import History  # noqa: PLC0415 - as above
    from tapehead.history.database import Database, Unusable  # noqa: PLC0415 - only a search needs it

    if not os.path.exists(at.engine.layout.memory):
        return []
    try:
        with Database(at.engine.layout.memory) as database:
            return History(database).recall(question, limit=limit)
    except Unusable:
        return []


def _found(at: Here, passage: Passage) -> Found:
    hit = passage.hit
    moment = local(hit.time)
    who = {"human": "You", "agent": "Agent", "tool": hit.name or "Tool"}.get(hit.role, hit.role)
    return Found(
        key=f"{_key(at)}/{hit.session}",
        turn=hit.turn,
        time=moment.strftime("%Y-%m-%d %H:%M") if moment else hit.time,
        who=f"{who}, turn {hit.turn}",
        project=os.path.basename(hit.project.rstrip("/")),
        snippet=redacted_excerpt.in_line(hit.snippet),
        matched=hit.matched,
    )


def _looks(path: str) -> tuple[int, int]:
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return 0, 0
    return found.st_mtime_ns, found.st_size
