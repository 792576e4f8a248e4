"""The shape of memory.db, as one numbered list: a database remembers how many of them it has seen.

Never change one that was released; add the next.
"""

from __future__ import annotations

_OLD_INDEX = """
    CREATE VIRTUAL TABLE {0} USING fts5 (body, tags, content = '', detail = none, columnsize = 0);
    INSERT INTO {0} ({0}, rank) VALUES ('hashsize', 16000000);
    INSERT INTO {0} ({0}, rank) VALUES ('automerge', 16);
"""
"""An index of words: which entry has which, and no more. Many words are gathered before they are written down."""
_INDEX = """
    ALTER TABLE {0} RENAME TO old_{0};
    CREATE VIRTUAL TABLE {0} USING fts5 (body, tags, content = '', detail = none, columnsize = 0, tokenize = 'porter unicode61');
    INSERT INTO {0} ({0}, rank) VALUES ('hashsize', 16000000);
    INSERT INTO {0} ({0}, rank) VALUES ('automerge', 16);
"""
"""The same with words as their stems. What the old one has is brought over in steps: see renewal.py."""
_RENEWAL = """
    CREATE TABLE renewal (mark INTEGER NOT NULL) STRICT;
    INSERT INTO renewal SELECT max(id) + 1 FROM entries HAVING count(*) > 0;
"""
_INDEXES = ("words_of_people", "words_of_agents", "words_of_tools")

MIGRATIONS = (
    # 1: sessions, their entries in three layers, how far each transcript was read, who goes on from whom, and three indexes of words.
    """
    CREATE TABLE sessions (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        agent TEXT NOT NULL DEFAULT '',
        project TEXT NOT NULL DEFAULT '',
        branch TEXT NOT NULL DEFAULT '',
        model TEXT NOT NULL DEFAULT '',
        title TEXT NOT NULL DEFAULT ''
    ) STRICT;
    CREATE TABLE cursors (
        path TEXT PRIMARY KEY,
        session INTEGER NOT NULL REFERENCES sessions (number),
        offset INTEGER NOT NULL,
        cursor TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE entries (
        id INTEGER PRIMARY KEY,
        session INTEGER NOT NULL REFERENCES sessions (number),
        origin INTEGER NOT NULL REFERENCES sessions (number),
        source TEXT NOT NULL,
        turn INTEGER NOT NULL,
        layer INTEGER NOT NULL,
        role TEXT NOT NULL,
        kind TEXT NOT NULL,
        time TEXT NOT NULL,
        name TEXT NOT NULL,
        file TEXT NOT NULL,
        length INTEGER NOT NULL,
        body ANY NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX entries_by_source ON entries (session, source);
    CREATE INDEX entries_by_turn ON entries (session, turn, layer);
    CREATE TABLE lineage (
        session TEXT PRIMARY KEY,
        parent TEXT NOT NULL,
        rule INTEGER NOT NULL,
        at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
"""
    + "".join(map(_OLD_INDEX.format, _INDEXES)),
    # 2: words as their stems, with names taken apart and without what tapehead itself said.
    "".join(map(_INDEX.format, _INDEXES)) + _RENEWAL,
    # 3: which form the words have (FORM in renewal.py). An index that has nothing yet gets the newest anyhow; 2 is brought over by and by.
    """
    CREATE TABLE word_form (form INTEGER NOT NULL) STRICT;
    INSERT INTO word_form SELECT CASE WHEN (SELECT mark FROM renewal) > (SELECT max(id) FROM entries) OR NOT EXISTS (SELECT 1 FROM entries)
        THEN 3 ELSE 2 END;
""",
)

RENEWED = tuple(
    statement
    for script in (*map(_INDEX.format, _INDEXES), _RENEWAL.partition(";\n")[2])
    for statement in script.split(";\n")
)
"""The indexes put aside as old ones, and empty ones in their place: what renewal.py brings over again."""
