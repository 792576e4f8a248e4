"""What the next context is told, chosen within a budget: pure."""

from __future__ import annotations

import re

from tapehead.restore.choose import choose
from tapehead.restore.fence import clean, quote
from tapehead.restore.items import items
from tapehead.restore.markdown import markdown
from tapehead.restore.sections import REACH, TITLES, WITHIN, Item
from tapehead.text.times import minute
from tapehead.tokens.estimate import room as room_of

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from tapehead.restore.given import Extras, RepoFacts
    from tapehead.transcript.found import Digest


def brief(  # noqa: PLR0913  what a brief depends on, each by name
    digest: Digest,
    *,
    budget: int,
    source: str,
    host_summary: str = "",
    repo: RepoFacts | None = None,
    hard_limit: int | None = None,
    extras: Extras | None = None,
) -> str:
    """Choose from the digest what is worth most per token, and write it.

    Never more than `budget` tokens (four characters each) and never more than `hard_limit` characters. `source` says
    which sections are given (startup, compact, resume, clear, full); an unknown one counts as compact. What
    `host_summary` says already is left out. An empty digest gives an empty text.
    """
    if not (digest.asks or digest.files or digest.commands or digest.in_flight):
        return ""
    room = min(room_of(budget), hard_limit if hard_limit is not None else room_of(budget))
    head = _head(digest, repo)
    if extras is not None and extras.room:
        head = f"{head}\nRoom before the next compaction: {extras.room}."
    more = _more(digest, extras) if source != "full" else ""
    reach = REACH.get(source, REACH["compact"])
    offered = [one for one in items(digest, room, extras) if _priority(one) <= reach]
    offered, known = _lost(offered, host_summary) if host_summary else (offered, frozenset())
    free = room - len(head) - len(more) - 2
    chosen = choose(offered, digest.weights, free, known)
    return _written(head, offered, chosen, more, room)


def _lost(offered: list[Item], host_summary: str) -> tuple[list[Item], frozenset[str]]:
    """Leave out what the host's summary says, and give what it names: that is known already."""
    from tapehead.restore.host_summary import Said  # noqa: PLC0415  only after a compaction

    summary = Said(host_summary)
    return [one for one in offered if not summary.holds(one)], summary.things


def _section(item: Item) -> str:
    return WITHIN.get(item.section, item.section)


def _priority(item: Item) -> int:
    return TITLES[_section(item)][1]


def _head(digest: Digest, repo: RepoFacts | None) -> str:
    when = quote(minute(digest.ended), 22)
    place = " on ".join(part for part in (quote(digest.cwd, 120), quote(digest.branch, 80)) if part)
    line = f"# The work so far: {digest.turns} turn{'' if digest.turns == 1 else 's'} to {when}" + (
        f", {place}" if place else ""
    )
    if repo is None:
        return line
    from tapehead.restore.freshness import freshness  # noqa: PLC0415  only where there is a repository

    return "\n".join(part for part in (line, freshness(repo)) if part)


def _more(digest: Digest, extras: Extras | None) -> str:
    command = extras.command if extras is not None else ""
    if not command and _PLAIN.fullmatch(digest.session):
        command = f"tapehead brief --full --session {digest.session}"
    return clean(f"The rest: `{command}`") if command else ""


_PLAIN = re.compile(r"\w[\w.-]{0,127}", re.ASCII)
"""A session id as hosts give them. A transcript may claim any: what is no word is not put into a command."""


def _left(offered: list[Item], chosen: list[Item]) -> dict[str, int]:
    left: dict[str, int] = {}
    for items_, sign in ((offered, 1), (chosen, -1)):
        for item in items_:
            if item.section not in WITHIN:
                left[item.section] = left.get(item.section, 0) + sign
    return left


def _written(head: str, offered: list[Item], chosen: list[Item], more: str, room: int) -> str:
    """Write what was chosen; a mask can be longer than what it hides, and then what was taken last goes."""
    while True:
        text = markdown(head, chosen, _left(offered, chosen), more)
        if len(text) <= room or not chosen:
            return text if len(text) <= room else ""
        chosen = chosen[:-1]
