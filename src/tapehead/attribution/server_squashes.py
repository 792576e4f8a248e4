"""A server's squash of a branch of which nothing is on record here: who wrote it is not known.

Its author may have worked with an agent and not synced. It is known by its title, to which servers add the number of the request; by
a committer that is a server and not the author; by the merge that brought it, which says so and was made in the same moment; or by having a title alone and a committer who is not its author,
if no commit of that author here names a checkpoint: where branches are merged otherwise, trailers arrive. What was committed in this clone before was seen here: of that no record means that no agent
wrote it.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from tapehead.git import layout as git_layout
from tapehead.git import trailers
from tapehead.git.reflog import made_here, made_since
from tapehead.git.run import GitFailed, git

if TYPE_CHECKING:
    from tapehead.git.commit_contents import Patch

_SIGNS = re.compile(r"\A[^\n]* \((?:#|!|pull request #)\d+\)\s*(?:\n|\Z)|^See merge request \S+!\d+\s*$", re.MULTILINE)
_SERVER = re.compile(r"(?:^|[.+])no-?reply@", re.IGNORECASE)
_REQUEST = "See merge request "
_AT_ONCE = 60
"""Seconds between a squash and the merge of it, where a server makes both."""
_SECONDS = 10.0
_MOST = 4_000
"""Files of earlier commits that are looked at."""


def is_unseen(directory: str, patch: Patch) -> bool:
    """Whether a server made this commit of what was never committed here."""
    repository = git_layout.find(directory)
    made = made_here(repository.git_dir) if repository else set()
    head = git_layout.head(repository)[1] if repository else ""
    if made is None or patch.commit in made or not _is_servers(directory, head, patch):
        return False  # where git keeps no such list, it may have been made here
    if repository is None:
        return True
    own = [f"{patch.commit}:".encode() + path for path in patch.files if b"\n" not in path]
    try:
        at = git(directory, "log", "-1", "--format=%ct", patch.commit, "--", timeout=_SECONDS)
        before = sorted(made.difference(made_since(repository.git_dir, int(at))))  # what came later may build on it
        asked = [f"{name}:".encode() + path for path in patch.files for name in before if b"\n" not in path][:_MOST]
        words = ("cat-file", "--batch-check=%(objectname)")
        raw = git(directory, *words, timeout=_SECONDS, stdin=b"\n".join([*own, *asked, b""]), most=1 << 24)
    except GitFailed as error:
        error.raise_if_killed()
        return True
    rows = raw.splitlines()
    return not {*rows[: len(own)]} & {*rows[len(own) :]}


def _is_servers(directory: str, head: str, patch: Patch) -> bool:
    if _SIGNS.search(patch.message):
        return True
    if patch.author != patch.committer:
        if _SERVER.search(patch.committer):
            return True
        if "\n" not in patch.message.strip() and not _has_trailers(directory, head, patch.author):
            return True
    return abs(_merged(directory, head).get(patch.commit, 0) - patch.at) <= _AT_ONCE


@cache
def _has_trailers(directory: str, head: str, author: str) -> bool:
    words = ("log", "-1", "--format=%H", "--fixed-strings", f"--author=<{author}>", f"--grep={trailers.NAME}: ", head)
    try:
        return bool(git(directory, *words, timeout=_SECONDS))
    except GitFailed as error:
        error.raise_if_killed()
        return False


@cache
def _merged(directory: str, head: str) -> dict[str, int]:
    """The commits that merges of requests brought, and when."""
    words = ("log", "--merges", "--fixed-strings", f"--grep={_REQUEST}", "--format=%ct %P", head)
    try:
        raw = git(directory, *words, timeout=_SECONDS, most=1 << 24)
    except GitFailed as error:
        error.raise_if_killed()
        return {}
    rows = [row.split() for row in raw.decode("ascii", "replace").splitlines()]
    return {row[2]: int(row[0]) for row in rows if len(row) > 2}  # noqa: PLR2004 - the time and two parents
