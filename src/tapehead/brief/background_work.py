"""What a session's tape heard of work that goes on beside it: what the agent said runs, and when its process was gone."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

from tapehead.statemachine.vocabulary import Event, Fact
from tapehead.work_record.work_in_flight import Heard

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from tapehead.store.line import Line


def beside(lines: Iterable[Line]) -> Heard:
    """The newest list of what runs, the subagents that ended after it, and every end of a process that ran something."""
    found = Heard()
    process: tuple[int | None, str] | None = None
    for line in lines:
        started = (line.number("pid"), line.text("pid_started"))
        if _ends(line) or (process and line.event is Event.SESSION_START and started not in (process, _UNKNOWN)):
            found = found._replace(gone=(*found.gone, _utc(line.at)))
            process = None
        if line.event is Event.SESSION_START and started != _UNKNOWN:
            process = started
        if line.event is Event.TURN_END and isinstance(line.data.get("running"), list):
            found = found._replace(at=_utc(line.at), running=_named(line.texts("running")), over=frozenset())
        if line.note == "subagent_stop" and line.text("agent_id"):
            found = found._replace(over=found.over | {line.text("agent_id")})
    return found


_UNKNOWN = (None, "")


def _named(tasks: tuple[str, ...]) -> dict[str, str]:
    """What runs, by the agent's name for it, which stands first."""
    return {name: what for name, _, what in (task.partition(" ") for task in tasks)}


def _ends(line: Line) -> bool:
    """Whether the agent's process is over: `/clear` ends a session, and what runs beside it goes on."""
    stopped = line.event is Event.SESSION_STOP and Fact.CLEARED not in line.facts
    return stopped or line.event is Event.PROCESS_LOST


def _utc(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S")
