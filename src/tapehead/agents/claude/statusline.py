"""What Claude Code tells its status line: the only place where it says how large the window is, and what it all cost. Light.

Only this folder knows Claude Code's own field names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.store.paths import is_session_id

if TYPE_CHECKING:
    from collections.abc import Mapping

_USAGE = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
"""What the model read; what it wrote is not counted in, as in the agent's own percentage."""
_COMPACTS_WITHIN = "CLAUDE_CODE_AUTO_COMPACT_WINDOW"
"""A smaller window that the user asked the agent to compact within."""
_MOST = 10**12


class Seen:
    """One look at a session, as its agent had it."""

    __slots__ = ("cost", "directory", "model", "session_id", "transcript", "used", "window")

    def __init__(self, session_id: str, directory: str) -> None:
        self.session_id = session_id
        self.directory = directory
        """Where it was started."""
        self.transcript = ""
        self.model = ""
        self.window: int | None = None
        self.used: int | None = None
        """None where the agent does not know: before the first answer, and after a compaction."""
        self.cost: float | None = None
        """Dollars so far, as the agent reckons."""


def seen(payload: object, env: Mapping[str, str]) -> Seen | None:
    """What a payload says; None where it names no session."""
    session_id = _within(payload, "session_id")
    if not isinstance(session_id, str) or not is_session_id(session_id):
        return None
    found = Seen(session_id, _directory(payload))
    path = _within(payload, "transcript_path")
    found.transcript = path if isinstance(path, str) and path.startswith("/") and "\0" not in path else ""
    model = _within(payload, "model", "id")
    found.model = model[:200] if isinstance(model, str) else ""
    found.window = _window(payload, env)
    found.used = _used(payload, found.window)
    cost = _within(payload, "cost", "total_cost_usd")
    found.cost = (
        float(cost) if isinstance(cost, (int, float)) and type(cost) is not bool and 0 <= cost < _MOST else None
    )
    return found


def _directory(payload: object) -> str:
    places = (("workspace", "project_dir"), ("workspace", "current_dir"), ("cwd",))
    found = (_within(payload, *place) for place in places)
    return next((path for path in found if isinstance(path, str) and path.startswith("/") and "\0" not in path), "")


def _window(payload: object, env: Mapping[str, str]) -> int | None:
    size = _count(_within(payload, "context_window", "context_window_size"))
    asked = env.get(_COMPACTS_WITHIN, "")
    smaller = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < len(str(_MOST)) else 0
    return (min(size, smaller) if smaller else size) if size else None


def _used(payload: object, window: int | None) -> int | None:
    usage = _within(payload, "context_window", "current_usage")
    if isinstance(usage, dict):
        return sum(_count(usage.get(name)) for name in _USAGE) or None
    share = _within(payload, "context_window", "used_percentage")
    known = window and isinstance(share, (int, float)) and type(share) is not bool and 0 < share <= 100  # noqa: PLR2004 - percent
    return int(window * share / 100) if known else None  # type: ignore[operator]  # both are known


def _count(value: object) -> int:
    return value if type(value) is int and 0 <= value < _MOST else 0


def _within(value: object, *names: str) -> object:
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value
