"""Where words stand in a text, for many words and megabytes of text: each is looked for once, and those with a rare letter in common together. Pure."""

from __future__ import annotations

import re

_LONG = 20_000
"""Letters from which on an expression for several words pays: before, it is not worth being compiled."""
_BY_LETTER: dict[bytes, tuple[bytes, ...]] = {
    b"k": (b"key", b"token", b"cookie", b"kennwort"),
    b"w": (b"pwd", b"pw ", b"pw:", b"pw=", b" in with ", b"wifi", b"wachtwoord"),
    b"g": (b"login", b"sig=", b"securestring", b"gangsdaten"),
    b"p": (b"pass", b"pin", b" phrase", b"printf "),
    b"/": (b"//hook", b" /rp ", b" /p:"),
}
"""Words by a letter that stands in all of them and seldom elsewhere: one search for the letter leads to them all.

No two of them may stand on the same letter: only one of them would be found.
"""
_LETTER_OF = {word: letter for letter, words in _BY_LETTER.items() for word in words}
_WITHIN: dict[bytes, tuple[bytes, int]] = {
    **dict.fromkeys((b"login with ", b"login is ", b"login as ", b"login:"), (b"login", 0)),
    **dict.fromkeys((b'send "', b'send \\"'), (b"send ", 0)),
    b"&code=": (b"code", 1),
    b"mot de passe": (b"pass", 7),
}
"""Words that hold another one that is looked for, and how far within it stands."""
_expressions: dict[bytes, re.Pattern[bytes]] = {}


class WordPlaces(dict[bytes, list[int]]):
    """Where each word stands, found when it is first asked for."""

    def __init__(self, lowered: bytes) -> None:
        super().__init__()
        self._lowered = lowered

    def __missing__(self, word: bytes) -> list[int]:
        """Look for a word, and for those that are found with it."""
        if word in _WITHIN:
            inner, before = _WITHIN[word]
            starts = (at - before for at in self[inner] if at >= before)
            self[word] = [at for at in starts if self._lowered.startswith(word, at)]
        elif (letter := _LETTER_OF.get(word)) and len(self._lowered) >= _LONG:
            self._find_all(letter)
        else:
            self[word] = places(self._lowered, word)
        return self[word]

    def _find_all(self, letter: bytes) -> None:
        words = _BY_LETTER[letter]
        self.update((word, []) for word in words)
        for match in _expression(letter).finditer(self._lowered):
            word = words[(match.lastindex or 1) - 1]
            self[word].append(match.start() - word.index(letter))


def places(lowered: bytes, word: bytes) -> list[int]:
    """Where a word stands."""
    found, at = [], lowered.find(word)
    while at >= 0:
        found.append(at)
        at = lowered.find(word, at + len(word))
    return found


def _expression(letter: bytes) -> re.Pattern[bytes]:
    """The letter, and around it what makes one of its words of it; the number of the group says which."""
    if letter not in _expressions:
        halves = (word.partition(letter) for word in _BY_LETTER[letter])
        around = (
            (b"(?<=%b)" % re.escape(before + letter) if before else b"") + b"(?=(%b))" % re.escape(after)
            for before, _, after in halves
        )
        _expressions[letter] = re.compile(b"%b(?:%b)" % (re.escape(letter), b"|".join(around)))
    return _expressions[letter]
