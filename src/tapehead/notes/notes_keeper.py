"""The running notes, kept current at turn ends: what is new is counted at once, and gathered and written when enough has come together.

What INGEST has just read is taken from there; only where it read something else (or another process did) is the transcript read again,
from where the notes stopped. At most turn ends there is little to do but to count: what gathers and writes is loaded when it is needed.
"""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Any

from tapehead.agents.readers import again_of, reader_of
from tapehead.documents import notes_file as notes
from tapehead.documents.notes_basis import Beside
from tapehead.notes.counts import read_counts
from tapehead.transcript import jsonl

if TYPE_CHECKING:
    from tapehead.notes.counts import Counted
    from tapehead.notes.knowledge import Gathered
    from tapehead.settings.loading import Settings
    from tapehead.store.paths import Layout
    from tapehead.store.state import State
    from tapehead.transcript.turns import Reading

VERSION = 9
"""Of what is gathered. It grows with its shape, and when what counts as a rule changes: notes of an older version are then made again."""
_AT_MOST = 48 * 1024 * 1024
"""Bytes that are read at once: notes that begin late, in a huge transcript, begin with the end of it."""
_LITTLE = 64 * 1024
"""Bytes of a transcript that may wait: reading them once more costs less than gathering from them now, alone."""


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
        with Beside(self.layout, state.session_id) as beside:
            before = read_counts(beside.counted(), state.transcript_path)
            count = self._counted_on(state, before)
            if count is not None and not now and self._can_wait(state, count):
                beside.count([*count])
            else:
                self._look(state, beside, before, count, now=now)

    def _look(self, state: State, beside: Beside, before: Counted, count: Counted | None, *, now: bool) -> None:
        """Gathers what is new, and writes where that is due; `count` are the numbers with what was read in this process."""
        kept = beside.load()
        known, since = _known(kept, state.transcript_path), read_counts(kept.get("counted"), state.transcript_path)
        if not (now or count is not None or self._may_be_due(since, state)):
            return  # what little is new is read when more has come
        if count is not None and before.known != since.known:
            count = None  # the numbers are of other news than those that are missing here
        reading = self._news(state, since.known, waited=count is not None)
        if reading is not None:
            from tapehead.notes.gathering import gather_notes  # noqa: PLC0415 - most turn ends only count

            known = gather_notes(known, reading.turns)
            if count is None or count.offset != reading.offset:
                count = since.grown(reading)
            count = count._replace(known=reading.offset)
            kept |= {"version": VERSION, "path": state.transcript_path, "known": known._asdict(), "counted": [*count]}
        count = count or since
        if known.latest and (now or count.is_due(state.phase, self.settings)):
            self._write(state, beside, {**kept, "counted": [*count.written()]}, known)
        elif reading is not None:
            beside.keep(kept)

    def _counted_on(self, state: State, before: Counted) -> Counted | None:
        """The numbers with what was read in this very process; None where that does not go on from them."""
        since, news = self._lately(state) or (-1, None)
        return before.grown(news) if news is not None and since == before.offset else None

    def _can_wait(self, state: State, count: Counted) -> bool:
        """Whether little is new, and nothing is due: then it is only counted, and read again with what comes next."""
        little = count.offset - count.known <= _LITTLE
        return little and not count.is_due(state.phase, self.settings) and again_of(state.agent) is not None

    def _may_be_due(self, count: Counted, state: State) -> bool:
        """Whether it pays to look: where the agent counts, the state tells how much has come without anything being read."""
        used = state.context_tokens
        return used is None or state.phase.is_closed or count.may_be_due(used, self.settings)

    def _lately(self, state: State) -> tuple[int, Reading] | None:
        """What was read in this very process, and from which byte on."""
        path, since, reading = self.lately.get(state.session_id, ("", -1, None))
        return (since, reading) if reading is not None and path == state.transcript_path else None

    def _news(self, state: State, offset: int, *, waited: bool) -> Reading | None:
        """What the notes have not seen yet, or None where that is nothing."""
        reading = self._pieced(state, offset, waited=waited)
        if reading is None:
            reader = reader_of(state.agent)
            if reader is None or not os.path.isfile(state.transcript_path):
                return None
            start = max(offset, jsonl.tail(state.transcript_path, _AT_MOST))
            reading = reader.read(state.transcript_path, start)
        return reading if reading.offset != offset else None

    def _pieced(self, state: State, offset: int, *, waited: bool) -> Reading | None:
        """What was read in this process, with what waited before it; None where the two do not fit together."""
        since, news = self._lately(state) or (-1, None)
        if news is None or since == offset:
            return news
        again = again_of(state.agent)
        if again is None or not waited or since < offset:
            return None
        from tapehead.notes.acts import looks_at_result  # noqa: PLC0415 - as above
        from tapehead.transcript.turns import join_readings  # noqa: PLC0415 - as above

        try:
            before = again.between(state.transcript_path, offset, since, looks_at_result)
        except OSError:
            return None  # it is gone, or something else is there
        return join_readings(before, news) if before.offset == since else None

    def _write(self, state: State, beside: Beside, kept: dict[str, Any], known: Gathered) -> None:
        from tapehead.notes.rendering import sections  # noqa: PLC0415 - as above

        told = sections(known)
        command = self.settings.text("notes.command")
        failed: Exception | None = None
        if command:
            from tapehead.user_command import Failed  # noqa: PLC0415 - only where the user named one

            try:
                told |= self._by_command(command, state.session_id, told)
            except Failed as error:
                failed = error  # what was made without it stands
        notes.write(self.layout, state.session_id, beside, kept, told)
        if failed:
            raise failed

    def _by_command(self, command: str, session_id: str, told: dict[str, list[str]]) -> dict[str, list[str]]:
        """What the user's command makes of the notes: it gets what stands there and what is new, and answers with sections."""
        from tapehead.documents.section_merge import Standing  # noqa: PLC0415 - as above
        from tapehead.notes.rendering import TITLES  # noqa: PLC0415 - as above
        from tapehead.text.fence import clean  # noqa: PLC0415 - as above
        from tapehead.user_command import Failed, ask  # noqa: PLC0415 - only where the user named one

        new = "\n\n".join(f"## {title}\n\n" + "\n".join(lines) for title, lines in told.items())
        given = f"# The notes as they stand\n\n{notes.read(self.layout, session_id)}\n\n# What is known now\n\n{new}\n"
        answer = Standing(ask(command, given, self.settings.seconds("notes.timeout"), "the notes' command"))
        found = {title: lines for title in TITLES if (lines := answer.body(title)) is not None}
        if not found:
            raise Failed("the notes' command answered with none of the sections")
        return {title: [clean(line) for line in lines if line.strip()] for title, lines in found.items()}


def _known(kept: dict[str, Any], path: str) -> Gathered:
    """What was gathered before; nothing where it cannot be read, and then everything is read again.

    So it is where the session goes on in another file: that one tells all of it, and what the user went back behind.
    """
    from tapehead.notes.knowledge import Gathered, read_known  # noqa: PLC0415 - as above

    known = read_known(kept.get("known")) if kept.get("version") == VERSION and kept.get("path") == path else None
    if known is None:
        kept.pop("counted", None)
    return known or Gathered()
