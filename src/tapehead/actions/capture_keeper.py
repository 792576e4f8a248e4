"""Captures: what is known of a session is gathered and written down before it can be lost."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from tapehead.brief import capture_file as descriptions
from tapehead.brief.capture_content import archive_name, describe, trigger
from tapehead.brief.repository_state import UNASKED, look, newest_commits
from tapehead.brief.saved_by_hand import kept
from tapehead.brief.session_work import Accounts
from tapehead.brief.steering import steer
from tapehead.settings.loading import DEFAULTS
from tapehead.statemachine.vocabulary import Event
from tapehead.store import captures
from tapehead.store.line import Line
from tapehead.store.sessions import StateStore, Unreadable
from tapehead.store.state import State
from tapehead.text.fence import clean

if TYPE_CHECKING:
    from typing import Any

    from tapehead.brief.repository_state import Repo
    from tapehead.settings.loading import Settings
    from tapehead.store.paths import Layout


class CaptureKeeper:
    """The captures of the sessions in one store."""

    def __init__(self, layout: Layout, settings: Settings = DEFAULTS) -> None:
        self.layout = layout
        self.settings = settings
        self.accounts = Accounts(layout)
        self.mistrusted: dict[str, str] = {}
        """Descriptions that were not as they had been written, by session: where they are now."""
        self._seen: tuple[str, Repo] | None = None
        """The work tree of the last capture, and how it stood."""

    def capture(self, state: State, line: Line) -> dict[str, Any]:
        """Writes the capture, once for a line; the former one goes to the archive."""
        before = self._as_written(state.session_id)  # one that is not: this takes its place
        former = before.matter if before else {}
        if before and former.get("line") == line.id:
            found, text = before, captures.read(self.layout, state.session_id) or ""
        else:
            found = self._describe(state, line, former)
            text = descriptions.written(found)
            archived = archive_name(former.get("captured_at", ""), line) if former else None
            captures.write(self.layout, state.session_id, text, archived)
        cost = min(int(found.matter["token_estimate"]), self.settings.number("restore.budget"))
        return {"characters": len(text), "brief_tokens": cost, "trigger": trigger(line)}

    def journal(self, state: State, line: Line) -> dict[str, Any] | None:
        """One line about the session beside the threads, for people. Someone who is editing there now goes first."""
        from tapehead.documents import hand_edited, threads  # noqa: PLC0415 - only at an end

        if not state.turn_number:
            return None
        with suppress(hand_edited.Busy):
            at = line.at.astimezone().strftime("%Y-%m-%d %H:%M")
            told = (self.layout, state.session_id, at, len(state.files_touched), clean(state.last_prompt))
            threads.journal(*told, was_lost=line.event is Event.PROCESS_LOST)
            return {"date": at}
        return None

    def keep_summary(self, state: State, line: Line) -> dict[str, Any] | None:
        """Keeps the agent's own summary of this compaction."""
        summary = line.text("summary") or self.accounts.host_summary(state)
        if not summary:
            return None
        captures.keep_summary(self.layout, state.session_id, state.compaction_count, summary)
        return {"characters": len(summary), "number": state.compaction_count}

    def steer(self, state: State) -> str:
        """What the summariser is told."""
        return steer(self.accounts.of(state))

    def described(self, session_id: str) -> descriptions.Description | None:
        """The capture. One that was torn or tampered with is set aside and written again from the transcript."""
        found = self._as_written(session_id)
        return found if found or session_id not in self.mistrusted else self._written_again(session_id)

    def _as_written(self, session_id: str) -> descriptions.Description | None:
        """The description, its checksum verified; none where there is none, or where it is not to be believed."""
        raw = captures.read(self.layout, session_id)
        if raw is None:
            return None
        try:
            return descriptions.read(raw)
        except descriptions.NotAsWritten:
            with suppress(OSError):  # where it cannot be moved it is not believed all the same
                self.mistrusted[session_id] = captures.set_aside(self.layout, session_id)
            return None

    def _written_again(self, session_id: str) -> descriptions.Description | None:
        state = self.state_of(session_id)
        at = state.captured_at or state.last_interaction_at or state.started_at
        from tapehead.brief.capture_sections import sections_of  # noqa: PLC0415 - heavy, and only where something is written

        if at is None or not sections_of(self.accounts.of(state), kept(self.layout, session_id)):
            return None
        line = Line("", at, "tapehead", None, "", "", frozenset(), {"trigger": "written again"})
        found = self._describe(state, line, {})
        with suppress(OSError):
            captures.write(self.layout, session_id, descriptions.written(found), None)
        return found

    def matter_of(self, session_id: str) -> dict[str, str]:
        """What a session's capture says at its head."""
        found = self.described(session_id)
        return found.matter if found else {}

    def state_of(self, session_id: str) -> State:
        """The saved state of a session, or an empty one."""
        try:
            return StateStore(self.layout).load(session_id) or State(session_id)
        except Unreadable:
            return State(session_id)

    def _describe(self, state: State, line: Line, former: dict[str, str]) -> descriptions.Description:
        beside = kept(self.layout, state.session_id)
        account = self.accounts.of(state)
        from tapehead.brief.capture_sections import sections_of  # noqa: PLC0415 - as above

        told = sections_of(account, beside)
        repo, decided = self._look(state), len(account.decisions)
        self._seen = (state.worktree_path, repo)
        if repo.head:
            repo = repo._replace(commits=newest_commits(state.worktree_path))
        return describe(state, line, former, told, repo, focus="; ".join(beside.focus), decisions=decided)

    def look_at(self, state: State) -> Repo:
        """How the repository stands now. The first look after a capture is the capture's own: in a large repository git takes its time."""
        seen, self._seen = self._seen, None
        return seen[1] if seen and seen[0] == state.worktree_path else self._look(state)

    def _look(self, state: State) -> Repo:
        """The same, unless the user does not want that collected."""
        return look(state.worktree_path) if self.settings.flag("capture.git") else UNASKED
