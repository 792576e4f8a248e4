"""The work tree as a tree object: tracked files as they are now, and untracked ones, but not the ignored.

HEAD's tree, and what `git status` says is different: unchanged files and folders cost nothing beyond that one look, and neither
the user's index nor a copy of it is ever written. What a changed file holds is remembered by its stat data, so that one that lies
about uncommitted is read once, and not at every turn.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import attrs

from tapehead.git import index, loose, own_copies, raw_files, stream, worktree
from tapehead.git.run import GitFailed, git
from tapehead.store import lock

if TYPE_CHECKING:
    from typing import Any

    from tapehead.git.layout import Repository
    from tapehead.git.side import Side

LARGEST = 10 * 1024 * 1024
"""Bytes of an untracked file that is still recorded: a dump or a film that lies about is none of the work."""
MOST = 20_000
"""Untracked files that are recorded: more of them is a folder that someone forgot to ignore."""
_ABSENT = 2_000
"""Files that git was told to leave out, up to which it is noted that they were not there: a sparse checkout has more."""
_SECONDS = 60.0
_WAIT = 30.0
_YOUNG = 100_000_000
"""Nanoseconds: a file that was written a moment ago may be written again without its time showing it."""
_UNFLUSHED = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.fsync", "GIT_CONFIG_VALUE_0": "none"}
"""Git would wait for the disk with a pack that it takes apart a moment later, into files for which it does not wait."""
_GONE, _LINK, _SUBMODULE = b"000000", b"120000", b"160000"


class Busy(Exception):
    """Another process has been recording this work tree for too long."""


@attrs.frozen
class Recorded:
    """A work tree at one moment."""

    tree: str
    head: str
    """The commit that was checked out; empty before the first."""
    skipped: tuple[bytes, ...] = ()
    """Untracked files that were left out: too large, too many, or not to be read."""
    raw: str = ""
    """The flat tree (`real`) of files that lie there other than git would have them; empty where none does."""
    flagged: frozenset[bytes] = frozenset()
    """Files that git was told not to look at."""


@attrs.frozen
class _Read:
    """One file that was read."""

    signature: str
    name: str
    """The blob that git makes of it."""
    mode: str
    raw: str
    """The blob of its bytes."""
    permissions: int


class Trees:
    """Records one work tree."""

    def __init__(self, repository: Repository, side: Side, name: str) -> None:
        self.repository = repository
        self.side = side
        self.ref = f"refs/worktrees/{name}"
        self.memory = f"{name}.json"
        self.lock = os.path.join(side.path, f"{name}.lock")
        self._root = os.fsencode(repository.worktree)
        self._objects = os.path.join(side.path, "objects")

    def record(self) -> Recorded:
        """The work tree now. Raises GitFailed where git will not, Busy where another is at it."""
        self.side.ready()
        self._like = self.side.like()
        held = lock.take(self.lock, _WAIT)
        if held is None:
            raise Busy(self.lock)
        try:
            return self._recorded()
        except GitFailed:
            return self._recorded()  # a file that went away while it was being read: look again, once
        finally:
            lock.release(held)

    def _recorded(self) -> Recorded:
        seen = worktree.look(self.repository)
        entries, skipped = self._wanted(seen)
        memory = self.side.recall(self.memory)
        attributes = any(
            path.endswith(b".gitattributes") for path in (*seen.untracked, *(e.path for e in seen.tracked))
        )
        special, asked = index.special(self.repository, memory.get("git") or {}, attributes=attributes)
        known = memory.get("read") if not special.converts or memory.get("git") == asked else {}
        blobs = self._named([entry for entry in entries if _is_to_be_read(entry)], known, special)
        named = [
            attrs.evolve(entry, name=entry.name or (blobs[entry.path].name if entry.path in blobs else ""))
            for entry in entries
            if entry.name or entry.mode == _GONE or entry.path in blobs
        ]
        base, moved_on = self._base(seen.head, memory)
        key = [base, [[os.fsdecode(entry.path), entry.mode.decode(), entry.name] for entry in named]]
        tree = memory["tree"] if memory.get("key") == key else self.write(base, named)
        self._own(memory.get("tree") or base or self.side.empty_tree(), tree, moved_on=moved_on)
        looked_at = {entry.path for entry in entries if entry.path in blobs or entry.mode == _GONE}
        reals = self._reals(entries, blobs) | self._unseen(special, looked_at)
        raw = raw_files.write(self._objects, tree, reals)
        kept = {os.fsdecode(path): attrs.astuple(one) for path, one in blobs.items() if one.signature}
        told = {"head": seen.head, "base": base, "key": key, "tree": tree, "read": kept, "git": asked}
        self.side.remember(self.memory, told)
        return Recorded(tree, seen.head, skipped, raw, special.flagged)

    def _base(self, head: str, memory: dict[str, Any]) -> tuple[str, bool]:
        """The tree of HEAD; and whether HEAD left the commit behind at which it was seen last."""
        last = memory.get("head")
        if not head or last == head:
            return (memory["base"] if head else ""), bool(last) and not head
        raw = self._git("log", "-1", "--no-show-signature", "--format=%T %P", head, "--").decode("ascii").split()
        if not last or last in raw[1:]:
            return raw[0], False
        try:
            self._git("merge-base", "--is-ancestor", last, head)
        except GitFailed as error:
            error.raise_if_killed()
            return raw[0], True
        return raw[0], False

    def _own(self, before: str, tree: str, *, moved_on: bool) -> None:
        if before != tree:
            own_copies.keep(self.side, before, tree)
        if moved_on:
            own_copies.rescue(self.side, self.ref.replace("/worktrees/", "/marks/"))

    def _reals(self, entries: list[worktree.Entry], blobs: dict[bytes, _Read]) -> raw_files.Reals:
        """Of the files that were read, those that lie there other than git would have them."""
        found: raw_files.Reals = {}
        for entry in entries:
            one = blobs.get(entry.path)
            if one and (one.permissions or (one.mode, one.raw) != (entry.mode.decode(), entry.name or one.name)):
                found[entry.path] = raw_files.Real(one.mode.encode(), one.raw, one.permissions)
        return found

    def _unseen(self, special: index.Special, seen: set[bytes]) -> raw_files.Reals:
        """The same of the files that git has nothing to say about."""
        if not special.files:
            return {}
        memory, known = self.side.recall(f"reals-{self.memory}"), {}
        found: raw_files.Reals = {}
        for path, (mode, name) in special.files.items():
            flagged = path in special.flagged
            if path in seen:
                continue
            one = self._looked(path, memory.get(os.fsdecode(path)), mode, name, flagged=flagged)
            if one is not None:
                known[os.fsdecode(path)] = one
                if one[1]:
                    found[path] = raw_files.Real(one[1].encode(), one[2], one[3])
            elif flagged and not os.path.lexists(self._full(path)):
                found[path] = None
        self.side.remember(f"reals-{self.memory}", {path: one for path, one in known.items() if one[0]})
        if sum(one is None for one in found.values()) > _ABSENT:
            return {path: one for path, one in found.items() if one}
        return found

    def _looked(
        self, path: bytes, before: Any, mode: str, name: str, *, flagged: bool
    ) -> tuple[str, str, str, int] | None:
        """A file's signature, and how it really is where that is not how git has it."""
        signature = self._signature(path)
        if before and signature and before[0] == f"{signature} {mode} {name} {flagged}":
            return tuple(before)
        try:
            full = self._full(path)
            same = (
                not flagged
                and raw_files.mode_of(os.lstat(full).st_mode).decode() == mode
                and loose.name_blob(full, name) == name
            )
            one = None if same else raw_files.look(self._root, path, self._objects, name)
        except OSError:
            return None
        told = f"{signature} {mode} {name} {flagged}" if signature else ""
        return (told, one.mode.decode(), one.name, one.permissions) if one else ((told, "", "", 0) if same else None)

    def _wanted(self, seen: worktree.Seen) -> tuple[list[worktree.Entry], tuple[bytes, ...]]:
        new = [worktree.Entry(path, self._mode(path)) for path in seen.untracked[:MOST] if self._fits(path)]
        tracked = [
            entry for entry in seen.tracked if entry.name or entry.mode == _GONE or self._can_be_read(entry.path)
        ]
        left_out = {*seen.untracked, *(entry.path for entry in seen.tracked)}
        left_out -= {entry.path for entry in (*tracked, *new)}
        return [*tracked, *(entry for entry in new if entry.mode)], tuple(sorted(left_out))

    def _named(self, entries: list[worktree.Entry], known: Any, special: index.Special) -> dict[bytes, _Read]:
        """What each file holds, read where its stat data are not known; the data go along where they can be trusted."""
        known = known if isinstance(known, dict) else {}
        found, unread = {}, []
        for entry in entries:
            signature = self._signature(entry.path)
            before = known.get(os.fsdecode(entry.path))
            if before and signature and before[0] == signature:
                found[entry.path] = _Read(*before)
            elif one := self._raw(entry.path):
                unread.append((entry, _Read(signature, one.name, one.mode.decode(), one.name, one.permissions)))
        clean = [entry.path for entry, one in unread if not entry.name and one.mode != _LINK.decode()]
        names = self._hashed(clean) if special.converts else {}
        return found | {e.path: attrs.evolve(one, name=names.get(e.path, one.name)) for e, one in unread}

    def _raw(self, path: bytes) -> raw_files.Real | None:
        try:
            return raw_files.look(self._root, path, self._objects, self._like)
        except OSError as error:
            raise GitFailed(f"{os.fsdecode(path)} cannot be read: {error}") from None

    def _hashed(self, paths: list[bytes]) -> dict[bytes, str]:
        """The blobs that git would make of files, with all that it converts; one that it cannot convert is left out."""
        if not paths:
            return {}
        words = ("-c", "core.safecrlf=false", "hash-object", "-w", "--stdin-paths")
        asked = b"".join(stream.quote_path(path) + b"\n" for path in paths)
        try:
            return dict(zip(paths, self._git(*words, stdin=asked).decode("ascii").split(), strict=True))
        except GitFailed as error:
            error.raise_if_killed()
            half = len(paths) // 2  # it gives up on all for one
            return self._hashed(paths[:half]) | self._hashed(paths[half:]) if half else {}

    def write(self, base: str, entries: list[worktree.Entry]) -> str:
        """The tree that differs from a base in these entries; each has its object by now."""
        if not entries and base:
            return base
        changes = [stream.root(base) if base else b""]
        changes += [stream.remove_file(entry.path) for entry in entries if entry.mode == _GONE]
        changes += [stream.known(entry.mode, entry.name, entry.path) for entry in entries if entry.mode != _GONE]
        written = stream.commit(self.ref, 0, b"", (), [*changes, stream.told()])
        answer = (
            self.side.git(*stream.IMPORT, "--force", stdin=written, env=_UNFLUSHED).decode("ascii", "replace").split()
        )
        return answer[2] if answer[1:2] == ["tree"] else self.side.empty_tree()

    def _git(self, *words: str, stdin: bytes = b"") -> bytes:
        """On the user's repository, for its filters and attributes; what is written goes to our side."""
        env = {"GIT_OBJECT_DIRECTORY": os.path.join(self.side.path, "objects")}
        return git(self.repository.worktree, *words, timeout=_SECONDS, stdin=stdin, env=env, most=1 << 26, private=True)

    def _fits(self, path: bytes) -> bool:
        try:
            size = os.lstat(self._full(path)).st_size
        except OSError:
            return False
        return size <= LARGEST and self._can_be_read(path)

    def _mode(self, path: bytes) -> bytes:
        """As git would note it; nothing for what is neither a file nor a link."""
        try:
            return raw_files.mode_of(os.lstat(self._full(path)).st_mode)
        except OSError:
            return b""  # it went away meanwhile

    def _can_be_read(self, path: bytes) -> bool:
        """Whether git can take it up: one file that it cannot read would make it give up on all."""
        full = self._full(path)
        return os.path.islink(full) or (os.path.isfile(full) and os.access(full, os.R_OK))

    def _signature(self, path: bytes) -> str:
        """What a file's stat data are known by; nothing for one that is too young to be trusted."""
        try:
            found = os.lstat(self._full(path))
        except OSError:
            return ""
        young = time.time_ns() - max(found.st_mtime_ns, found.st_ctime_ns) < _YOUNG
        return "" if young else f"{found.st_ino}-{found.st_size}-{found.st_mtime_ns}-{found.st_ctime_ns}"

    def _full(self, path: bytes) -> bytes:
        return os.path.join(self._root, path)


def _is_to_be_read(entry: worktree.Entry) -> bool:
    return entry.mode not in (_GONE, _SUBMODULE)
