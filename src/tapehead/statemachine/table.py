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
# One row is not the design's: a TURN_END that comes after the end (HALTED, ENDED_BEFORE) captures once more. The late
# reply is news, and with it every way into ENDED passes a CAPTURE, also where the captures before it were blocked.
ROWS = parse("""
IDLE       | SESSION_START | AFTER_COMPACTION | RESTORED   | CAPTURE, RESTORE
IDLE       | SESSION_START | HAS_STORY        | RESTORED   | LEASE_BATON, RESTORE
IDLE       | SESSION_START | -                | =          | -
IDLE       | TURN_START    | -                | ACTIVE     | MARK_LINES, TOUCH
IDLE       | TURN_END      | -                | =          | INGEST
IDLE       | TURN_FAILED   | -                | =          | INGEST
IDLE       | COMPACTION    | CAPTURE_BLOCKED  | COMPACTING | WARN_BLOCKED, TOUCH
IDLE       | COMPACTION    | -                | COMPACTING | INGEST, CAPTURE, STEER, TOUCH
IDLE       | COMPACTED     | -                | =          | KEEP_SUMMARY
IDLE       | SESSION_STOP  | CLEARED          | ENDED      | INGEST, CAPTURE, OFFER_BATON, CLOSE, TOUCH
IDLE       | SESSION_STOP  | -                | ENDED      | INGEST, CAPTURE, CLOSE, TOUCH
IDLE       | GIT_COMMIT    | REBASING         | =          | -
IDLE       | GIT_COMMIT    | -                | =          | CONDENSE
IDLE       | PROCESS_LOST  | -                | ENDED      | INGEST, CAPTURE, CLOSE

ACTIVE     | SESSION_START | AFTER_COMPACTION | RESTORED   | CAPTURE, RESTORE
ACTIVE     | SESSION_START | -                | RESTORED   | WARN_STALE, INGEST, CAPTURE, RESTORE
ACTIVE     | TURN_START    | -                | =          | MARK_LINES, TOUCH
ACTIVE     | TURN_END      | -                | IDLE       | INGEST, TOUCH
ACTIVE     | TURN_FAILED   | -                | HALTED     | INGEST, CAPTURE, TOUCH
ACTIVE     | COMPACTION    | CAPTURE_BLOCKED  | COMPACTING | WARN_BLOCKED, TOUCH
ACTIVE     | COMPACTION    | -                | COMPACTING | INGEST, CAPTURE, STEER, TOUCH
ACTIVE     | COMPACTED     | -                | =          | KEEP_SUMMARY
ACTIVE     | SESSION_STOP  | CLEARED          | HALTED     | INGEST, CAPTURE, OFFER_BATON, CLOSE, TOUCH
ACTIVE     | SESSION_STOP  | -                | HALTED     | INGEST, CAPTURE, CLOSE, TOUCH
ACTIVE     | GIT_COMMIT    | REBASING         | =          | -
ACTIVE     | GIT_COMMIT    | -                | =          | CONDENSE
ACTIVE     | PROCESS_LOST  | -                | HALTED     | INGEST, CAPTURE, CLOSE

COMPACTING | SESSION_START | -                | RESTORED   | CAPTURE, RESTORE
COMPACTING | TURN_START    | -                | ACTIVE     | MARK_LINES, TOUCH
COMPACTING | TURN_END      | -                | IDLE       | INGEST, TOUCH
COMPACTING | TURN_FAILED   | -                | HALTED     | TOUCH
COMPACTING | COMPACTION    | CAPTURE_BLOCKED  | =          | WARN_BLOCKED, TOUCH
COMPACTING | COMPACTION    | -                | =          | INGEST, CAPTURE, STEER, TOUCH
COMPACTING | COMPACTED     | -                | RESTORED   | KEEP_SUMMARY, RESTORE
COMPACTING | SESSION_STOP  | CLEARED          | HALTED     | OFFER_BATON, CLOSE, TOUCH
COMPACTING | SESSION_STOP  | -                | HALTED     | CLOSE, TOUCH
COMPACTING | GIT_COMMIT    | REBASING         | =          | -
COMPACTING | GIT_COMMIT    | -                | =          | CONDENSE
COMPACTING | PROCESS_LOST  | -                | HALTED     | CLOSE

RESTORED   | SESSION_START | AFTER_COMPACTION | =          | CAPTURE, RESTORE
RESTORED   | SESSION_START | -                | =          | RESTORE
RESTORED   | TURN_START    | -                | ACTIVE     | TAKE_BATON, MARK_LINES, TOUCH
RESTORED   | TURN_END      | -                | IDLE       | TAKE_BATON, INGEST, TOUCH
RESTORED   | TURN_FAILED   | -                | HALTED     | INGEST, CAPTURE, TOUCH
RESTORED   | COMPACTION    | CAPTURE_BLOCKED  | COMPACTING | WARN_BLOCKED, TOUCH
RESTORED   | COMPACTION    | -                | COMPACTING | INGEST, CAPTURE, STEER, TOUCH
RESTORED   | COMPACTED     | -                | =          | KEEP_SUMMARY
RESTORED   | SESSION_STOP  | CLEARED          | ENDED      | INGEST, CAPTURE, OFFER_BATON, CLOSE, TOUCH
RESTORED   | SESSION_STOP  | -                | ENDED      | INGEST, CAPTURE, CLOSE, TOUCH
RESTORED   | GIT_COMMIT    | REBASING         | =          | -
RESTORED   | GIT_COMMIT    | -                | =          | CONDENSE
RESTORED   | PROCESS_LOST  | -                | HALTED     | INGEST, CAPTURE, CLOSE

HALTED     | SESSION_START | -                | RESTORED   | REOPEN, RESTORE
HALTED     | TURN_START    | -                | ACTIVE     | REOPEN, MARK_LINES, TOUCH
HALTED     | TURN_END      | ENDED_BEFORE     | ENDED      | INGEST, CAPTURE
HALTED     | TURN_END      | -                | IDLE       | INGEST, TOUCH
HALTED     | TURN_FAILED   | -                | =          | -
HALTED     | COMPACTION    | CAPTURE_BLOCKED  | COMPACTING | REOPEN, WARN_BLOCKED, TOUCH
HALTED     | COMPACTION    | -                | COMPACTING | REOPEN, INGEST, CAPTURE, STEER, TOUCH
HALTED     | COMPACTED     | -                | =          | KEEP_SUMMARY
HALTED     | SESSION_STOP  | CLEARED          | =          | OFFER_BATON, CLOSE, TOUCH
HALTED     | SESSION_STOP  | -                | =          | CLOSE, TOUCH
HALTED     | GIT_COMMIT    | REBASING         | =          | -
HALTED     | GIT_COMMIT    | -                | =          | CONDENSE_IF_TOUCHED
HALTED     | PROCESS_LOST  | -                | =          | -

ENDED      | SESSION_START | HAS_STORY        | RESTORED   | REOPEN, RESTORE
ENDED      | SESSION_START | -                | IDLE       | REOPEN
ENDED      | TURN_START    | -                | ACTIVE     | REOPEN, MARK_LINES, TOUCH
ENDED      | TURN_END      | -                | =          | INGEST
ENDED      | TURN_FAILED   | -                | =          | -
ENDED      | COMPACTION    | CAPTURE_BLOCKED  | COMPACTING | REOPEN, WARN_BLOCKED, TOUCH
ENDED      | COMPACTION    | -                | COMPACTING | REOPEN, INGEST, CAPTURE, STEER, TOUCH
ENDED      | COMPACTED     | -                | =          | KEEP_SUMMARY
ENDED      | SESSION_STOP  | -                | =          | -
ENDED      | GIT_COMMIT    | REBASING         | =          | -
ENDED      | GIT_COMMIT    | FILES_TOUCHED    | =          | CONDENSE_IF_TOUCHED
ENDED      | GIT_COMMIT    | -                | =          | DISCARD_IF_UNTOUCHED
ENDED      | PROCESS_LOST  | -                | =          | -
""")
