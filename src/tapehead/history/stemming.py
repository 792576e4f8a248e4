"""Words without their endings, by Porter's rules, as the index of words stems them: `migrations`, `migrated` and `migrate` are one. Pure.

SQLite stems what it indexes and what it is asked for. Here the same is needed to mark words in a text and to compare the words of the
index with those of a question.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

_VOWELS = frozenset("aeiou")
_SHORTEST = 3
"""Letters of the shortest word that has an ending."""
_LONGEST = 64
_SECOND = (
    *(("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("logi", "log")),
    *(("bli", "ble"), ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("ization", "ize")),
    *(("ation", "ate"), ("ator", "ate"), ("alism", "al"), ("iveness", "ive"), ("fulness", "ful")),
    *(("ousness", "ous"), ("aliti", "al"), ("iviti", "ive"), ("biliti", "ble")),
)
_THIRD = (("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", ""))
_FOURTH = (
    *("ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous", "ive", "ize", "ion"),
    *("al", "er", "ic", "ou"),
)


@lru_cache(4096)
def stem(word: str) -> str:
    """The stem of a word in small letters; words of other scripts stay as they are."""
    if not _SHORTEST <= len(word) <= _LONGEST or not word.isascii() or not word.isalnum():
        return word
    word = _without_past(_without_plural(word))
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = f"{word[:-1]}i"
    for endings in (_SECOND, _THIRD):
        word = _replaced(word, endings)
    return _without_last(_without_fourth(word))


def surely(root: str) -> str:
    """The letters that every word with a stem begins with."""
    return root[:-1] if len(root) > _SHORTEST and root[-1] in "iey" else root


def _without_plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _without_past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    ending = next((end for end in ("ed", "ing") if word.endswith(end)), "")
    bare = word.removesuffix(ending)
    if not ending or not _has_vowel(bare):
        return word
    if bare.endswith(("at", "bl", "iz")) or (_measure(bare) == 1 and _ends_short(bare)):
        return f"{bare}e"
    return bare[:-1] if _ends_double(bare) and bare[-1] not in "lsz" else bare


def _replaced(word: str, endings: tuple[tuple[str, str], ...]) -> str:
    for ending, by in endings:
        if word.endswith(ending):
            bare = word.removesuffix(ending)
            return bare + by if _measure(bare) else word
    return word


def _without_fourth(word: str) -> str:
    for ending in _FOURTH:
        if word.endswith(ending):
            bare = word.removesuffix(ending)
            fits = ending != "ion" or bare.endswith(("s", "t"))
            return bare if fits and _measure(bare) > 1 else word
    return word


def _without_last(word: str) -> str:
    if word.endswith("e"):
        bare = word[:-1]
        if _measure(bare) > 1 or (_measure(bare) == 1 and not _ends_short(bare)):
            word = bare
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word


def _is_consonant(word: str, at: int) -> bool:
    if word[at] == "y":
        return at == 0 or not _is_consonant(word, at - 1)
    return word[at] not in _VOWELS


def _measure(word: str) -> int:
    """How often a consonant follows a vowel."""
    kinds = [_is_consonant(word, at) for at in range(len(word))]
    return sum(now and not before for before, now in pairwise(kinds))


def _has_vowel(word: str) -> bool:
    return any(not _is_consonant(word, at) for at in range(len(word)))


def _ends_double(word: str) -> bool:
    return len(word) > 1 and word[-1] == word[-2] and _is_consonant(word, len(word) - 1)


def _ends_short(word: str) -> bool:
    """Whether it ends like `hop` or `fil`, to which an e may belong."""
    last = len(word) - 1
    return (
        last > 1
        and _is_consonant(word, last)
        and not _is_consonant(word, last - 1)
        and _is_consonant(word, last - 2)
        and word[-1] not in "wxy"
    )
