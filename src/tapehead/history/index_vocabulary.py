"""The words that an index has: whether it knows one, which ones begin alike, and which are spelt almost so.

SQLite gathers every place of all words with the same beginning before it gives the first, which takes seconds where they are common.
So the words themselves are looked up, where they are few, and asked for one beside the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.history.stemming import stem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tapehead.history.database import Database

_MANY = 48
"""Words with the same beginning that are looked up: more say nothing any more."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SHORTEST = 4
"""Letters of a word that may be a slip: of shorter ones, everything is a slip of everything."""


class Vocabulary:
    """The words of one index, as it has them: stems, in small letters."""

    def __init__(self, database: Database, index: str) -> None:
        self.database = database
        self.table = f"temp.{index}_vocabulary"
        database.run(f"CREATE VIRTUAL TABLE IF NOT EXISTS {self.table} USING fts5vocab('main', '{index}', 'instance')")

    def beginning(self, start: str, most: int = _MANY) -> list[str]:
        """The words that begin so; none where they are many."""
        words: list[str] = []
        at = start
        while len(words) <= most:
            found = self.database.rows(f"SELECT term FROM {self.table} WHERE term >= ? LIMIT 1", (at,))  # noqa: S608 - our own name
            if not found or not str(found[0][0]).startswith(start):
                return words
            words.append(str(found[0][0]))
            at = f"{found[0][0]}\x01"  # the next one: every place of this one would be passed over otherwise
        return []

    def known(self, words: Iterable[str]) -> set[str]:
        """Those of some words that any entry has; of accents SQLite has its own opinion, so words with them pass for known."""
        stems = {word: stem(word) if word.isascii() else "" for word in words}
        asked = f"SELECT 1 FROM {self.table} WHERE term = ? LIMIT 1"  # noqa: S608 - as above
        found = {one for one in set(stems.values()) if not one or self.database.rows(asked, (one,))}
        return {word for word, one in stems.items() if one in found}

    def close(self, word: str) -> list[str]:
        """The words that are one slip away: a letter too many, too few, another one, or two the wrong way round."""
        if len(word) < _SHORTEST or not word.isascii() or not word.isalpha():
            return []
        return sorted(self.known(_slips(word)))


def _slips(word: str) -> Iterator[str]:
    """The first letter is hardly ever the wrong one."""
    for at in range(1, len(word)):
        yield word[:at] + word[at + 1 :]
        if at + 1 < len(word):
            yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        for letter in _LETTERS:
            yield word[:at] + letter + word[at + 1 :]
            yield word[:at] + letter + word[at:]
    yield from (word + letter for letter in _LETTERS)
