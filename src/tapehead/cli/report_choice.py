"""What `report` and `export` have in common: which sessions are meant, and their reports."""

from __future__ import annotations

import gc
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

import attrs

from tapehead.cli.here import Here, here, newest_first
from tapehead.cli.output import Failure, show_note
from tapehead.cli.session_choice import choose, list_imported
from tapehead.cli.upkeep import attend
from tapehead.engine.store_location import config_home
from tapehead.report.gather import LETTERS, Source, gather, source_of_file
from tapehead.tokens.prices import load_prices

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.report.report_values import Report
    from tapehead.store.state import State

MOST = 60
"""Sessions of one page; of more, the newest."""
_LEAST = 60_000
"""Letters that each of many sessions has."""


def report_of_session(session: str | None) -> Report:
    """The session that was meant: by its id, by the beginning of it, or the newest of this worktree."""
    at = here()
    state = choose(at, session)
    with _uncollected():
        return gather_report(at, state, LETTERS)


def report_of_file(path: str) -> Report:
    """A transcript, of any agent."""
    from datetime import UTC, datetime  # noqa: PLC0415 - only here

    try:
        with _uncollected():
            source = attrs.evolve(source_of_file(path), prices=load_prices(config_home(os.environ)))
            found = gather(source, datetime.now(UTC))
    except OSError as error:
        raise Failure(
            f"Cannot read {path}: {error.strerror or error}", "--transcript needs an agent's own file"
        ) from None
    if not found.turns:
        raise Failure(f"No work found in {path}", "a transcript has one JSON object per line")
    return found


def reports_of_all() -> list[Report]:
    """Every session of this place that was ever spoken to, the newest first."""
    at = here()
    every = newest_first({**list_imported(at), **attend(at.engine)})
    states = [state for state in every if state.turn_number or os.path.isfile(state.transcript_path)]
    if not states:
        raise Failure("No session here has a turn yet", "`tapehead status --every` lists the sessions")
    if len(states) > MOST:
        show_note(f"{len(states) - MOST} older sessions are not shown; `tapehead report SESSION` shows one")
    letters = max(_LEAST, LETTERS // min(len(states), MOST))
    found = []
    with _uncollected():
        for state in states[:MOST]:
            try:
                found.append(gather_report(at, state, letters))
            except Failure as error:
                show_note(error.message)
    return found


def gather_report(at: Here, state: State, letters: int) -> Report:
    """The report of a session that was found; `letters` are about as many as it may have."""
    also = tuple(at.engine.settings.texts("checkpoints.mask"))
    prices = load_prices(config_home(os.environ))
    source = Source(state.transcript_path, state.agent, at.engine.layout, state, at.place.repository, also, prices)
    try:
        return gather(source, at.now, letters)
    except OSError as error:
        what = f"Cannot read the transcript of session {state.session_id}: {error.strerror or error}"
        raise Failure(what, "run `tapehead doctor`") from None


@contextmanager
def _uncollected() -> Iterator[None]:
    """Many small values are made and none freed: looking for garbage among them costs a fifth of the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
