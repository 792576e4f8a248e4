"""Codex's forks: the new rollout's first line names what it copied, and says up to where it is to be read there."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tapehead.agents.codex.places import meta_of
from tapehead.store.paths import is_session_id
from tapehead.transcript import jsonl
from tapehead.transcript.entries import within, word

if TYPE_CHECKING:
    from datetime import datetime


def forked_from(path: str, session_id: str, words: list[str]) -> str:  # noqa: ARG001 - one shape for all agents
    """The thread that this one is a copy of; empty where its rollout does not say."""
    meta = meta_of(path) if os.path.isfile(path) else {}
    found = word(meta, "forked_from_id") or word(within(meta, "history_base"), "thread_id")
    return found if is_session_id(found) and found != session_id else ""


def first_own_byte(path: str, started: datetime, offset: int = 0) -> int:  # noqa: ARG001 - as above
    """The byte after the line that says what the rollout goes on from: all that comes after it is its own."""
    if offset > 0 or not within(meta_of(path), "history_base"):
        return offset
    return next((at for at, _ in jsonl.lines(path)), offset)
