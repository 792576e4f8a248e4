"""A store with its engine, a clock that obeys, and a transcript that grows as the brief goes."""

from __future__ import annotations

import attr
import pytest

from tapehead.actions.brief_keeper import BriefKeeper
from tapehead.agents.claude.hooks import LIMIT
from tapehead.engine.engine import Engine, Own
from tapehead.statemachine.vocabulary import Event, Fact
from tapehead.store import captures, tape
from tapehead.store.line import readable
from tapehead.store.paths import Layout
from transcript_script import Script

NOON = 1_800_000_000_000_000_000


class Told:
    """One worktree's sessions, told from outside: what the hooks hear, and what the agent writes."""

    def __init__(self, directory):
        self.directory = directory
        self.now = NOON
        self.layout = Layout(str(directory / "store"))
        self.engine = Engine(self.layout, lambda: self.now)
        self.script = Script()
        self.path = str(directory / "transcript.jsonl")

    @property
    def keeper(self):
        """A process of its own: nothing is remembered but what is on disk."""
        return BriefKeeper(self.layout)

    def hears(self, event, session="one", *, facts=(), hook="", **data):
        """A hook heard something; the answer is the engine's reply where the hook can carry one."""
        self.now += 1_000_000_000
        data = {"transcript_path": self.path, "worktree": str(self.directory), **data}
        line = {"id": tape.stamp(self.now, 1), "at": tape.instant(self.now), "host": "claude", "data": data}
        named = {"event": event.value} if isinstance(event, Event) else {"note": event}
        self.engine.store.append(session, {**line, **named, "facts": [fact.value for fact in facts]})
        return self.engine.settle(session, Own(line["id"], "claude", hook) if hook else None)

    def asked(self, prompt, reply="", session="one"):
        """A turn, on the tape and in the transcript."""
        self.script.human(prompt)
        self.hears(Event.TURN_START, session, prompt=prompt)
        if reply:
            self.script.agent(reply)
            self.write()
            self.hears(Event.TURN_END, session, reply=reply)

    def compacted(self, summary="", session="one", *, written=False):
        """PreCompact, the summariser's stop, the start after it: what that start hands back."""
        self.write()
        self.hears(Event.COMPACTION, session, trigger="auto", hook="PreCompact")
        if summary:
            self.hears("subagent_stop", session, summary=summary)
        if written:
            self.script.compacts(written)
            self.write()
        facts = [Fact.AFTER_COMPACTION]
        return self.hears(Event.SESSION_START, session, source="compact", facts=facts, hook="SessionStart").context

    def write(self):
        self.script.write(self.path)

    def state(self, session="one"):
        self.engine.settle(session)
        return self.engine.store.load(session)

    def hand_back(self, session="one"):
        """What the session would be told after a compaction."""
        return self.keeper.hand_back(attr.evolve(self.state(session), start_source="compact"), LIMIT)

    def notes(self, kind, session="one"):
        return [
            line.data for line in readable(self.engine.store.lines(session)[0]) if line.note == kind and not line.event
        ]

    def description(self, session="one"):
        return captures.path(self.layout, session)


@pytest.fixture
def told(tmp_path):
    return Told(tmp_path)


@pytest.fixture
def tell(tmp_path_factory):
    """For tests that need more than one."""
    return lambda: Told(tmp_path_factory.mktemp("told"))
