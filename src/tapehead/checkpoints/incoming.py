"""What a remote sends lies in a place of its own until it was looked at. Then it goes to the user's objects, or nowhere.

As git does it for a push that it receives: a fetch that breaks off, is too big or is no commit leaves nothing behind.
"""

from __future__ import annotations

import os
import shutil
import time
from contextlib import suppress
from tempfile import mkdtemp
from typing import TYPE_CHECKING

from tapehead.git import stream
from tapehead.git.run import GitFailed, git

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from tapehead.git.side import Side

_PREFIX = "incoming-"
_HOUR = 3600.0
_SECONDS = 30.0
_ENDINGS = (".keep", ".pack", ".rev", ".idx")
"""In this order: git takes a pack for there when it sees the index, and clears none away that has a `.keep`."""


class Incoming:
    """One fetch."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.path = ""
        self._kept: list[str] = []

    def __enter__(self) -> Self:
        self.side.ready()
        self._clear_away()
        self.path = mkdtemp(prefix=_PREFIX, dir=self.side.path)
        os.mkdir(os.path.join(self.path, "pack"), 0o700)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for keep in self._kept:
            with suppress(OSError):
                os.unlink(keep)
        shutil.rmtree(self.path, ignore_errors=True)

    @property
    def env(self) -> dict[str, str]:
        """For a git that is to see what came, and the user's objects beside it."""
        borrowed = os.fsdecode(stream.quote_path(os.fsencode(self._objects())))
        return {"GIT_OBJECT_DIRECTORY": self.path, "GIT_ALTERNATE_OBJECT_DIRECTORIES": borrowed}

    def kind(self, name: str) -> str:
        """What an object is; nothing where it did not come."""
        try:
            raw = git(self.side.common_dir, "cat-file", "-t", name, timeout=_SECONDS, env=self.env)
        except GitFailed:
            return ""
        return raw.decode("ascii", "replace").strip()

    def take(self) -> None:
        """Moves what came to the user's objects. Nothing clears it away before the `with` ends: by then a ref names it."""
        folder = os.path.join(self.path, "pack")
        packs = sorted(name[:-5] for name in os.listdir(folder) if name.endswith(".pack"))
        there = os.path.join(self._objects(), "pack")
        os.makedirs(there, exist_ok=True)
        for pack in packs:
            with open(os.path.join(folder, f"{pack}.keep"), "wb") as file:
                file.write(b"tapehead\n")
            self._kept.append(os.path.join(there, f"{pack}.keep"))
            for ending in _ENDINGS:
                if os.path.exists(source := os.path.join(folder, pack + ending)):
                    shutil.move(source, os.path.join(there, pack + ending))

    def _objects(self) -> str:
        return os.path.join(self.side.common_dir, "objects")

    def _clear_away(self) -> None:
        """What a sync left that was killed."""
        for name in os.listdir(self.side.path):
            path = os.path.join(self.side.path, name)
            with suppress(OSError):
                if name.startswith(_PREFIX) and time.time() - os.stat(path).st_mtime > _HOUR:
                    shutil.rmtree(path, ignore_errors=True)
