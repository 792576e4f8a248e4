"""Hand-backs: what is known of a session is turned into the next context."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from tapehead.actions import injection
from tapehead.actions.baton_keeper import memo_for
from tapehead.actions.capture_keeper import CaptureKeeper
from tapehead.actions.opening import opening_of, pointer_to
from tapehead.actions.predecessor import BATON
from tapehead.actions.window_room import room_of
from tapehead.brief import capture_file as descriptions
from tapehead.brief.absence import changes_since
from tapehead.brief.earlier_sessions import earlier
from tapehead.brief.foreign_origin import came_from
from tapehead.brief.framing import whole
from tapehead.brief.inherited import bequest
from tapehead.brief.left_for_session import left_since
from tapehead.brief.memory_index import make_index
from tapehead.brief.repository_state import repo_facts
from tapehead.brief.saved_by_hand import kept
from tapehead.settings.loading import DEFAULTS
from tapehead.settings.setting_list import FULL, OFF, POINTER
from tapehead.store import captures, served_agents
from tapehead.store.state import State
from tapehead.text.fence import clean, put_in_quotes
from tapehead.tokens.estimate import room, tokens

if TYPE_CHECKING:
    from typing import Any

    from tapehead.settings.loading import Settings
    from tapehead.store.paths import Layout


class Handed(NamedTuple):
    """A text for the model, and what the tape remembers of it."""

    text: str
    remembered: dict[str, Any]


class BriefKeeper:
    """The stories of the sessions in one store."""

    def __init__(self, layout: Layout, settings: Settings = DEFAULTS, captures: CaptureKeeper | None = None) -> None:
        self.layout = layout
        self.settings = settings
        self.captures = captures or CaptureKeeper(layout, settings)
        self.accounts = self.captures.accounts

    def hand_back(self, state: State, limit: int) -> Handed:
        """The text for a start, as much as its kind of start is given, and why."""
        told = injection.decide(state, self.settings)
        inherited = bool(state.predecessor) and told.kind not in injection.OWN
        teller = self.captures.state_of(state.predecessor) if inherited else state
        memo = self._memo(state, teller)
        text, why = self._told(state, teller, told, memo, limit)
        index = make_index(self.layout, self.settings, state) if told.kind not in injection.OWN else ""
        missed = f"tapehead: {state.handoff_missed}.\n" if state.handoff_missed else ""
        text = f"{missed}{text}{index}"[:limit]
        captures.keep_handed(self.layout, state.session_id, text)
        remembered = {
            "session": teller.session_id,
            "source": state.start_source,
            "kind": told.kind,
            "amount": told.amount if text else OFF,
            "why": state.handoff_missed or why,
            "whole": told.amount == FULL,
            "age_seconds": _age(teller, state),
            "memo": bool(memo) and memo in text,
            "memories": tokens(index),
            "characters": len(text),
            "tokens": tokens(text),
            "checksum": descriptions.checksum(text.strip()) if text else "",
        }
        return Handed(text, {**remembered, **({"rule": state.predecessor_rule} if inherited else {})})

    def preview(self, teller: State, memo: str, limit: int) -> str:
        """What the next start would be told after a handoff; nothing is written down."""
        state = State(
            "next",
            start_source=injection.START,
            predecessor=teller.session_id,
            predecessor_rule=BATON,
            worktree_path=teller.worktree_path,
        )
        return self._told(state, teller, injection.decide(state, self.settings), self._memo_line(memo, teller), limit)[
            0
        ]

    def _told(self, state: State, teller: State, told: injection.Injection, memo: str, limit: int) -> tuple[str, str]:
        """The text, and the reason for it or for its absence."""
        own = teller.session_id == state.session_id
        if told.amount == OFF:
            return "", told.why
        if told.kind == injection.RESUME and told.amount == POINTER:
            away = self._away(state)
            return away, told.why if away else injection.NOTHING_CHANGED
        if own and told.kind not in injection.OWN:
            return "", injection.NOTHING_LOST  # a first start: there is only what is remembered
        if told.amount == POINTER:
            return f"{pointer_to(teller, told.kind)}{memo}", told.why
        opening = opening_of(state, teller, told.kind)
        budget = self._budget() - tokens(opening) - tokens(memo)
        body = self._body(state, teller, limit=limit - len(opening) - len(memo) - _MARGIN, budget=budget)
        return (f"{opening}\n{memo}{body}", told.why) if body or memo else ("", injection.NOTHING_LOST)

    def _away(self, state: State) -> str:
        """What changed while a session was away. The memo of the handoff that it began with stands in the conversation."""
        matter = self.captures.matter_of(state.session_id)
        left = left_since(self.layout, self.settings, state, matter.get("captured_at", ""))
        return changes_since(state, repo_facts(matter, self.captures.look_at(state)), left)

    def _budget(self) -> int:
        """Tokens of a whole brief."""
        return self.settings.number("restore.budget")

    def _body(self, state: State, teller: State, *, limit: int, budget: int) -> str:
        """The brief; where there is neither a transcript nor a tape to make one from, what the description still says."""
        source = state.start_source if state.start_source in injection.OWN else injection.CLEAR
        from tapehead.brief.brief import brief  # noqa: PLC0415 - heavy, and a first start has nothing to tell

        text = brief(
            self.accounts.of(teller),
            budget=budget,
            source=source,
            host_summary=self.accounts.host_summary(state) if state.start_source == "compact" else "",
            hard_limit=limit,
            **self.given(state, teller),
        )
        if text:
            return text
        found = self.captures.described(teller.session_id)
        came = came_from(self.layout, teller.session_id)
        head = f"This session came {came}.\n" if came else ""
        body = whole(found, source, "", min(limit, room(budget)) - len(head)) if found else ""
        return f"{head}{body}" if body else ""

    def given(self, state: State, teller: State) -> dict[str, Any]:
        """What a brief is given beside the work record: how the repository moved, and where the rest is."""
        return {
            "repo": repo_facts(self.captures.matter_of(teller.session_id), self.captures.look_at(state)),
            "extras": kept(self.layout, teller.session_id)._replace(
                before=self._before(teller) if teller.predecessor and not teller.forked else (),
                thoughts=self.accounts.thoughts(teller) if self.settings.flag("restore.thinking") else (),
                origin=came_from(self.layout, teller.session_id),
                goes_on=teller.session_id != state.session_id,
                room=self._room(state) if teller.session_id == state.session_id else "",
                known=teller.session_id,
                tools=served_agents.is_served(self.layout, state.host_pid, state.host_started),
                command=f"tapehead brief --full --session {teller.session_id}",
            ),
        }

    def _room(self, state: State) -> str:
        """How much room there is, for the session's own brief; nothing where the window is not known."""
        found = room_of(self.layout, self.settings, state)
        return found.told if found and found.window else ""

    def _before(self, teller: State) -> tuple[str, ...]:
        """What the sessions before left that binds, and their turns."""
        found = bequest(teller, self.captures.state_of, self.accounts.of, partial(came_from, self.layout))
        return *found, *earlier(self.layout, teller.session_id)

    def _memo(self, state: State, teller: State) -> str:
        """What the predecessor left word of, where this start got its baton."""
        return self._memo_line(memo_for(self.layout, state), teller)

    def _memo_line(self, memo: str, teller: State) -> str:
        memo = memo.strip()
        came = came_from(self.layout, teller.session_id)
        told = f"It left a memo ({came})" if came else "It left a memo"
        if "\n" not in memo:
            return f"{told}: {clean(put_in_quotes(memo, _MEMO))}\n" if memo else ""
        return f"{told}:\n{_quoted_lines(clean(memo))}\n"


_MARGIN = 20
"""Characters for the ends of lines between the parts."""
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


def _age(teller: State, state: State) -> int | None:
    """How old the brief is: from when its session was last heard of to this one's start."""
    heard, now = teller.last_interaction_at, state.last_interaction_at or state.started_at
    return max(0, round((now - heard).total_seconds())) if heard and now and teller is not state else None
