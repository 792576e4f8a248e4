"""The words of the machine: where a session can stand, what can happen to it, what is known then, what is done about it."""

from enum import Enum


class Phase(Enum):
    """Where a session stands. The value is the word in a state file."""

    IDLE = "idle"
    """Open, waiting for a prompt. A state file with no phase, or one that this version does not know, is read as this."""
    ACTIVE = "active"
    """The agent is working on a prompt."""
    COMPACTING = "compacting"
    """The work is captured, and the agent is compacting its context."""
    RESTORED = "restored"
    """The agent got a brief, and has sent no event since."""
    HALTED = "halted"
    """Stopped with work in flight: the turn failed, the process died, or it was left in mid-turn."""
    ENDED = "ended"
    """Closed with nothing in flight."""

    # Whatever is asked of a phase is asked here: elsewhere nobody compares phases (tests/statemachine/test_questions.py).

    @property
    def is_closed(self) -> bool:
        """Whether the session is over, in whatever way."""
        return self in (Phase.HALTED, Phase.ENDED)

    @property
    def is_ended(self) -> bool:
        """Whether it is over with nothing in flight."""
        return self is Phase.ENDED

    @property
    def is_halted(self) -> bool:
        """Whether it stopped with work in flight."""
        return self is Phase.HALTED

    @property
    def is_working(self) -> bool:
        """Whether the agent is surely at work: it has a prompt, or its context is being compacted."""
        return self in (Phase.ACTIVE, Phase.COMPACTING)

    @property
    def is_on_a_prompt(self) -> bool:
        """Whether the agent works on a prompt this moment."""
        return self is Phase.ACTIVE

    @property
    def is_compacting(self) -> bool:
        """Whether a compaction was begun and nobody has heard of its end."""
        return self is Phase.COMPACTING

    @property
    def is_restored(self) -> bool:
        """Whether a brief was given and the agent has sent no event since."""
        return self is Phase.RESTORED

    @property
    def is_after_a_turn(self) -> bool:
        """Whether a turn came to its end before this."""
        return self in (Phase.IDLE, Phase.ENDED)


class Event(Enum):
    """What happened. The value is the word on the tape."""

    SESSION_START = "session_start"
    """The agent opened a session: a new one, a resumed one, or the same one after a compaction or a `/clear`."""
    TURN_START = "turn_start"
    """The user sent a prompt."""
    TURN_END = "turn_end"
    """The agent finished its answer."""
    TURN_FAILED = "turn_failed"
    """The turn broke off: the agent reports an error instead of an answer."""
    COMPACTION = "compaction"
    """The agent is about to replace its context by a summary."""
    COMPACTED = "compacted"
    """The agent has done so."""
    COMPACTION_FAILED = "compaction_failed"
    """The compaction failed: the agent reports an error instead of a summary, or its record goes on without one."""
    SESSION_STOP = "session_stop"
    """The agent closed the session."""
    GIT_COMMIT = "git_commit"
    """A commit was made in the work tree, by whomever."""
    PROCESS_LOST = "process_lost"
    """Nobody sends it: doctor, status and the next start find that the agent's process is gone."""


class Fact(Enum):
    """What is known when an event is folded. Facts about the world stand on the tape; the others follow from the state."""

    AFTER_COMPACTION = "after_compaction"
    """The start says that its source is a compaction."""
    CLEARED = "cleared"
    """The start or the stop says that it is because of `/clear`."""
    HAS_STORY = "has_story"
    """There is something to hand back: a baton, this session's own capture, or a predecessor."""
    FILES_TOUCHED = "files_touched"
    """The session has touched files that are not yet condensed."""
    REBASING = "rebasing"
    """Git is in the middle of a rebase."""
    CAPTURE_BLOCKED = "capture_blocked"
    """The last three captures in a row failed."""
    ENDED_BEFORE = "ended_before"
    """The state carries an end time."""
    UNANSWERED = "unanswered"
    """The newest prompt has no answer yet: the agent works on it, or stopped before it was done."""


class Action(Enum):
    """What is to be done. The machine only names it; the ActionHandler does it."""

    TOUCH = "touch"
    """Set the last interaction time (agent events only, never a commit)."""
    REOPEN = "reopen"
    """Clear the end time and the fully-condensed mark."""
    CLOSE = "close"
    """Set the end time."""
    SNAPSHOT = "snapshot"
    """Record the work tree as the agent left it, where a turn was under way."""
    INGEST = "ingest"
    """Take in what is new in the transcript: usage, files touched, how full the window is."""
    CAPTURE = "capture"
    """Write a capture of the work, and archive the former one."""
    JOURNAL = "journal"
    """Add a line about the session to the user's journal."""
    STEER = "steer"
    """Tell the agent's summariser, where it listens, what must survive."""
    RESTORE = "restore"
    """Give the agent its brief; pending until an event can carry it."""
    KEEP_SUMMARY = "keep_summary"
    """Keep the agent's own summary."""
    OFFER_BATON = "offer_baton"
    """Name this session as the one that the next start in this place inherits."""
    LEASE_BATON = "lease_baton"
    """Reserve the baton for this start; a start that never gets a prompt does not use it up."""
    TAKE_BATON = "take_baton"
    """Make the lease final, at the first prompt."""
    MARK_LINES = "mark_lines"
    """Record the work tree before the agent works on it, for attribution."""
    CONDENSE = "condense"
    """Write a checkpoint of the session into git."""
    CONDENSE_IF_TOUCHED = "condense_if_touched"
    """The same, if files were touched."""
    RETIRE_IF_UNTOUCHED = "retire_if_untouched"
    """Tell the session of no more commits, if no file of it is left to condense."""
    TEND = "tend"
    """Leave to the worker what nobody waits for: history, notes, memories, delivery, a copy of the transcript, a survey of the work tree, git's hooks."""
    WARN_STALE = "warn_stale"
    """Tell the user that this session was left in mid-turn."""
    WARN_BLOCKED = "warn_blocked"
    """Tell the user that captures keep failing, and why."""
