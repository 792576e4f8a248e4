"""A memory to fill and to ask, with the ways in and out that the program uses."""

from __future__ import annotations

import os

from record import SESSION
from tapehead.agents.claude.steps import AT_ONCE, follow
from tapehead.history.database import Database
from tapehead.history.entry_making import LIMIT, Entries
from tapehead.history.recall import Recall
from tapehead.history.search import Wanted, search
from tapehead.history.writing import Keeper, prepare

TABLES = ("sessions", "cursors", "entries", "lineage")


class Memory:
    """One database, with the ways in and out that the program uses."""

    def __init__(self, directory):
        self.directory = directory
        self.path = os.path.join(str(directory), "memory.db")
        self.database = Database(self.path)
        self.keeper = Keeper(self.database)
        self.recall = Recall(self.database)

    def follow(self, path, session=SESSION, *, final=True, at_once=AT_ONCE, limit=LIMIT, thinking=True):
        """Takes in what is new of a file; how many entries were."""
        mark = self.keeper.mark(path)
        entries = Entries(limit, thinking=thinking, files=mark.calls)
        batches = follow(path, mark.cursor, final=final, at_once=at_once)
        return sum(self.keeper.take(session, "claude", path, prepare(batch, entries)) for batch in batches)

    def told(self, record, **options):
        """Takes in a whole record."""
        return self.follow(record.write(self.directory), record.session, **options)

    def entries(self, session=SESSION, kind=""):
        """All entries of a session in order, or those of a kind."""
        rows = self.database.rows(
            "SELECT DISTINCT turn FROM entries e JOIN sessions s ON s.number = e.session WHERE s.id = ? ORDER BY turn",
            (session,),
        )
        found = [entry for (turn,) in rows for entry in self.recall.turn(session, turn)]
        return [entry for entry in found if not kind or entry.kind == kind]

    def bodies(self, kind, session=SESSION):
        return [entry.body for entry in self.entries(session, kind)]

    def lines(self, session=SESSION):
        return [one.line for one in self.recall.lines(session) if not one.covered]

    def found(self, words, **more):
        """What a search finds, as the snippets."""
        return [hit.snippet for hit in self.hits(words, **more)]

    def hits(self, words, **more):
        return search(self.database, Wanted(words, **more))

    def dump(self):
        """Every row of every table, byte for byte; the indexes through what they find is another matter."""
        return {table: self.database.rows(f"SELECT * FROM {table}") for table in TABLES}
