"""That an agent has our server running: a brief then names its tools, and otherwise the commands."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from tapehead.cli.here import look_here
from tapehead.cli.output import Failure
from tapehead.store import off_switch, served_agents
from tapehead.system import processes as process

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapehead.store.paths import Layout

_GREETINGS = (b'"initialize"', b'"server/discover"')


class Connection:
    """Answers an agent's messages, and leaves a mark for that agent's process from its greeting to the server's end."""

    def __init__(self, answer: Callable[[bytes], bytes]) -> None:
        self._answer = answer
        self._mark: tuple[Layout, int] | None = None

    def answer(self, line: bytes) -> bytes:
        """The answer to one line. Without a store there is nobody to read the mark, and none is left."""
        if self._mark is None and any(word in line for word in _GREETINGS):
            with suppress(Failure, OSError):
                self._leave_mark()
        return self._answer(line)

    def _leave_mark(self) -> None:
        agent = process.host_above(os.getppid())
        if agent is not None:
            layout = look_here().engine.layout
            if off_switch.is_off((layout,), time.time_ns()):
                return
            served_agents.note(layout, agent.pid, agent.started, process.is_lost)
            self._mark = layout, agent.pid

    def close(self) -> None:
        """Take the mark away."""
        if self._mark is not None:
            served_agents.forget(*self._mark)
