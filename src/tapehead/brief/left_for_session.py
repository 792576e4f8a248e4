"""What was left for a session while it was away: memos of handoffs, and memories that others saved."""

from __future__ import annotations

import os
from datetime import datetime
from typing import TYPE_CHECKING

from tapehead.brief.memory_index import is_there
from tapehead.store import batons
from tapehead.store.paths import place_name
from tapehead.text.fence import clean, put_in_quotes, quote

if TYPE_CHECKING:
    from tapehead.settings.loading import Settings
    from tapehead.store.paths import Layout
    from tapehead.store.state import State

_MEMO = 600
_MEMORIES = 3
_LINE = 160


def left_since(layout: Layout, settings: Settings, state: State, captured_at: str) -> list[str]:
    """Lines for the model; none where it is not known when the session was last here."""
    try:
        since = datetime.fromisoformat(captured_at).timestamp()
    except ValueError:
        return []
    return [*_memos(layout, state, since), *_memories(layout, settings, state, since)]


def _memos(layout: Layout, state: State, since: float) -> list[str]:
    """A memo is for the start that takes the handoff; who resumes instead is shown it, and the handoff stays."""
    lying = (batons.look(layout, name) for name in batons.names(layout, place_name(state.worktree_id)))
    found = [baton for baton in lying if baton and _text(baton) and _offered(baton) > since]
    return [f"- A handoff was offered, with the memo {clean(put_in_quotes(_text(each), _MEMO))}" for each in found]


def _text(baton: dict[str, object]) -> str:
    return str(baton.get("memo") or "").strip()


def _offered(baton: dict[str, object]) -> float:
    try:
        return datetime.fromisoformat(str(baton.get("offered_at"))).timestamp()
    except (ValueError, OverflowError):
        return 0.0


def _memories(layout: Layout, settings: Settings, state: State, since: float) -> list[str]:
    """The newest first. What this session said itself it knows."""
    if not is_there(layout, settings):
        return []
    from tapehead.memories.memory_files import Shelf  # noqa: PLC0415 - only where something is remembered

    shelf = Shelf(layout, settings.text("remember.directory"))
    others = [each for each in shelf.memories() if state.session_id not in each.source]
    saved = sorted(((_saved(shelf.path(each)), each) for each in others), key=lambda one: one[0], reverse=True)
    found = [each for at, each in saved if at > since][:_MEMORIES]
    return [
        clean(f"- Remembered meanwhile: {quote(each.description, _LINE)} ({each.kind}: {each.name})") for each in found
    ]


def _saved(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0
