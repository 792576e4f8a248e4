"""What many tests set up: lines, a clock that obeys, a store with its engine, repositories made by the real git."""

from __future__ import annotations

import atexit
import functools
import itertools
import shutil
import subprocess
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from tapehead.engine.engine import Engine
from tapehead.statemachine.vocabulary import Event
from tapehead.store import tape
from tapehead.store.line import Line
from tapehead.store.paths import Layout

NOON = 1_800_000_000_000_000_000
"""Nanoseconds at which these stories begin: 2027-01-15 08:00 UTC."""
SECOND = 1_000_000_000

_IDS = itertools.count()


class Clock:
    """Stands still until told otherwise."""

    def __init__(self, now=NOON):
        self.now = now

    def __call__(self):
        return self.now

    def forward(self, seconds):
        self.now += int(seconds * SECOND)
        return self.now


def when(now_ns=NOON):
    """The same instant as a datetime."""
    return datetime.fromisoformat(tape.instant(now_ns)).astimezone(UTC)


def line(word, *, facts=(), data=None, at=None, host="claude", of="", id=None):  # noqa: A002 - the field's own name
    """A line as it is read from a tape: `word` is an event, or else the kind of a note."""
    event = word if isinstance(word, Event) else None
    return Line(
        id=id or f"line-{next(_IDS)}",
        at=at or when(),
        host=host,
        event=event,
        note="" if event else word,
        of=of,
        facts=frozenset(facts),
        data=data or {},
    )


class Scene:
    """A store, its engine, its clock, and the hooks' way of putting lines onto its tapes."""

    def __init__(self, root, now=NOON):
        self.clock = Clock(now)
        self.layout = Layout(str(root))
        self.engine = Engine(self.layout, self.clock)
        self.store = self.engine.store

    def hear(self, session, word, *, facts=(), data=None, host="claude"):
        """Writes what a hook writes; returns the line's id."""
        return self.write(session, as_written(word, self.clock.now, facts=facts, data=data, host=host))

    def write(self, session, written):
        self.store.append(session, written)
        return written["id"]

    def settled(self, session):
        self.engine.settle(session)
        return self.store.load(session)

    def notes(self, session, kind=""):
        """The notes on a tape, by their kind."""
        from tapehead.store.line import readable

        return [
            one for one in readable(self.store.lines(session)[0]) if not one.event and (not kind or one.note == kind)
        ]


def as_written(word, now_ns, *, facts=(), data=None, host="claude"):
    """A line as a hook writes it."""
    named = {"event": word.value} if isinstance(word, Event) else {"note": word}
    return {
        "id": tape.stamp(now_ns, 1),
        "at": tape.instant(now_ns),
        "host": host,
        **named,
        "facts": [fact.value for fact in facts],
        "data": data or {},
    }


def git(directory, *words):
    """What the real git prints; it must succeed."""
    done = subprocess.run(["git", *words], cwd=directory, check=True, capture_output=True, text=True)
    return done.stdout.rstrip("\n")


def repository(directory, *, commits=1):
    """A repository with so many commits, as the real git makes it: once for each process, and copied from there."""
    shutil.copytree(_template(commits), directory, dirs_exist_ok=True)
    if commits:
        git(directory, "update-index", "--refresh")  # the copies are other files, of the same content
    return directory


@functools.cache
def _template(commits):
    directory = Path(tempfile.mkdtemp(prefix="template"))
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    git(directory, "init", "-q", "-b", "main")
    for sample in (directory / ".git" / "hooks").glob("*.sample"):
        sample.unlink()
    for number in range(commits):
        (directory / "file.txt").write_text(f"{number}\n")
        git(directory, "add", "-A")
        git(directory, "commit", "-q", "-m", f"commit {number}")
    return directory
