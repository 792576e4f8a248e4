"""New objects for the user's repository, brought in as git's own fetch does it: in a pack that is kept until a ref names them.

A prune takes every loose object that no ref named when it began, and a repack every pack that was there and not kept. So what
a ref of ours is about to name is made in a scratch repository, packed whole (also what git has somewhere already: nobody knows for how
long), and put among the user's packs with a `.keep` beside it. Only when the ref has moved does the `.keep` go.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from tapehead.git import stream
from tapehead.git.run import GitFailed, git
from tapehead.store import atomic
from tapehead.store.paths import make_private

if TYPE_CHECKING:
    from typing import Self

    from tapehead.git.side import Side

_SECONDS = 60.0
_MOST = 1 << 28
_SAYS = "tapehead"
"""What our `.keep` files hold: nobody else's are ever removed."""
_TRIES, _PAUSE = 8, 0.02
_LEFT = 3600.0
"""Seconds after which a scratch repository is that of a writer that was killed."""
_RECENT, _RECENT_BYTES = 8, 32 * 1024 * 1024
"""Packs of which a copy of our own is kept, for a repository that lost them."""


class Scratch:
    """A repository for one commit. It borrows the user's objects, and nobody else ever sees it."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.path = os.path.join(side.path, f"scratch-{os.getpid()}-{time.monotonic_ns()}")

    def __enter__(self) -> Self:
        self.side.ready()  # a clone that takes a handoff may have recorded nothing yet
        objects = os.path.join(self.path, "objects")
        for folder in ("", "refs", "objects", "objects/info", "objects/pack"):
            make_private(os.path.join(self.path, folder).rstrip("/"))
        borrowed = os.fsencode(os.path.abspath(os.path.join(self.side.common_dir, "objects")))
        atomic.write(os.path.join(objects, "info", "alternates"), borrowed + b"\n", flushed=False)
        atomic.write(os.path.join(self.path, "HEAD"), b"ref: refs/heads/none\n", flushed=False)
        with suppress(OSError):  # how names are made, in the words of `init`
            config = atomic.read(os.path.join(self.side.path, "config"))
            atomic.write(os.path.join(self.path, "config"), config, flushed=False)
        return self

    def __exit__(self, *_: object) -> None:
        _remove(self.path)

    def commit(self, written: bytes) -> str:
        """Writes the objects of a stream; the name of its commit."""
        words = ("-c", "fastimport.unpackLimit=0", "-c", "core.fsync=none", *stream.IMPORT, "--force")
        return self._git(*words, stdin=written).decode("ascii").split()[-1]

    def pack(self, new: str, without: tuple[str, ...]) -> bytes:
        """All that a commit leads to, but for what others do: whole, wherever git has it."""
        asked = "".join([f"{new}\n", *(f"^{name}\n" for name in without if name)]).encode()
        return self._git("pack-objects", "--revs", "--stdout", "--quiet", "--delta-base-offset", stdin=asked)

    def _git(self, *words: str, stdin: bytes) -> bytes:
        env = {"GIT_DIR": self.path}
        return git(self.path, *words, timeout=_SECONDS, stdin=stdin, env=env, most=_MOST, private=True)


class Kept:
    """A pack among the user's that nothing takes away until it is let go."""

    def __init__(self, side: Side, pack: bytes) -> None:
        name = pack[-len(side.like()) // 2 :].hex()
        self.path = os.path.join(side.common_dir, "objects", "pack", f"pack-{name}.keep")
        for attempt in range(_TRIES):
            try:
                git(side.common_dir, "index-pack", "--stdin", f"--keep={_SAYS}", timeout=_SECONDS, stdin=pack)
            except GitFailed:
                if attempt + 1 == _TRIES:
                    self.let_go()
                    raise
                time.sleep(_PAUSE * (attempt + 1))  # a prune took the file that it was being written to
            else:
                return

    def let_go(self) -> None:
        """For git to do with it as with any other. What a ref names is safe from every repack that begins now."""
        _unkeep(self.path)


def clear(side: Side) -> None:
    """Removes what a writer left that was killed: its scratch repository, and the keep of its pack. Only for whoever holds the lock."""
    for name in _names(side.path):
        path = os.path.join(side.path, name)
        if name.startswith("scratch-") and _age(path) > _LEFT:
            _remove(path)
    packs = os.path.join(side.common_dir, "objects", "pack")
    for name in _names(packs):
        path = os.path.join(packs, name)
        if name.endswith(".keep") and _age(path) > _LEFT:
            _unkeep(path)


def copy(side: Side, pack: bytes) -> None:
    """Keeps a copy of a pack that was just put among the user's; the newest few are enough."""
    folder = os.path.join(side.path, "recent")
    atomic.write(os.path.join(folder, f"{time.time_ns():020d}.pack"), pack, flushed=False)
    room = _RECENT_BYTES
    for number, path in enumerate(reversed(copies(side))):
        room -= os.path.getsize(path)
        if number and (number >= _RECENT or room < 0):
            atomic.remove(path)


def copies(side: Side) -> list[str]:
    """The copies that there are, oldest first."""
    folder = os.path.join(side.path, "recent")
    return [os.path.join(folder, name) for name in sorted(_names(folder)) if name.endswith(".pack")]


def is_whole(common_dir: str, new: str, old: str = "") -> bool:
    """Whether git has everything that a commit leads to; with another commit, only what is new since that one, which is then cheap."""
    try:
        if not old:
            git(common_dir, "rev-list", "--objects", "--quiet", new, "--", timeout=_SECONDS)
            return True
        return _has_news(common_dir, new, old)
    except GitFailed as error:
        error.raise_if_killed()
        return False


def _has_news(common_dir: str, new: str, old: str) -> bool:
    """By what each commit changed: `rev-list --objects` would read all folders of the older one first."""
    commits = git(common_dir, "rev-list", new, f"^{old}", "--", timeout=_SECONDS, most=_MOST)
    words = ("diff-tree", "--stdin", "-m", "-r", "-z", "--root", "--no-commit-id", "--no-renames", "--no-abbrev")
    rows = git(common_dir, *words, timeout=_SECONDS, stdin=commits, most=_MOST).split(b"\0")
    names = {row.split(b" ")[3] for row in rows if row.startswith(b":")} - {b"0" * len(new)}
    asked = b"".join(name + b"\n" for name in names)
    return b" missing\n" not in git(common_dir, "cat-file", "--batch-check", timeout=_SECONDS, stdin=asked, most=_MOST)


def _unkeep(path: str) -> None:
    with suppress(OSError):
        if atomic.read(path).strip() == _SAYS.encode():
            os.unlink(path)


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _age(path: str) -> float:
    try:
        return time.time() - os.lstat(path).st_mtime
    except OSError:
        return 0.0


def _remove(path: str) -> None:
    """A folder of ours with all that is in it."""
    for folder, folders, names in os.walk(path, topdown=False):
        for name in names:
            atomic.remove(os.path.join(folder, name))
        for name in folders:
            with suppress(OSError):
                os.rmdir(os.path.join(folder, name))
    with suppress(OSError):
        os.rmdir(path)
