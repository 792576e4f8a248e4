"""A memory that many use at once: transcripts that grow, processes that read and write, and what must hold when they are gone."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import time
from contextlib import suppress

from arena import PATIENCE, TAPEHEAD

from record import BEGINS, Record
from tapehead.history.call_words import without_names
from tapehead.history.database import Database
from tapehead.history.index_words import kind_tag
from tapehead.history.layers import KINDS
from tapehead.history.recall import Recall

INDEXES = {
    "human": "words_of_people",
    "line": "words_of_people",
    "covered": "words_of_people",
    "agent": "words_of_agents",
}
_WORD = re.compile(r"[a-z0-9]{3,}")


class Crowd:
    """Some sessions in one store, whose transcripts grow while everybody is at work."""

    def __init__(self, arena, seed, sessions=4):
        self.arena = arena
        self.chance = random.Random(seed)
        self.directory = os.path.join(arena.base, "transcripts")
        os.makedirs(self.directory)
        self.records = [
            Record(f"{number:08d}-1111-4222-8333-444444444444", begins=BEGINS) for number in range(sessions)
        ]
        self.written = dict.fromkeys(self.records, 0)
        self.killed = 0
        for record in self.records:
            self.grow(record)
            for hook in ("SessionStart", "UserPromptSubmit"):
                arena.hook(self.payload(record, hook))

    def path(self, record):
        return os.path.join(self.directory, f"{record.session}.jsonl")

    def payload(self, record, hook):
        more = {"transcript_path": self.path(record), "prompt": "go on", "source": "startup"}
        return self.arena.payload(record.session, hook, **more)

    def grow(self, record, *, torn=False):
        """A few turns more; the last line may be torn off, to be ended the next time."""
        for _ in range(self.chance.randint(1, 12)):
            number = self.chance.randrange(10_000)
            record.turn(f"ask the sailor number{number}", f"The answer is harbour{number}, it works.")
            record.call("Bash", f"output{number} " * self.chance.choice((1, 20, 2_000)), command=f"make knot{number}")
        content = record.bytes()
        end = len(content) - (self.chance.randint(1, 40) if torn else 0)
        with open(self.path(record), "ab") as file:
            file.write(content[self.written[record] : end])
        self.written[record] = end

    def words(self):
        """What one of the crowd does: take in, look for, show, hand over, or be told by the agent that a turn is over."""
        record = self.chance.choice(self.records)
        return self.chance.choice(
            [
                (TAPEHEAD, "import", self.directory, "--here"),
                (TAPEHEAD, "import", self.path(record), "--here"),
                (TAPEHEAD, "search", "sailor", "--limit", "3"),
                (TAPEHEAD, "search", f"harbour{self.chance.randrange(10_000)}", "--session", record.session),
                (TAPEHEAD, "detail", "turn", "1", "--session", record.session),
                (TAPEHEAD, "handoff", "--session", record.session, "--memo", "go on"),
                (TAPEHEAD, "hook", "claude"),
            ]
        )

    def rage(self, rounds, at_once=10):
        """Rounds of so many processes each, of which about every second is killed at some moment of its life."""
        for _ in range(rounds):
            for record in self.records:
                self.grow(record, torn=self.chance.random() < 0.5)
            running = [self._started(self.words()) for _ in range(at_once)]
            for process in self.chance.sample(running, at_once // 2):
                time.sleep(self.chance.uniform(0, 0.1))  # when to strike: no wait for something to happen
                self.killed += process.poll() is None
                process.kill()
            for pid in self.arena.workers():
                if self.chance.random() < 0.5:
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
                        self.killed += 1
            for process in running:
                self._ended(process)
        self.arena.quiet()

    def _started(self, words):
        raw = self.payload(
            self.chance.choice(self.records), self.chance.choice(("Stop", "PreCompact", "UserPromptSubmit"))
        )
        return self.arena.popen(raw, words=words, cwd=self.arena.work)

    def _ended(self, process):
        """It came to an end; nobody was shown a lock, a traceback, or anything that is not for people."""
        out, err = process.communicate(timeout=PATIENCE)
        said = (out + err).decode()
        assert process.returncode in (0, 1, -signal.SIGKILL), said
        assert "locked" not in said
        assert "Traceback" not in said
        if process.returncode == 1:
            assert said.lower().startswith("error: no"), said  # too early, or nowhere to be found

    def end(self):
        """Everybody has gone: what was torn is whole, and one quiet process takes in the rest."""
        for record in self.records:
            self.grow(record)
            os.utime(self.path(record), (0, 0))
        self.arrived(self.arena.work)

    def arrived(self, work):
        """All of it in the memory of a place, by one process."""
        words = (TAPEHEAD, "import", self.directory, "--here")
        subprocess.run(words, cwd=work, env=self.arena.env, check=True, capture_output=True, timeout=PATIENCE)


def content(path):
    """What a memory holds, without the numbers that depend on who came first."""
    with Database(path) as database:
        recall = Recall(database)
        found = {}
        for told in recall.sessions():
            turns = recall.turns(told.id, 0, 10**9)
            found[told.id] = told[1:7], [tuple(entry) for turn in turns for entry in recall.turn(told.id, turn)]
        return found


def is_sound(path):
    """SQLite finds nothing wrong, every entry is found by its words, and the indexes know no other."""
    with Database(path) as database:
        assert database.rows("PRAGMA integrity_check") == [("ok",)]
        assert database.rows("PRAGMA foreign_key_check") == []
        rows = database.rows("SELECT id, role, kind, length, body FROM entries")
        expected = {"words_of_people": set(), "words_of_agents": set(), "words_of_tools": set()}
        for ident, role, kind, _, _ in rows:
            expected[INDEXES.get(kind) or INDEXES.get(role, "words_of_tools")].add(ident)
        everything = " OR ".join(f'"{kind_tag(kind)}"' for kind in KINDS)
        for index, ids in expected.items():
            database.run(f"INSERT INTO {index} ({index}) VALUES ('integrity-check')")
            assert {
                one for (one,) in database.rows(f"SELECT rowid FROM {index} WHERE {index} MATCH ?", (everything,))
            } == ids
        for ident, role, kind, _, body in rows:
            told = without_names(body) if kind == "call" and isinstance(body, str) else body
            _is_found(database, INDEXES.get(kind) or INDEXES.get(role, "words_of_tools"), ident, told)


def _is_found(database, index, ident, body):
    words = _WORD.findall(body.lower())[:5] if isinstance(body, str) else []
    if words:
        match = " AND ".join(f'"{word}"' for word in words)
        asked = f"SELECT rowid FROM {index} WHERE {index} MATCH ? AND rowid = ?"
        assert database.rows(asked, (match, ident)) == [(ident,)], (index, ident, words)
