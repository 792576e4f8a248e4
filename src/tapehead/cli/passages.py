"""Hits of a search for a reader: by session, in local time, the matching words marked, each with the command that opens it."""

from __future__ import annotations

import sys
import textwrap
from datetime import datetime
from typing import TYPE_CHECKING

import click

from tapehead.history import layers
from tapehead.history.pointers import parse_pointer
from tapehead.text.marking import places
from tapehead.text.plain import plain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tapehead.history.ask import Passage
    from tapehead.history.search import Hit

_WIDTH = 80
_WHAT = {
    layers.PROMPT: "user",
    layers.REPLY: "agent",
    layers.CALL: "agent ran {}",
    layers.RESULT: "result of {}",
    layers.THINKING: "agent, thinking",
    layers.SUBAGENT: "subagent {}",
    layers.LINE: "the turn in one line",
    layers.COVERED: "the earlier turns in one line",
    layers.SUMMARY: "summary at a compaction",
    layers.SYSTEM: "notice in the agent's window",
    layers.HOOK: "hook {}",
    layers.IMAGE: "image",
}
"""What each kind of entry is, for a reader; the name of a tool or subagent stands where the braces are."""


def show_passages(found: Iterable[tuple[Passage, bool]], *, projects: bool) -> None:
    """Print hits; those of a session together, the best session first. The second of a pair says that a hit is of another store."""
    sessions: dict[str, list[tuple[Passage, bool]]] = {}
    for one, elsewhere in found:
        sessions.setdefault(one.hit.session, []).append((one, elsewhere))
    for number, hits in enumerate(sessions.values()):
        first = hits[0][0]
        pointer = parse_pointer(first.pointer)
        where = f"  {first.hit.project}" if projects and first.hit.project else ""
        _line(("\n" if number else "") + _cut(plain(f"Session {pointer.session if pointer else ''}{where}")), bold=True)
        for one, elsewhere in hits:
            _show(one, elsewhere=elsewhere)


def local_minute(time: str) -> str:
    """A time of the record, by the user's own clock; as it stands where it is none."""
    try:
        return datetime.fromisoformat(time).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):
        return time


def mark_words(snippet: str, words: tuple[str, ...]) -> str:
    """A snippet with its matching words marked: in bold on a terminal, between asterisks in a pipe."""
    if not words:
        return snippet
    return places(words).sub(
        lambda match: click.style(match[0], bold=True) if _is_seen() else f"**{match[0]}**", snippet
    )


def _show(one: Passage, *, elsewhere: bool) -> None:
    _line(f"  {local_minute(one.hit.time)}  {_who(one.hit)}{' (taken back)' if one.hit.taken_back else ''}")
    for line in textwrap.wrap(plain(one.hit.snippet), _WIDTH - 4 - 8, break_long_words=True, break_on_hyphens=False):
        _line(f"    {mark_words(line, one.hit.matched)}")
    _line(f"    tapehead detail {one.pointer}{' --all' if elsewhere else ''}", dim=True)


def _who(hit: Hit) -> str:
    told = _WHAT[hit.kind] if hit.name or "of {}" not in _WHAT[hit.kind] else "result"
    return _cut(plain(told.format(hit.name).strip()), _WIDTH - 20)


def _cut(text: str, width: int = _WIDTH) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"


def _is_seen() -> bool:
    return sys.stdout.isatty()


def _line(text: str, *, bold: bool = False, dim: bool = False) -> None:
    click.echo(click.style(text, bold=bold or None, dim=dim or None) if _is_seen() and (bold or dim) else text)
