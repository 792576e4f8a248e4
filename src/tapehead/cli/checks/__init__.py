"""What doctor looks at. Each check is a function from where the person stands to what it found; CHECKS lists them all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.cli.checks import agents, setup, store_files, tapes
from tapehead.cli.checks import durable as of_durable
from tapehead.cli.checks import git as of_git
from tapehead.cli.checks import memory as of_memory
from tapehead.cli.checks import sessions as of_sessions
from tapehead.cli.checks.finding import ERROR, Finding

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapehead.cli.here import Here

CHECKS: tuple[Callable[[Here], list[Finding]], ...] = (
    setup.hooks,
    agents.other_agents,
    setup.compiled,
    setup.settings,
    store_files.unwritable,
    store_files.permissions,
    store_files.set_aside,
    store_files.unreadable,
    store_files.leftovers,
    store_files.strays,
    store_files.elsewhere,
    tapes.damaged,
    tapes.unread,
    tapes.replay_differs,
    of_sessions.lost,
    of_sessions.left_in_mid_turn,
    of_sessions.stale,
    of_sessions.unknown_phase,
    of_sessions.pending,
    of_sessions.delivery,
    of_sessions.room,
    of_sessions.failures,
    of_memory.memory,
    of_git.hooks,
    of_git.trailers_without,
    of_git.checkpoints_without,
    of_git.unpushed,
    of_git.handed_over,
    of_durable.durable,
)


def examine(at: Here) -> list[Finding]:
    """All that is found, in the order of the checks."""
    return [finding for check in CHECKS for finding in _looked(check, at)]


def _looked(check: Callable[[Here], list[Finding]], at: Here) -> list[Finding]:
    """What a check found; that it could not look is a finding too."""
    try:
        return check(at)
    except OSError as error:
        return [Finding(check.__name__, ERROR, f"could not look: {error}")]
