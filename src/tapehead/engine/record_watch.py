"""A session told by its transcript alone, for agents whose hooks do not run: its start, its turns and its compactions.

What happened before the watch began is passed over: nobody can say any more what the work tree looked like then. The history has it all the
same, since the first turn's end reads the whole transcript.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from tapehead.agents.hook_event import Heard, cut_middle
from tapehead.agents.readers import follower_of
from tapehead.agents.registry import HOSTS
from tapehead.agents.setups import setup_of
from tapehead.engine.recording import Moment, record
from tapehead.statemachine.vocabulary import Event
from tapehead.store import tape
from tapehead.store.line import readable
from tapehead.system.processes import is_lost, running_in
from tapehead.transcript.recorded_steps import Cursor
from tapehead.transcript.turns import AGENT, HUMAN, INTERRUPTED, SUMMARY, Boundary, Call, Result, Said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tapehead.store.paths import Layout
    from tapehead.system.processes import Process
    from tapehead.transcript.recorded_steps import Recorded

QUIET_SECONDS = 3.0
"""After its last words an agent is done with a turn if it writes nothing for so long."""
_PROMPT, _REPLY = 32_000, 16_000
_SEEN = "watched"
"""The field by which our own lines are known from those of hooks."""
_OF_AGENTS = frozenset(
    {Event.SESSION_START, Event.SESSION_STOP, Event.TURN_START, Event.TURN_END, Event.COMPACTION, Event.COMPACTED}
)


class News(NamedTuple):
    """Something that was written down."""

    session: str
    agent: str
    event: Event


class _Place:
    """What `record` asks of an agent, answered from a transcript."""

    def __init__(self, directory: str) -> None:
        self.where = directory

    def directory(self, payload: object, env: Mapping[str, str]) -> str:  # noqa: ARG002 - one shape for all agents
        return self.where

    def untold(self, found: Heard, tape_end: Callable[[], bytes]) -> list[Heard]:  # noqa: ARG002 - as above
        return []


class RecordWatch:
    """One transcript."""

    def __init__(  # noqa: PLR0913, PLR0917 - whose record, where, and who asks
        self, layout: Layout, agent: str, session: str, path: str, env: Mapping[str, str], directory: str = ""
    ) -> None:
        self.layout, self.agent, self.session, self.path, self.env = layout, agent, session, path, env
        self.otherwise = directory
        """Where the session works, if the record does not say."""
        self.cursor = Cursor()
        self.is_working = False
        self.calls: set[str] = set()
        """Calls without a result."""
        self.reply, self.last, self.changed = "", "", 0.0
        self.processes: list[Process] = []
        """Those that may be the agent's: its program, at work in the session's directory when the watch or a turn began."""

    def begin(self, seconds: float, now_ns: int) -> list[News]:
        """Take the session up where it is. A turn that is under way is told from here on."""
        asked = ""
        for step in self._new_steps(seconds):
            if words := _asked(step.step):
                asked, self.reply, self.is_working = words, "", True
                self.calls.clear()
            self._note(step)
        self.is_working = self.is_working and not self._is_done()
        source = "resume" if self._events() else "startup"
        told = self._tell(Event.SESSION_START, now_ns, source=source)
        self._find_processes()
        if self.is_working and told:
            told += self._tell(Event.TURN_START, now_ns + 1, prompt=cut_middle(asked, _PROMPT))
        return told

    def look(self, seconds: float, now_ns: int) -> list[News]:
        """Tell what is new: `seconds` is a clock that never goes back."""
        told: list[News] = []
        for step in self._new_steps(seconds):
            for event, data in self._events_of(step):
                told += self._tell(event, now_ns + len(told), **data)
                if event is Event.TURN_START:
                    self._find_processes()
            self._note(step)
            if self.last == INTERRUPTED:
                told += self._end_turn(now_ns + len(told))
        if self._is_done() and seconds - self.changed >= QUIET_SECONDS:
            told += self._end_turn(now_ns + len(told))
        if self.processes and all(is_lost(each.pid, each.started) for each in self.processes):
            self.processes, self.is_working = [], False
            told += self._tell(Event.PROCESS_LOST, now_ns + len(told))
        return told

    @property
    def directory(self) -> str:
        return str(self.cursor.about.get("cwd") or "") or self.otherwise

    def _find_processes(self) -> None:
        """Nothing where nobody knows what the agent's program is called."""
        if self.directory and self.agent in HOSTS:
            self.processes = running_in(setup_of(self.agent).PROGRAM, os.path.realpath(self.directory))

    def _new_steps(self, seconds: float) -> Iterator[Recorded]:
        follower = follower_of(self.agent)
        for batch in follower.follow(self.path, self.cursor) if follower else ():
            self.cursor, self.changed = batch.cursor, seconds
            yield from (step for step in batch.steps if not step.subagent)

    def _events_of(self, recorded: Recorded) -> Iterator[tuple[Event, dict[str, object]]]:
        step = recorded.step
        if words := _asked(step):
            if self.is_working:
                yield Event.TURN_END, {"reply": cut_middle(self.reply, _REPLY)}
            self.is_working, self.reply = True, ""
            self.calls.clear()
            yield Event.TURN_START, {"prompt": cut_middle(words, _PROMPT)}
        elif isinstance(step, Boundary) and not step.partial:
            yield Event.COMPACTION, {"trigger": step.trigger}
            yield Event.COMPACTED, {"trigger": step.trigger}

    def _note(self, recorded: Recorded) -> None:
        step = recorded.step
        if isinstance(step, Call):
            self.calls.add(step.id)
            self.last = ""
        elif isinstance(step, Result):
            self.calls.discard(step.id)
            self.last = ""
        elif isinstance(step, Said):
            self.last = step.who if step.who in (AGENT, HUMAN, INTERRUPTED, SUMMARY) else self.last
            self.reply = step.text if step.who == AGENT else self.reply

    def _is_done(self) -> bool:
        return self.last == INTERRUPTED or (self.last == AGENT and not self.calls)

    def _end_turn(self, now_ns: int) -> list[News]:
        was_working, self.is_working = self.is_working, False
        return self._tell(Event.TURN_END, now_ns, reply=cut_middle(self.reply, _REPLY)) if was_working else []

    def _tell(self, event: Event, now_ns: int, **data: object) -> list[News]:
        """Write one line, unless the agent's hooks write them."""
        if self.is_told_by_hooks():
            return []
        heard = Heard(self.agent, "watch", self.session)
        heard.event, heard.data = event, {**data, "transcript_path": self.path, _SEEN: self.cursor.offset}
        heard.known_by = f"watch {event} {self.cursor.turn} {self.cursor.offset} {data.get('prompt', '')}"
        moment = Moment(now_ns, self.env, self.directory)
        moment.is_spooled = True  # the process above this one is a shell, and not the agent
        done = record(_Place(self.directory), heard, {}, b"", moment)
        return [News(self.session, self.agent, event)] if done else []

    def is_told_by_hooks(self) -> bool:
        """Whether the agent's own hooks tell of this session: then nothing is left to say here."""
        return any(_SEEN not in data for data in self._events())

    def _events(self) -> list[dict[str, object]]:
        """What the tape has of the agent's own events."""
        lines = readable(tape.unread(self.layout.tape(self.session), 0)[0])
        return [line.data for line in lines if line.event in _OF_AGENTS]


def _asked(step: object) -> str:
    """The words of a prompt that begins a turn."""
    return step.text.strip() if isinstance(step, Said) and step.who == HUMAN and not step.queued else ""
