"""What the agent's own summary says already: it is left out, and the room goes to what the summary lost."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tapehead.brief.selection import content_of
from tapehead.work_record.named_things import things
from tapehead.work_record.sentences import flat, sentences

if TYPE_CHECKING:
    from tapehead.brief.sections import Item

_LONG = 2_000
_QUOTED = re.compile(r"“(.+?)(?: … .*)?”|^- `(.+?)`")
_MARKS = re.compile(r"^\s*(?:- (?:\[ \] )?|\d+ |\+ )|\s*\((?:in progress|open|turn \d+)\)$")


class Said:
    """A summary, ready to be asked what it holds. An empty one holds nothing."""

    def __init__(self, summary: str) -> None:
        self.flat = flat(summary).lower()
        self.things = frozenset(things(summary))
        self.sentences = tuple(content_of(one) for one in sentences(summary, longest=_LONG))

    def holds(self, item: Item) -> bool:
        """Whether the summary says what an item says, word for word; where the work stands is always said anew."""
        if not self.flat or item.section == "now":
            return False
        return _core(item.text).lower() in self.flat


def lasting(summary: str) -> str:
    """An older summary without what was so only then: what was pending, in hand and next; and without the prompts, which are known."""
    kept: list[str] = []
    passing = False
    for line in summary.splitlines():
        if heading := _HEADING.match(line):
            passing = _PASSING.search(heading[1].lower()) is not None
        if not passing and not line.startswith(_ABOUT_ITSELF):
            kept.append(line)
    return "\n".join(kept)


_HEADING = re.compile(r"(?:#{1,4} |\d{1,2}\. |\*\*)\s*(.{3,60}?):?\*{0,2}:?\s*$")
_PASSING = re.compile(r"pending|current|next step|user messages|in progress|remaining|todo")
_ABOUT_ITSELF = ("Looking through", "Looking at this", "Let me ", "This conversation", "The conversation ")


def _core(text: str) -> str:
    """Give what an item says, without how it is written: the quoted words, the command, the line."""
    if quoted := _QUOTED.search(text):
        return flat(quoted[1] or quoted[2])
    return flat(_MARKS.sub("", text))
