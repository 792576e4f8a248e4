"""Compressions that only the session file tells of: one line replaces the whole history, and a snapshot stands in it. Light.

The hook before a compression comes before every answer, whether one follows or not, and none comes after it. So each hook looks at
what the file has gained since the hook before it, whose line on the tape says up to which byte it had looked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead import door
from tapehead.agents.hook_event import Heard
from tapehead.agents.record_news import looked_up_to, read_added, size
from tapehead.statemachine.vocabulary import Event

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_EVENT = b'"event":"'
_SNAPSHOT = b"<state_snapshot>"
_SUMMARY = 100_000
_MOST = 1 << 28


def compressions(found: Heard, tape_end: Callable[[], bytes]) -> list[Heard]:
    """What happened since the last look, oldest first; `found` itself says up to where it looked."""
    path = found.data.get("transcript_path")
    if not isinstance(path, str):
        return []
    tape = tape_end()
    since = looked_up_to(tape)
    if since is None or found.event is Event.SESSION_START:  # what was before the first look is no news
        found.data["record"] = size(path) if since is None else since
        return []
    news = read_added(path, since)
    found.data["record"] = since + len(news)
    told: list[Heard] = []
    for summary in _summaries(path, since, news) if _SNAPSHOT in news else ():
        announced = not told and tape.rpartition(_EVENT)[2].startswith(b'compaction"')
        told += [] if announced else [_event(found, Event.COMPACTION, "auto")]
        told.append(_event(found, Event.COMPACTED, "manual" if announced else "auto"))
        told[-1].data["summary"] = summary
    return told


def _event(found: Heard, event: Event, trigger: str) -> Heard:
    made = Heard(found.host, found.hook, found.session_id)
    made.event = event
    made.data = {"trigger": trigger, "transcript_path": found.data["transcript_path"]}
    if event is Event.COMPACTED:  # whoever is killed before this line is written looks again
        made.data["record"] = found.data["record"]
    return made


def _summaries(path: str, since: int, news: bytes) -> Iterator[str]:
    """The snapshots that are new: after a resume the agent writes the old one again, with the whole history."""
    from tapehead.agents.gemini import prompts  # noqa: PLC0415 - only where there is a snapshot
    from tapehead.agents.gemini.messages import text_of  # noqa: PLC0415 - as above
    from tapehead.transcript.entries import dicts, entry_of, within, word  # noqa: PLC0415 - as above

    known = _before(path, since)
    for line in news.splitlines():
        for message in dicts(within(entry_of(line), "$set"), "messages") if _SNAPSHOT in line else ():
            text, ident = text_of(message.get("content")), word(message, "id").encode("utf-8", "replace")
            if prompts.is_summary(text) and not (ident and ident in known):
                known += ident
                yield prompts.summary_words(text)[:_SUMMARY]


def _before(path: str, since: int) -> bytes:
    try:
        return door.read(path, min(since, _MOST))
    except OSError:
        return b""
