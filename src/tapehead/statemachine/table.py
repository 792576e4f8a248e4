"""The machine itself: one row per answer, read from top to bottom.

The first row of a phase and an event whose facts all hold is the answer. Everything else (the transition, the proofs,
the drawings, the facts that a hook must gather) is derived from these rows and never written a second time.
"""

from tapehead.statemachine.vocabulary import Action, Event, Fact, Phase


class Row:
    """One answer: in `phase`, when `event` comes and all of `facts` hold, go to `to` and do `do`, in that order."""

    __slots__ = ("do", "event", "facts", "phase", "to")

    def __init__(self, phase: Phase, event: Event, facts: frozenset[Fact], to: Phase, do: tuple[Action, ...]) -> None:
        self.phase = phase
        self.event = event
        self.facts = facts
        self.to = to
        self.do = do

    def __repr__(self) -> str:
        facts = " ".join(sorted(fact.name for fact in self.facts))
        return f"<Row {self.phase.name} {self.event.name} [{facts}] -> {self.to.name}>"


def parse(text: str) -> tuple[Row, ...]:
    """The rows of a table written down for people. A misspelt word is a KeyError at import: no hook ever starts with it."""
    rows = []
    for line in filter(None, text.splitlines()):
        phase, event, facts, to, do = (cell.strip() for cell in line.split("|"))
        rows.append(
            Row(
                Phase[phase],
                Event[event],
                frozenset(Fact[word] for word in facts.split() if word != "-"),
                Phase[phase if to == "=" else to],
                tuple(Action[word] for word in do.split(", ") if word != "-"),
            )
        )
    return tuple(rows)


