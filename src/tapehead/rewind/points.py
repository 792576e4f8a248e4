"""Points within a turn: the files as they were before a call of the agent's. Only where the record leaves no doubt.

The calls are done again, from the snapshot at the turn's beginning on. What comes of all of them must be what the turn left, byte for byte, or
what the agent read before its next call: then nothing else wrote to the file. A file that no edit names was written by
something else (a shell): it is as at the beginning where all of that came after the point, and as at the end where all came before.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from tapehead.agents.readers import writing_calls
from tapehead.attribution.snapshots import END, START, Known, Mark
from tapehead.git import batch, loose, raw_files
from tapehead.git.trees import Recorded, Trees
from tapehead.git.worktree import Entry
from tapehead.history.turn_numbers import turn_numbers
from tapehead.transcript.file_writes import WritingCall, change_file

if TYPE_CHECKING:
    from tapehead.rewind.rewind import Rewind, TurnMade

_MARKS = 400
_MILLISECOND = 1_000_000
_GONE = b"000000"
_FILES = (raw_files.FILE, raw_files.PROGRAM)


class Point(NamedTuple):
    """Before a call."""

    name: str
    """The turn and the call's number in it: what it is asked for by."""
    call: WritingCall
    doubts: tuple[str, ...] = ()
    """Why it cannot be gone back to; nothing where it can."""
    files: dict[bytes, str | None] = {}  # noqa: RUF012  never changed
    """The files that differ from the turn's beginning; None for one that is not there."""
    as_at_end: tuple[bytes, ...] = ()
    """Those that were as the turn left them already."""
    unrecorded: tuple[bytes, ...] = ()
    """Files that the agent wrote and no snapshot has (ignored, or too large): they stay."""


class _Turn(NamedTuple):
    """What is known of one turn."""

    begun: Known
    ended: Known
    calls: list[WritingCall]
    paths: list[bytes | None]
    """Of each call's file, within the work tree."""
    old: dict[bytes, bytes]
    new: dict[bytes, bytes]
    """The files that it changed or that its edits name, at both ends."""
    doubtful: frozenset[bytes]
    """Links, and files that lie there otherwise than git would have them."""


class NoPoints(Exception):
    """Why a turn has none."""


def points_of(found: Rewind, made: TurnMade) -> list[Point]:
    """Before each call of a turn that may have changed files. Raises NoPoints."""
    turn = _turn(found, made)
    return [_point(turn, number, f"{made.name}.{number + 1}") for number in range(len(turn.calls))]


def known_at(found: Rewind, made: TurnMade, point: Point) -> Known:
    """The work tree at a point, with whose lines are whose, as a snapshot would have told it."""
    turn = _turn(found, made)
    side = found.tree.side
    objects = os.path.join(side.path, "objects")
    modes = _modes(found, turn.ended.work) | _modes(found, turn.begun.work)
    modes |= {path: mode for path, mode in _modes(found, turn.ended.work).items() if path in point.as_at_end}
    entries = [
        Entry(path, modes.get(path, raw_files.FILE), loose.blob(objects, turn.begun.work, _encoded(text) or b""))
        if text is not None
        else Entry(path, _GONE)
        for path, text in point.files.items()
    ]
    for path in point.as_at_end:
        there = path in turn.new
        name = loose.blob(objects, turn.begun.work, turn.new[path]) if there else ""
        entries.append(Entry(path, modes.get(path, raw_files.FILE) if there else _GONE, name))
    name = found.tree.chain.ref.rpartition("/")[2]
    tree = Trees(found.tree.repository, side, f"{name}.point").write(turn.begun.work, entries)
    mark = Mark(END, found.state.session_id, turn.begun.made["turn"], "", turn.begun.made["at"])
    return found.tree.chain.after(turn.begun, mark, Recorded(tree, turn.begun.head, raw=turn.begun.raw))


def _turn(found: Rewind, made: TurnMade) -> _Turn:
    begun, ended = _ends(found, made)
    state = found.state
    try:
        calls = writing_calls(state.agent, state.transcript_path, _moment(begun) - _MILLISECOND, _moment(ended))
    except OSError as error:
        raise NoPoints(f"the transcript cannot be read: {error}") from None
    if calls is None:
        raise NoPoints("this agent's record does not tell what its calls wrote")
    root = os.path.realpath(found.tree.repository.worktree)
    paths = [_within(root, call.file) for call in calls]
    diffs = found.tree.chain.between(begun.work, ended.work)
    named = sorted({path for diff in diffs for path in (diff.old, diff.new)} | {path for path in paths if path})
    modes = _modes(found, begun.work), _modes(found, ended.work)
    raw = {*raw_files.read(found.tree.side, begun.raw), *raw_files.read(found.tree.side, ended.raw)}
    doubtful = {path for path in named if any(path in each and each[path] not in _FILES for each in modes)}
    old, new = (_contents(found, known.work, named) for known in (begun, ended))
    return _Turn(begun, ended, calls, paths, old, new, frozenset(doubtful | raw))


