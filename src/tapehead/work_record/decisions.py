"""What was decided, with the reason where one was given: the agent's sentences, and the user's answers."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import partial
from itertools import accumulate, groupby
from typing import TYPE_CHECKING

from tapehead.transcript import turns
from tapehead.work_record.facts import Fact
from tapehead.work_record.replies import answers_by_number
from tapehead.work_record.sentences import flat, prose, split_sentences, strip_marks, tells

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tapehead.work_record.step_row import Conversation

_DECIDES = re.compile(
    rb" (?:a(?:dopted|greed|pproach)|because|c(?:hosen?|onfirmed)|deci(?:ded (?:to|on|against)|sion)|fixed by|going with|"
    rb"i(?:mplemented|nstead of)|let ?s use|opted|r(?:ather than|eimplemented|oot cause)|so that|"
    rb"t(?:he (?:issue|problem|bug|cause|reason|fix) (?:is|was)|urns out|rade ?off|his means)|"
    rb"w(?:ent with|ill use|hich means))\b"
)
"""In words, each behind a blank, so that a search goes from blank to blank; by their first letters, since few branches are tried faster."""
_OF_WORDS = b"abcdefghijklmnopqrstuvwxyz_0123456789"
_IN_WORDS = bytes(c if c in _OF_WORDS else ord(" ") for c in bytes(range(256)).lower())
_ANSWERED = re.compile(r'"([^"]{3,300})"="([^"]{1,300})"')


def decisions(conversation: Conversation) -> tuple[Fact, ...]:
    """Newest first, each sentence once."""
    found: dict[str, Fact] = {}
    for fact in sorted((*_said(conversation), *_answered(conversation)), key=lambda fact: -fact.at):
        found.setdefault(fact.text.lower(), fact)
    return tuple(found.values())


def deciding(texts: Sequence[str]) -> list[list[str]]:
    """Give the sentences of each text in which something is decided. One search goes over them all; lines without one are not taken apart."""
    found: list[list[str]] = [[] for _ in texts]
    places = [match.start() for match in _DECIDES.finditer(_words("\n".join(("", *texts))))]
    if places:
        ends = [*accumulate(len(text) + 1 for text in texts)]
        for at, some in groupby(places, key=partial(bisect_right, ends)):
            begin = ends[at] - len(texts[at]) - 1
            found[at] = _decided(_lines_at(texts[at], [place - begin for place in some]))
    return found


def _decided(spoken: Iterable[str]) -> list[str]:
    """Give the sentences that decide something, of these lines."""
    told = ((one, flat(one)) for line in spoken for one in split_sentences(strip_marks(line)))
    return [shown for one, shown in told if _decides(shown) and tells(one)]


def _decides(sentence: str) -> bool:
    return _DECIDES.search(_words(f" {sentence}")) is not None


def _words(text: str) -> bytes:
    """A text's words in small letters, with blanks between them; each letter where it stood, whatever else the text holds."""
    return text.encode("latin-1", "replace").translate(_IN_WORDS)


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


def _said(conversation: Conversation) -> Iterator[Fact]:
    for place, told in conversation.sentences:
        for one in told:
            if _decides(one):
                yield Fact(one, place.turn, place.time, place.at)


def _answered(conversation: Conversation) -> Iterator[Fact]:
    yield from _answered_by_number(conversation)
    for act in conversation.acts:
        if act.call.kind == turns.QUESTION:
            for question, answer in _ANSWERED.findall(act.said):
                others = "; ".join(
                    label for asked, label in act.call.pairs if asked == question and label not in answer
                )
                over = f" (other options: {others})" if others else ""
                text = flat(f"{question} → {answer}{over}")
                yield Fact(text, act.place.turn, act.place.time, act.place.at, note="answer")


def _answered_by_number(conversation: Conversation) -> Iterator[Fact]:
    """What the user said to each of the points that the agent had numbered: alone, neither says what was decided."""
    for place, said in conversation.human:
        if "\n" not in said.text or len(said.text) > _A_REPLY or not _NUMBERED.search(said.text):
            continue
        before = [text for at, text in conversation.agent if at.at < place.at][: -_BACK - 1 : -1]
        for point, answer in answers_by_number(before, said.text):
            yield Fact(f"{point} → {answer}", place.turn, place.time, place.at, note="answer")


_NUMBERED = re.compile(r"^\s*#?\d{1,2}[.):]", re.MULTILINE)
_A_REPLY, _BACK = 3_000, 3
"""Letters of such a reply; how many of the agent's messages before it may hold the points."""
