"""`monitor --diag`: where each number on the screen comes from, and what the terminal says of itself."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tapehead.actions.window_room import said_since
from tapehead.cli.monitor.rows import contexts
from tapehead.cli.monitor.watch import look_at
from tapehead.engine.statusline import margins
from tapehead.engine.waiting import waiting_of
from tapehead.store import agent_figures
from tapehead.store.state import is_at_work
from tapehead.text.wording import ago, when
from tapehead.tokens.window import Thresholds

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tapehead.cli.here import Here
    from tapehead.cli.monitor.rows import Read
    from tapehead.store.state import State


_STUCK_SECONDS = 600
"""A turn in which nothing came for so long may hang. Claude Code's own limit of one command is ten minutes."""


def terminal(env: Mapping[str, str], size: tuple[int, int]) -> dict[str, str]:
    """What decides how the screen is drawn."""
    said = {name: env[name] for name in ("TERM", "COLUMNS", "LINES", "NO_COLOR", "LANG", "LC_ALL") if name in env}
    streams = {name: "a terminal" if getattr(sys, name).isatty() else "no terminal" for name in ("stdin", "stdout")}
    return {**streams, "size": f"{size[0]} x {size[1]}", "encoding": sys.stdout.encoding or "unknown", **said}


def of_session(at: Here, state: State) -> dict[str, str]:
    """Each number, and why it is what it is."""
    read = look_at(at, state)
    window, whence = _window(state, read)
    told = {
        "phase": f"{state.phase.name}, by the tape up to byte {state.tape_offset:,}"
        + (", but its process is gone" if read.gone else ""),
        "activity": _activity(state, read, at.now),
        "context": _used(state, read),
        "window": f"{window:,} tokens, {whence}"
        if window
        else "unknown: neither the status line nor the transcript says it",
        "tokens": f"{sum(_counts(state)):,} in all: input {state.token_usage.input:,}, output {state.token_usage.output:,}, from cache {state.token_usage.cache_read:,}, to cache {state.token_usage.cache_creation:,}, each message of the transcript once",
        "cost": "as the status line said it last"
        if agent_figures.cost(read.said) is not None
        else "no status line told it; about the list price of all tokens, where the model has one",
        "transcript": _transcript(state),
    }
    if window:
        marks = Thresholds(window, margins(at.engine.settings))
        names = zip(("warning", "error", "compaction", "blocking"), marks.marks, strict=True)
        told["marks"] = ", ".join(f"{name} at {mark:,}" for name, mark in names) + " (settings window.*)"
    return told


def _activity(state: State, read: Read, now: datetime) -> str:
    """Whether it works, waits, idles, or hangs: by its phase, its process, and when its transcript last grew."""
    heard = ago(state.last_interaction_at or state.started_at, now)
    if state.phase.is_closed:
        return f"over; last heard of {heard}"
    whose = f"process {state.host_pid}" if state.host_pid else "an unknown process"
    if read.gone:
        return f"lost: {whose} is gone; last heard of {heard}"
    if waiting_of(state):
        return f"waits for an answer of yours; {whose} runs"
    if not is_at_work(state):
        return f"idle; {whose} runs; last heard of {heard}"
    came = max(filter(None, (_written(state), state.last_interaction_at)), default=now)
    if (now - came).total_seconds() > _STUCK_SECONDS:
        return f"stuck, or busy with one long step: {whose} runs, but the last that came was {ago(came, now)}"
    return f"at work; {whose} runs; something came {ago(came, now)}"


def _written(state: State) -> datetime | None:
    try:
        return datetime.fromtimestamp(os.path.getmtime(state.transcript_path), UTC)
    except OSError:
        return None


def _counts(state: State) -> tuple[int, int, int, int]:
    used = state.token_usage
    return used.input, used.output, used.cache_read, used.cache_creation


def _window(state: State, read: Read) -> tuple[int, str]:
    if found := agent_figures.number(read.said, "window"):
        return found, "as the status line said it"
    own = (turn.usage.window for turn in reversed(read.turns or ()) if not turn.subagent)
    if found := next(filter(None, own), None):
        return found, "as the transcript has it"
    return (
        (state.context_window, "as the transcript had it at the last turn's end") if state.context_window else (0, "")
    )


def _used(state: State, read: Read) -> str:
    if found := said_since(state, read.said):
        return f"{found:,} tokens, as the status line said after the last turn"
    if known := contexts(read.turns or ()):
        return f"{known[-1]:,} tokens, as the transcript counts its last answer"
    if state.context_tokens:
        return f"{state.context_tokens:,} tokens, as the transcript counted them at the last turn's end"
    if state.context_estimate:
        return f"unknown; about {state.context_estimate:,} tokens by the length of the text"
    return "unknown: there was no answer yet, or none since the last compaction" + (
        f" ({when(state.compacted_at)})" if state.compacted_at else ""
    )


def _transcript(state: State) -> str:
    if not state.transcript_path:
        return "none: the agent named no file"
    if not os.path.isfile(state.transcript_path):
        return f"{state.transcript_path}, which is gone"
    behind = os.path.getsize(state.transcript_path) - state.transcript_offset
    if behind < 0:
        return f"drifted: read up to byte {state.transcript_offset:,}, but it is {-behind:,} bytes shorter; {state.transcript_path}"
    return f"read up to byte {state.transcript_offset:,}, {behind:,} bytes are newer; {state.transcript_path}"