def _ends(found: Rewind, made: TurnMade) -> tuple[Known, Known]:
    """The snapshots around a turn. Where the agent stopped more than once in it, from the stop before.

    A late beginning within it (a subagent wrote while the session waited for it) is passed over: what came since the one before is the turn's.
    """
    why = "its beginning was not recorded"
    names = [name for name, _ in found.tree.chain.newest(_MARKS)]
    numbers = turn_numbers(found.layout, found.state.session_id)
    ended = found.tree.chain.known(made.mark)
    for name in names[names.index(made.mark) + 1 :] if made.mark in names else ():
        begun = found.tree.chain.known(name)
        if begun.made.get("session") != found.state.session_id:
            continue
        turn = begun.made.get("turn", 0)  # the tape counts one more where the agent asked itself (a subagent is done)
        is_same = turn == ended.made.get("turn") or numbers.of(turn) == made.turn
        if not is_same or begun.made.get("kind") not in (START, END):
            break
        if not begun.made.get("late"):
            return begun, ended
        why = "its beginning was recorded late: the agent may have written before"
    raise NoPoints(why)


def _moment(known: Known) -> int:
    """When the line was written that asked for a snapshot: its id begins with it."""
    try:
        return int(str(known.made.get("line", "")).partition("-")[0], 16)
    except ValueError:
        return int(known.made.get("at", 0)) * 1_000_000_000


def _point(turn: _Turn, number: int, name: str) -> Point:
    doubts: list[str] = []
    files: dict[bytes, str | None] = {}
    as_at_end: list[bytes] = []
    unrecorded: list[bytes] = []
    edited = {path for path, call in zip(turn.paths, turn.calls, strict=True) if path and call.changes != ()}
    for path in sorted({*turn.old, *turn.new, *edited}):
        shown = os.fsdecode(path)
        if path in turn.doubtful:
            doubts.append(f"{shown}: a link, or stored otherwise than it lies there")
        elif path in edited and path not in turn.old and path not in turn.new:
            unrecorded.append(path)
        elif path in edited:
            is_sure, text = _replayed(turn, path, number)
            if not is_sure:
                doubts.append(f"{shown}: something else wrote to it as well")
            elif _encoded(text) != turn.old.get(path):
                files[path] = text
        elif turn.old.get(path) != turn.new.get(path):
            early, late = _others(turn, number)
            if early == late:
                why = "written by a command before or after this" if early else "no call of the agent's wrote it"
                doubts.append(f"{shown}: {why}")
            elif early:
                as_at_end.append(path)
    return Point(name, turn.calls[number], tuple(doubts), files, tuple(as_at_end), tuple(unrecorded))


def _replayed(turn: _Turn, path: bytes, number: int) -> tuple[bool, str | None]:
    """A file's text at a point, and whether that is sure."""
    text = _decoded(turn.old.get(path))
    at_point, is_confirmed, is_past = text, False, False
    for each, (own, call) in enumerate(zip(turn.paths, turn.calls, strict=True)):
        if own != path or call.changes == ():
            continue
        if each >= number and not is_past:
            at_point, is_past = text, True
            is_confirmed = call.before is not None and call.before == text
        after = change_file(text, call.changes) if call.changes else None
        if after is None:
            return is_confirmed, at_point
        text = after
    if not is_past:
        at_point = text
    return is_confirmed or _encoded(text) == turn.new.get(path), at_point


def _others(turn: _Turn, number: int) -> tuple[bool, bool]:
    """Whether a call that may have written any file ran before a point; and after it."""
    point = turn.calls[number]
    others = [(each, call) for each, call in enumerate(turn.calls) if call.changes is None]
    early = any(each < number or call.at < point.at for each, call in others if each != number)
    late = any(each >= number or call.ended > point.at for each, call in others)
    return early, late


def _within(root: str, file: str) -> bytes | None:
    path = os.path.relpath(os.path.realpath(file), root) if file else ""
    return os.fsencode(path) if path and not path.startswith(os.pardir) else None


def _decoded(content: bytes | None) -> str | None:
    return None if content is None else content.decode("utf-8", "surrogateescape")


def _encoded(text: str | None) -> bytes | None:
    return None if text is None else text.encode("utf-8", "surrogateescape")


def _contents(found: Rewind, tree: str, paths: list[bytes]) -> dict[bytes, bytes]:
    asked = b"".join(b"%s:%s\n" % (tree.encode(), path) for path in paths if b"\n" not in path)
    raw = found.tree.side.git("cat-file", "--batch", stdin=asked, most=1 << 30) if asked else b""
    names = [path for path in paths if b"\n" not in path]
    return {path: one for path, one in zip(names, batch.blobs(raw), strict=True) if one is not None}


def _modes(found: Rewind, tree: str) -> dict[bytes, bytes]:
    rows = (row.partition(b"\t") for row in found.tree.side.git("ls-tree", "-r", "-z", tree, most=1 << 28).split(b"\0"))
    return {path: what.split(b" ")[0] for what, tab, path in rows if tab}
