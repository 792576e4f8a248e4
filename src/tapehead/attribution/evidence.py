"""Who wrote a line while an agent's turn ran: the agent, another one, or the human who typed meanwhile. By the agents' own tool calls.

A line that an edit of an agent put into the file is that agent's. A file that was last written while a shell command ran, or a subagent, is
that agent's as far as no edit says otherwise. A file that was last written while nothing of the kind ran was written by somebody else:
what no edit put there is the human's. What a file held before an edit tells between which calls a line came. Where both may be, nobody can
tell, and that is said. Where an agent's record tells nothing, what changed in its turn is its own.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from tapehead.agents.readers import writings_of
from tapehead.attribution.last_work import worked_until
from tapehead.checkpoints import line_owners, line_texts
from tapehead.checkpoints.line_owners import HUMAN, NOT_KNOWN
from tapehead.store.sessions import StateStore, Unreadable

if TYPE_CHECKING:
    from tapehead.agents.readers import Writings
    from tapehead.attribution.known_lines import Known
    from tapehead.checkpoints.line_owners import Files, Range, Run, Runs
    from tapehead.git.hunks import FileDiff
    from tapehead.git.side import Side
    from tapehead.store.paths import Layout
    from tapehead.store.state import State

_SECOND = 1_000_000_000
_AFTER = 3 * _SECOND
"""How long after a call what it set off may go on writing: a formatter in a hook."""
_LAG = 10 * _SECOND
"""How long after a file was written the call that wrote it may still be missing in the record."""
_BEFORE = 20_000_000
"""How much older than the moment of its writing a file's time may be, in nanoseconds: the kernel's clock for files goes in ticks."""
_FILES = 200
NEVER = 1 << 63
_SHORT = 2
"""Characters of a line that says nothing of who wrote it: a bracket."""


class Before(NamedTuple):
    """What a file held before an edit; without white space."""

    begun: int
    ended: int
    lines: frozenset[bytes]


class Told(NamedTuple):
    """One session's tools."""

    session: str
    writings: Writings
    texts: dict[bytes, tuple[frozenset[bytes], bytes]]
    """By file of the work tree, the lines that edits put there, and all of it in one piece; without white space."""
    before: dict[bytes, list[Before]]
    """By file, what it held before each edit that tells so, in order."""
    over: int | None
    """When its turn ended, where it was interrupted or died: it wrote nothing later. In nanoseconds since 1970."""


class Evidence:
    """What is known of all agents at work in one work tree."""

    def __init__(self, root: str, told: list[Told], since: int, now: int) -> None:
        self.root = os.fsencode(root)
        self.told = told
        self.now = now
        self.since = since
        """When the work tree was last seen, in nanoseconds since 1970."""
        edited = {path for one in told for path in one.texts}
        self.gone = [path for path in sorted(edited) if not os.path.lexists(os.path.join(self.root, path))]
        """Files that were edited and are no more: one that is new may be one of them under another name."""

    def judged(self, path: bytes, lines: list[tuple[int, bytes]], default: str) -> list[Run]:
        """Whose lines are that came into a file in a turn, of which `default` is the session; a bracket is whose its neighbour is."""
        owners = [self._owner(path, bare, default) if len(bare := _bare(text)) > _SHORT else "" for _, text in lines]
        known = [bool(len(_bare(text)) > _SHORT) for _, text in lines]
        near = next((owner for owner, is_known in zip(owners, known, strict=True) if is_known), default)
        found: list[Run] = []
        for (number, _), owner, is_known in zip(lines, owners, known, strict=True):
            near = owner if is_known else near
            found.append((number, 1, near))
        return found

    def _owner(self, path: bytes, text: bytes, default: str) -> str:
        wrote = [one.session for one in self.told if self._has(one, path, text)]
        if wrote:
            return default if default in wrote else wrote[0]
        changed = self._changed(path)
        if changed is None or changed < self.since:
            return default  # its time was set to an older one
        alive = [one for one in self.told if one.over is None or changed <= one.over]
        lagging = [one.session for one in alive if self._lags(one, changed)]
        if lagging or not alive:  # the record may not have come so far; or nobody was at work any more
            return (default if default in lagging else lagging[0]) if lagging else HUMAN
        begun, ended = self._came(path, text)
        if ended == NEVER and (ran := [one.session for one in alive if _within(changed, one.writings.others)]):
            return ran[0] if len(ran) == 1 else NOT_KNOWN
        return self._between(path, (begun, min(ended, changed)), changed, alive, found_later=ended < NEVER)

    def _lags(self, one: Told, changed: int) -> bool:
        """Whether an agent's record may not tell yet what wrote a file: it comes some seconds late, and never where the agent was killed."""
        return changed > one.writings.until and (one.over is not None or self.now - changed < _LAG)

    def _between(
        self, path: bytes, came: tuple[int, int], changed: int, alive: list[Told], *, found_later: bool
    ) -> str:
        """Of a line that an edit found in the file, or of a file that was last written while no shell ran: who could have written it when it came."""
        shells = [one.session for one in self.told if _overlaps(one.writings.others, *came)]
        by_edit = any(path in one.texts and _within(changed, one.writings.edits) for one in alive)
        if found_later or (by_edit and not any(path in one.before for one in self.told)):
            # an edit came after it: that nobody else wrote is the rule
            return HUMAN if not shells else shells[0] if len(shells) == 1 else NOT_KNOWN
        return NOT_KNOWN if shells or by_edit else HUMAN

    def _came(self, path: bytes, text: bytes) -> tuple[int, int]:
        """Between which moments a line came into a file, by what edits found there."""
        begun = self.since
        former = [
            name
            for name in self.gone
            if any(text in each.lines for one in self.told for each in one.before.get(name, ()))
        ]
        for before in sorted(
            found for one in self.told for name in (path, *former) for found in one.before.get(name, ())
        ):
            if text in before.lines:
                return begun, before.begun
            begun = before.ended
        return begun, NEVER

    def _has(self, one: Told, path: bytes, text: bytes) -> bool:
        told = (one.texts[name] for name in (path, *self.gone) if name in one.texts)
        return any(text in lines or _even(text) in whole for lines, whole in told)

    def _changed(self, path: bytes) -> int | None:
        try:
            return os.lstat(os.path.join(self.root, path)).st_mtime_ns
        except OSError:
            return None


