"""What people and earlier sessions left, as lines of a brief."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.brief.sections import A_SENTENCE, ALWAYS, WHOLE, Item
from tapehead.text.fence import put_in_quotes, quote
from tapehead.work_record.sentences import flat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.brief.inputs import Extras
    from tapehead.work_record.facts import WorkRecord


def extra_items(digest: WorkRecord, extras: Extras) -> Iterator[Item]:
    """Each line in its section, as it is."""
    for section, label, texts in (
        ("now", "Focus", extras.focus),
        ("now", "Note", extras.notes),
        ("now", "Rewound", extras.put_back),
        ("now", "Not recorded", extras.not_recorded),
        ("now", "Thought last", extras.thoughts),
        ("open", "Next", extras.next_steps),
        ("open", "Thread", extras.threads[:5]),
        ("before", "", extras.before),
        ("decided", "", extras.adrs),
        ("project", "", extras.project),
        ("archive", "", extras.archive),
    ):
        for n, text in enumerate(texts):
            said = quote(text, WHOLE // 2 if text in extras.thoughts else A_SENTENCE)
            said = f"{label}: {said}" if label else said
            yield Item(section, f"- {said}", ALWAYS if section == "now" else 3.0, -1000 + n)
    for n, (section, text, by_user) in enumerate(extras.noted):
        yield Item(section, f"- {quote(text, A_SENTENCE)}", _BY_USER if by_user else _NOTED, n - 900)
    yield from _began(digest, extras)


def _began(digest: WorkRecord, extras: Extras) -> Iterator[Item]:
    """Give what the user said first of all, where the work record came too late for it."""
    told = "\n".join(flat(fact.text) for fact in (*digest.rules, *digest.asks)) if extras.began else ""
    for n, (section, words) in enumerate(extras.began):
        if words[:_KNOWN_BY] not in told:
            yield Item(section, f"- early on: {put_in_quotes(words, A_SENTENCE)}", _BY_USER, n - 950)
            told += "\n" + words[:A_SENTENCE]


_KNOWN_BY = 60
"""Letters by which a sentence is known again: the notes have long ones cut."""
_BY_USER, _NOTED = 5.0, 0.1
"""What the user wrote into the notes goes first; what the notes have from long ago is worth what it names."""
