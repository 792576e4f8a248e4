"""What the work cost, from the agents' own counts: gathered by transcript, each message once, and summed up by what is asked for."""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from tapehead.agents.agent_spending import spendings
from tapehead.agents.readers import agent_of_file, places_of
from tapehead.cli.here import known
from tapehead.cli.import_sources import found
from tapehead.history.database import Database, Unusable
from tapehead.history.recall import Recall
from tapehead.store import agent_figures
from tapehead.text.wording import local
from tapehead.transcript.packed_files import Unreadable
from tapehead.transcript.spending import Spending, Total

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from tapehead.cli.here import Here
    from tapehead.tokens.prices import Prices

UNKNOWN = "unknown"


class Spent(NamedTuple):
    """A message, and whose it is."""

    agent: str
    session: str
    what: Spending


def files_here(at: Here) -> list[tuple[str, str, str]]:
    """The transcripts of this store's sessions, as (agent, session, path): those that hooks named, and those that were taken in."""
    found_ones = {state.transcript_path: (state.agent, state.session_id) for state in known(at.engine).values()}
    if os.path.exists(at.engine.layout.memory):
        with suppress(Unusable), Database(at.engine.layout.memory) as database:
            for session, path, _ in Recall(database).files():
                found_ones.setdefault(path, (agent_if_any(path), session))
    return [(agent, session, path) for path, (agent, session) in found_ones.items() if path and agent]


def files_at(paths: tuple[str, ...], env: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """The transcripts at some paths, or all that the agents keep."""
    named = ((agent_if_any(path), path) for path in found(paths, env))
    return [(agent, places_of(agent).session_of(path), path) for agent, path in named if agent]


def agent_if_any(path: str) -> str:
    """Whose transcript a file is; nobody's where it cannot be read."""
    with suppress(OSError, Unreadable):
        return agent_of_file(path) or ""
    return ""


def gather(files: Iterable[tuple[str, str, str]], failed: Callable[[str, Exception], None]) -> Iterator[Spent]:
    """Each message of all files once. A fork repeats its origin's messages: they are the origin's, whose file is the older one."""
    counted: set[str] = set()
    for agent, session, path in sorted(files, key=lambda each: _changed(each[2])):
        try:
            read = spendings(agent, path)
        except (OSError, Unreadable) as error:
            failed(path, error)
            continue
        for one in read:
            if one.id not in counted:
                yield Spent(agent, session, one)
        counted |= {one.id for one in read if one.id}


def _changed(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0


def _day(one: Spent) -> str:
    at = local(one.what.time)
    return at.strftime("%Y-%m-%d") if at else UNKNOWN


def _week(one: Spent) -> str:
    """By the Monday that it begins with."""
    at = local(one.what.time)
    return (at - timedelta(days=at.weekday())).strftime("%Y-%m-%d") if at else UNKNOWN


BY: dict[str, Callable[[Spent], str]] = {
    "day": _day,
    "week": _week,
    "project": lambda one: one.what.project or UNKNOWN,
    "agent": lambda one: one.agent,
    "model": lambda one: one.what.model or UNKNOWN,
    "session": lambda one: one.session or UNKNOWN,
}


def totals(spent: Iterable[Spent], by: str, prices: Prices) -> tuple[dict[str, Total], Total, dict[str, int]]:
    """The sums by what was asked for, the sum of all, and the tokens of each model that has no price."""
    groups: dict[str, Total] = {}
    everything, unpriced = Total(), dict[str, int]()
    for one in spent:
        groups.setdefault(BY[by](one), Total()).add(one.what, prices)
        before = everything.unpriced
        everything.add(one.what, prices)
        if more := everything.unpriced - before:
            name = one.what.model or UNKNOWN
            unpriced[name] = unpriced.get(name, 0) + more
    return dict(sorted(groups.items())), everything, unpriced


def said_of(at: Here, session: str) -> float | None:
    """What the agent's own status line said that a session cost."""
    return agent_figures.cost(agent_figures.look(at.engine.layout, session))