def apply(  # noqa: PLR0913, PLR0917 - a step of the chain
    side: Side,
    evidence: Evidence,
    tree: str,
    files: Files,
    diffs: list[FileDiff],
    allowed: dict[bytes, list[Range]] | None,
    default: str,
) -> Files:
    """The runs after a turn's change, with those of its new lines taken out that are another's."""
    new = {}
    for diff in diffs[:_FILES]:
        ranges = (
            line_owners.find_added(diff)
            if allowed is None
            else line_owners.both(line_owners.find_added(diff), allowed.get(diff.new, []))
        )
        own = [(start, count) for start, count, owner in files.get(diff.new, ()) if owner == default]
        if found := line_owners.both(line_owners.kept(diff, ranges)[1], own):
            new[diff.new] = found
    found_files = dict(files)
    for path, runs in judge(side, evidence, tree, new, default).items():
        found_files[path] = line_owners.join_runs([*_outside(files[path], runs), *runs])
    return {path: runs for path, runs in found_files.items() if runs}


def judge(
    side: Side, evidence: Evidence, tree: str, new: dict[bytes, list[Range]], default: str
) -> dict[bytes, list[Run]]:
    """Whose the new lines of files are."""
    paths = list(new)
    found = {}
    for path, content in zip(paths, line_texts.contents(side, tree, paths), strict=False):
        texts = content.split(b"\n")
        numbers = [number for start, count in new[path] for number in range(start, start + count)]
        found[path] = evidence.judged(
            path, [(number, texts[number - 1]) for number in numbers if number <= len(texts)], default
        )
    return found


def _outside(files: Runs, runs: list[Run]) -> list[Run]:
    """Of a file's runs what is not in others; owner by owner, since there may be tens of thousands."""
    ranges = [(start, count) for start, count, _ in runs]
    owners = dict.fromkeys(owner for _, _, owner in files)
    return [
        (at, many, owner)
        for owner in owners
        for at, many in line_owners.minus([(start, count) for start, count, one in files if one == owner], ranges)
    ]


def gather(layout: Layout, state: State | None, seen: Known, root: str, now: int) -> Evidence | None:
    """Of a session and all others whose turn runs; None where one of them tells nothing, or none runs."""
    told = []
    for session in {state.session_id, *seen.open} if state else {*seen.open}:
        one = _told(state if state and session == state.session_id else load(layout, session), seen, root)
        if one is None:
            return None
        told.append(one)
    return Evidence(root, told, seen.made.get("at", 0) * _SECOND, now) if told else None


def load(layout: Layout, session: str) -> State | None:
    """The saved state of a session, also of one that has its own store elsewhere; None where there is none to go by."""
    try:
        return StateStore(layout).load(session) or StateStore(type(layout)(layout.guests)).load(session)
    except Unreadable:
        return None


def _told(state: State | None, seen: Known, root: str) -> Told | None:
    reader = writings_of(state.agent) if state else None
    if state is None or reader is None or not state.transcript_path:
        return None
    try:
        found = reader.writings_of(state.transcript_path, seen.made.get("at", 0) * _SECOND)
    except OSError:
        return None
    if found is None:
        return None
    base = os.path.realpath(root)
    texts, before = {}, {}
    for file, text in found.texts.items():
        lines = _bare_lines(text)
        texts[_below(base, file)] = (frozenset(lines), b"".join(map(_even, lines)))
    for file, edits in found.originals.items():
        before[_below(base, file)] = [
            Before(begun, ended, frozenset(_bare_lines(text))) for begun, ended, text in edits
        ]
    return Told(state.session_id, found, texts, before, worked_until(state, seen))


def _below(base: str, file: str) -> bytes:
    return os.fsencode(os.path.relpath(os.path.realpath(file), base))


def _bare_lines(text: str) -> list[bytes]:
    return [_bare(line) for line in text.encode("utf-8", "replace").split(b"\n")]


def _overlaps(spans: tuple[tuple[int, int], ...], begun: int, ended: int) -> bool:
    return any(start <= ended and end >= begun for start, end in spans)


def _within(moment: int, spans: tuple[tuple[int, int], ...]) -> bool:
    return any(start - _BEFORE <= moment <= end + _AFTER for start, end in spans)


def _bare(line: bytes) -> bytes:
    return b"".join(line.split())


def _even(text: bytes) -> bytes:
    return text.replace(b",", b"").replace(b"'", b'"')
