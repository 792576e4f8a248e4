"""`tapehead statusline`: a line for Claude Code's status line, from what it says on stdin. Light, and never fails its agent.

What the agent says there it says nowhere else, so it is kept beside the session for the other commands.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tapehead.agents.claude.statusline import Seen, seen
from tapehead.engine import spool
from tapehead.engine.current_phase import Standing, is_recorded, standing
from tapehead.engine.stdin import Unusable, read_value
from tapehead.engine.store_location import config_home, place_of, state_home
from tapehead.settings.loading import load
from tapehead.store import agent_figures as store_seen
from tapehead.store import off_switch
from tapehead.store.paths import Layout
from tapehead.tokens.window import BLOCKED, COMPACTS, ERROR, FINE, WARNING, Margins, Thresholds

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tapehead.settings.loading import Settings

_COLOURS = {WARNING: "33", ERROR: "31", COMPACTS: "31", BLOCKED: "1;31"}
_NARROW = 20
_OFF = "off"
_FOR_SPOOL = 0.1
"""Seconds for what hooks told and nobody took in yet."""
_MILLION = 999_500


class Look:
    """All that the line says."""

    __slots__ = ("marks", "seen", "standing")

    def __init__(self, found: Seen, stands: Standing, marks: Thresholds | None) -> None:
        self.seen = found
        self.standing = stands
        self.marks = marks
        """None where the agent does not say how large the window is."""


def run(descriptor: int, env: Mapping[str, str]) -> str:
    """The line; nothing where nothing sensible came."""
    look = read_payload(descriptor, env)
    return line(look, env, time.time()) if look else ""


def read_payload(descriptor: int, env: Mapping[str, str]) -> Look | None:
    """What the payload says, beside what is on record; None where it is no payload."""
    try:
        payload, _ = read_value(descriptor)
    except (Unusable, OSError):
        return None
    found = seen(payload, env)
    if found is None:
        return None
    if spool.has_entries(spool.folder_in(state_home(env))):
        from tapehead.engine.spool_intake import take_in_first  # noqa: PLC0415 - rarely needed

        take_in_first(env, _FOR_SPOOL)
    roots = place_of(found.directory, env).roots if found.directory else ()
    if off_switch.is_off(map(Layout, roots), time.time_ns()):
        return Look(found, Standing(_OFF, None), None)
    layout = next((each for each in map(Layout, roots) if is_recorded(each, found.session_id)), None)
    if layout is None:
        return Look(found, Standing("", None), _marks(found, load("", config_home(env), env)))
    said: dict[str, object] = {"model": found.model, "window": found.window, "used": found.used, "cost": found.cost}
    store_seen.keep(layout, found.session_id, said, time.time())
    settings = load(layout.root, config_home(env), env)
    stands = standing(layout, found.session_id)
    if stands.waiting and _is_answered(found, stands):
        stands.waiting = None
    return Look(found, stands, _marks(found, settings))


def _is_answered(found: Seen, stands: Standing) -> bool:
    from tapehead.agents.claude.answers import is_answered  # noqa: PLC0415 - mostly nobody waits

    return is_answered(found.transcript, stands.waiting or {}, stands.pid)


def _marks(found: Seen, settings: Settings) -> Thresholds | None:
    return Thresholds(found.window, margins(settings)) if found.window else None


def margins(settings: Settings) -> Margins:
    """The margins as they are set."""
    return Margins(
        reserve=settings.number("window.reserve"),
        compacts=settings.flag("window.compacts"),
        warning=settings.number("window.warning"),
        error=settings.number("window.error"),
        auto_compact=settings.number("window.auto_compact"),
        blocking=settings.number("window.blocking"),
    )


def line(look: Look, env: Mapping[str, str], now: float) -> str:
    """As many parts as fit, the first ones first."""
    if look.standing.phase == _OFF:
        return f"tapehead {_OFF}"
    parts = [
        _phase(look.standing),
        _context(look),
        _captured(look.standing.captured, now),
    ]
    room = _columns(env)
    text = ""
    for part in filter(None, parts):
        longer = f"{text} | {part}" if text else f"tapehead {part}"
        if len(longer) > room:
            break
        text = longer
    return _coloured(text, look, env)


def _phase(stands: Standing) -> str:
    phase = "".join(filter(str.isalpha, stands.phase)).upper() or "not recorded"
    asks = stands.waiting is not None and stands.waiting.get("what") in ("approval", "question")
    return f"{phase}, waits for you" if asks else phase


def _context(look: Look) -> str:
    used, marks = look.seen.used, look.marks
    if used is None:
        return f"compacts at {short(marks.auto_compact)}" if marks else ""
    if marks is None:
        return f"context {short(used)}"
    rest = {COMPACTS: "compaction is due", BLOCKED: "full"}.get(marks.level(used), f"{marks.percent_left(used)}% left")
    return f"context {short(used)} of {short(marks.auto_compact)}, {rest}"


def _captured(at: float | None, now: float) -> str:
    if at is None:
        return ""
    form = "%H:%M" if 0 <= now - at < 12 * 3_600 else "%Y-%m-%d"
    return f"captured {time.strftime(form, time.localtime(at))}"


def short(tokens: int) -> str:
    """A number of tokens in four letters."""
    if tokens < 1_000:  # noqa: PLR2004 - a thousand
        return str(tokens)
    if tokens < _MILLION:
        return f"{tokens / 1_000:.0f}k"
    return f"{tokens / 1_000_000:.1f}M"


def _columns(env: Mapping[str, str]) -> int:
    told = env.get("COLUMNS", "")
    return max(_NARROW, int(told) - 4) if told.isascii() and told.isdigit() and len(told) < 6 else 200  # noqa: PLR2004 - no screen is wider


def _coloured(text: str, look: Look, env: Mapping[str, str]) -> str:
    """In colour only where it warns, and the words say the same without it."""
    level = look.marks.level(look.seen.used) if look.marks and look.seen.used is not None else FINE
    if level == FINE or env.get("NO_COLOR") or env.get("TERM") == "dumb":
        return text
    return f"\x1b[{_COLOURS[level]}m{text}\x1b[0m"
