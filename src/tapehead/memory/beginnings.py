"""Words that begin with others, as the index has them.

SQLite gathers every place of all such words before it gives the first, which takes seconds where they are common. So the words
themselves are looked up, where they are few, and asked for one beside the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tapehead.memory.database import Database

_SHORTEST = 3
"""Letters that say something by themselves."""
_MANY = 48


def beginning(database: Database, index: str, term: str) -> str:
    """All words of an index that begin with a term, in SQLite's words."""
    if not term.isascii():
        return f'"{term}"*'
    if len(term) < _SHORTEST:
        return f'"{term}"'
    words = _words(database, index, term.lower())
    if len(words) > _MANY:
        return f'"{term}"*'
    quoted = (f'"{word}"' for word in dict.fromkeys((term, *words)))
    return f"({' OR '.join(quoted)})"


def _words(database: Database, index: str, term: str) -> list[str]:
    database.run(
        f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.{index}_words USING fts5vocab('main', '{index}', 'instance')"
    )
    words: list[str] = []
    at = term
    while len(words) <= _MANY:
        found = database.rows(f"SELECT term FROM temp.{index}_words WHERE term >= ? LIMIT 1", (at,))  # noqa: S608 - our own names
        if not found or not str(found[0][0]).startswith(term):
            break
        words.append(str(found[0][0]))
        at = f"{found[0][0]}\x01"  # the next one: every place of this one would be passed over otherwise
    return words
