"""The memory of a store, for the commands that ask it: brought up to date first, and with words for a person where it cannot be used."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tapehead.cli.output import Failure, show_note
from tapehead.cli.own import own_sessions
from tapehead.memory.database import Damaged, Database, Newer, Unusable
from tapehead.memory.lineage import lineage
from tapehead.memory.recall import Recall
from tapehead.store.sessions import Unreadable
from tapehead.transcript import jsonl

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.cli.here import Here
    from tapehead.store.paths import Layout


@contextmanager
def memory(at: Here, *, fresh: bool = True) -> Iterator[Database]:
    """The open database. What the transcripts have and it does not is taken in first, as far as that is possible."""
    if fresh:
        catch_up(at)
    if not os.path.exists(at.engine.layout.memory):
        raise Failure(
            "nothing is remembered here yet",
            "it fills as your agent works; `tapehead import` takes in what was said before",
        )
    try:
        with Database(at.engine.layout.memory) as database:
            yield database
    except Newer as error:
        raise Failure(str(error), "update tapehead") from None
    except Damaged as error:
        raise Failure(str(error)) from None
    except Unusable as error:
        raise Failure(str(error), "`tapehead doctor` may know more") from None


def catch_up(at: Here) -> None:
    """Let the memory follow every session that has more than it knows; one that cannot be followed is said and hides nothing else."""
    for session_id in sorted({*at.engine.store.list()} - _followed(at.engine.layout)):
        try:
            at.engine.settle(session_id)
            at.engine.remember(session_id)
        except (Unusable, Unreadable, OSError) as error:
            show_note(f"the newest of session {session_id} could not be taken in: {error}")
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


def chosen(database: Database, wanted: str | None) -> str:
    """The session that was meant: by its id or how it begins, this agent's own, or the newest."""
    recall = Recall(database)
    if wanted is None:
        own = [each for each in own_sessions() if recall.known(each)][:1]
        listed = own or [told.id for told in recall.sessions()][-1:]
        if not listed:
            raise Failure("nothing is remembered here yet", "`tapehead import` takes in past transcripts")
        return listed[0]
    known = recall.known(wanted)
    if len(known) != 1 and wanted not in known:
        what = f"{len(known)} sessions begin with {wanted!r}" if known else f"no session {wanted!r} is remembered here"
        raise Failure(what, "`tapehead search` shows session ids with its hits")
    return wanted if wanted in known else known[0]


def chain(database: Database, session: str) -> list[str]:
    """A session and those that it goes on from, newest first."""
    return lineage(database, session)


def remembered(layout: Layout) -> dict[str, Any]:
    """How much a memory holds; empty where there is none."""
    if not os.path.exists(layout.memory):
        return {}
    try:
        with Database(layout.memory) as database:
            counts = Recall(database).counts()
    except Unusable as error:
        return {"problem": str(error)}
    files = (layout.memory + suffix for suffix in ("", "-wal"))
    total = sum(os.path.getsize(path) for path in files if os.path.exists(path))
    return {
        "sessions": counts.sessions,
        "turns": counts.turns,
        "rows": {str(layer): rows for layer, rows in counts.layers.items()},
        "bytes": total,
    }
