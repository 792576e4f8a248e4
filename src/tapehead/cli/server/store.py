"""The store of the place that the server stands in, to look at: nothing here writes."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tapehead.cli.here import look_here
from tapehead.cli.output import Failure
from tapehead.engine.spool_intake import take_in_first
from tapehead.history.database import Damaged, Database, Newer, Unusable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.cli.here import Here

_PATIENCE = 1.0
"""Seconds: an agent waits for the answer, and can ask again."""


def known_here() -> Here:
    """The store here, if anything was ever kept in it."""
    take_in_first(os.environ)
    at = look_here()
    if not os.path.isdir(at.engine.layout.root):
        raise Failure(
            f"tapehead knows nothing of {at.place.directory} yet",
            "it fills as agents work here; `tapehead import` adds older transcripts",
        )
    return at


@contextmanager
def history_of(at: Here) -> Iterator[Database]:
    """The open history. It is opened for each question: another process may put a new file in its place."""
    path = at.engine.layout.memory
    if not os.path.exists(path):
        raise Failure(
            "nothing is kept of earlier work here yet",
            "it fills as agents work here; `tapehead import` adds older transcripts",
        )
    try:
        with Database(path, wait=_PATIENCE, looking=True) as database:
            yield database
    except Newer as error:
        raise Failure(str(error), "update tapehead") from None
    except Damaged as error:
        raise Failure(str(error)) from None
    except Unusable as error:
        raise Failure(str(error), "run `tapehead doctor`") from None
