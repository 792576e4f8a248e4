"""What `git status` says of a work tree, as the difference between HEAD's tree and the files that lie there."""

from __future__ import annotations

import os

import attrs

from tapehead import door
from tapehead.git import layout
from tapehead.git.run import git

_SECONDS = 60.0
_STATUS = (
    *("-c", "status.submoduleSummary=false", "status", "--porcelain=v2", "-z", "--branch", "--no-ahead-behind"),
    *("--no-renames", "--ignore-submodules=dirty"),
)
_GONE = b"000000"
_LINK = b"160000"


@attrs.frozen
class Entry:
    """A path whose content may differ from HEAD's."""

    path: bytes
    mode: bytes = b""
    """Of the file in the work tree; empty where git does not know it yet, `000000` where it is gone."""
    name: str = ""
    """The object, where git knows it already; empty where the file must be read."""


@attrs.frozen
class Seen:
    """A look at a work tree."""

    head: str
    """The commit; empty where there is none yet."""
    tracked: tuple[Entry, ...]
    untracked: tuple[bytes, ...]


def look(repository: layout.Repository) -> Seen:
    """One `git status`, which reads the user's index with all that makes it fast, and writes nothing."""
    fields = iter(
        git(repository.worktree, *_STATUS, _untracked(repository), timeout=_SECONDS, most=1 << 28).split(b"\0")
    )
    head, tracked, untracked = "", [], []
    for field in fields:
        kind, _, rest = field.partition(b" ")
        if kind == b"#" and rest.startswith(b"branch.oid "):
            head = rest[11:].decode("ascii").removeprefix("(initial)")
        elif kind == b"?":
            untracked.append(rest)
        elif kind in (b"1", b"u"):
            tracked.append(_tracked(repository, kind, rest))
    return Seen(head, tuple(tracked), tuple(_files(repository, untracked)))


def _tracked(repository: layout.Repository, kind: bytes, rest: bytes) -> Entry:
    """`1 XY sub mH mI mW hH hI path`, or `u XY sub m1 m2 m3 mW h1 h2 h3 path` in the middle of a merge."""
    if kind == b"u":
        *_, worktree_mode, _h1, _h2, _h3, path = rest.split(b" ", 9)
        return Entry(path, worktree_mode)
    state, _sub, _head_mode, index_mode, worktree_mode, _head_name, index_name, path = rest.split(b" ", 7)
    if worktree_mode == _LINK:
        return Entry(path, _LINK, _submodule(repository, path) or index_name.decode("ascii"))
    if state[1:2] == b"." and worktree_mode != _GONE:
        return Entry(path, index_mode, index_name.decode("ascii"))
    return Entry(path, worktree_mode)


def _submodule(repository: layout.Repository, path: bytes) -> str:
    directory = os.path.join(repository.worktree, os.fsdecode(path))
    found = layout.find(directory) if os.path.exists(os.path.join(directory, ".git")) else None
    return layout.head(found)[1] if found else ""


def _untracked(repository: layout.Repository) -> str:
    """Git's cache of untracked files serves only the form that names new folders as a whole: there we look into those ourselves."""
    import mmap  # noqa: PLC0415 - an index has megabytes: it is looked through where it lies

    try:
        with (
            door.open_reader(os.path.join(repository.git_dir, "index")) as file,
            mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as index,
        ):
            # Behind the entries: the tree of the last commit, then that cache. Another place for either only costs time.
            return "--untracked-files=" + (
                "normal" if index.find(b"UNTR", max(0, index.rfind(b"TREE"))) >= 0 else "all"
            )
    except (OSError, ValueError):  # there is none, or it is empty
        return "--untracked-files=all"


def _files(repository: layout.Repository, untracked: list[bytes]) -> list[bytes]:
    """The new files. A repository that lies about in the work tree (its name ends in a slash) is not part of the work."""
    folders = [path for path in untracked if path.endswith(b"/")]
    files = [path for path in untracked if not path.endswith(b"/")]
    if not folders:
        return files
    specs = [f":(literal){os.fsdecode(path)}" for path in folders]
    words = ("ls-files", "--others", "--exclude-standard", "-z", "--", *specs[:_FOLDERS])
    raw = git(repository.worktree, *words, timeout=_SECONDS, most=1 << 28)
    return files + [path for path in raw.split(b"\0") if path and not path.endswith(b"/")]


_FOLDERS = 500
"""Names on one command line."""
