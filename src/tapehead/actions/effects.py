"""The actions that reach out into the world, each through its port. What they bring back is a note for the tape."""

from __future__ import annotations

from tapehead.actions.breaker import is_blocked

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from tapehead.actions.ports import Ports, Remembered
    from tapehead.store.line import Line
    from tapehead.store.state import State


def ingest(state: State, line: Line, ports: Ports) -> Remembered:
    """Take what is new in the transcript; before that, the work tree as the agent left it, which changes sooner."""
    marked = ports.checkpoints.end_turn(state, line) if ports.checkpoints else {}
    read = ports.transcripts.ingest(state, line) if ports.transcripts else None
    return {**(read or {}), **marked} or None


def capture(state: State, line: Line, ports: Ports) -> Remembered:
    """Write the standard description; where captures are blocked, not even that is tried."""
    return ports.stories.capture(state, line) if ports.stories and not is_blocked(state) else None


def keep_summary(state: State, line: Line, ports: Ports) -> Remembered:
    """Keep what the host itself wrote down."""
    return ports.stories.keep_summary(state, line) if ports.stories else None


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


def discard_if_untouched(state: State, line: Line, ports: Ports) -> Remembered:
    """Drop what nobody will ask for."""
    return ports.checkpoints.discard(state, line) if ports.checkpoints and not state.files_touched else None
