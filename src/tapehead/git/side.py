"""A repository of our own beside the user's: what is recorded of a work tree goes there.

Not into the user's objects: what lies about untracked may hold secrets, a mirror push would take it along, and their gc and
their fsck have no business with it. It borrows what the user's repository has (`objects/info/alternates`), so that only what
is not committed takes up room.
"""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from tapehead.git import unreadable_refs
from tapehead.git.run import GitFailed, git
from tapehead.store import atomic, lock
from tapehead.store.paths import make_private

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_SECONDS = 60.0
_WRITING = ("fast-import", "update-ref")
STALE = 3.0
"""Seconds after which the lock of a ref is that of a git that was killed."""
_LEFT = ("config.lock", "HEAD.lock")
"""What an `init` that was killed leaves behind, and the next one stumbles over."""


class Side:
    """The repository beside another one."""

    def __init__(self, path: str, common_dir: str) -> None:
        self.path = path
        self.common_dir = common_dir

    def ready(self) -> None:
        """Makes it, if it is not there; a half-made one is made whole.

        One at a time: git's own `init` gives up where another is at it, or was killed at it.
        """
        if self._is_whole():
            return
        make_private(self.path)
        held = lock.take(os.path.join(self.path, "making.lock"), _SECONDS)
        try:
            if not self._is_whole():
                self._make()
        finally:
            if held is not None:
                lock.release(held)

    def _is_whole(self) -> bool:
        return os.path.exists(os.path.join(self.path, "objects", "info", "alternates"))

    def _make(self) -> None:
        for name in _LEFT:
            with suppress(FileNotFoundError):
                os.unlink(os.path.join(self.path, name))
        words = ("init", "--quiet", "--bare", "--template=", f"--object-format={self._format()}")
        git(self.path, *words, ".", timeout=_SECONDS, private=True)
        atomic.write(os.path.join(self.path, "objects", "info", "alternates"), os.fsencode(self._borrowed()) + b"\n")

    def git(
        self,
        *words: str,
        stdin: bytes = b"",
        env: Mapping[str, str] | None = None,
        most: int = 1 << 26,
        private: bool = True,
    ) -> bytes:
        """Runs git on this repository; it knows the user's objects too."""
        if oversized := unreadable_refs.oversized(self.path, "refs"):
            raise GitFailed(f"{oversized[0]} is no ref: its file is too large")
        around = {"GIT_DIR": self.path, **_NOBODY, **(env or {})}
        try:
            return git(self.path, *words, timeout=_SECONDS, stdin=stdin, env=around, most=most, private=private)
        except GitFailed:
            if words[0] in _WRITING:
                self._unlock()
            raise

    def _unlock(self) -> None:
        """Removes the locks of a git that was killed: here only ours write, one at a time. Whoever failed tries again."""
        for folder, _, names in os.walk(os.path.join(self.path, "refs")):
            for path in (os.path.join(folder, name) for name in names if name.endswith(".lock")):
                with suppress(OSError):
                    if time.time() - os.stat(path).st_mtime > STALE:
                        os.unlink(path)

    def recall(self, name: str) -> dict[str, Any]:
        """What was remembered by a name; nothing where it is gone or damaged: it only saves asking git again."""
        try:
            found = json.loads(atomic.read(os.path.join(self.path, name)))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def remember(self, name: str, what: dict[str, Any]) -> None:
        """Kept for the next time. Whole or not at all, but not flushed: after a power cut git is asked again."""
        atomic.write(os.path.join(self.path, name), json.dumps(what).encode("ascii"), flushed=False)

    def like(self) -> str:
        """A name as this repository makes them: it says of what length they are."""
        try:
            config = atomic.read(os.path.join(self.path, "config"))
        except OSError:
            config = b""
        return "0" * (64 if b"sha256" in config else 40)

    def empty_tree(self) -> str:
        """The tree without a file, made where it is not there."""
        return self.git("hash-object", "-w", "-t", "tree", "--stdin").decode("ascii").strip()

    def loose(self, ref: str) -> str:
        """What a ref names, by git's own file; nothing where git keeps it otherwise."""
        try:
            return atomic.read(os.path.join(self.path, *ref.split("/"))).decode("ascii", "replace").strip()
        except OSError:
            return ""

    def _borrowed(self) -> str:
        """Seen from our objects, so that a repository that is moved keeps its side; absolute where it lies elsewhere."""
        objects = os.path.join(self.common_dir, "objects")
        inside = os.path.commonpath([self.path, self.common_dir]) == self.common_dir
        return os.path.relpath(objects, os.path.join(self.path, "objects")) if inside else objects

    def _format(self) -> str:
        try:
            raw = git(self.common_dir, "rev-parse", "--show-object-format", timeout=_SECONDS)
        except GitFailed:
            return "sha1"
        return raw.decode("ascii", "replace").strip() or "sha1"


_NOBODY = {
    "GIT_AUTHOR_NAME": "tapehead",
    "GIT_AUTHOR_EMAIL": "tapehead@localhost",
    "GIT_COMMITTER_NAME": "tapehead",
    "GIT_COMMITTER_EMAIL": "tapehead@localhost",
}
"""A mark is no one's commit; and git asks for a name where the user has not told it theirs."""
