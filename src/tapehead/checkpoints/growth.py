"""What another side changed, and which of it is taken: checkpoints and handoffs only ever grow. Pure.

Three listings meet: ours, theirs, and what both came from. What they left as it was is ours to keep. What they took away, and what they
changed of our own, is refused. What is another's may only grow. No time counts: a time from elsewhere is whatever they say.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

import attrs

from tapehead.checkpoints import checkpoint as values
from tapehead.checkpoints import shared_entry
from tapehead.store.paths import is_session_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tapehead.checkpoints.checkpoint import Checkpoint

DELETED, CHANGED, FORGED, MALFORMED = "deleted", "changed", "forged", "malformed"
_MB = 1 << 20
_LARGEST = {"checkpoint.json": 4 * _MB, "brief.md": _MB, "baton.json": _MB, "taken.json": _MB}
_ANY = 64 * _MB
"""Bytes of any other file."""
_RECORD = 16 * _MB
_INDEX = 80
_FILE = b"100644"
_FOLDER = re.compile(rb"([0-9a-f]{2}/[0-9a-f]{10})/([A-Za-z0-9_-][A-Za-z0-9._-]{0,99})")
_RECORDED = re.compile(rb"by-commit/([0-9a-f]{2}/[0-9a-f]{38}(?:[0-9a-f]{24})?)\.json")
_INDEXED = re.compile(rb"by-(?:tree|patch)/[0-9a-f]{2}/[0-9a-f]{38}(?:[0-9a-f]{24})?")
_LATER = re.compile(
    rb"(?![0-9A-Fa-f]{2}/|by-(?:commit|tree|patch)/)[A-Za-z0-9_-]{1,64}(?:/[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}){1,3}"
)
_HANDED = re.compile(
    rb"([A-Za-z0-9._-]{1,128}/[A-Za-z0-9._-]{1,128})/((?:[A-Za-z0-9._-]{1,128}/){0,2}[A-Za-z0-9._-]{1,128})"
)


@attrs.frozen
class Entry:
    """A file in a tree."""

    mode: bytes
    name: str
    size: int


Listing = Mapping[bytes, Entry]


@attrs.frozen
class Verdict:
    """What is taken, and what is not."""

    taken: dict[bytes, Entry] = attrs.field(factory=dict)
    refused: dict[bytes, str] = attrs.field(factory=dict)
    """By checkpoint, handoff or file, why."""
    stayed: frozenset[bytes] = frozenset()
    """Files of which ours stays without a word: an index that both wrote."""


@attrs.frozen
class Sides:
    """All that a judgement depends on."""

    ours: Listing
    theirs: Listing
    base: Listing
    """What both came from; empty where nothing is known of that."""
    content: Callable[[str], bytes]
    """What a file holds, by its object's name."""
    is_own: Callable[[str], bool]
    """Whether a session is one of ours."""
    made: Callable[[str, str], bool]
    """Whether a session of ours made a checkpoint: its tape says so."""

    def changed(self) -> list[bytes]:
        """What they changed, where ours is not the same already."""
        paths = {path for path in {*self.base, *self.theirs} if self.base.get(path) != self.theirs.get(path)}
        return sorted(path for path in paths if self.theirs.get(path) != self.ours.get(path))

    def missed(self) -> list[bytes]:
        """What both sides came from and they still have, and we have not: somebody took it away before it reached us."""
        return sorted(
            path for path in self.theirs if path not in self.ours and self.base.get(path) == self.theirs[path]
        )

    def checkpoint(self, listing: Listing, folder: bytes) -> Checkpoint | None:
        """The checkpoint of a folder, if it is one and says so itself."""
        entry = listing.get(folder + b"/checkpoint.json")
        found = values.read(self.content(entry.name)) if entry and _fits(b"checkpoint.json", entry) else None
        return found if found and found.id == folder.decode("ascii").replace("/", "") else None


def checkpoints(sides: Sides) -> Verdict:
    """The judgement of what came for `refs/tapehead/checkpoints`."""
    taken: dict[bytes, Entry] = {}
    refused: dict[bytes, str] = {}
    stayed = set()
    folders: dict[bytes, list[bytes]] = {}
    for path in (*sides.changed(), *filter(partial(_is_anothers, sides), sides.missed())):
        if found := _FOLDER.fullmatch(path):
            folders.setdefault(found[1], []).append(path)
        elif why := _why_not_file(sides, path):
            refused[path] = why
        elif path in sides.ours and path.startswith(b"by-") and _stays(sides, path):
            stayed.add(path)
        else:
            taken[path] = sides.theirs[path]
    for folder, paths in folders.items():
        if why := _why_not_checkpoint(sides, folder, paths):
            refused[folder] = why
        else:
            taken |= {path: sides.theirs[path] for path in paths}
    return Verdict(taken, refused, frozenset(stayed))


def handoffs(sides: Sides) -> Verdict:
    """The judgement of what came for the handoffs of a remote: nobody changes one, it can only be taken."""
    taken: dict[bytes, Entry] = {}
    refused: dict[bytes, str] = {}
    for path in sides.changed():
        found = _HANDED.fullmatch(path)
        there = sides.theirs.get(path)
        if there is None:
            refused[path] = DELETED
        elif not found or not all(map(is_session_id, path.decode("ascii").split("/"))) or not _fits(found[2], there):
            refused[path] = MALFORMED
        elif _may_be_put(sides, found[1], found[2], path):
            taken[path] = there
        else:
            refused[path] = CHANGED
    return Verdict(taken, refused)


