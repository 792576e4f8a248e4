"""What a brief takes from the running notes: first what a user wrote there, then, where they are fresh, what they have from long ago.

Of a transcript that is too long to be read while someone waits, a work record sees only the end: how the work began, and the rules that were
set then, the notes alone still know.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from tapehead.brief import session_work
from tapehead.documents import notes_basis
from tapehead.documents import notes_file as notes
from tapehead.documents.section_merge import Standing, by_the_user
from tapehead.notes import rendering
from tapehead.notes.counts import read_counts
from tapehead.notes.knowledge import read_known
from tapehead.transcript import jsonl

if TYPE_CHECKING:
    from tapehead.store.paths import Layout

_WHERE = {
    rendering.TITLE: "now",
    rendering.STATE: "now",
    rendering.TASK: "rules",
    rendering.FILES: "files",
    rendering.WORKFLOW: "commands",
    rendering.ERRORS: "rules",
    rendering.LEARNINGS: "decided",
    rendering.RESULTS: "decided",
    rendering.WORKLOG: "decided",
}
"""The section of a brief in which a line of the notes is of use."""
_OWN = (rendering.LEARNINGS,)
"""What the notes remember longer than a work record does, which looks at the newest messages."""
_FRESH = 256 * 1024
"""Bytes of a transcript that may have come since: more than that, and the notes are not where the work is."""
_BULLET = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?")
_TURN = re.compile(r" \(turn \d+\)$")
"""Without it a sentence reads as the work record has it, and is not said twice."""
_MOST = 24


def read_notes(layout: Layout, session_id: str) -> tuple[tuple[str, str, bool], ...]:
    """Section, line, and whether it is a user's."""
    kept = notes_basis.load(layout, session_id)
    text = notes.read(layout, session_id)
    record = notes.record_in(kept)
    by_hand = by_the_user(text, record, rendering.TITLES)
    found = [(_WHERE[title], _bare(line), True) for title, lines in by_hand.items() for line in lines][:_MOST]
    if _is_fresh(kept):
        standing = Standing(text)
        there = ((title, line) for title in _OWN for line in standing.body(title) or ())
        found += [
            (_WHERE[title], _TURN.sub("", _bare(line)), False)
            for title, line in there
            if line in record.newest.get(title, ())
        ]
    return tuple(one for one in found if one[1])


def began(layout: Layout, session_id: str) -> tuple[tuple[str, str], ...]:
    """The first prompt and the rules, where a work record may come too late for them: section and words."""
    kept = notes_basis.load(layout, session_id)
    known = read_known(kept.get("known"))
    if known is None or jsonl.size(str(kept.get("path"))) <= session_work.AT_MOST or not _is_fresh(kept):
        return ()
    return (*(("asked", text) for _, _, text in known.asks[:1]), *(("rules", text) for _, text in known.rules))


def _is_fresh(kept: dict[str, object]) -> bool:
    path = kept.get("path")
    try:
        return isinstance(path, str) and os.stat(path).st_size - read_counts(kept.get("counted"), path).known <= _FRESH
    except OSError:
        return False


def _bare(line: str) -> str:
    return _BULLET.sub("", line).strip()
