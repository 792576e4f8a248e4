"""Extraction: at a turn's end, what the user said is looked through for what should outlive the session.

It proposes. By itself it saves only what the user asked to remember, unless a setting says otherwise. Read again, the same words
change nothing: what is saved, proposed or turned down is known by what it says.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, NamedTuple

from tapehead.agents.readers import reader_of
from tapehead.documents import hand_edited
from tapehead.history.fork_offset import own_offset
from tapehead.memories import exclusions, extraction, likeness
from tapehead.memories.absolute_dates import absolute
from tapehead.memories.instructions import host_directories, host_memories, instructions_in
from tapehead.memories.memory import Memory, description_for, name_for
from tapehead.memories.memory_files import Shelf
from tapehead.memories.withdrawal import first_line, is_overruled, still_waiting, withdraw, without_session
from tapehead.store import atomic
from tapehead.text.plain import plain
from tapehead.text.redaction import redact
from tapehead.transcript import jsonl
from tapehead.transcript.turns import EDIT, RUN, WRITE, living

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from tapehead.memories.team import Team
    from tapehead.settings.loading import Settings
    from tapehead.store.paths import Layout
    from tapehead.store.state import State
    from tapehead.transcript.turns import Reading, Turn

SHARED = "from another clone"
"""Why something is proposed that somebody else shared."""
_MOST_PROPOSED, _MOST_HEARD = 50, 300
_AT_MOST = 16 * 1024 * 1024
_SAVED_BY = {
    "asked": (extraction.ASKED,),
    "all": (extraction.ASKED, extraction.GENERAL, extraction.REPEATED, extraction.FACT),
    "propose": (),
}


class Proposal(NamedTuple):
    """Something that might be remembered."""

    words: str
    kind: str
    why: str
    source: str
    replaces: str = ""
    """The memory that it would take the place of."""


class Rememberer:
    """The durable memory of one store, for those who add to it."""

    def __init__(
        self,
        layout: Layout,
        settings: Settings,
        lately: dict[str, tuple[str, int, Reading]] | None = None,
        team: Team | None = None,
    ) -> None:
        self.layout = layout
        self.team = team
        """What others share; None where nobody is going to answer."""
        self.settings = settings
        self.shelf = Shelf(layout, settings.text("remember.directory"))
        self.lately = lately if lately is not None else {}
        self.path = os.path.join(layout.root, "proposals.json")

    def look_through(self, state: State) -> int:
        """Look through what is new of a session; how many were saved or proposed."""
        how = self.settings.text("remember.auto")
        if how == "off":
            return 0
        with hand_edited.editing(self.layout):
            kept = self.kept()
            reading = self._news(state, kept)
        if reading is None:
            return 0
        own = [turn for turn in reading.turns if not turn.subagent]
        known = (*self._instructions(state), *host_memories(state))
        count = 0 if self._agent_wrote(own, state) else self._take(own, state, known, _SAVED_BY[how])
        self._change(lambda kept: kept["read"].update({state.session_id: [state.transcript_path, reading.offset]}))
        return count

    def proposals(self) -> list[Proposal]:
        """What waits for a user's word."""
        return [*(Proposal(*one) for one in self.kept()["proposed"]), *self._of_others()]

    def _of_others(self) -> list[Proposal]:
        found = self.team.waiting([each.text for each in self.shelf.memories()]) if self.team else []
        return [Proposal(one.words, one.kind, SHARED, one.source) for one in found]

    def accept(self, proposal: Proposal) -> Memory:
        """Remember what was proposed. From now on it stands by the user's yes, whatever becomes of the prompt."""
        session, _, time = proposal.source.rpartition(", ")
        memory = self._save(proposal._replace(source=f"{session} (accepted), {time}" if session else proposal.source))
        self.drop(proposal)
        return memory

    def drop(self, proposal: Proposal) -> None:
        """Never propose it again."""
        for one in self.team.waiting([]) if self.team and proposal.why == SHARED else ():
            if (one.words, one.source) == (proposal.words, proposal.source):
                self.team.answer(one.id)  # type: ignore[union-attr]  # it is there, or there were none
                return
        self._change(lambda kept: _settled(kept, proposal.words))

    def forget_session(self, session_id: str) -> None:
        """Drops what a session proposed, without a word about it. What was accepted stays."""
        self._change(lambda kept: without_session(kept, session_id))

    def kept(self) -> dict[str, Any]:
        """Proposals, what was turned down, corrections that were heard, and how far each session was read."""
        try:
            found = json.loads(atomic.read(self.path))
        except (OSError, ValueError, RecursionError):
            found = {}
        found = found if isinstance(found, dict) else {}
        lists = {name: _rows(found.get(name)) for name in ("proposed", "heard")}
        settled = found.get("settled")
        read = found.get("read")
        return {
            "proposed": [row for row in lists["proposed"] if len(row) == len(Proposal._fields)],
            "heard": [row for row in lists["heard"] if len(row) == 2],  # noqa: PLR2004 - words and where
            "settled": [one for one in settled if isinstance(one, str)] if isinstance(settled, list) else [],
            "read": read if isinstance(read, dict) else {},
        }

    def _take(self, own: list[Turn], state: State, known: tuple[str, ...], saved: tuple[str, ...]) -> int:
        count = 0
        for turn in own:
            if turn.drops:
                self._drop(f"session {state.session_id}, ", turn.drops_since[:19], turn.began[:19])
        for _, turn in living([*enumerate(own)])[0]:
            source = f"session {state.session_id}, {turn.began[:19]}".rstrip(", ")
            for words in turn.human:
                said = redact(plain(words))
                kept = tuple(one.words for one in extraction.found(said))
                for saying in extraction.sayings(said) or extraction.short_saying(said):
                    is_kept = saying.endswith(kept) if kept else False
                    count += self._take_back(saying, source, saved, is_kept=is_kept)
                for one in self._found(said, source):
                    dated = one._replace(words=absolute(one.words, turn.began))
                    count += self._keep(dated, source, known, saved)
        return count

    def _drop(self, session: str, since: str, until: str) -> None:
        """Let go of what was taken from prompts that the user took back since; not of what the user accepted or wrote on."""

        def dropped(source: str) -> bool:
            return source.startswith(session) and since <= source.removeprefix(session) < until

        def change(kept: dict[str, Any]) -> None:
            for name in ("proposed", "heard"):
                kept[name] = [row for row in kept[name] if not any(map(dropped, row[1:]))]

        self._change(change)
        for memory in self.shelf.memories():
            if dropped(memory.source) and memory.text.strip() == memory.said.strip() and not memory.replaces:
                self.shelf.forget(memory.name)

    def _take_back(self, saying: str, source: str, saved: tuple[str, ...], *, is_kept: bool) -> int:
        """Let go of what these words take back; nothing is saved where nothing may be."""
        kept = self.kept()
        left = {name: still_waiting(kept[name], saying, source, is_kept=is_kept) for name in ("proposed", "heard")}
        if any(left[name] != kept[name] for name in left):
            self._change(lambda kept: kept.update(left))
        return withdraw(self.shelf, saying, source, is_kept=is_kept) if saved else 0

    def _found(self, words: str, source: str) -> list[extraction.Found]:
        """What a prompt holds, with corrections that were made before, in another turn."""
        found = extraction.found(words)
        heard = self.kept()["heard"]
        for correction in extraction.corrections(words):
            if any(likeness.same(correction, one.words) for one in found):
                continue
            earlier = [said for said, where in heard if where != source]
            if extraction.is_repeated(correction, earlier):
                found.append(
                    extraction.Found(
                        correction, extraction.kind_of(correction), extraction.REPEATED, extraction.changes(correction)
                    )
                )
            elif [correction, source] not in heard:
                self._change(lambda kept, row=(correction, source): kept["heard"].append(list(row)))
        return found

    def _keep(self, one: extraction.Found, source: str, known: tuple[str, ...], saved: tuple[str, ...]) -> int:
        memories = self.shelf.memories()
        said = (
            *known,
            *(text for memory in memories for text in (memory.text, first_line(memory))),
            *self.kept()["settled"],
        )
        is_said = likeness.is_contained if one.changes else likeness.same
        if any(is_said(one.words, other) for other in said):
            return 0
        if one.why != extraction.ASKED and exclusions.why_not(one.words):
            return 0
        if is_overruled(one.words, source, memories, self.kept()["proposed"]):
            return 0
        former = next((memory for memory in memories if one.changes and _takes_over(one, memory)), None)
        proposal = Proposal(one.words, one.kind, one.why, source, former.name if former else "")
        if one.why in saved:
            self._save(proposal)
            return 1
        if any(likeness.same(one.words, row[0]) for row in self.kept()["proposed"]):
            return 0
        self._change(lambda kept: kept["proposed"].append(list(proposal)))
        return 1

    def _save(self, proposal: Proposal) -> Memory:
        """A later correction takes the place of the earlier, in the same file, and says so."""
        former = next((each for each in self.shelf.memories() if each.name == proposal.replaces), None)
        text = proposal.words
        if former:
            text = f"{proposal.words}\n\nThis takes the place of what was said before: “{former.text.partition(chr(10))[0]}”"
        memory = Memory(
            former.name if former else name_for(proposal.words),
            proposal.kind,
            description_for(proposal.words),
            text,
            proposal.source,
            proposal.words,
            former.description if former else "",
        )
        return self.shelf.save(memory) if former else self.shelf.add(memory)

    def _news(self, state: State, kept: dict[str, Any]) -> Reading | None:
        reader = reader_of(state.agent)
        if reader is None or not os.path.isfile(state.transcript_path):
            return None
        mark = kept["read"].get(state.session_id)
        known = isinstance(mark, list) and len(mark) == 2 and mark[0] == state.transcript_path  # noqa: PLR2004 - path and byte
        offset = own_offset(state, mark[1] if known and isinstance(mark[1], int) else 0)
        path, since, reading = self.lately.get(state.session_id, ("", -1, None))
        if reading is None or (path, since) != (state.transcript_path, offset):
            reading = reader.read(state.transcript_path, max(offset, jsonl.tail(state.transcript_path, _AT_MOST)))
        return reading if reading.offset != offset else None

    def _agent_wrote(self, own: list[Turn], state: State) -> bool:
        """Whether the agent itself wrote into a memory, ours or the host's: it has seen to it, and better than we would."""
        places = tuple(f"{os.path.realpath(each)}{os.sep}" for each in (self.shelf.directory, *host_directories(state)))
        calls = [call for turn in own for call in turn.calls]
        wrote = (
            os.path.realpath(call.path).startswith(places) for call in calls if call.kind in (EDIT, WRITE) and call.path
        )
        return any(wrote) or any("tapehead remember" in call.text for call in calls if call.kind == RUN)

    def _instructions(self, state: State) -> list[str]:
        return instructions_in(state.worktree_path) if state.worktree_path else []

    def _change(self, change: Any) -> None:
        with hand_edited.editing(self.layout):
            kept = self.kept()
            change(kept)
            kept["proposed"], kept["heard"] = kept["proposed"][-_MOST_PROPOSED:], kept["heard"][-_MOST_HEARD:]
            kept["settled"] = kept["settled"][-_MOST_HEARD:]
            atomic.write(self.path, json.dumps(kept, ensure_ascii=False, indent=1).encode("utf-8", "replace"))


def _takes_over(one: extraction.Found, memory: Memory) -> bool:
    return one.kind == memory.kind and likeness.alike(one.words, memory.text.partition("\n")[0]) >= likeness.ABOUT


def _settled(kept: dict[str, Any], words: str) -> None:
    kept["proposed"] = [row for row in kept["proposed"] if row[0] != words]
    kept["settled"].append(words)


def _rows(found: object) -> list[list[str]]:
    rows: Iterable[object] = found if isinstance(found, list) else ()
    return [row for row in rows if isinstance(row, list) and all(isinstance(one, str) for one in row)]
