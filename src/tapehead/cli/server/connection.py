"""That an agent has our server running: a brief then names its tools, and otherwise the commands."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from tapehead.agents import process
from tapehead.cli.here import look_here
from tapehead.cli.output import Failure
from tapehead.store import served

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def connected() -> Iterator[None]:
    """Leave a mark for the agent that started the server, as long as the server runs. Without a store there is nobody to read it."""
    agent = process.host_above(os.getppid())
    layout = None
    with suppress(Failure, OSError):
        layout = look_here().engine.layout
    if agent is None or layout is None:
        yield
        return
    with suppress(OSError):
        served.note(layout, agent.pid, agent.started, process.is_lost)
    try:
        yield
    finally:
        served.forget(layout, agent.pid)
