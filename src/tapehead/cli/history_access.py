"""The memory of a store, for the commands that ask it: brought up to date first, and with words for a user where it cannot be used."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from tapehead.cli.off_period import current
from tapehead.cli.output import Failure, show_note
from tapehead.engine.chores import remember
from tapehead.history.database import Damaged, Database, Newer, Unusable
from tapehead.history.lineage import lineage
from tapehead.history.recall import Recall
from tapehead.history.renewal import renew
from tapehead.store.paths import is_session_id
from tapehead.store.sessions import Unreadable
from tapehead.text.wording import alike
from tapehead.transcript import jsonl

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.cli.here import Here
    from tapehead.store.paths import Layout


_RENEWING = 0.3
"""Seconds that a command spends on bringing an index of a former version over."""


class NotRemembered(Failure):
    """There is no such session here, or none at all; elsewhere there may be."""


@contextmanager
def memory(at: Here, *, fresh: bool = True) -> Iterator[Database]:
    """The open database. What the transcripts have and it does not is taken in first, as far as that is possible."""
    if fresh:
        catch_up(at)
    if not os.path.exists(at.engine.layout.memory):
        raise NotRemembered(
            "No history here yet",
            "it grows as your agent works. `tapehead import` adds older transcripts",
        )
    try:
        with Database(at.engine.layout.memory) as database:
            if fresh:
                _bring_over(database)
            yield database
    except Newer as error:
        raise Failure(str(error), "update tapehead") from None
    except Damaged as error:
        raise Failure(str(error)) from None
    except Unusable as error:
        raise Failure(str(error), "run `tapehead doctor`") from None


def _bring_over(database: Database) -> None:
    """Bring a little of an old index over; where that cannot be done now, the search finds everything all the same."""
    with suppress(Unusable):
        renew(database, _RENEWING)


def catch_up(at: Here) -> None:
    """Let the memory follow every session that has more than it knows; one that cannot be followed is said and hides nothing else.

    Not while tapehead is off: then nothing is written.
    """
    if current(at):
        return
    for session_id in sorted({*at.engine.store.list()} - _followed(at.engine.layout)):
        try:
            at.engine.settle(session_id)
            remember(at.engine, session_id)
        except (Unusable, Unreadable, OSError) as error:
            show_note(f"the newest part of session {session_id} is missing: {error}")
            return


def _followed(layout: Layout) -> set[str]:
    """The sessions whose files, as far as they are known and still there, have no more than the memory."""
    if not os.path.exists(layout.memory):
        return set()
    try:
        with Database(layout.memory) as database:
            files = Recall(database).files()
    except Unusable:
        return set()  # whoever opens it next says what is the matter
    behind = {session for session, path, offset in files if jsonl.size(path) > offset}
    return {session for session, _, _ in files} - behind


def chosen(at: Here, database: Database, wanted: str) -> str:
    """The session that was meant, by its id or how it begins, among those that are remembered.

    One that goes on from another may be meant before a word of its own is remembered.
    """
    recall = Recall(database)
    begun = [each for each in at.engine.store.list() if each.startswith(wanted) and _predecessor(at, each)]
    known = sorted({*recall.known(wanted), *begun})
    if not known:
        raise NotRemembered(
            f"No session {wanted!r} in the history", "`tapehead search` shows session ids with its hits"
        )
    if len(known) > 1 and wanted not in known:
        raise Failure(f"{len(known)} sessions begin with {wanted!r}", alike(known))
    return wanted if wanted in known else known[0]


def chain(at: Here, database: Database, session: str) -> list[str]:
    """A session and those that it goes on from, newest first."""
    found = lineage(database, session)
    before = _predecessor(at, session) if len(found) == 1 else ""
    return [session, *(each for each in lineage(database, before) if each != session)] if before else found


def _predecessor(at: Here, session: str) -> str:
    """Whom a session goes on from, as its own state knows it: the memory hears of it with the first words."""
    try:
        state = at.engine.store.load(session) if is_session_id(session) else None
    except (Unreadable, OSError):
        return ""
    return state.predecessor if state else ""
