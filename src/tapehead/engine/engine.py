"""settle: the lines that a state has not read are folded into it, what they ask for is done, and the place is saved.

The save comes last and holds the tape's offset, so a crash repeats work but loses none; what an action found out is on the
tape before that, as a note, so it is not done twice.
"""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from attrs import evolve

from tapehead.actions.baton_keeper import BatonKeeper
from tapehead.actions.fold import BOOKKEEPER, replay, step
from tapehead.actions.handler import ActionHandler, Note, already_done
from tapehead.actions.ports import Ports
from tapehead.engine import quiet_sessions
from tapehead.engine.attempts import Attempts
from tapehead.engine.deadline import Deadline, Late
from tapehead.engine.reply import SILENCE, Own, Reply, Words, put_on_record, speak
from tapehead.engine.store_location import config_home
from tapehead.store import tape
from tapehead.store.line import lines_before_last_acted_on, lines_up_to
from tapehead.store.sessions import StateStore, Unreadable
from tapehead.store.state import SCHEMA_VERSION, State

__all__ = ["Engine", "Own", "Reply"]

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tapehead.actions.brief_keeper import BriefKeeper
    from tapehead.actions.capture_keeper import CaptureKeeper
    from tapehead.actions.checkpoint_keeper import CheckpointKeeper
    from tapehead.actions.ports import Remembered
    from tapehead.actions.transcript_keeper import TranscriptKeeper
    from tapehead.attribution.snapshot_keeper import LineMarker
    from tapehead.settings.loading import Settings
    from tapehead.store.line import Line
    from tapehead.store.paths import Layout

_FOR_WORDS = 0.8
"""Seconds of a hook's time that are kept for its words."""
_FOR_SPOOL = 0.5
_AT_ONCE = 48 * 1024 * 1024
"""Bytes of a transcript that one INGEST reads: about two seconds, within what a hook of the same session waits for the lock."""


