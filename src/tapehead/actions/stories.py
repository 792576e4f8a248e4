"""Captures and hand-backs: what is known of a session is gathered, written down, and turned into the next context."""

from __future__ import annotations

from contextlib import suppress

from tapehead.actions.accounts import Accounts
from tapehead.actions.bequest import bequest
from tapehead.actions.describing import archive_name, described, trigger
from tapehead.actions.earlier import earlier
from tapehead.actions.inheritance import NEAR
from tapehead.actions.kept import kept
from tapehead.actions.recalling import recalled
from tapehead.actions.repository import look, repo_facts
from tapehead.actions.rooms import room_of
from tapehead.agents.heard import NAMES
from tapehead.restore import description as descriptions
from tapehead.restore.brief import brief
from tapehead.restore.described import sections_of
from tapehead.restore.fence import clean, quoted
from tapehead.restore.handback import whole
from tapehead.restore.steer import steer
from tapehead.settings.loading import DEFAULTS
from tapehead.settings.registry import WHOLE
from tapehead.statemachine.vocabulary import Event
from tapehead.store import captures
from tapehead.store.line import Line
from tapehead.store.sessions import StateStore, Unreadable
from tapehead.store.state import State
from tapehead.tokens.estimate import room, tokens

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from typing import Any, NamedTuple

    from tapehead.settings.loading import Settings
    from tapehead.store.paths import Layout
else:
    from tapehead.transcript.named import NamedTuple

POINTER = 300
"""Tokens of a mere pointer to a session that may or may not be the one to go on with."""


class Handed(NamedTuple):
    """A text for the model, and what the tape remembers of it."""

    text: str
    remembered: dict[str, Any]


class StoryKeeper:
    """The stories of the sessions in one store."""

    def __init__(self, layout: Layout, settings: Settings = DEFAULTS) -> None:
        self.layout = layout
        self.settings = settings
        self.accounts = Accounts(layout)
        self.mistrusted: dict[str, str] = {}
        """Descriptions that were not as they had been written, by session: where they are now."""

    def capture(self, state: State, line: Line) -> dict[str, Any]:
        """Writes the standard description, once for a line; the former one goes to the archive."""
        before = self._as_written(state.session_id)  # one that is not: this takes its place
        former = before.matter if before else {}
        if former.get("line") == line.id:
            text = captures.read(self.layout, state.session_id) or ""
        else:
            text = descriptions.written(self._describe(state, line, former))
            archived = archive_name(former.get("captured_at", ""), line) if former else None
            captures.write(self.layout, state.session_id, text, archived)
        if line.event is Event.SESSION_STOP and state.turn_number:
            self._journal(state, line)
        cost = tokens(brief(self.accounts.of(state), budget=self._budget(), source="compact"))
        return {"characters": len(text), "brief_tokens": cost, "trigger": trigger(line)}

    def _journal(self, state: State, line: Line) -> None:
        """One line about the session beside the threads, for people. Someone who is editing there now goes first."""
        from tapehead.store import by_hand, threads  # noqa: PLC0415 - only at an end

        with suppress(by_hand.Busy):
            date = line.at.strftime("%Y-%m-%d")
            threads.journal(self.layout, state.session_id, date, len(state.files_touched), clean(state.last_prompt))

    def keep_summary(self, state: State, line: Line) -> dict[str, Any] | None:
        """Keeps the host's own summary of this compaction."""
        summary = line.text("summary") or self.accounts.host_summary(state)
        if not summary:
            return None
        captures.keep_summary(self.layout, state.session_id, state.compaction_count, summary)
        return {"characters": len(summary), "number": state.compaction_count}

    def steer(self, state: State) -> str:
        """What the summariser is told."""
        return steer(self.accounts.of(state))

    def hand_back(self, state: State, limit: int) -> Handed:
        """The text that tells the agent where it was: its own story, or that of the session it goes on from."""
        inherited = bool(state.predecessor) and state.start_source not in ("compact", "resume")
        teller = self._state_of(state.predecessor) if inherited else state
        in_full = not inherited or self._inherits_all(state.predecessor_rule)
        memo = self._memo(state) if inherited else ""
        index = recalled(self.layout, self.settings, state) if state.start_source != "compact" else ""
        budget = (self._budget() - tokens(index) if in_full else POINTER) - _OPENING // 4 - tokens(memo)
        body = self._body(state, teller, limit=limit - _OPENING - len(memo) - len(index), budget=budget)
        text = f"{_opening(state, teller, inherited=inherited)}\n{memo}{body}" if body or memo else ""
        # Who has no story to go by gets what a newcomer should see.
        text = f"{text}{index}" if text or not index else f"{index}{self._newcomer(state)}"
        captures.keep_handed(self.layout, state.session_id, text)
        remembered = {
            "session": teller.session_id,
            "source": state.start_source,
            "whole": in_full,
            "age_seconds": _age(teller, state),
            "memo": bool(memo),
            "memories": tokens(index),
            "characters": len(text),
            "tokens": tokens(text),
            "checksum": descriptions.checksum(text.strip()) if text else "",
        }
        return Handed(text, {**remembered, **({"rule": state.predecessor_rule} if inherited else {})})

    def _budget(self) -> int:
        """Tokens of a whole story."""
        return self.settings.number("restore.budget")

    def _inherits_all(self, rule: int) -> bool:
        return self.settings.text("inherit.near" if rule in NEAR else "inherit.far") == WHOLE

    def _body(self, state: State, teller: State, *, limit: int, budget: int) -> str:
        """The brief; where there is neither a transcript nor a tape to make one from, what the description still says."""
        text = brief(
            self.accounts.of(teller),
            budget=budget,
            source=state.start_source,
            host_summary=self.accounts.host_summary(state) if state.start_source == "compact" else "",
            hard_limit=limit,
            **self.given(state, teller),
        )
        if text:
            return text
        found = self.described(teller.session_id)
        return whole(found, state.start_source, "", min(limit, room(budget))) if found else ""

    def given(self, state: State, teller: State) -> dict[str, Any]:
        """What a brief is given beside the digest: how the repository moved, and where the rest is."""
        return {
            "repo": repo_facts(self._matter(teller.session_id), look(state.worktree_path)),
            "extras": kept(self.layout, teller.session_id)._replace(
                before=self._before(teller) if teller.predecessor else (),
                thoughts=self.accounts.thoughts(teller) if self.settings.flag("restore.thinking") else (),
                goes_on=teller.session_id != state.session_id,
                room=self._room(state) if teller.session_id == state.session_id else "",
                command=f"tapehead brief --full --session {teller.session_id}",
            ),
        }

    def _room(self, state: State) -> str:
        """How much room there is, for the session's own brief; nothing where the window is not known."""
        found = room_of(self.layout, self.settings, state)
        return found.told if found and found.window else ""

    @staticmethod
    def _newcomer(state: State) -> str:
        from tapehead.actions.newcomer import context  # noqa: PLC0415 - only without a story

        heard = state.last_interaction_at or state.started_at
        found = context(state.worktree_path, heard.date().isoformat() if heard else "") if state.worktree_path else None
        return "\n".join(["## Here", *found.told, ""]) if found else ""

    def _before(self, teller: State) -> tuple[str, ...]:
        """What the sessions before left that binds, and their turns."""
        return *bequest(teller, self._state_of, self.accounts.of), *earlier(self.layout, teller.session_id)

    def _memo(self, state: State) -> str:
        """What the predecessor left word of, where this start got its baton."""
        memo = captures.memo(self.layout, state.session_id).strip()
        if "\n" not in memo:
            return f"It left a memo: {clean(quoted(memo, _MEMO))}\n" if memo else ""
        return f"It left a memo:\n{_quoted_lines(clean(memo))}\n"

    def described(self, session_id: str) -> descriptions.Description | None:
        """The standard description. One that was torn or tampered with is set aside and written again from the transcript."""
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
        state = self._state_of(session_id)
        at = state.captured_at or state.last_interaction_at or state.started_at
        if at is None or not sections_of(self.accounts.of(state), kept(self.layout, session_id)):
            return None
        line = Line("", at, "tapehead", None, "", "", frozenset(), {"trigger": "written again"})
        found = self._describe(state, line, {})
        with suppress(OSError):
            captures.write(self.layout, session_id, descriptions.written(found), None)
        return found

    def _matter(self, session_id: str) -> dict[str, str]:
        found = self.described(session_id)
        return found.matter if found else {}

    def _state_of(self, session_id: str) -> State:
        try:
            return StateStore(self.layout).load(session_id) or State(session_id)
        except Unreadable:
            return State(session_id)

    def _describe(self, state: State, line: Line, former: dict[str, str]) -> descriptions.Description:
        told = sections_of(self.accounts.of(state), kept(self.layout, state.session_id))
        return described(state, line, former, told, look(state.worktree_path))


