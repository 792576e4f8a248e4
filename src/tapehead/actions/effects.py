"""The actions that reach out into the world, each through its port. What they bring back is a note for the tape."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tapehead.actions.ports import Ports, Remembered
    from tapehead.store.line import Line
    from tapehead.store.state import State


def snapshot(state: State, line: Line, ports: Ports) -> Remembered:
    """Record the work tree as the agent left it: before anything else, since it changes soonest."""
    return ports.checkpoints.snapshot(state, line) if ports.checkpoints else None


def ingest(state: State, line: Line, ports: Ports) -> Remembered:
    """Take in what is new in the transcript."""
    return ports.transcripts.ingest(state, line) if ports.transcripts else None


def capture(state: State, line: Line, ports: Ports) -> Remembered:
    """Write a capture of the work."""
    return ports.briefs.capture(state, line) if ports.briefs else None


def journal(state: State, line: Line, ports: Ports) -> Remembered:
    """Add a line for people."""
    return ports.briefs.journal(state, line) if ports.briefs else None


def keep_summary(state: State, line: Line, ports: Ports) -> Remembered:
    """Keep what the agent itself wrote down."""
    return ports.briefs.keep_summary(state, line) if ports.briefs else None


def offer_baton(state: State, line: Line, ports: Ports) -> Remembered:
    """Name this session for the next start."""
    return ports.batons.offer(state, line) if ports.batons else None


def lease_baton(state: State, line: Line, ports: Ports) -> Remembered:
    """Reserve it for this start."""
    return ports.batons.lease(state, line) if ports.batons else None


def take_baton(state: State, line: Line, ports: Ports) -> Remembered:
    """Use it up."""
    return ports.batons.take(state, line) if ports.batons else None


def mark_lines(state: State, line: Line, ports: Ports) -> Remembered:
    """Record the work tree before the agent works on it."""
    return ports.checkpoints.mark_lines(state, line) if ports.checkpoints else None


def condense(state: State, line: Line, ports: Ports) -> Remembered:
    """Write a checkpoint."""
    return ports.checkpoints.condense(state, line) if ports.checkpoints else None


def condense_if_touched(state: State, line: Line, ports: Ports) -> Remembered:
    """Write one if there is something in it."""
    return condense(state, line, ports) if state.files_touched else None


def retire_if_untouched(state: State, line: Line, ports: Ports) -> Remembered:
    """Have commits told to others."""
    return ports.checkpoints.retire(state, line) if ports.checkpoints and not state.files_touched else None
