"""Two sessions in one worktree: each is told once that the other is at work, and which files it has changed.

A start looks before its line is written, the worker after each turn. Whom they see stands on the tape; the words are made when a hook can
say them, from what the other has changed by then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.agents.hook_event import NAMES
from tapehead.store import starts
from tapehead.store.paths import place_name
from tapehead.store.sessions import Unreadable
from tapehead.system import processes as process
from tapehead.text.fence import clean, single

if TYPE_CHECKING:
    from typing import Any

    from tapehead.engine.engine import Engine
    from tapehead.store.state import State

_LOOKED_AT = 6
"""Sessions that started here lately and whose process lives: a start must not wait for more."""
_READ = 2_000_000
"""Bytes of a transcript that are read for what a running turn has changed."""
_FILES = 8
_LONGEST = 120


def look(engine: Engine, session_id: str) -> None:
    """Notes on the tape whom the worker sees beside a session, if any."""
    state = engine.store.load(session_id)
    if state is None or state.phase.is_closed or not engine.settings.flag("recall.parallel"):
        return
    if found := beside(engine, session_id, state, state.worktree_id, state.host_pid):
        engine.append(session_id, {"note": "neighbours", "data": {"neighbours": found}})
        engine.settle(session_id)


def look_at_start(engine: Engine, line: dict[str, Any], session_id: str) -> None:
    """Adds to a start's line whom it finds at work."""
    data, pid = line["data"], line["data"].get("pid")
    if not engine.settings.flag("recall.parallel"):
        return
    own = _load(engine, session_id)
    found = beside(engine, session_id, own, str(data.get("worktree_id") or ""), pid if isinstance(pid, int) else None)
    if found:
        data["neighbours"] = found


def beside(engine: Engine, session_id: str, own: State | None, worktree_id: str, pid: int | None) -> list[str]:
    """The sessions at work in a worktree that changed files there, and that nobody told this one of yet.

    One without a process of its own is passed over: whether it lives is not known, or it is this very window.
    """
    known = {session_id, *(own.neighbours if own else ())}
    listed = (one for one in starts.newest(engine.layout, place_name(worktree_id)) if one["session"] not in known)
    alive = [one["session"] for one in listed if one.get("pid") not in (None, pid) and _runs(one)][:_LOOKED_AT]
    states = (state for one in alive if (state := _load(engine, one)))
    return [state.session_id for state in states if state.worktree_id == worktree_id and _changed_by(engine, state)]


def told_of(engine: Engine, state: State) -> tuple[str, dict[str, Any]]:
    """What the model is told of those that are owed, and what the tape remembers of it. Nothing of those that are gone by now."""
    loaded = (other for one in state.pending_neighbours if (other := _load(engine, one)))
    found = [(other, files) for other in loaded if (files := _changed_by(engine, other))]
    text = "".join(_sentence(other, files) for other, files in found)
    remembered: dict[str, Any] = {
        "neighbours": list(state.pending_neighbours),
        "amount": "notice",
        "why": "another session is at work in the same worktree",
        "session": found[0][0].session_id if found else "",
        "files": [path for _, files in found for path in files[-_FILES:]],
        "text": text,
        "tokens": -(-len(text) // 4),
    }
    return text, remembered


def _sentence(other: State, files: list[str]) -> str:
    shown = [single(clean(" ".join(path.split()))[:_LONGEST]) for path in files[-_FILES:]]
    listed = ", ".join(shown) + (f" and {len(files) - len(shown)} more" if len(files) > len(shown) else "")
    return (
        f"tapehead: another session ({NAMES.get(other.agent, 'agent')}) is at work in this worktree. It has changed, and not committed: "
        f"{listed}. Read these again before you edit them. `tapehead brief --session {other.session_id}` tells what it is doing.\n"
    )


def _changed_by(engine: Engine, state: State) -> list[str]:
    """What a session that is open and lives has changed and not committed, also in a turn that still runs."""
    if state.phase.is_closed or state.host_pid is None or process.is_lost(state.host_pid, state.host_started):
        return []
    found = dict.fromkeys((*state.files_touched, *engine.transcripts.edited_since(state, _READ)))
    below = f"{state.worktree_path}/"
    return list(dict.fromkeys(path.removeprefix(below) for path in found))


def _runs(start: dict[str, Any]) -> bool:
    pid = start.get("pid")
    return isinstance(pid, int) and not process.is_lost(pid, str(start.get("pid_started") or ""))


def _load(engine: Engine, session_id: str) -> State | None:
    try:
        return engine.store.load(session_id)
    except (Unreadable, OSError):
        return None
