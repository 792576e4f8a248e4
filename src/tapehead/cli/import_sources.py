"""Which transcripts an import is about: whose they are, which store they belong to, and whether they are still being written."""

from __future__ import annotations

import os
import re
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from tapehead import door
from tapehead.agents.readers import RECORDS, agent_of_file, follower_of, places_of
from tapehead.engine.store_location import make_home, place_of
from tapehead.transcript import jsonl, packed_files

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_SUFFIXES = (".jsonl", ".jsonl.gz", ".jsonl.zst", ".json", ".json.gz")
_STILL_WRITTEN = 3600
"""Seconds since the last change after which nobody writes a transcript any more."""
_TIME = re.compile(rb'"timestamp" ?: ?"(\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d))"')
_TAIL = 256 * 1024


class Source(NamedTuple):
    """A transcript that is to be taken in."""

    path: str
    agent: str
    session: str
    root: str
    """The store."""
    size: int
    changed: float


def found(paths: tuple[str, ...], env: Mapping[str, str]) -> Iterator[str]:
    """The files that are meant: those named, those below directories that are named, or all that agents keep."""
    for path in paths:
        if os.path.isdir(path):
            for directory, below, names in os.walk(path):
                below.sort()
                yield from (os.path.join(directory, name) for name in sorted(names) if name.endswith(_SUFFIXES))
        else:
            yield path
    if not paths:
        home = env.get("HOME", "") or os.path.expanduser("~")
        for agent in RECORDS:
            yield from places_of(agent).transcripts(home, env)


def source_of(path: str, env: Mapping[str, str], into: str, *, always: bool) -> Source | None:
    """Whose transcript a file is, and where it belongs; None where it is nobody's. Raises OSError where it cannot be read.

    It belongs to the project it was made in. Where that is not on this machine, it goes into the store `into`; with
    `always`, it does so anyway.
    """
    path = os.path.realpath(path)
    _look_into(path)
    agent = agent_of_file(path)
    if agent is None:
        return None
    root = into if always and into else _root(path, agent, env) or into
    about = os.stat(path)
    return Source(path, agent, places_of(agent).session_of(path), root, about.st_size, about.st_mtime) if root else None


def _look_into(path: str) -> None:
    """Raise where nothing can be read; a pipe is not even opened, since nobody may ever write into it."""
    if not os.path.isfile(path):
        raise OSError(f"{path} is not a file")
    with jsonl.open_jsonl(path) as file:
        file.read(1)


def is_over(path: str, now: float) -> bool:
    """Whether nobody writes a file any more: it is packed, or old, or its last lines are (it may have been copied just now)."""
    about = os.stat(path)
    if path.endswith(packed_files.SUFFIXES) or now - about.st_mtime > _STILL_WRITTEN:
        return True
    with door.open_reader(path) as file:
        file.seek(max(0, about.st_size - _TAIL))
        times = _TIME.findall(file.read())
    try:
        return bool(times) and now - datetime.fromisoformat(times[-1].decode()).timestamp() > _STILL_WRITTEN
    except ValueError:
        return False


def _root(path: str, agent: str, env: Mapping[str, str]) -> str:
    """The store of the directory that a transcript names first."""
    follower = follower_of(agent)
    batch = next(follower.follow(path, at_once=1), None) if follower else None
    directory = str(batch.cursor.about.get("cwd") or "") if batch else ""
    if not os.path.isabs(directory) or not os.path.isdir(directory):
        return ""
    root = next(iter(place_of(directory, env).roots), "")
    if root:
        make_home(root, env)
    return root
