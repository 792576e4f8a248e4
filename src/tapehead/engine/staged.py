"""Which sessions have a part in what is about to be committed: what is staged, compared with what each session changed. Light as far as it can be.

By files first: the newest mark knows which files have a session's uncommitted lines, and how each file was then. Only where a file is staged
otherwise than it was then are its lines compared. Whatever cannot be told in time counts as a part: a trailer too many leads somewhere.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from tapehead import door
from tapehead.store.paths import Layout, place_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tapehead.git.layout import Repository

_SECONDS = 10.0
_LARGEST = 1 << 26
_NAMES = 200
"""Paths on one command line."""
_REMOVED_BY_AGENTS = 1


class Staged:
    """What is staged, beside the newest mark."""

    def __init__(self, layout: Layout, repository: Repository, env: Mapping[str, str]) -> None:
        self.layout = layout
        self.repository = repository
        self.index = os.path.abspath(env["GIT_INDEX_FILE"]) if env.get("GIT_INDEX_FILE") else ""
        """A commit of some files, or of all changes, has an index of its own."""
        self._env = env
        self._lines = layout.lines
        self._mark = self._newest()
        self._changed: dict[bytes, tuple[bytes, str]] = {}
        self._then: dict[bytes, str] = {}
        self._is_known = bool(self._mark) and self._look()

    def has_part(self, session_id: str, touched: set[str], *, at_work: bool) -> bool:
        """Whether a session added or removed a line of it, or changed a file that has no lines."""
        if not self._is_known:
            return True
        at_work = at_work or session_id in self._mark["open"]
        unclear = False
        for path, (_, name) in self._changed.items():
            own = any(run[2] == session_id for run in self._mark["files"].get(os.fsdecode(path), ()))
            own = own or (self._full(path) in touched and self._is_agents(path))
            if self._then.get(path, "") == name:
                if own:
                    return True
            elif own or at_work:
                unclear = True
        return unclear and self._has_line(session_id, at_work=at_work)

    def _is_agents(self, path: bytes) -> bool:
        """Whether agents removed lines of a file, or it changed and no line of it did: a mode, a picture."""
        counts = self._mark["tally"].get(os.fsdecode(path))
        return counts is not None and (bool(counts[_REMOVED_BY_AGENTS]) or not any(counts))

    def _has_line(self, session_id: str, *, at_work: bool) -> bool:
        import time  # noqa: PLC0415 - only where lines are compared

        from tapehead.actions.staging import has_line  # noqa: PLC0415 - heavy
        from tapehead.engine.deadline import Deadline, Late, seconds_for_hook  # noqa: PLC0415 - as above
        from tapehead.git.run import GitFailed  # noqa: PLC0415 - as above

        try:
            with Deadline(time.monotonic() + seconds_for_hook(self._env)).limit():
                return has_line(self.layout, session_id, self._changed, at_work=at_work)
        except (Late, GitFailed, OSError):
            return True

    def _newest(self) -> dict[str, dict[str, list[list[object]]]]:
        """What the newest mark says, from where its maker left it; nothing where that is not the newest."""
        name = place_name(self.repository.worktree_id)
        try:
            told = json.loads(door.read(os.path.join(self._lines, f"{name}.tip.json"), _LARGEST, follow=False))
            ref = door.read(os.path.join(self._lines, "refs", "marks", name), 100, follow=False).decode("ascii").strip()
            return told["state"] if told["mark"] == ref else {}
        except (OSError, ValueError, TypeError, KeyError):
            return {}

    def _look(self) -> bool:
        from tapehead.git.layout import head  # noqa: PLC0415 - only where there is a mark
        from tapehead.git.run import GitFailed, git  # noqa: PLC0415 - as above

        around = {"GIT_INDEX_FILE": self.index} if self.index else {}
        against = "HEAD" if head(self.repository)[1] else _EMPTY[len(str(self._mark["work"]))]
        words = ("diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev", against, "--")
        try:
            raw = git(self.repository.worktree, *words, timeout=_SECONDS, env=around, most=1 << 27)
            fields = iter(raw.split(b"\0"))
            for field in fields:
                if field.startswith(b":"):
                    _, mode, _, name, _ = field[1:].split(b" ")
                    removed = name.strip(b"0") == b""
                    self._changed[next(fields)] = (mode, "" if removed else name.decode("ascii"))
            names = [os.fsdecode(path) for path in self._changed]
            some = ["--", *names] if len(names) <= _NAMES else []
            listed = ("--literal-pathspecs", "ls-tree", "-r", "-z", str(self._mark["work"]), *some)
            raw = git(self._lines, *listed, timeout=_SECONDS, env={"GIT_DIR": self._lines}, most=1 << 28)
        except (GitFailed, ValueError):
            return False
        rows = (row.partition(b"\t") for row in raw.split(b"\0") if row)
        self._then = {path: what.rpartition(b" ")[2].decode("ascii") for what, _, path in rows}
        return True

    def _full(self, path: bytes) -> str:
        return os.path.join(self.repository.worktree, os.fsdecode(path))


_EMPTY = {
    40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}
"""The tree without a file, as git names it."""
