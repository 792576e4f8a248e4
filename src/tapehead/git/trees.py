"""The work tree as a tree object: tracked files as they are now, and untracked ones, but not the ignored.

HEAD's tree, and what `git status` says is different: unchanged files and folders cost nothing beyond that one look, and neither
the user's index nor a copy of it is ever written. What a changed file holds is remembered by its stat data, so that one that lies
about uncommitted is read once, and not at every turn.
"""

from __future__ import annotations

import os
import stat
import time

import attrs

from tapehead.git import stream, worktree
from tapehead.git.run import GitFailed, git
from tapehead.store import lock

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from typing import Any

    from tapehead.git.layout import Repository
    from tapehead.git.side import Side

LARGEST = 10 * 1024 * 1024
"""Bytes of an untracked file that is still recorded: a dump or a film that lies about is none of the work."""
MOST = 20_000
"""Untracked files that are recorded: more of them is a folder that someone forgot to ignore."""
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


class Trees:
    """Records one work tree."""

    def __init__(self, repository: Repository, side: Side, name: str) -> None:
        self.repository = repository
        self.side = side
        self.ref = f"refs/worktrees/{name}"
        self.memory = f"{name}.json"
        self.lock = os.path.join(side.path, f"{name}.lock")

    def record(self) -> Recorded:
        """The work tree now. Raises GitFailed where git will not, Busy where another is at it."""
        self.side.ready()
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
        blobs = self._named([entry for entry in entries if not entry.name and entry.mode != _GONE], memory)
        named = [attrs.evolve(entry, name=entry.name or blobs.get(entry.path, ("", ""))[1]) for entry in entries]
        base = memory["base"] if seen.head and memory.get("head") == seen.head else self._tree_of(seen.head)
        key = [base, [[os.fsdecode(entry.path), entry.mode.decode(), entry.name] for entry in named]]
        tree = memory["tree"] if memory.get("key") == key else self._written(base, named)
        kept = {os.fsdecode(path): both for path, both in blobs.items() if both[0]}
        self.side.remember(self.memory, {"head": seen.head, "base": base, "key": key, "tree": tree, "blobs": kept})
        return Recorded(tree, seen.head, skipped)

    def _wanted(self, seen: worktree.Seen) -> tuple[list[worktree.Entry], tuple[bytes, ...]]:
        new = [worktree.Entry(path, self._mode(path)) for path in seen.untracked[:MOST] if self._fits(path)]
        tracked = [
            entry for entry in seen.tracked if entry.name or entry.mode == _GONE or self._can_be_read(entry.path)
        ]
        left_out = {*seen.untracked, *(entry.path for entry in seen.tracked)}
        left_out -= {entry.path for entry in (*tracked, *new)}
        return [*tracked, *(entry for entry in new if entry.mode)], tuple(sorted(left_out))

    def _named(self, entries: list[worktree.Entry], memory: dict[str, Any]) -> dict[bytes, tuple[str, str]]:
        """The blob of each file, read where its stat data are not known; the data go along where they can be trusted."""
        known = memory.get("blobs")
        known = known if isinstance(known, dict) else {}
        found, unread = {}, []
        for entry in entries:
            signature = self._signature(entry.path)
            before = known.get(os.fsdecode(entry.path))
            if before and signature and before[0] == signature:
                found[entry.path] = (signature, before[1])
            else:
                unread.append((entry, signature))
        links = [(entry, signature) for entry, signature in unread if entry.mode == _LINK]
        files = [(entry, signature) for entry, signature in unread if entry.mode != _LINK]
        names = [*self._hashed([entry.path for entry, _ in files]), *(self._hashed_link(e.path) for e, _ in links)]
        return found | {entry.path: (sig, name) for (entry, sig), name in zip(files + links, names, strict=True)}

    def _hashed(self, paths: list[bytes]) -> list[str]:
        if not paths:
            return []
        words = ("-c", "core.safecrlf=false", "hash-object", "-w", "--stdin-paths")
        return self._git(*words, stdin=b"".join(stream.quoted(path) + b"\n" for path in paths)).decode("ascii").split()

    def _hashed_link(self, path: bytes) -> str:
        """A link is recorded as what it says, not as what it leads to."""
        target = os.readlink(self._full(path))
        return self._git("hash-object", "-w", "--stdin", "--no-filters", stdin=target).decode("ascii").strip()

    def _written(self, base: str, entries: list[worktree.Entry]) -> str:
        if not entries and base:
            return base
        changes = [stream.root(base) if base else b""]
        changes += [stream.removed(entry.path) for entry in entries if entry.mode == _GONE]
        changes += [stream.known(entry.mode, entry.name, entry.path) for entry in entries if entry.mode != _GONE]
        written = stream.commit(self.ref, 0, b"", (), [*changes, stream.told()])
        answer = (
            self.side.git(*stream.IMPORT, "--force", stdin=written, env=_UNFLUSHED).decode("ascii", "replace").split()
        )
        return answer[2] if answer[1:2] == ["tree"] else self._empty()

    def _empty(self) -> str:
        return self.side.git("hash-object", "-w", "-t", "tree", "--stdin").decode("ascii").strip()

    def _tree_of(self, commit: str) -> str:
        words = ("rev-parse", "--verify", "--quiet", f"{commit}^{{tree}}")
        return self._git(*words).decode("ascii").strip() if commit else ""

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
        mode = os.lstat(self._full(path)).st_mode
        if stat.S_ISLNK(mode):
            return _LINK
        return (b"100755" if mode & stat.S_IXUSR else b"100644") if stat.S_ISREG(mode) else b""

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
        return os.path.join(os.fsencode(self.repository.worktree), path)
