"""INGEST: what is new in the transcript since it was last read. Its cost depends on what is new, not on what is old."""

from __future__ import annotations

import os
from functools import reduce
from typing import TYPE_CHECKING

from tapehead import __version__
from tapehead.agents.readers import reader_of
from tapehead.brief.unrecorded_prompts import gap
from tapehead.history.fork_offset import file_name, is_another_file, next_offset
from tapehead.statemachine.vocabulary import Event
from tapehead.store import tape
from tapehead.store.line import readable
from tapehead.tokens.window import PACE
from tapehead.transcript import jsonl
from tapehead.transcript.turns import EDIT, WRITE, Reading, join_readings
from tapehead.transcript.usage import NOTHING_USED, Usage
from tapehead.transcript.window_use import contexts, estimate

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from tapehead.agents.readers import Reader
    from tapehead.store.line import Line
    from tapehead.store.paths import Layout
    from tapehead.store.state import State
    from tapehead.transcript.turns import Turn

_FILES = 200
_TURNS = (b'"event":"turn_start"', b'"event":"turn_end"', b'"note":"ingest"')
_TAPE = 1 << 20
"""Bytes of the tape in which a prompt is looked for: those of a turn are among the newest."""


class TranscriptKeeper:
    """Reads on from where the state says that reading stopped."""

    def __init__(self, most: int, layout: Layout | None = None, take_in: Callable[[], None] = lambda: None) -> None:
        self.take_in = take_in
        """Has what is still in the spool put on the tapes: a prompt there is recorded, if only just."""
        self.layout = layout
        """Whose tapes say what hooks told: what the record has beyond that came while nothing could be written."""
        self.most = most
        """Bytes that are read at once; of more than that only the end, and the note says what was passed over."""
        self.lately: dict[str, tuple[str, int, Reading]] = {}
        """By session: which file was read last, from which byte, and what. The notes need not read it again."""

    def ingest(self, state: State, line: Line) -> dict[str, Any] | None:  # noqa: ARG002 - one shape for all ports
        """What was used and touched since; None where there is nothing new, or nobody who could read it."""
        reader = reader_of(state.agent) if os.path.isfile(state.transcript_path) else None
        if reader is None:
            return None
        since = state.transcript_offset
        own = next_offset(state)
        start = max(own, jsonl.tail(state.transcript_path, self.most))
        reading = reader.read(state.transcript_path, start)
        name, is_another = file_name(state), is_another_file(state)
        if reading.offset == since and not is_another:
            return None
        self._note_reading(state, start, reading)
        usage = reduce(Usage.plus, (turn.usage for turn in reading.turns), NOTHING_USED)
        counted, dropped = contexts(reading.turns)
        return {
            "since": since,
            "offset": reading.offset,
            **({"identifier": name} if name not in ("", state.transcript_identifier) else {}),
            **({"copied": own - since} if own > since and not is_another else {}),
            **({"passed_over": start - own} if start > own else {}),
            "turns": sum(not turn.subagent for turn in reading.turns),
            "input": usage.input,
            "output": usage.output,
            "cache_read": usage.cache_read,
            "cache_creation": usage.cache_written,
            "files": list(dict.fromkeys(path for turn in reading.turns for path in _edited(turn)))[:_FILES],
            **({"dropped": True} if dropped else {}),
            **({"unrecorded": lost} if (lost := self._unrecorded(state, reading)) else {}),
            **({"context_tokens": counted[-1], "contexts": counted[-PACE:]} if counted else {}),
            **({"context_window": usage.window} if usage.window else {}),
            **({"agent_version": version} if (version := _version(reader, state)) else {}),
            **({} if state.tapehead_version else {"tapehead": __version__}),
            **({"model": model} if (model := _model(reading)) else {}),
            **({"estimate": estimate(reading.turns)} if not usage.messages else {}),
        }

    def edited_since(self, state: State, most: int) -> list[str]:
        """The files that a turn still running has changed so far: what the record has beyond what was taken in, at most its last bytes."""
        reader = reader_of(state.agent) if os.path.isfile(state.transcript_path) else None
        if reader is None:
            return []
        start = max(state.transcript_offset, jsonl.tail(state.transcript_path, most))
        found = reader.read(state.transcript_path, start)
        return list(dict.fromkeys(path for turn in found.turns for path in _edited(turn)))

    def _unrecorded(self, state: State, reading: Reading) -> dict[str, Any]:
        """Prompts that the record has and the tape has not."""
        if self.layout is None or state.started_at is None:
            return {}
        found = self._gap(state, reading)
        if found:
            self.take_in()
            found = self._gap(state, reading)
        return found

    def _gap(self, state: State, reading: Reading) -> dict[str, Any]:
        path = self.layout.tape(state.session_id) if self.layout else ""
        newest = tape.tail(path, _TAPE)
        lines = readable([each for each in newest if any(part in each for part in _TURNS)])
        taken_in = {line.of for line in lines if line.note}
        ends = [at for at, line in enumerate(lines) if line.event is Event.TURN_END and line.id in taken_in]
        prompts = [
            (at, line.at, line.text("prompt")) for at, line in enumerate(lines) if line.event is Event.TURN_START
        ]
        since = prompts[0][1] if prompts and jsonl.size(path) > _TAPE else state.started_at
        answered = sum(at < ends[-1] for at, *_ in prompts) if ends else 0
        return gap(reading.turns, [(when, words) for _, when, words in prompts], since, answered) if since else {}

    def _note_reading(self, state: State, start: int, reading: Reading) -> None:
        """What was read lately; where one reading goes on from another, both are one."""
        path, since, former = self.lately.get(state.session_id, ("", -1, None))
        if former is not None and (path, former.offset) == (state.transcript_path, start):
            start, reading = since, join_readings(former, reading)
        self.lately = {state.session_id: (state.transcript_path, start, reading)}


def _version(reader: Reader, state: State) -> str:
    """The agent's version, where its record says it and the state does not know it yet."""
    told = getattr(reader, "version", None)
    version = str(told(state.transcript_path))[:_A_NAME] if told else ""
    return version if version != state.agent_version else ""


def _model(reading: Reading) -> str:
    """The model that answered last in the session itself: a subagent may have had another."""
    named = [turn.usage.model for turn in reading.turns if turn.usage.model and not turn.subagent]
    return named[-1][:_A_NAME] if named else ""


_A_NAME = 200


def _edited(turn: Turn) -> list[str]:
    return [call.path for call in turn.calls if call.kind in (EDIT, WRITE) and call.path]
