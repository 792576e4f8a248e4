"""What was decided, with the reason where one was given: the agent's sentences, and the person's answers."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import partial
from itertools import accumulate, groupby

from tapehead.transcript import turns
from tapehead.transcript.found import Fact
from tapehead.transcript.sentences import bared, flat, parted, prose, tells

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tapehead.transcript.story import Story

_DECIDES = re.compile(
    r"(?:a(?:greed|pproach)|because|c(?:hosen?|onfirmed)|deci(?:ded (?:to|on|against)|sion)|fixed by|going with|"
    r"i(?:mplemented|nstead of)|let'?s use|opted|r(?:ather than|oot cause)|so that|"
    r"t(?:he (?:issue|problem|bug|cause|reason|fix) (?:is|was)|urns out|rade-?off|his means)|"
    r"using \S+ because|w(?:ent with|ill use|hich means))\b"
)
"""By their first letters: a pattern with few branches is tried faster at each letter of a text."""
_ANSWERED = re.compile(r'"([^"]{3,300})"="([^"]{1,300})"')


def decisions(story: Story) -> tuple[Fact, ...]:
    """Newest first, each sentence once."""
    found: dict[str, Fact] = {}
    for fact in sorted((*_said(story), *_answered(story)), key=lambda fact: -fact.at):
        found.setdefault(fact.text.lower(), fact)
    return tuple(found.values())


def deciding(texts: Sequence[str]) -> list[list[str]]:
    """Give the sentences of each text in which something is decided. One search goes over them all; lines without one are not taken apart."""
    together = "\n".join(texts)
    lowered = together.lower()
    if len(lowered) != len(together):  # few letters have a small one of another length; then no place is known
        return [deciding([text])[0] for text in texts] if len(texts) > 1 else [_decided(prose(together))]
    found: list[list[str]] = [[] for _ in texts]
    ends = [*accumulate(len(text) + 1 for text in texts)]
    places = [match.start() for match in _DECIDES.finditer(lowered)]
    for at, some in groupby(places, key=partial(bisect_right, ends)):
        begin = ends[at] - len(texts[at]) - 1
        found[at] = _decided(_lines_at(texts[at], [place - begin for place in some]))
    return found


def _decided(spoken: Iterable[str]) -> list[str]:
    """Give the sentences that decide something, of these lines."""
    raw = [one for line in spoken for one in parted(bared(line))]
    told = [*map(flat, raw)]
    lowered = [one.lower() for one in told]
    ends = [*accumulate(len(one) + 1 for one in lowered)]
    hits = dict.fromkeys(bisect_right(ends, match.start()) for match in _DECIDES.finditer("\n".join(lowered)))
    return [told[at] for at in hits if tells(raw[at])]


def _lines_at(text: str, places: Iterable[int]) -> Iterable[str]:
    """Give the spoken lines in which these places are; without a closer look at any other."""
    lines = _around(text, places)
    return filter({*lines}.__contains__, prose(text)) if "```" in text else lines


def _around(text: str, places: Iterable[int]) -> Iterator[str]:
    end = 0
    for place in places:
        if place >= end:
            end = text.find("\n", place) + 1 or len(text)
            yield from prose(text[text.rfind("\n", 0, place) + 1 : end])


def _said(story: Story) -> Iterator[Fact]:
    for place, told in story.sentences:
        for one in told:
            if _DECIDES.search(one.lower()):
                yield Fact(one, place.turn, place.time, place.at)


def _answered(story: Story) -> Iterator[Fact]:
    for act in story.acts:
        if act.call.kind == turns.QUESTION:
            for question, answer in _ANSWERED.findall(act.said):
                yield Fact(
                    f"{flat(question)} {flat(answer)}", act.place.turn, act.place.time, act.place.at, note="answer"
                )
