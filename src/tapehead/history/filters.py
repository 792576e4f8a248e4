"""What a search is narrowed to, said twice: in words of the index, which make it fast, and as conditions, which make it exact."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tapehead.history import layers
from tapehead.history.entry_times import id_at, moment
from tapehead.history.index_words import file_tag, kind_tag, session_tag

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tapehead.history.database import Database

_FEW = 200
"""Sessions that are looked for by their words in the index; more are picked out of what is found."""
_KINDS = {
    layers.HUMAN: (layers.PROMPT,),
    layers.AGENT: (layers.REPLY, layers.CALL, layers.THINKING, layers.SUBAGENT),
    layers.TOOL: (layers.RESULT,),
    layers.HOST: (layers.LINE, layers.COVERED, layers.SUMMARY, layers.SYSTEM, layers.HOOK, layers.IMAGE),
}
"""Who says what."""


class Wanted(NamedTuple):
    """What is looked for, and where."""

    words: str
    sessions: tuple[str, ...] = ()
    """Only in these; empty means in all."""
    project: str = ""
    kinds: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    since: str = ""
    file: str = ""
    limit: int = 20
    now: int = 0
    """Milliseconds, against which the age of a hit counts, so that several memories can be compared; the newest hit's otherwise."""


class Narrowing(NamedTuple):
    """Where to look."""

    words: tuple[str, ...]
    """Expressions of the index, all of which must hold."""
    unwanted: str
    """An expression of the index that must not hold."""
    conditions: str
    values: tuple[object, ...]
    lowest: int = 0
    """The first entry that may be found."""
    since: int = 0
    """Milliseconds."""
    joined: str = ""
    """A condition that the index has no words for, and that is asked of each row."""


def narrowing(database: Database, wanted: Wanted) -> Narrowing | None:
    """Say where to look; None where there can be nothing."""
    sessions = _sessions(database, wanted)
    if sessions is not None and not sessions:
        return None
    many = sessions is not None and len(sessions) > _FEW
    parts = [
        *([_sessions_among(sessions)] if sessions is not None else []),
        *([_among("kind", wanted.kinds)] if wanted.kinds else []),
        *([_of_roles(wanted.roles)] if wanted.roles else []),
        *([_of_file(wanted.file)] if wanted.file else []),
    ]
    since = moment(wanted.since) if wanted.since else 0
    asked_for = wanted.kinds or wanted.roles
    return Narrowing(
        tuple(words for words, _, _ in parts if words),
        ""
        if asked_for
        else _either([kind_tag(layers.HOOK)]),  # what hooks put in nobody said; whoever wants it says so
        " ".join(condition for _, condition, _ in parts),
        tuple(value for _, _, values in parts for value in values),
        id_at(since) if since else 0,
        since,
        _sessions_among(sessions)[1] if many and sessions else "",
    )


_Part = tuple[str, str, tuple[object, ...]]


def _sessions(database: Database, wanted: Wanted) -> list[int] | None:
    """The numbers of the sessions that are meant; None means all."""
    if not wanted.sessions and not wanted.project:
        return None
    found = database.rows(
        "SELECT number, id FROM sessions WHERE :name = '' OR project = :name OR substr(project, -length(:below)) = :below",
        {"name": wanted.project, "below": f"/{wanted.project}"},
    )
    return [int(str(number)) for number, name in found if not wanted.sessions or name in wanted.sessions]


def _sessions_among(sessions: list[int]) -> _Part:
    words = _either(map(session_tag, sessions)) if len(sessions) <= _FEW else ""
    return words, f"AND e.session IN ({','.join(map(str, sessions))})", ()


def _of_roles(roles: tuple[str, ...]) -> _Part:
    words, _, _ = _among("kind", tuple(kind for role in roles for kind in _KINDS[role]))
    _, condition, values = _among("role", roles)
    return words, condition, values


def _among(column: str, chosen: tuple[str, ...]) -> _Part:
    return _either(map(kind_tag, chosen)), f"AND e.{column} IN ({','.join('?' * len(chosen))})", chosen


def _of_file(file: str) -> _Part:
    condition = "AND (e.file = ? OR substr(e.file, -length(?)) = ?)"
    return _either([file_tag(file)]), condition, (file, f"/{file}", f"/{file}")


def _either(words: Iterable[str]) -> str:

    quoted = (f'"{word}"' for word in words)
    return f"({' OR '.join(quoted)})"
