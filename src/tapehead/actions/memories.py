"""What was said and done goes into the memory: a session's transcript is followed from where the memory stopped.

Not under the session's lock and not as a note on its tape: the memory's own cursor moves with its rows, so whoever comes next, and
however the last one died, goes on at the right byte.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tapehead.agents.readers import follower_of
from tapehead.memory.database import Database
from tapehead.memory.entries import Entries
from tapehead.memory.keeping import Keeper, prepare
from tapehead.statemachine.vocabulary import Phase

if TYPE_CHECKING:
    from tapehead.settings.loading import Settings
    from tapehead.store.paths import Layout
    from tapehead.store.state import State

_OVER = (Phase.ENDED, Phase.HALTED)


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
            files = (state.transcript_path, *_beside(state.transcript_path))
            return sum(
                self.follow(keeper, state.session_id, state.agent, path, final=state.phase in _OVER) for path in files
            )

    def follow(self, keeper: Keeper, session: str, agent: str, path: str, *, final: bool) -> int:
        """Take in what is new of one file."""
        follower = follower_of(agent)
        if follower is None:
            return 0
        path = os.path.realpath(path)
        mark = keeper.mark(path)
        entries = self.entries(mark.calls)
        batches = follower.follow(path, mark.cursor, final=final)
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
    """The files of subagents, where the host keeps them apart."""
    directory = os.path.join(os.path.splitext(transcript)[0], "subagents")
    names = sorted(os.listdir(directory)) if os.path.isdir(directory) else []
    return [os.path.join(directory, name) for name in names if name.endswith(".jsonl")]
