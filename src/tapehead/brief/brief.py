"""What the next context is told, chosen within a budget: pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tapehead.brief.items import items
from tapehead.brief.markdown import markdown
from tapehead.brief.sections import LEGEND, REACH, SHORT_LEGEND, TITLES, WITHIN, Item
from tapehead.brief.selection import Known, choose
from tapehead.text.fence import clean, quote
from tapehead.text.redaction import redact_all, without_told
from tapehead.text.repeated_secrets import Repeated
from tapehead.text.times import minute
from tapehead.tokens.estimate import room as room_of

if TYPE_CHECKING:
    from tapehead.brief.inputs import Extras, RepoFacts
    from tapehead.work_record.facts import WorkRecord


def brief(  # noqa: PLR0913  what a brief depends on, each by name
    digest: WorkRecord,
    *,
    budget: int,
    source: str,
    host_summary: str = "",
    repo: RepoFacts | None = None,
    hard_limit: int | None = None,
    extras: Extras | None = None,
) -> str:
    """Choose from the work record what is worth most per token, and write it.

    Never more than `budget` tokens (four characters each) and never more than `hard_limit` characters. `source` says
    which sections are given (startup, compact, resume, clear, full); an unknown one counts as compact. What
    `host_summary` says already is left out. An empty work record gives an empty text.
    """
    if not (digest.asks or digest.files or digest.commands or digest.in_flight):
        return ""
    room = min(room_of(budget), hard_limit if hard_limit is not None else room_of(budget))
    head = _head(digest, repo, everything=source == "full")
    if extras is not None and extras.origin:
        head = f"{head}\nThis session came {extras.origin}."
    if extras is not None and extras.room:
        head = f"{head}\nRoom before the next compaction: {extras.room}."
    head = f"{head}\n{LEGEND if room >= _ROOM_TO_EXPLAIN else SHORT_LEGEND}"
    more = _more(digest, extras) if source != "full" else ""
    reach = REACH.get(source, REACH["compact"])
    left = room - len(head) - len(more) - 2
    spare = 0
    for ample in (False, True, True):
        offered = [one for one in items(digest, room, extras, ample=ample, spare=spare) if _priority(one) <= reach]
        known = Known()
        if host_summary:
            offered, known = _lost(offered, host_summary)
        chosen = choose(offered, digest.weights, left, known)
        used = sum(len(one.text) + 1 for one in chosen)
        if used > left * _FILLED or used + spare > left:
            break  # otherwise little was said, and it can be told whole
        spare = int(left * _FILLED) - used if ample else 0
    return without_told(_written(head, chosen, more, room), _told(digest))


_FILLED = 0.9


def _told(digest: WorkRecord) -> Repeated:
    """The secrets that the user or a command told: elsewhere they stand bare."""
    told = Repeated()
    redact_all([*(fact.text for fact in (*digest.asks, *digest.rules)), *(ran.text for ran in digest.commands)], told)
    return told


def _lost(offered: list[Item], host_summary: str) -> tuple[list[Item], Known]:
    """Leave out what the agent's summary says, and give what it names and tells: that is known already."""
    from tapehead.brief.agent_summary import Said  # noqa: PLC0415  only after a compaction

    summary = Said(host_summary)
    left = [one for one in offered if not summary.holds(one)]
    known = [_reminder(one) for one in offered if one.section in WITHIN.values() and summary.holds(one)]
    return [*left, *known], Known(summary.things, summary.sentences)


def _reminder(item: Item) -> Item:
    """The beginning of a line that is known: it says what the lines under it are about, and is worth nothing else."""
    return item._replace(text=item.text if len(item.text) <= _BEGINNING else f"{item.text[:_BEGINNING]}…”", worth=0.0)


_BEGINNING = 60
_ROOM_TO_EXPLAIN = 3_000


def _section(item: Item) -> str:
    return WITHIN.get(item.section, item.section)


def _priority(item: Item) -> int:
    return TITLES[_section(item)][1]


def _head(digest: WorkRecord, repo: RepoFacts | None, *, everything: bool) -> str:
    when = quote(minute(digest.ended), 22)
    branch = repo.branch if repo is not None else digest.branch  # git's own word: a record may name another work tree's
    place = " on ".join(part for part in (quote(digest.cwd, 120), quote(branch, 80)) if part)
    line = f"# The work so far: {digest.turns} turn{'' if digest.turns == 1 else 's'} to {when}" + (
        f", {place}" if place else ""
    )
    if repo is None:
        return line
    from tapehead.brief.freshness import freshness  # noqa: PLC0415  only where there is a repository

    return "\n".join(part for part in (line, freshness(repo, everything=everything)) if part)


def _more(digest: WorkRecord, extras: Extras | None) -> str:
    command = extras.command if extras is not None else ""
    if not command and _PLAIN.fullmatch(digest.session):
        command = f"tapehead brief --full --session {digest.session}"
    if not command:
        return ""
    if extras is None or not extras.known:
        return clean(f"The rest: `{command}`")
    turn = f"{extras.known[:_ENOUGH_OF_AN_ID]}/{max(1, digest.turns)}"
    deeper = f"tool `open` with {turn}, `recall` finds words" if extras.tools else f"`tapehead detail {turn}`"
    return clean(f"A turn in full: {deeper}. The rest: `{command}`")


_ENOUGH_OF_AN_ID = 13
"""Letters by which a session is known: ids that begin with the time differ by then."""
_PLAIN = re.compile(r"\w[\w.-]{0,127}", re.ASCII)
"""A session id as agents give them. A transcript may claim any: what is no word is not put into a command."""


def _written(head: str, chosen: list[Item], more: str, room: int) -> str:
    """Write what was chosen; a mask can be longer than what it hides, and then what was taken last goes."""
    while True:
        text = markdown(head, chosen, more)
        if len(text) <= room or not chosen:
            return text if len(text) <= room else ""
        chosen = chosen[:-1]
