"""From a session to a work record of its work: the transcript, and what the tape heard that the transcript does not have yet."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from tapehead.agents.readers import reader_of
from tapehead.brief.background_work import beside
from tapehead.statemachine.vocabulary import Event
from tapehead.store import tape
from tapehead.store.line import readable
from tapehead.transcript import jsonl
from tapehead.transcript.turns import AGENT, HUMAN, SUMMARY, THINKING, Call, Said, Turn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.store.line import Line
    from tapehead.store.paths import Layout
    from tapehead.store.state import State
    from tapehead.work_record.facts import WorkRecord

_TAPE_LOOKED_AT = 256 * 1024
AT_MOST = 24 * 1024 * 1024
"""Bytes of a transcript that are read while someone waits; the end of it, where it has more."""
_FROM_THE_HOST = (b'"event":', b'"summary":', b'"subagent_stop"')
_LAST_PROMPTS = 3
_REMEMBERED = 12
_KNOWN_BY = 2_000


class Accounts:
    """The digests of one store's sessions. One that was made in this process is made once."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self._made: dict[tuple[str, int, str], WorkRecord] = {}
        self._summed: dict[str, str] = {}
        self._heard: dict[tuple[str, int], list[Line]] = {}

    def of(self, state: State) -> WorkRecord:
        """What the work of a session consists of, as far as anybody wrote it down."""
        heard = self.heard(state.session_id)
        key = (state.session_id, jsonl.size(state.transcript_path), heard[-1].id if heard else "")
        if key not in self._made:
            from tapehead.work_record.work_record import gather_work  # noqa: PLC0415 - heavy, and a first start has done no work

            self._made[key] = gather_work(self._turns(state), beside(heard))
        return self._made[key]

    def host_summary(self, state: State) -> str:
        """What the agent's summary says of the last compaction: the tape heard it from the agent, or the transcript has it."""
        return self._heard_summary(state.session_id) or self._summary_told(state)

    def _summary_told(self, state: State) -> str:
        """The newest summary in the transcript, unless work came after it: then it is of an earlier compaction."""
        self.of(state)
        return self._summed.get(state.session_id, "")

    def _heard_summary(self, session_id: str) -> str:
        summary = ""
        for line in self.heard(session_id):
            if line.event is Event.COMPACTION:
                summary = ""
            summary = line.text("summary") or summary
        return summary

    def heard(self, session_id: str) -> list[Line]:
        """What the agent said, of the newest lines of a session's tape; our own notes are told apart before they are read."""
        path = self.layout.tape(session_id)
        key = (session_id, jsonl.size(path))
        if key not in self._heard:
            told = [line for line in tape.tail(path, _TAPE_LOOKED_AT) if any(sign in line for sign in _FROM_THE_HOST)]
            self._heard = {key: readable(told)}  # the tape only grows: what was heard before is never asked for again
        return self._heard[key]

    def thoughts(self, state: State) -> tuple[str, ...]:
        """What the agent thought last, in its last turn; the work record passes thinking over."""
        reader = reader_of(state.agent) if os.path.isfile(state.transcript_path) else None
        if reader is None:
            return ()
        newest = [turn for turn in reader.newest(state.transcript_path).turns if not turn.subagent]
        return tuple(text for turn in newest[-1:] for text in turn.words(THINKING))[-1:]

    def _turns(self, state: State) -> Iterator[Turn]:
        asked: list[str] = []
        number = 0
        for turn in self._of_transcript(state):
            yield turn
            if not turn.subagent:
                number = max(number, turn.number)
                asked = [*asked, *turn.human][-_REMEMBERED:]
                self._summed[state.session_id] = _last_word(turn, self._summed.get(state.session_id, ""))
        yield from self._missing(state, asked, number)

    def _of_transcript(self, state: State) -> Iterator[Turn]:
        reader = reader_of(state.agent) if os.path.isfile(state.transcript_path) else None
        if reader is None:
            return
        # One that cannot be read, or not to its end, is no reason to say nothing: the tape knows the newest of it.
        with suppress(OSError):
            yield from reader.skim(state.transcript_path, jsonl.tail(state.transcript_path, AT_MOST))

    def _missing(self, state: State, asked: list[str], number: int) -> Iterator[Turn]:
        """Turns that only the tape knows: an agent that is killed has not always written down what it was asked."""
        told = {_beginning(text) for text in asked}
        exchanges = _exchanges(self.heard(state.session_id))[-_LAST_PROMPTS:]
        known = [n for n, (prompt, _, _) in enumerate(exchanges, 1) if _beginning(prompt) in told]
        for prompt, reply, at in exchanges[max(known, default=0) :]:  # an older one would be told as the newest
            if not prompt.startswith("/"):
                number += 1
                steps = (Said(HUMAN, prompt), *((Said(AGENT, reply),) if reply else ()))
                yield Turn(number, steps, began=at, ended=at, session=state.session_id, cwd=state.worktree_path)


def _last_word(turn: Turn, summary: str) -> str:
    """The summary that stands after a turn: its own, or the one before it where the agent did nothing since."""
    for step in turn.steps:
        if isinstance(step, Said) and step.who == SUMMARY:
            summary = step.text
        elif isinstance(step, Call) or (isinstance(step, Said) and step.who == AGENT):
            summary = ""
    return summary


def _beginning(prompt: str) -> str:
    """What a prompt is known by: the tape has the middle of a long one left out."""
    return " ".join(prompt[:_KNOWN_BY].split())


def _exchanges(lines: list[Line]) -> list[tuple[str, str, str]]:
    """Prompt, reply and time, as the tape heard them; what the agent asked itself is no exchange."""
    found: list[tuple[str, str, str]] = []
    for line in lines:
        if line.event is Event.TURN_START and line.text("prompt") and not line.text("asked_by"):
            found.append((line.text("prompt"), "", line.at.isoformat()))
        elif line.event is Event.TURN_END and found and not found[-1][1]:
            found[-1] = (found[-1][0], line.text("reply"), found[-1][2])
    return found
