"""What was decided, with the reason where one was given: the agent's sentences, and the person's answers."""

from __future__ import annotations

import re

from tapehead.transcript import turns
from tapehead.transcript.found import Fact
from tapehead.transcript.sentences import bared, flat, parted, prose, tells

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from collections.abc import Iterator

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


def deciding(text: str) -> list[str]:
    """Give the sentences of a text in which something is decided; lines without one are not taken apart."""
    lowered = text.lower()
    places = [match.start() for match in _DECIDES.finditer(lowered)]
    if not places:
        return []
    spoken = prose(text) if "```" in text or len(lowered) != len(text) else _lines_at(text, places)
    lines = (bare for line in spoken if _DECIDES.search(flat(bare := bared(line)).lower()))
    return [one for bare in lines for raw in parted(bare) if _DECIDES.search((one := flat(raw)).lower()) and tells(raw)]


def _lines_at(text: str, places: list[int]) -> Iterator[str]:
    """Give the spoken lines in which these places are; without looking at any other."""
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
