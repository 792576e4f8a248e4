"""The real store and engine beside a plain model: events, settles, crashes, torn and damaged lines, clocks, lost files."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import suppress
from unittest import mock

import attrs
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

import scenes
from tapehead.actions.breaker import BLOCKED_AFTER
from tapehead.agents.registry import AGENTS
from tapehead.engine import engine
from tapehead.engine.engine import Own
from tapehead.statemachine.transition import transition
from tapehead.statemachine.vocabulary import Event, Fact, Phase
from tapehead.store import tape
from tapehead.store.line import readable

SESSIONS = ("a", "b")
WORLD_FACTS = (Fact.AFTER_COMPACTION, Fact.CLEARED, Fact.HAS_STORY, Fact.REBASING)
sessions = st.sampled_from(SESSIONS)
facts = st.sets(st.sampled_from(WORLD_FACTS)).map(frozenset)
bursts = st.lists(st.tuples(st.sampled_from(Event), facts), max_size=4)
texts = st.text(max_size=20)
data = st.fixed_dictionaries(
    {},
    optional={
        "prompt": texts,
        "reply": texts,
        "summary": texts,
        "source": st.sampled_from(["startup", "resume", "clear", "compact", "odd"]),
        "predecessor": sessions,
        "rule": st.integers(0, 7),
        "pid": st.integers(1, 9) | texts,
        "worktree": st.just("/nowhere/at/all"),
        "worktree_id": st.sampled_from(["", "w", "<odd>"]),
        "trigger": texts,
        "context_tokens": st.none() | st.integers(),
    },
)


class Model:
    """What a session should be, by the table and by counting."""

    def __init__(self):
        self.phase = Phase.IDLE
        self.ended = False
        self.unanswered = False
        self.turns = 0
        self.lines = []
        """Ids of the lines that were written whole."""

    def hear(self, event, known, line_id):
        ctx = known | ({Fact.ENDED_BEFORE} if self.ended else set()) | ({Fact.UNANSWERED} if self.unanswered else set())
        before = self.phase
        self.phase, actions = transition(self.phase, event, frozenset(ctx))
        names = {action.name for action in actions}
        self.ended = (self.ended and "REOPEN" not in names) or "CLOSE" in names
        self.unanswered = event is Event.TURN_START or (self.unanswered and event is not Event.TURN_END)
        self.turns += event is Event.TURN_START
        self.lines.append(line_id)
        return before


class Crash(BaseException):
    """A process that ends on the spot."""


class StoreBesideModel(RuleBasedStateMachine):
    """Whatever happens to the real one, it arrives where the plain one is."""

    @initialize()
    def open(self):
        self.root = tempfile.mkdtemp(prefix="tapehead-model-")
        self.scene = scenes.Scene(os.path.join(self.root, "store"))
        self.model = {session: Model() for session in SESSIONS}

    def teardown(self):
        shutil.rmtree(getattr(self, "root", ""), ignore_errors=True)

    @rule(session=sessions, event=st.sampled_from(Event), known=facts, told=data)
    def hear(self, session, event, known, told):
        line_id = self.scene.hear(session, event, facts=known, data=told)
        self.model[session].hear(event, known, line_id)

    @rule(session=sessions, kind=st.sampled_from(["subagent_stop", "other_hook", "of_tomorrow"]), told=data)
    def note(self, session, kind, told):
        self.scene.hear(session, kind, data=told)

    @rule(session=sessions, hook=st.sampled_from([None, "SessionStart", "UserPromptSubmit", "PreCompact", "Stop"]))
    def settle(self, session, hook):
        lines = self.model[session].lines
        own = Own(lines[-1], "claude", hook) if hook and lines else None
        reply = self.scene.engine.settle(session, own)
        assert not reply.context or len(reply.context) <= AGENTS["claude"].LIMIT
        self.stands_as_it_should(session)

    @rule(
        session=sessions,
        events=bursts,
        place=st.sampled_from(["save", "note", "speak"]),
        after=st.integers(0, 3),
    )
    def crash(self, session, events, place, after):
        """The process that folds these events dies at a place, before or after it did its work there."""
        for event, known in events:
            self.hear(session, event, known, {})
        where = {"save": self.scene.store, "note": self.scene.engine, "speak": engine}[place]
        real, left = getattr(where, place), [after]

        def dying(*words):
            left[0] -= 1
            if left[0] < 0:
                raise Crash
            done = real(*words)
            if left[0] == 0:
                raise Crash
            return done

        with suppress(Crash), mock.patch.object(where, place, dying):
            self.scene.engine.settle(session)

    @rule(session=sessions, torn=st.binary(min_size=1, max_size=30).filter(lambda raw: b"\n" not in raw))
    def tear(self, session, torn):
        """A disk fills up in the middle of a line."""
        if os.path.exists(self.scene.layout.tape(session)):
            with open(self.scene.layout.tape(session), "ab") as file:
                file.write(torn)

    @rule(session=sessions, junk=st.binary(max_size=30))
    def damage(self, session, junk):
        """A line that nobody can read, between those that can be read."""
        tape.append_raw(self.scene.layout.tape(session), b"{" + junk.replace(b"\n", b""))

    @rule(seconds=st.floats(-1e6, 1e6))
    def turn_the_clock(self, seconds):
        self.scene.clock.forward(seconds)

    @rule(session=sessions, events=bursts)
    def lose_the_state(self, session, events):
        """The file is gone, and more lines come before anyone looks."""
        if os.path.exists(self.scene.layout.state(session)):
            os.unlink(self.scene.layout.state(session))
        for event, known in events:
            self.hear(session, event, known, {})

    @rule(session=sessions, cut=st.integers(0, 2000), junk=st.binary(max_size=10))
    def garble_the_state(self, session, cut, junk):
        """Torn or scribbled over: never a state that could pass for a whole one."""
        path = self.scene.layout.state(session)
        if os.path.exists(path):
            with open(path, "r+b") as file:
                file.truncate(min(cut, os.stat(path).st_size - 3))
                file.seek(0, os.SEEK_END)
                file.write(junk.replace(b"}", b""))
        self.settle(session, None)

    @rule(session=sessions)
    def settle_twice(self, session):
        """A second settle finds nothing to do, and changes no file."""
        self.scene.engine.settle(session)
        size = self.size_of_tape(session)
        state = self.scene.store.load(session)
        self.scene.engine.settle(session)
        assert self.scene.store.load(session) == state
        assert self.size_of_tape(session) == size

    @invariant()
    def every_line_is_still_there(self):
        """Whatever happened, each line that was written is on its tape once, in order."""
        for session in SESSIONS:
            found = [line.id for line in readable(self.scene.store.lines(session)[0]) if line.event]
            assert found == self.model[session].lines

    @invariant()
    def nothing_is_done_twice(self):
        """No line has two notes of the same action: what a crash left on the tape was not done again."""
        for session in SESSIONS:
            notes = [(note.of, note.note) for note in self.scene.notes(session) if note.of and note.note != "warned"]
            assert len(set(notes)) == len(notes)

    def size_of_tape(self, session):
        path = self.scene.layout.tape(session)
        return os.stat(path).st_size if os.path.exists(path) else 0

    def stands_as_it_should(self, session):
        """Folded once each: phase, turns and end are the model's, and a replay of the tape gives the same state."""
        state, model = self.scene.store.load(session), self.model[session]
        if state is None:
            assert not model.lines
            return
        assert state.capture_failures < BLOCKED_AFTER  # nothing here makes a capture fail
        assert (state.phase, state.turn_number, state.ended_at is not None) == (model.phase, model.turns, model.ended)
        assert state == self.scene.engine.replayed(session)
        assert not self.scene.store.behind(session, state)


StoreBesideModel.TestCase.settings = settings(stateful_step_count=25)
TestStoreBesideModel = StoreBesideModel.TestCase


@given(
    st.lists(
        st.tuples(sessions, st.sampled_from(Event), st.sets(st.sampled_from(Fact)).map(frozenset), data), max_size=25
    )
)
def test_no_order_of_events_breaks_the_engine(told):
    """Any events of any sessions in any order, with any facts and data, through the real engine: nothing raises, all is replayed."""
    with tempfile.TemporaryDirectory() as root:
        scene = scenes.Scene(os.path.join(root, "store"))
        for session, event, known, said in told:
            line_id = scene.hear(session, event, facts=known, data=said)
            hook = {Event.SESSION_START: "SessionStart", Event.COMPACTION: "PreCompact"}.get(event, "Stop")
            scene.engine.settle(session, Own(line_id, "claude", hook))
            state = scene.store.load(session)
            assert attrs.evolve(state, unknown={}) == scene.engine.replayed(session)
            assert not {"settle", "capture", "restore"} & state.failures.keys()
