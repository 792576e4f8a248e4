"""A server's squash of a branch of which nothing is on record here: who wrote it is not known.

Its author may have worked with an agent and not synced. It is known by its title, to which servers add the number of the request, or by
a committer that is a server and not the author. What was committed in this clone before was seen here: of that no record means that no agent
wrote it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tapehead.git import layout as git_layout
from tapehead.git.reflog import made_here, made_since
from tapehead.git.run import GitFailed, git

if TYPE_CHECKING:
    from tapehead.git.commit_contents import Patch

_SIGNS = re.compile(r"\A[^\n]* \((?:#|!|pull request #)\d+\)\s*(?:\n|\Z)|^See merge request \S+!\d+\s*$", re.MULTILINE)
_SERVER = re.compile(r"(?:^|[.+])no-?reply@", re.IGNORECASE)
_SECONDS = 10.0
_MOST = 4_000
"""Files of earlier commits that are looked at."""


def is_unseen(directory: str, patch: Patch) -> bool:
    """Whether a server made this commit of what was never committed here."""
    if not _is_servers(patch):
        return False
    repository = git_layout.find(directory)
    if repository is None:
        return True
    made = made_here(repository.git_dir)
    if made is None or patch.commit in made:
        return False  # where git keeps no such list, it may have been made here
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


def _is_servers(patch: Patch) -> bool:
    by_server = patch.author != patch.committer and _SERVER.search(patch.committer)
    return bool(_SIGNS.search(patch.message) or by_server)
