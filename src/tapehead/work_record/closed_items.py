"""Open items that the agent's later words closed: a list is often left as it was when the work on it ends."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tapehead.work_record.sentences import prose, split_sentences, strip_marks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tapehead.work_record.step_row import Place

_ENDS = re.compile(
    r"\b(?:done|completed?|finished|fixed|implemented|closed|merged|resolved|in place|added|removed|renamed|updated|written|created|pass(?:es|ed)?)\b"
    r"|^(?:✅|✓|☑|\[x\]|~~)",
    re.IGNORECASE,
)
_NOT_YET = re.compile(
    r"\b(?:not|n't|never|next|still|remaining|remains?|will|won't|need(?:s|ed)? to|to do|todo|pending|later|once|when|until|before|after|if|"
    r"should|would|can|could|partly|partially|almost|in progress|let me|let's|now (?:i|let|we)|start(?:ing)?|begin|continue|going to|i'll|wip)\b|\?|:$|…$",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"\ball (?:of )?(?:the |my |our |\d+ )?(?:tasks?|to-?dos?|items?|steps?)(?: on the list)? (?:are |have been |is )?(?:now )?(?:all )?"
    r"(?:done|completed?|finished)\b",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"\W*(?:the )?(task|step|phase|item|to-?do)[ -]?#?(\d+)\b", re.IGNORECASE)
_A_WORD, _SHARE, _ENOUGH, _LONGEST = 4, 0.75, 2, 300


def closed_at(item: str, said: Iterable[tuple[Place, str]]) -> Place | None:
    """Where the agent said that an item is done, of what it said after the item was last set; None where it did not."""
    words, number = _words(item), _number(item)
    for place, text in said:
        for sentence in _ended(text):
            if _ALL.search(sentence) or (number and number == _number(sentence)) or _tells_of(words, sentence):
                return place
    return None


def _ended(text: str) -> Iterator[str]:
    """The sentences that say that something is over, and nothing of what is not."""
    for line in prose(text):
        if _ENDS.search(line.lstrip("-*# ")):
            mark = "✓ " if _ENDS.match(line.lstrip("-*# ")) else ""
            for one in split_sentences(strip_marks(line), _LONGEST):
                if (mark or _ENDS.search(one)) and not _NOT_YET.search(one):
                    yield one


def _tells_of(words: frozenset[str], sentence: str) -> bool:
    return len(words) >= _ENOUGH and len(words & _words(sentence)) >= max(_ENOUGH, _SHARE * len(words))


def _words(text: str) -> frozenset[str]:
    bare = "".join(c if c.isalnum() or c == "_" else " " for c in text.lower()).split()
    return frozenset(_stem(word) for word in bare if len(word) >= _A_WORD)


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= _A_WORD - 1:
            return word[: -len(ending)].rstrip("e")
    return word.rstrip("e")


def _number(text: str) -> str:
    """What an item is called by, where it begins with a number such as `Task 3`."""
    found = _NUMBERED.match(text)
    return f"{found[1].lower()} {found[2]}" if found else ""
