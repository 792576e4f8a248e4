"""The running notes, kept current at turn ends: what is new is gathered at once, the file is written when enough has come together.

What INGEST has just read is taken from there; only where it read something else (or another process did) is the transcript read again,
from where the notes stopped.
"""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Any

from tapehead.agents.readers import reader_of
from tapehead.restore.notes.gathered import gathered
from tapehead.restore.notes.known import Gathered
from tapehead.restore.notes.written import TITLES, sections
from tapehead.statemachine.vocabulary import Phase
from tapehead.store import notes
from tapehead.transcript import jsonl
from tapehead.transcript.filling import contexts, estimate

if TYPE_CHECKING:
    from tapehead.settings.loading import Settings
    from tapehead.store.paths import Layout
    from tapehead.store.state import State
    from tapehead.transcript.turns import Reading

_VERSION = 2
_AT_WORK = (Phase.ACTIVE, Phase.COMPACTING)
_OVER = (Phase.ENDED, Phase.HALTED)
_AT_MOST = 48 * 1024 * 1024
"""Bytes that are read at once: notes that begin late, in a huge transcript, begin with the end of it."""


class NoteKeeper:
    """The notes of one store's sessions."""

    def __init__(
        self, layout: Layout, settings: Settings, lately: dict[str, tuple[str, int, Reading]] | None = None
    ) -> None:
        self.layout = layout
        self.settings = settings
        self.lately = lately if lately is not None else {}
        """What was read of a session's transcript in this process: which file, from which byte, and what."""

    def keep(self, state: State, *, now: bool = False) -> bool:
        """Brings a session's notes up to date; `now` writes them whatever is due. False where another does it."""
        if not self.settings.flag("notes.enabled") and not now:
            return False
        return notes.in_turn(self.layout, state.session_id, partial(self._run, state, now=now))

    def _run(self, state: State, *, now: bool) -> None:
        kept = notes.load(self.layout, state.session_id)
        known = _known(kept)
        if not (now or self._is_at_hand(state, kept) or self._may_be_due(kept, state)):
            return  # what little is new is read when more has come
        reading = self._news(state, kept)
        if reading is not None:
            known = gathered(known, reading.turns)
            kept = {**_grown(kept, reading), "version": _VERSION, "path": state.transcript_path}
            kept |= {"offset": reading.offset, "known": known._asdict()}
        if known.turn and (now or self._is_due(kept, state)):
            self._write(state, kept, known)
        elif reading is not None:
            notes.keep(self.layout, state.session_id, kept)

    def _may_be_due(self, kept: dict[str, Any], state: State) -> bool:
        """Whether it pays to look: where the host counts, the state tells how much has come without anything being read."""
        if state.context_tokens is None or state.phase in _OVER:
            return True
        before = _count(kept, "context")
        come = state.context_tokens - (before if state.context_tokens >= before else 0)
        written = kept.get("written")
        since, needed = (written[0], "notes.step") if isinstance(written, list) else (0, "notes.first")
        return _count(kept, "tokens") + come - since >= self.settings.number(needed)

    def _is_at_hand(self, state: State, kept: dict[str, Any]) -> bool:
        """Whether what is new was read in this very process."""
        path, since, _ = self.lately.get(state.session_id, ("", -1, None))
        return (path, since) == (state.transcript_path, _offset(kept, state))

    def _news(self, state: State, kept: dict[str, Any]) -> Reading | None:
        """What the notes have not seen yet, or None where that is nothing."""
        reader, offset = reader_of(state.agent), _offset(kept, state)
        if reader is None or not os.path.isfile(state.transcript_path):
            return None
        if self._is_at_hand(state, kept):
            reading = self.lately[state.session_id][2]
        else:
            reading = reader.read(state.transcript_path, max(offset, jsonl.tail(state.transcript_path, _AT_MOST)))
        return reading if reading.offset != offset else None

    def _is_due(self, kept: dict[str, Any], state: State) -> bool:
        """Whether enough has come: tokens, and then either calls or a pause. What is over is written down to its end."""
        written = kept.get("written")
        tokens, calls = _count(kept, "tokens"), _count(kept, "calls")
        if not isinstance(written, list):
            return tokens >= self.settings.number("notes.first")
        if state.phase in _OVER and tokens > written[0]:
            return True
        enough = tokens - written[0] >= self.settings.number("notes.step")
        pause = state.phase not in _AT_WORK
        return enough and (pause or calls - written[1] >= self.settings.number("notes.calls"))

    def _write(self, state: State, kept: dict[str, Any], known: Gathered) -> None:
        kept["written"] = [_count(kept, "tokens"), _count(kept, "calls")]
        told = sections(known)
        command = self.settings.text("notes.command")
        failed: Exception | None = None
        if command:
            from tapehead.actions.asking import Failed  # noqa: PLC0415 - only where the user named one

            try:
                told |= self._by_command(command, state.session_id, told)
            except Failed as error:
                failed = error  # what was made without it stands
        notes.write(self.layout, state.session_id, kept, told)
        if failed:
            raise failed

    def _by_command(self, command: str, session_id: str, told: dict[str, list[str]]) -> dict[str, list[str]]:
        """What the user's command makes of the notes: it gets what stands there and what is new, and answers with sections."""
        from tapehead.actions.asking import Failed, ask  # noqa: PLC0415 - only where the user named one
        from tapehead.restore.fence import clean  # noqa: PLC0415 - as above
        from tapehead.store.merging import Standing  # noqa: PLC0415 - as above

        new = "\n\n".join(f"## {title}\n\n" + "\n".join(lines) for title, lines in told.items())
        given = f"# The notes as they stand\n\n{notes.read(self.layout, session_id)}\n\n# What is known now\n\n{new}\n"
        answer = Standing(ask(command, given, self.settings.seconds("notes.timeout"), "the notes' command"))
        found = {title: lines for title in TITLES if (lines := answer.body(title)) is not None}
        if not found:
            raise Failed("the notes' command answered with none of the sections")
        return {title: [clean(line) for line in lines if line.strip()] for title, lines in found.items()}


def _offset(kept: dict[str, Any], state: State) -> int:
    """The byte at which the notes stopped, in the file that they were made from."""
    return _count(kept, "offset") if kept.get("path") == state.transcript_path else 0


def _known(kept: dict[str, Any]) -> Gathered:
    """What was gathered before; nothing where it cannot be read, and then everything is read again."""
    found = kept.get("known")
    try:
        if kept.get("version") == _VERSION and isinstance(found, dict):
            return Gathered(**found)
    except TypeError:
        pass
    kept.pop("offset", None)
    return Gathered()


def _grown(kept: dict[str, Any], reading: Reading) -> dict[str, Any]:
    """How many tokens and calls have come in: by the host's own counts, or where it has none, by estimate."""
    counted, dropped = contexts(reading.turns)
    before = 0 if dropped else _count(kept, "context")
    tokens = sum(max(0, b - a) for a, b in zip((before, *counted), counted, strict=False))
    if not counted and not any(turn.usage.messages for turn in reading.turns):
        tokens = estimate(reading.turns)
    calls = sum(len(turn.calls) for turn in reading.turns if not turn.subagent)
    return {
        **kept,
        "context": counted[-1] if counted else before,
        "tokens": _count(kept, "tokens") + tokens,
        "calls": _count(kept, "calls") + calls,
    }


def _count(kept: dict[str, Any], name: str) -> int:
    value = kept.get(name)
    return value if type(value) is int else 0
