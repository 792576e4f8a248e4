"""What was said and done goes into the memory: a session's transcript is followed from where the memory stopped.

Not under the session's lock and not as a note on its tape: the memory's own cursor moves with its rows, so whoever comes next, and
however the last one died, goes on at the right byte.
"""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from tapehead.agents.readers import follower_of
from tapehead.history.database import Database
from tapehead.history.entry_making import Entries
from tapehead.history.fork_offset import own_offset
from tapehead.history.index_merging import merge
from tapehead.history.renewal import renew
from tapehead.history.writing import Keeper, prepare

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapehead.settings.loading import Settings
    from tapehead.store.paths import Layout
    from tapehead.store.state import State

_RENEWING = 5.0
"""Seconds at a time for bringing an index of a former version over: a worker has other things to do, and there will be a next one."""
_MERGING = 2.0
"""Seconds at a time for keeping the indexes quick; after most turns there is nothing to do."""


class MemoryKeeper:
    """The memory of one store, for those who write it."""

    def __init__(self, layout: Layout, settings: Settings) -> None:
        self.layout = layout
        self.settings = settings

    def remember(self, state: State) -> int:
        """Take in what is new of a session, its subagents' own files included; how many entries that were."""
        follower = follower_of(state.agent)
        if follower is None or not os.path.isfile(state.transcript_path):
            return 0
        with Database(self.layout.memory) as database:
            keeper = Keeper(database)
            self._inherit(keeper, state)
            follow = partial(self.follow, keeper, state.session_id, state.agent, final=state.phase.is_closed)
            own = follow(state.transcript_path, begins=partial(own_offset, state))
            new = own + sum(map(follow, _beside(state.transcript_path)))
            renew(database, _RENEWING)
            merge(database, _MERGING)
            return new

    def follow(  # noqa: PLR0913 - where from, where to
        self, keeper: Keeper, session: str, agent: str, path: str, *, final: bool, begins: Callable[[int], int] = int
    ) -> int:
        """Take in what is new of one file; `begins` passes over what is in another session's."""
        follower = follower_of(agent)
        if follower is None:
            return 0
        path = os.path.realpath(path)
        mark = keeper.mark(path)
        entries = self.entries(mark.calls)
        cursor = mark.cursor._replace(offset=begins(mark.cursor.offset))
        batches = follower.follow(path, cursor, final=final)
        return sum(keeper.take(session, agent, path, prepare(batch, entries)) for batch in batches)

    def entries(self, calls: dict[str, list[str]]) -> Entries:
        """How entries are made here: as the settings say."""
        limit, thinking = self.settings.number("memory.limit"), self.settings.flag("memory.thinking")
        return Entries(limit, thinking=thinking, files=calls)

    @staticmethod
    def _inherit(keeper: Keeper, state: State) -> None:
        # A start that never got a prompt goes on from nobody: it may have been a ghost.
        if state.predecessor and state.turn_number:
            at = state.started_at.isoformat() if state.started_at else ""
            keeper.inherit(state.session_id, state.predecessor, state.predecessor_rule, at)


def _beside(transcript: str) -> list[str]:
    """The files of subagents, where the agent keeps them apart."""
    directory = os.path.join(os.path.splitext(transcript)[0], "subagents")
    names = sorted(os.listdir(directory)) if os.path.isdir(directory) else []
    return [os.path.join(directory, name) for name in names if name.endswith(".jsonl")]
