"""What doctor looks at. Each check is a function from where the user stands to what it found; CHECKS lists them all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve

from tapehead.cli.checks import agents, clients, read_back, server, setup, store_files, tapes, transcripts, trims
from tapehead.cli.checks import durable as of_durable
from tapehead.cli.checks import git as of_git
from tapehead.cli.checks import memory as of_memory
from tapehead.cli.checks import sessions as of_sessions
from tapehead.cli.checks.finding import ERROR, Finding
from tapehead.cli.here import known
from tapehead.git.run import GitFailed

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapehead.cli.here import Here

CHECKS: tuple[Callable[[Here], list[Finding]], ...] = (
    setup.check_switch,
    setup.hooks,
    agents.other_agents,
    clients.compatible,
    clients.script,
    clients.unheard_payloads,
    clients.spooled_payloads,
    server.server,
    setup.check_bytecode,
    setup.settings,
    store_files.unwritable,
    store_files.set_aside,
    store_files.unreadable,
    store_files.strays,
    store_files.elsewhere,
    store_files.damaged_handoffs,
    tapes.unread,
    of_sessions.lost,
    of_sessions.left_in_mid_turn,
    of_sessions.stale,
    of_sessions.unknown_phase,
    of_sessions.pending,
    of_sessions.delivery,
    of_sessions.room,
    of_sessions.failures,
    of_sessions.check_unrecorded,
    of_memory.memory,
    transcripts.unkept,
    transcripts.driven_out,
    of_git.hooks,
    of_git.broken_refs,
    of_git.cut_short,
    of_git.trailers_without,
    of_git.checkpoints_without,
    of_git.check_unpushed,
    of_git.mirrors,
    of_git.boundary,
    of_git.check_refused,
    of_git.handed_over,
    of_durable.durable,
    trims.kept_originals,
)


READ_BACK: tuple[Callable[[Here, bool], list[Finding]], ...] = (
    store_files.irregular,
    store_files.permissions,
    store_files.leftovers,
    tapes.check_tapes,
    tapes.replay_differs,
    read_back.checkpoints,
    read_back.snapshots,
    read_back.captures,
    read_back.outdated_notes,
    transcripts.check_copies,
)
"""These look through what was kept: the newest of it, or all."""


def examine(at: Here, *, deep: bool = False) -> list[Finding]:
    """All that is found, in the order of the checks."""
    at = evolve(at, looked=known(at.engine))
    checks = (*CHECKS, *(_reading(check, deep=deep) for check in READ_BACK))
    return [finding for check in checks for finding in _looked(check, at)]


def _reading(check: Callable[[Here, bool], list[Finding]], *, deep: bool) -> Callable[[Here], list[Finding]]:
    def looked(at: Here) -> list[Finding]:
        return check(at, deep)

    looked.__name__ = check.__name__
    return looked


def _looked(check: Callable[[Here], list[Finding]], at: Here) -> list[Finding]:
    """What a check found; that it could not look is a finding too."""
    try:
        return check(at)
    except (OSError, GitFailed) as error:
        return [Finding(check.__name__, ERROR, f"could not check: {error}")]
