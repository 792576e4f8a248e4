"""Which other repositories a turn changed: by the agent's calls, and by what lies below the work tree.

Git is asked only about a repository whose config can start nothing (`git/nested_trust.py`): the user never went there.
"""

from __future__ import annotations

import os
import re
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from tapehead import door
from tapehead.agents.readers import writing_calls
from tapehead.git import layout as git_layout
from tapehead.git import worktree
from tapehead.git.nested_trust import is_harmless
from tapehead.git.reflog import head_at
from tapehead.git.run import GitFailed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tapehead.git.layout import Repository
    from tapehead.store.state import State

_NEAR = 200
"""Folders of a work tree that are looked into for a repository."""
_DEPTH = 2
_LOOKS, _SECONDS = 16, 3.0
"""Repositories that git is asked about after a turn though no edit was in them, and for how long: the next turn asks again."""
_NAMED = re.compile(r"(?:^|[\s=\"'(:])(~?/[^\s\"';|&)<>]+)|\b(?:cd|-C)\s+[\"']?([^\s\"';|&)<>]+)")
_MODULE = re.compile(r"^\s*path\s*=\s*(.+?)\s*$", re.MULTILINE)
_SECOND = 1_000_000_000


def touched(state: State, since: int, until: int, known: Iterable[str], most: int) -> list[Repository]:
    """The repositories that a turn (its times in nanoseconds) changed, beside the session's own and those that are known."""
    seen = {os.path.realpath(path) for path in (state.worktree_path, *known, os.path.expanduser("~"))}
    found: list[Repository] = []
    looks, end = _LOOKS, time.monotonic() + _SECONDS
    for directory, is_sure in _candidates(state, since, until):
        if len(found) >= most:
            break
        one = git_layout.find(directory)
        root = os.path.realpath(one.worktree) if one and one.worktree else ""
        if one is None or not root or root in seen:
            continue
        seen.add(root)
        if not is_sure:
            looks -= 1
            if looks < 0 or time.monotonic() > end:
                break
        if is_harmless(one) and (is_sure or _is_changed(one, since)):
            found.append(one)
    return found


def _candidates(state: State, since: int, until: int) -> Iterator[tuple[str, bool]]:
    """Directories, and whether an edit there says that the session wrote in them."""
    try:
        calls = writing_calls(state.agent, state.transcript_path, since, until) if state.transcript_path else None
    except OSError:
        calls = None
    for call in calls or ():
        if call.file:
            yield os.path.dirname(os.path.join(state.worktree_path, call.file)), True
    others = [call.what for call in calls or () if not call.file]
    for what in others:
        for path, changed_to in _NAMED.findall(what):
            yield os.path.join(state.worktree_path, os.path.expanduser(path or changed_to)), False
    if calls is None or others:
        for directory in _below(state.worktree_path):
            yield directory, False


def _below(root: str) -> Iterator[str]:
    """Submodules, and folders not far down that are repositories."""
    with suppress(OSError):
        text = door.read(os.path.join(root, ".gitmodules"), 1 << 20, follow=False).decode("utf-8", "surrogateescape")
        for name in _MODULE.findall(text)[:_NEAR]:
            if _is_plain(root, name):
                yield os.path.join(root, name)
    looked_at, level = 0, [root] if root else []
    for _ in range(_DEPTH):
        below = []
        for folder in level:
            with suppress(OSError), os.scandir(folder) as entries:
                below += [one.path for one in entries if one.is_dir(follow_symlinks=False) and one.name[0] != "."]
        level = below[: _NEAR - looked_at]
        looked_at += len(level)
        yield from (folder for folder in level if os.path.lexists(os.path.join(folder, ".git")))


def _is_plain(root: str, name: str) -> bool:
    """Whether a name in .gitmodules, which comes with the repository, is that of a repository really below it: no way out, and no link."""
    if not name or os.path.isabs(name) or "\0" in name or os.path.normpath(name) != name.rstrip("/"):
        return False
    path = os.path.join(os.path.realpath(root), name.rstrip("/"))
    return os.path.realpath(path) == path and os.path.lexists(os.path.join(path, ".git"))


def _is_changed(repository: Repository, since: int) -> bool:
    """Whether HEAD moved, or a file that is not committed was written, since a moment."""
    if head_at(repository.git_dir, since / _SECOND) not in {None, git_layout.head(repository)[1]}:
        return True
    try:
        seen = worktree.look(repository)
    except GitFailed:
        return False
    paths = (*(entry.path for entry in seen.tracked), *seen.untracked)
    return any(_written(os.path.join(repository.worktree, os.fsdecode(path))) > since for path in paths)


def _written(path: str) -> int:
    try:
        return os.lstat(path).st_mtime_ns
    except OSError:
        return 0
