"""The words of the machine: where a session can stand, what can happen to it, what is known then, what is done about it."""

from enum import Enum


class Phase(Enum):
    """Where a session stands. The value is the word in a state file."""

    IDLE = "idle"
    """Open, waiting for a prompt. A state file with no phase, or one that this version does not know, is read as this."""
    ACTIVE = "active"
    """The agent is working on a prompt."""
    COMPACTING = "compacting"
    """The story so far is captured, the host is compacting its context."""
    RESTORED = "restored"
    """The story was handed back to the agent, which has not yet been heard from."""
    HALTED = "halted"
    """Stopped with work in flight: the turn failed, the process died, or it was left in mid-turn."""
    ENDED = "ended"
    """Closed with nothing in flight."""


class Event(Enum):
    """What happened. The value is the word on the tape."""

    SESSION_START = "session_start"
    TURN_START = "turn_start"
    TURN_END = "turn_end"
    TURN_FAILED = "turn_failed"
    COMPACTION = "compaction"
    COMPACTED = "compacted"
    SESSION_STOP = "session_stop"
    GIT_COMMIT = "git_commit"
    PROCESS_LOST = "process_lost"
    """Nobody sends it: doctor, status and the next start find that the host's process is gone."""


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


class Action(Enum):
    """What is to be done. The machine only names it; the ActionHandler does it."""

    TOUCH = "touch"
    """Set the last interaction time (agent events only, never a commit)."""
    REOPEN = "reopen"
    """Clear the end time and the fully-condensed mark."""
    CLOSE = "close"
    """Set the end time."""
    INGEST = "ingest"
    """Take what is new in the transcript into the layered memory."""
    CAPTURE = "capture"
    """Write the standard description, and archive the former one."""
    STEER = "steer"
    """Tell the host's summariser, where it listens, what must survive."""
    RESTORE = "restore"
    """Hand the story back in the host's own form; pending until an event can carry it."""
    KEEP_SUMMARY = "keep_summary"
    """Keep the host's own summary."""
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
    DISCARD_IF_UNTOUCHED = "discard_if_untouched"
    """Drop the session's unsaved data, if no file was touched."""
    WARN_STALE = "warn_stale"
    """Tell the person that this session was left in mid-turn."""
    WARN_BLOCKED = "warn_blocked"
    """Tell the person that captures keep failing, and why."""