# `=` is the same phase, `-` is nothing.
#
# UNANSWERED decides whether a session that stops was in mid-turn where the phase does not tell: a compaction, and what
# follows it, may come between two turns or in the middle of one.
#
# Captures that keep failing are not tried while somebody waits, or at a turn that failed: those rows ask for CAPTURE_BLOCKED.
# An end is the last chance to keep the brief, so there one is tried whatever happened before.
#
# One row is not the design's: a TURN_END that comes after the end (HALTED, ENDED_BEFORE) captures once more. The late
# reply is news, and with it every way into ENDED passes a CAPTURE, also where the captures before it were blocked.
ROWS = parse("""
IDLE       | SESSION_START     | AFTER_COMPACTION CAPTURE_BLOCKED | RESTORED   | WARN_BLOCKED, RESTORE, TEND
IDLE       | SESSION_START     | AFTER_COMPACTION                 | RESTORED   | CAPTURE, RESTORE, TEND
IDLE       | SESSION_START     | HAS_STORY                        | RESTORED   | LEASE_BATON, RESTORE, TEND
IDLE       | SESSION_START     | -                                | =          | TEND
IDLE       | TURN_START        | -                                | ACTIVE     | MARK_LINES, TOUCH, TEND
IDLE       | TURN_END          | -                                | =          | SNAPSHOT, INGEST, TEND
IDLE       | TURN_FAILED       | -                                | =          | SNAPSHOT, INGEST, TEND
IDLE       | COMPACTION        | CAPTURE_BLOCKED                  | COMPACTING | WARN_BLOCKED, TOUCH
IDLE       | COMPACTION        | -                                | COMPACTING | INGEST, CAPTURE, STEER, TOUCH
IDLE       | COMPACTED         | -                                | =          | KEEP_SUMMARY, TEND
IDLE       | COMPACTION_FAILED | -                                | =          | -
IDLE       | SESSION_STOP      | CLEARED                          | ENDED      | SNAPSHOT, INGEST, CAPTURE, JOURNAL, OFFER_BATON, CLOSE, TOUCH, TEND
IDLE       | SESSION_STOP      | -                                | ENDED      | SNAPSHOT, INGEST, CAPTURE, JOURNAL, CLOSE, TOUCH, TEND
IDLE       | GIT_COMMIT        | REBASING                         | =          | -
IDLE       | GIT_COMMIT        | -                                | =          | CONDENSE
IDLE       | PROCESS_LOST      | -                                | ENDED      | SNAPSHOT, INGEST, CAPTURE, JOURNAL, CLOSE

ACTIVE     | SESSION_START     | AFTER_COMPACTION CAPTURE_BLOCKED | RESTORED   | WARN_BLOCKED, RESTORE, TEND
ACTIVE     | SESSION_START     | AFTER_COMPACTION                 | RESTORED   | CAPTURE, RESTORE, TEND
ACTIVE     | SESSION_START     | CAPTURE_BLOCKED                  | RESTORED   | WARN_STALE, SNAPSHOT, INGEST, WARN_BLOCKED, RESTORE, TEND
ACTIVE     | SESSION_START     | -                                | RESTORED   | WARN_STALE, SNAPSHOT, INGEST, CAPTURE, RESTORE, TEND
ACTIVE     | TURN_START        | -                                | =          | MARK_LINES, TOUCH, TEND
ACTIVE     | TURN_END          | -                                | IDLE       | SNAPSHOT, INGEST, TOUCH, TEND
ACTIVE     | TURN_FAILED       | CAPTURE_BLOCKED                  | HALTED     | SNAPSHOT, INGEST, WARN_BLOCKED, TOUCH, TEND
ACTIVE     | TURN_FAILED       | -                                | HALTED     | SNAPSHOT, INGEST, CAPTURE, TOUCH, TEND
ACTIVE     | COMPACTION        | CAPTURE_BLOCKED                  | COMPACTING | WARN_BLOCKED, TOUCH
ACTIVE     | COMPACTION        | -                                | COMPACTING | INGEST, CAPTURE, STEER, TOUCH
ACTIVE     | COMPACTED         | -                                | =          | KEEP_SUMMARY, TEND
ACTIVE     | COMPACTION_FAILED | -                                | =          | -
ACTIVE     | SESSION_STOP      | CLEARED                          | HALTED     | SNAPSHOT, INGEST, CAPTURE, JOURNAL, OFFER_BATON, CLOSE, TOUCH, TEND
ACTIVE     | SESSION_STOP      | -                                | HALTED     | SNAPSHOT, INGEST, CAPTURE, JOURNAL, CLOSE, TOUCH, TEND
ACTIVE     | GIT_COMMIT        | REBASING                         | =          | -
ACTIVE     | GIT_COMMIT        | -                                | =          | CONDENSE
ACTIVE     | PROCESS_LOST      | -                                | HALTED     | SNAPSHOT, INGEST, CAPTURE, JOURNAL, CLOSE

COMPACTING | SESSION_START     | CAPTURE_BLOCKED                  | RESTORED   | WARN_BLOCKED, RESTORE, TEND
COMPACTING | SESSION_START     | -                                | RESTORED   | CAPTURE, RESTORE, TEND
COMPACTING | TURN_START        | -                                | ACTIVE     | MARK_LINES, TOUCH, TEND
COMPACTING | TURN_END          | -                                | IDLE       | SNAPSHOT, INGEST, TOUCH, TEND
COMPACTING | TURN_FAILED       | UNANSWERED                       | HALTED     | TOUCH, TEND
COMPACTING | TURN_FAILED       | -                                | IDLE       | TOUCH, TEND
COMPACTING | COMPACTION        | CAPTURE_BLOCKED                  | =          | WARN_BLOCKED, TOUCH
COMPACTING | COMPACTION        | -                                | =          | INGEST, CAPTURE, STEER, TOUCH
COMPACTING | COMPACTED         | -                                | RESTORED   | KEEP_SUMMARY, RESTORE, TEND
COMPACTING | COMPACTION_FAILED | UNANSWERED                       | ACTIVE     | TOUCH
COMPACTING | COMPACTION_FAILED | -                                | IDLE       | TOUCH
COMPACTING | SESSION_STOP      | CLEARED UNANSWERED               | HALTED     | JOURNAL, OFFER_BATON, CLOSE, TOUCH, TEND
COMPACTING | SESSION_STOP      | CLEARED                          | ENDED      | SNAPSHOT, INGEST, CAPTURE, JOURNAL, OFFER_BATON, CLOSE, TOUCH, TEND
COMPACTING | SESSION_STOP      | UNANSWERED                       | HALTED     | JOURNAL, CLOSE, TOUCH, TEND
COMPACTING | SESSION_STOP      | -                                | ENDED      | SNAPSHOT, INGEST, CAPTURE, JOURNAL, CLOSE, TOUCH, TEND
COMPACTING | GIT_COMMIT        | REBASING                         | =          | -
COMPACTING | GIT_COMMIT        | -                                | =          | CONDENSE
COMPACTING | PROCESS_LOST      | UNANSWERED                       | HALTED     | JOURNAL, CLOSE
COMPACTING | PROCESS_LOST      | -                                | ENDED      | SNAPSHOT, INGEST, CAPTURE, JOURNAL, CLOSE

RESTORED   | SESSION_START     | AFTER_COMPACTION CAPTURE_BLOCKED | =          | WARN_BLOCKED, RESTORE, TEND
RESTORED   | SESSION_START     | AFTER_COMPACTION                 | =          | CAPTURE, RESTORE, TEND
RESTORED   | SESSION_START     | -                                | =          | RESTORE, TEND
RESTORED   | TURN_START        | -                                | ACTIVE     | TAKE_BATON, MARK_LINES, TOUCH, TEND
RESTORED   | TURN_END          | -                                | IDLE       | TAKE_BATON, SNAPSHOT, INGEST, TOUCH, TEND
RESTORED   | TURN_FAILED       | CAPTURE_BLOCKED                  | HALTED     | SNAPSHOT, INGEST, WARN_BLOCKED, TOUCH, TEND
RESTORED   | TURN_FAILED       | -                                | HALTED     | SNAPSHOT, INGEST, CAPTURE, TOUCH, TEND
RESTORED   | COMPACTION        | CAPTURE_BLOCKED                  | COMPACTING | WARN_BLOCKED, TOUCH
RESTORED   | COMPACTION        | -                                | COMPACTING | INGEST, CAPTURE, STEER, TOUCH
RESTORED   | COMPACTED         | -                                | =          | KEEP_SUMMARY, TEND
RESTORED   | COMPACTION_FAILED | -                                | =          | -
RESTORED   | SESSION_STOP      | CLEARED UNANSWERED               | HALTED     | SNAPSHOT, INGEST, CAPTURE, JOURNAL, OFFER_BATON, CLOSE, TOUCH, TEND
RESTORED   | SESSION_STOP      | CLEARED                          | ENDED      | SNAPSHOT, INGEST, CAPTURE, JOURNAL, OFFER_BATON, CLOSE, TOUCH, TEND
RESTORED   | SESSION_STOP      | UNANSWERED                       | HALTED     | SNAPSHOT, INGEST, CAPTURE, JOURNAL, CLOSE, TOUCH, TEND
RESTORED   | SESSION_STOP      | -                                | ENDED      | SNAPSHOT, INGEST, CAPTURE, JOURNAL, CLOSE, TOUCH, TEND
RESTORED   | GIT_COMMIT        | REBASING                         | =          | -
RESTORED   | GIT_COMMIT        | -                                | =          | CONDENSE
RESTORED   | PROCESS_LOST      | UNANSWERED                       | HALTED     | SNAPSHOT, INGEST, CAPTURE, JOURNAL, CLOSE
RESTORED   | PROCESS_LOST      | -                                | ENDED      | SNAPSHOT, INGEST, CAPTURE, JOURNAL, CLOSE

HALTED     | SESSION_START     | -                                | RESTORED   | REOPEN, RESTORE, TEND
HALTED     | TURN_START        | -                                | ACTIVE     | REOPEN, MARK_LINES, TOUCH, TEND
HALTED     | TURN_END          | ENDED_BEFORE                     | ENDED      | SNAPSHOT, INGEST, CAPTURE, TEND
HALTED     | TURN_END          | -                                | IDLE       | SNAPSHOT, INGEST, TOUCH, TEND
HALTED     | TURN_FAILED       | -                                | =          | TEND
HALTED     | COMPACTION        | CAPTURE_BLOCKED                  | COMPACTING | REOPEN, WARN_BLOCKED, TOUCH
HALTED     | COMPACTION        | -                                | COMPACTING | REOPEN, INGEST, CAPTURE, STEER, TOUCH
HALTED     | COMPACTED         | -                                | =          | KEEP_SUMMARY, TEND
HALTED     | COMPACTION_FAILED | -                                | =          | -
HALTED     | SESSION_STOP      | CLEARED                          | =          | JOURNAL, OFFER_BATON, CLOSE, TOUCH, TEND
HALTED     | SESSION_STOP      | -                                | =          | JOURNAL, CLOSE, TOUCH, TEND
HALTED     | GIT_COMMIT        | REBASING                         | =          | -
HALTED     | GIT_COMMIT        | -                                | =          | CONDENSE_IF_TOUCHED
HALTED     | PROCESS_LOST      | -                                | =          | -

ENDED      | SESSION_START     | HAS_STORY                        | RESTORED   | REOPEN, RESTORE, TEND
ENDED      | SESSION_START     | -                                | IDLE       | REOPEN, TEND
ENDED      | TURN_START        | -                                | ACTIVE     | REOPEN, MARK_LINES, TOUCH, TEND
ENDED      | TURN_END          | -                                | =          | SNAPSHOT, INGEST, TEND
ENDED      | TURN_FAILED       | -                                | =          | TEND
ENDED      | COMPACTION        | CAPTURE_BLOCKED                  | COMPACTING | REOPEN, WARN_BLOCKED, TOUCH
ENDED      | COMPACTION        | -                                | COMPACTING | REOPEN, INGEST, CAPTURE, STEER, TOUCH
ENDED      | COMPACTED         | -                                | =          | KEEP_SUMMARY, TEND
ENDED      | COMPACTION_FAILED | -                                | =          | -
ENDED      | SESSION_STOP      | -                                | =          | TEND
ENDED      | GIT_COMMIT        | REBASING                         | =          | -
ENDED      | GIT_COMMIT        | FILES_TOUCHED                    | =          | CONDENSE_IF_TOUCHED
ENDED      | GIT_COMMIT        | -                                | =          | RETIRE_IF_UNTOUCHED
ENDED      | PROCESS_LOST      | -                                | =          | -
""")
