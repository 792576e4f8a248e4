"""Which files belong to a session: its transcript, and what the agent keeps in the folder of the same name (subagents, outputs of tools)."""

from __future__ import annotations

import os

from tapehead.archive.kept import Source

_MOST_FILES = 2_000
_LARGEST = 64 * 1024 * 1024
"""Bytes of a file beside a transcript: one that is larger is data, and no part of the conversation."""


def files_of(transcript: str, agent: str, session: str) -> list[Source]:
    """The transcript first. A file that is a link, or no file, is left out."""
    path = os.path.realpath(transcript)
    beside = [Source(each, agent, session, beside=True) for each in _below(os.path.splitext(path)[0])]
    return [Source(path, agent, session), *beside]


def _below(folder: str) -> list[str]:
    found = []
    for directory, below, names in os.walk(folder):
        below.sort()
        found += [path for name in sorted(names) if _belongs(path := os.path.join(directory, name))]
        if len(found) >= _MOST_FILES:
            break
    return found[:_MOST_FILES]


def _belongs(path: str) -> bool:
    return os.path.isfile(path) and not os.path.islink(path) and os.path.getsize(path) <= _LARGEST