def judge_shared(sides: Sides) -> Verdict:
    """The judgement of what came for `refs/tapehead/shared`: whatever is valid by itself, and nothing goes away."""
    changed = [*sides.changed(), *sides.missed()]
    new = {path: there for path in changed if (there := sides.theirs.get(path)) and path not in sides.ours}
    beside = {path.replace(b"withdrawn/", b"memories/") for path in new} | {*new}
    found = {path: sides.theirs.get(path) or sides.ours.get(path) for path in beside}
    small = {
        path: entry
        for path, entry in found.items()
        if entry and entry.size <= shared_entry.LARGEST and entry.mode == _FILE
    }
    files = {path.decode("utf-8", "replace"): sides.content(entry.name) for path, entry in small.items()}
    taken = {
        path: there
        for path, there in new.items()
        if path in small and shared_entry.is_valid(path.decode("utf-8", "replace"), files)
    }
    why = {path: MALFORMED if path in new else CHANGED if path in sides.theirs else DELETED for path in changed}
    return Verdict(taken, {path: why[path] for path in changed if path not in taken})


def _is_anothers(sides: Sides, path: bytes) -> bool:
    """Whether a file is part of a checkpoint of a session that is not ours: only our own we take away ourselves."""
    found = _FOLDER.fullmatch(path)
    one = sides.checkpoint(sides.theirs, found[1]) if found else None
    return one is not None and not sides.is_own(one.session)


def _may_be_put(sides: Sides, place: bytes, name: bytes, path: bytes) -> bool:
    if name == b"taken.json":  # of two that took it at once the one has it whose mark is on the remote
        return path not in sides.base
    known = place + b"/baton.json" in sides.ours
    return path not in sides.ours and (not known or name.startswith(b"unseen/"))


def _why_not_checkpoint(sides: Sides, folder: bytes, paths: Iterable[bytes]) -> str:
    known = sides.checkpoint(sides.ours, folder)
    if any(path not in sides.theirs for path in paths):
        return DELETED
    new = sides.checkpoint(sides.theirs, folder)
    if new is None or not all(_fits(path.rpartition(b"/")[2], sides.theirs[path]) for path in paths):
        return CHANGED if known else MALFORMED
    if known is None:
        return FORGED if sides.is_own(new.session) and not sides.made(new.session, new.id) else ""
    return CHANGED if sides.is_own(known.session) or not grown(known, new) else ""


def grown(old: Checkpoint, new: Checkpoint) -> bool:
    """Whether a checkpoint is the same one later: after an amend it knows more names and more that was asked."""
    same = all(
        getattr(old, name) == getattr(new, name) for name in ("id", "session", "agent", "first_turn", "created_at")
    )
    longer = all(
        getattr(new, name)[: len(getattr(old, name))] == getattr(old, name)
        for name in ("prompts", "decisions", "tried")
    )
    return same and longer and _names(old) <= _names(new) and old.last_turn <= new.last_turn


def _names(one: Checkpoint) -> set[str]:
    return {*one.former_commits, one.commit} - {""}


def _why_not_file(sides: Sides, path: bytes) -> str:
    """Why a record or an index is not taken as it came."""
    there, known = sides.theirs.get(path), sides.ours.get(path)
    if there is None:
        return DELETED
    if found := _RECORDED.fullmatch(path):
        fits = there.mode == _FILE and there.size <= _RECORD
        record = values.read_record(sides.content(there.name)) if fits else None
        if record is None or record.commit != found[1].decode("ascii").replace("/", ""):
            return MALFORMED
        before = values.read_record(sides.content(known.name)) if known else None
        if (
            before
            and not _stays(sides, path)
            and (_is_ours(sides, path) or not set(before.checkpoints) <= set(record.checkpoints))
        ):
            return CHANGED
        return ""
    if not _INDEXED.fullmatch(path):  # a newer version's, if it is anything: it goes along, and nothing here reads it
        return "" if there.mode == _FILE and there.size <= _RECORD and _LATER.fullmatch(path) else MALFORMED
    fits = there.mode == _FILE and there.size <= _INDEX and values.is_name(_word(sides, there))
    return "" if fits else MALFORMED


def _stays(sides: Sides, path: bytes) -> bool:
    """Whether ours is kept without a word: an index that both wrote, and what both worked out, each in its own way."""
    if not path.startswith(b"by-commit/"):
        return _is_ours(sides, path)
    ours, theirs = (values.read_record(sides.content(side[path].name)) for side in (sides.ours, sides.theirs))
    return bool((theirs and theirs.derived) or (ours and ours.derived and _is_ours(sides, path)))


def _is_ours(sides: Sides, path: bytes) -> bool:
    """Whether a record, or what an index leads to, has a checkpoint of a session of ours."""
    entry = sides.ours[path]
    if not path.startswith(b"by-commit/"):
        commit = _word(sides, entry)
        found = sides.ours.get(f"by-commit/{commit[:2]}/{commit[2:]}.json".encode("ascii", "replace"))
        if found is None:
            return False
        entry = found
    record = values.read_record(sides.content(entry.name))
    folders = [f"{name[:2]}/{name[2:]}".encode() for name in record.checkpoints] if record else []
    return any((one := sides.checkpoint(sides.ours, folder)) and sides.is_own(one.session) for folder in folders)


def _word(sides: Sides, entry: Entry) -> str:
    return sides.content(entry.name).decode("ascii", "replace").strip()


def _fits(name: bytes, entry: Entry) -> bool:
    return entry.mode == _FILE and entry.size <= _LARGEST.get(name.decode("ascii", "replace"), _ANY)
