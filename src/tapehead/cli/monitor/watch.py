"""The sessions of some stores, looked at again and again: only what has changed is read anew, and nothing is written.

What is looked at each time are the names and sizes that the file system keeps: a store's directory (a new session, a saved
state) and, for sessions that are open, the tape, the transcript and what the agent said. A session that is closed changes only
through its directory.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from attrs import define, evolve, field, frozen

from tapehead.agents.readers import reader_of
from tapehead.cli.monitor.rows import Read, row
from tapehead.engine.current_state import look_at_state
from tapehead.engine.spool_intake import take_in_first
from tapehead.engine.start import process_is_lost
from tapehead.engine.statusline import margins
from tapehead.engine.store_location import config_home
from tapehead.engine.waiting import waiting_of
from tapehead.git import layout as git_layout
from tapehead.store import agent_figures
from tapehead.tokens.prices import Prices, load_prices

if TYPE_CHECKING:
    from tapehead.cli.here import Here
    from tapehead.cli.monitor.rows import Row
    from tapehead.store.state import State
    from tapehead.tokens.window import Margins
    from tapehead.transcript.turns import Turn

_RECENT_NS = 2_000_000_000
"""A directory that changed so lately may change once more without a newer time to show for it."""
_FOR_SPOOL = 0.1
_LIFE_SECONDS = 5
"""How often a process is looked for; elsewhere than on Linux that starts a program."""

Signature = tuple[tuple[int, int], ...]


@frozen
class _Known:
    """A session as it was last read."""

    signature: Signature
    state: State
    gone: bool
    row: Row


@define
class StoreWatch:
    """The sessions of one store, or one of them."""

    at: Here
    only: str = ""
    _known: dict[str, _Known] = field(factory=dict)
    _rows: tuple[Row, ...] = ()
    """What the last look gave: the same object as long as nothing changes."""
    _open: tuple[str, ...] = ()
    """The sessions among them that are looked at each time."""
    _listed_ns: int = -1
    _lives_asked: float = 0.0
    _prices: Prices = field(factory=lambda: load_prices(config_home(os.environ)))

    def look(self, now: float) -> tuple[Row, ...]:
        """All rows, as they are now. What hooks told and nobody took in is put on the tapes first."""
        take_in_first(os.environ, _FOR_SPOOL)
        everything = self._listing_changed(now)
        ids = self._ids() if everything else self._open
        ask = now - self._lives_asked >= _LIFE_SECONDS
        self._lives_asked = now if ask else self._lives_asked
        news = [self._refresh(session_id, self._known.get(session_id), ask=ask) for session_id in ids]
        gone = self._known.keys() - ids if everything else ()
        for session_id in gone:
            del self._known[session_id]
        if gone or any(news):
            self._rows = tuple(each.row for each in self._known.values())
            self._open = tuple(row.session_id for row in self._rows if row.is_open)
        return self._rows

    def _listing_changed(self, now: float) -> bool:
        try:
            changed = os.stat(self.at.engine.layout.sessions).st_mtime_ns
        except OSError:
            changed = 0
        news = changed != self._listed_ns or now * 1e9 - changed < _RECENT_NS
        self._listed_ns = changed
        return news

    def _ids(self) -> list[str]:
        found = self.at.engine.store.list()
        return [each for each in found if each == self.only] if self.only else found

    def _refresh(self, session_id: str, known: _Known | None, *, ask: bool) -> bool:
        """Reads a session again if there is news of it; whether there was. One that waits is asked each time: an answer changes no file at once."""
        signature = self._signature(session_id, known.state if known else None)
        if known and known.row.waiting:
            ask = True
            known = known if waiting_of(known.state) else evolve(known, signature=())
        if known and signature == known.signature and not (ask and known.row.is_open):
            return False
        state = (
            known.state if known and signature == known.signature else look_at_state(self.at.engine.store, session_id)
        )
        gone = process_is_lost(state) if ask or known is None else known.gone
        if known and signature == known.signature and gone == known.gone:
            return False
        signature = self._signature(session_id, state)
        read = _read(self.at, state, gone=gone)
        project = os.path.basename(self.at.place.worktree) or self.at.place.worktree
        made = row(state, read, self._margins, project, self._prices)
        self._known[session_id] = _Known(signature, state, gone, made)
        return True

    @property
    def _margins(self) -> Margins:
        return margins(self.at.engine.settings)

    def _signature(self, session_id: str, state: State | None) -> Signature:
        """What would be different if there were news: of a session that is closed the tape and the state alone."""
        layout = self.at.engine.layout
        paths = [layout.tape(session_id), layout.state(session_id)]
        if state and not state.phase.is_closed:
            repository = git_layout.find(state.worktree_path) if state.worktree_path else None
            head = os.path.join(repository.git_dir, "HEAD") if repository else ""
            paths += [layout.seen(session_id), state.transcript_path, head]
        return tuple(map(_looks, paths))


def _looks(path: str) -> tuple[int, int]:
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return 0, 0
    return found.st_mtime_ns, found.st_size


def look_at(at: Here, state: State) -> Read:
    """What is read of a session beside its state, now."""
    return _read(at, state, gone=process_is_lost(state))


def _read(at: Here, state: State, *, gone: bool) -> Read:
    if state.phase.is_closed:
        return Read(said=agent_figures.look(at.engine.layout, state.session_id), gone=gone)
    turns = _newest(state)
    written = _looks(state.transcript_path)[0] if turns else 0
    return Read(
        turns=turns,
        said=agent_figures.look(at.engine.layout, state.session_id),
        waiting=waiting_of(state),
        branch=_branch(state) or next((turn.branch for turn in reversed(turns or ()) if turn.branch), ""),
        gone=gone,
        written_at=datetime.fromtimestamp(written // 1_000_000_000, UTC) if written else None,
    )


def _newest(state: State) -> tuple[Turn, ...] | None:
    """The last turns of its transcript; None where there is none to read."""
    reader = reader_of(state.agent)
    if reader is None or not state.transcript_path or not os.path.isfile(state.transcript_path):
        return None
    try:
        return reader.newest(state.transcript_path).turns
    except OSError:
        return None


def _branch(state: State) -> str:
    """The branch that is checked out where the session works."""
    repository = git_layout.find(state.worktree_path) if state.worktree_path else None
    return git_layout.head(repository)[0] if repository else ""
