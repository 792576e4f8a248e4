"""The words that an index has: whether it knows one, which ones begin alike, and which are spelt almost so.

SQLite gathers every place of all words with the same beginning before it gives the first, which takes seconds where they are common.
So the words themselves are looked up, where they are few, and asked for one beside the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.history.renewal import INDEXES, mark_of
from tapehead.history.stemming import stem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tapehead.history.database import Database

_MANY = 48
"""Words with the same beginning that are looked up: more say nothing any more."""
_IN_ONE = 400
"""Words in one question: SQLite has a limit for them."""
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
        found = {"", *self._there([one for one in dict.fromkeys(stems.values()) if one])}
        return {word for word, one in stems.items() if one in found}

    def _there(self, stems: list[str]) -> Iterator[str]:
        """Those of the stems that the index has: many in one question, and of each no more than its first place."""
        for start in range(0, len(stems), _IN_ONE):
            some = stems[start : start + _IN_ONE]
            asked = (
                f"WITH asked (term) AS (VALUES {','.join(['(?)'] * len(some))}) SELECT term FROM asked"  # noqa: S608 - marks
                f" WHERE EXISTS (SELECT 1 FROM {self.table} v WHERE v.term = asked.term)"
            )
            yield from (str(row[0]) for row in self.database.rows(asked, tuple(some)))

    def close(self, word: str) -> list[str]:
        """The words that are one slip away: a letter too many, too few, another one, or two the wrong way round."""
        if len(word) < _SHORTEST or not word.isascii() or not word.isalpha():
            return []
        return sorted(self.known(_slips(word)))


def count_entries(database: Database) -> int:
    """How many entries there are: as the indexes have counted them, since SQLite would look at each one."""
    rows = [] if mark_of(database) else [row for index in INDEXES for row in database.rows(_AVERAGES % index)]
    counts = [_first_number(row[0]) for row in rows if isinstance(row[0], bytes)]
    return sum(counts) or int(str(database.rows("SELECT count(*) FROM entries")[0][0]))


_AVERAGES = "SELECT block FROM %s_data WHERE id = 1"
"""What FTS5 keeps of an index as a whole; the first number in it is that of its rows."""


def _first_number(block: bytes) -> int:
    """Seven bits in each byte, and one more that says whether another follows."""
    number = 0
    for byte in block:
        number = number << 7 | byte & 0x7F
        if byte < 0x80:  # noqa: PLR2004 - as it says
            break
    return number


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