class Engine:
    """One store, and the clock."""

    def __init__(
        self,
        layout: Layout,
        clock_ns: Callable[[], int],
        env: Mapping[str, str] = os.environ,
        deadline: Deadline | None = None,
    ) -> None:
        self.store = StateStore(layout)
        self.deadline = deadline or Deadline()
        """Until when whoever waits has an answer: that of a hook; a command and the worker have all the time."""
        self.layout = layout
        self.clock_ns = clock_ns
        self.env = env
        """Of the process whose hook it is: it may hold settings."""
        self.attempts = Attempts(layout, clock_ns)
        batons = BatonKeeper(layout, self.hands_over, self.keeps_batons)
        ports = Ports(briefs=self, transcripts=self, batons=batons, checkpoints=self)
        self.handler = ActionHandler(ports, self.attempts.trying)

    @cached_property
    def settings(self) -> Settings:
        """Looked up when something depends on one."""
        from tapehead.settings.loading import load  # noqa: PLC0415 - only here

        return load(self.layout.shared, config_home(self.env), self.env)

    def hands_over(self) -> bool:
        """Whether a `/clear` names its session for the next start by itself."""
        return self.settings.flag("handoff.auto")

    def keeps_batons(self) -> float:
        """For how many seconds a baton is good."""
        return self.settings.seconds("baton.ttl")

    @cached_property
    def captures(self) -> CaptureKeeper:
        """Loaded when something is captured: a start that inherits nothing never needs it."""
        from tapehead.actions.capture_keeper import CaptureKeeper  # noqa: PLC0415 - heavy

        return CaptureKeeper(self.layout, self.settings)

    @cached_property
    def briefs(self) -> BriefKeeper:
        """Loaded when a brief is told: a compaction, which only captures, never needs it."""
        from tapehead.actions.brief_keeper import BriefKeeper  # noqa: PLC0415 - heavy

        return BriefKeeper(self.layout, self.settings, self.captures)

    @cached_property
    def transcripts(self) -> TranscriptKeeper:
        """Loaded when a transcript is read."""
        from tapehead.actions.transcript_keeper import TranscriptKeeper  # noqa: PLC0415 - heavy

        return TranscriptKeeper(_AT_ONCE, self.layout, self._take_in_spool)

    def _take_in_spool(self) -> None:
        from tapehead.engine.spool_intake import take_in_first  # noqa: PLC0415 - rarely needed

        take_in_first(self.env, _FOR_SPOOL)

    def capture(self, state: State, line: Line) -> Remembered:
        """The port of CAPTURE."""
        return self.captures.capture(state, line)

    def journal(self, state: State, line: Line) -> Remembered:
        """The port of JOURNAL."""
        return self.captures.journal(state, line)

    def keep_summary(self, state: State, line: Line) -> Remembered:
        """The port of KEEP_SUMMARY."""
        return self.captures.keep_summary(state, line)

    def ingest(self, state: State, line: Line) -> Remembered:
        """The port of INGEST. Where there is no file yet, nothing that reads one is loaded."""
        return self.transcripts.ingest(state, line) if os.path.isfile(state.transcript_path) else None

    @cached_property
    def lines(self) -> LineMarker:
        """Loaded when a turn begins or ends."""
        from tapehead.attribution.snapshot_keeper import LineMarker  # noqa: PLC0415 - heavy

        return LineMarker(self.layout, self.clock_ns)

    def mark_lines(self, state: State, line: Line) -> Remembered:
        """The port of MARK_LINES."""
        return self.lines.begin(state, line)

    def snapshot(self, state: State, line: Line) -> Remembered:
        """The port of SNAPSHOT."""
        return self.lines.end(state, line)

    @cached_property
    def checkpoints(self) -> CheckpointKeeper:
        """Loaded at a commit."""
        from tapehead.actions.checkpoint_keeper import CheckpointKeeper  # noqa: PLC0415 - heavy
        from tapehead.engine.guest_homes import words_to_redact  # noqa: PLC0415 - as above

        also = words_to_redact(self.layout, self.settings, self.env)
        return CheckpointKeeper(self.layout, self.captures.accounts, also)

    def condense(self, state: State, line: Line) -> Remembered:
        """The port of CONDENSE."""
        return self.checkpoints.condense(state, line)

    def retire(self, state: State, line: Line) -> Remembered:
        """The port of RETIRE_IF_UNTOUCHED."""
        return self.checkpoints.retire(state, line)

    def settle(self, session_id: str, own: Own | None = None, wait: float = 3.0) -> Reply:
        """Brings a session up to the end of its tape; answers with what there is to say.

        Where another process holds the session for longer than we wait, there is nothing to say: it looks again after it
        has let go, so it reads our line too.
        """
        reply, state = self._settled(session_id, own, min(wait, self.deadline.left()))
        with suppress(Late), self.deadline.limit():
            while state is not None and self.store.behind(session_id, state):
                _, state = self._settled(session_id, None, 0)
        return reply

    def _settled(self, session_id: str, own: Own | None, wait: float) -> tuple[Reply, State | None]:
        """One turn with the lock: what there is to say, and the state as it was saved; None where there is none to go by.

        Where time is up in the middle of it the rest is left to others, who do not repeat what is noted.
        """
        with self.store.transaction(session_id, wait) as held:
            if not held:
                return Reply(), None
            saved = state = None
            with suppress(Late), self.deadline.limit(reserve=_FOR_WORDS):
                saved = self._saved(session_id)
                state = self._caught_up(saved or self._rebuilt(session_id))
            words, is_late = SILENCE, state is None
            with suppress(Late), self.deadline.limit():
                state = state or self._looked_ahead(session_id)
                words = speak(self, state, own)
            if state is None:
                return Reply(), None
            put_on_record(self, state, words)
            return words.reply, None if is_late else self._kept(state, saved, words)

    def _looked_ahead(self, session_id: str) -> State:
        """The state at the end of the tape as far as its lines tell, without doing what they ask for: enough to speak by."""
        saved = self._saved(session_id)
        return self.replayed(session_id) if saved is None else self._read_on(saved)

    def _read_on(self, saved: State) -> State:
        raw, end = self.store.lines(saved.session_id, saved.tape_offset)
        return evolve(self._folded(saved, raw, BOOKKEEPER), tape_offset=end)

    def _kept(self, state: State, saved: State | None, words: Words) -> State | None:
        """The state that was saved last. What is on record as said must be said, even where the place cannot be kept."""
        try:
            with self.deadline.limit():
                state = self._caught_up(state)
                if state != saved and state.tape_offset:
                    self.store.save(state)
                    quiet_sessions.forbid_if_owed(self.env, state)
        except Late:
            return None
        except OSError as error:
            if words.reply == Reply():
                raise
            with suppress(OSError):
                self.failed(state.session_id, "settle", error)
            return None
        return state

    def lost(self, session_id: str) -> None:
        """Says that the agent's process is gone."""
        self.append(session_id, {"event": "process_lost"})

    def committed(self, session_id: str, commit: str, branch: str) -> None:
        """Says that a commit was made of which no hook told."""
        self.append(session_id, {"event": "git_commit", "data": {"commit": commit, "branch": branch}})

    def rewound(self, session_id: str, turn: int | None, files: list[str], **more: object) -> None:
        """Says that a user put the files back to how a turn left them, or how they were `before` a call; or, without a turn, took that back, or did so again (`redone`)."""
        told = {"turn": turn, "files": files[:200], **{name: value for name, value in more.items() if value}}
        self.append(session_id, {"note": "rewound", "data": told})

    def repaired(self, session_id: str) -> None:
        """Says that a user looked at the failures."""
        self.append(session_id, {"note": "repaired"})

    def failed(self, session_id: str, action: str, error: BaseException) -> None:
        """Leaves word of what went wrong, for doctor."""
        reason = f"{type(error).__name__}: {error}"[:300]
        self.append(session_id, {"note": "failed", "data": {"action": action, "reason": reason}})

    def replayed(self, session_id: str, until: int | None = None) -> State:
        """The state that the tape alone gives, read up to a byte or to its end."""
        raw, end = self.store.lines(session_id)
        if until is not None:
            raw, end = lines_up_to(raw, until), until
        states = [move.state for move in replay(session_id, self.store.readable(session_id, raw))]
        return evolve(states[-1] if states else State(session_id), tape_offset=end)

    def _caught_up(self, state: State) -> State:
        """The state after every whole line there is, those included that the folding itself adds."""
        while True:
            raw, end = self.store.lines(state.session_id, state.tape_offset)
            if end == state.tape_offset:
                return state
            state = evolve(self._folded(state, raw, self.handler), tape_offset=end)

    def _folded(self, state: State, raw: list[bytes], handler: ActionHandler) -> State:
        lines = self.store.readable(state.session_id, raw)
        done = already_done(lines)
        for line in lines:
            move = step(state, line, handler, done)
            for note in move.notes:
                self.note(state.session_id, note)
            state = move.state
        return state

    def _saved(self, session_id: str) -> State | None:
        """The saved state; None where there is none, where it could not be read and was set aside, or where an older version wrote it."""
        try:
            found = self.store.load(session_id)
        except Unreadable as error:
            self.store.set_aside(session_id, str(error), self.clock_ns())
            return None
        if found and not tape.is_place(self.layout.tape(session_id), found.tape_offset):
            reason = f"read up to byte {found.tape_offset}, where no line ends"
            self.store.set_aside(session_id, reason, self.clock_ns())
            return None
        is_old = found is not None and found.schema_version < SCHEMA_VERSION
        return None if is_old and self.store.lines(session_id)[0] else found

    def _rebuilt(self, session_id: str) -> State:
        """Without a state the tape knows it all. What was certainly acted on is folded without acting again.

        That is every line before the last one that a note speaks of, since lines are acted on in order. The rest goes the
        usual way, in which notes count too: perhaps no settle ever came to its end, and a capture is still owed.
        """
        settled = lines_before_last_acted_on(self.store.lines(session_id)[0])
        state = self._folded(State(session_id), settled, BOOKKEEPER)
        return evolve(state, tape_offset=sum(len(line) + 1 for line in settled))

    def note(self, session_id: str, note: Note) -> None:
        """Puts onto the tape what was done."""
        self.append(session_id, {"note": note.kind, "of": note.of, "data": note.data})

    def append(self, session_id: str, line: dict[str, object]) -> None:
        """Puts a line of ours onto a tape, with its id and the time."""
        now = self.clock_ns()
        stamped: dict[str, object] = {"id": tape.stamp(now, os.getpid()), "at": tape.instant(now), "host": "tapehead"}
        self.store.append(session_id, {**stamped, **line})