_OPENING = 300
"""More than the first line ever has, with an id of 128 letters."""
_MEMO = 1_400


def _quoted_lines(memo: str) -> str:
    """A memo of several lines keeps them, each marked as quoted: a list of todos is a list."""
    kept, room = [], _MEMO
    for line in (line.rstrip() for line in memo.splitlines()):
        if len(line) + 2 > room:
            kept.append("> …")
            break
        kept.append(f"> {line}")
        room -= len(line) + 3
    return "\n".join(kept)


def _opening(state: State, teller: State, *, inherited: bool) -> str:
    heard = teller.last_interaction_at or teller.started_at
    at = heard.strftime("%Y-%m-%dT%H:%M:%SZ") if heard else "an unknown time"
    if inherited:
        ended = {"halted": "was halted in mid-turn", "ended": "ended"}.get(teller.phase.value, "was left")
        on = " The work was interrupted there and goes on here." if state.predecessor_rule in NEAR else ""
        whose = f" of {NAMES[teller.agent]}" if teller.agent != state.agent and teller.agent in NAMES else ""
        return (
            f"tapehead: session {teller.session_id}{whose} worked in this place and {ended}; last heard of at {at}.{on}"
        )
    after = (
        "before its context was compacted" if state.start_source == "compact" else f"when it was last heard of, at {at}"
    )
    return f"tapehead: where this session stood {after} (turn {state.turn_number})."


def _age(teller: State, state: State) -> int | None:
    """How old the story is: from when its session was last heard of to this one's start."""
    heard, now = teller.last_interaction_at, state.last_interaction_at or state.started_at
    return max(0, round((now - heard).total_seconds())) if heard and now and teller is not state else None
