"""What git's own files say, read without starting git (which takes longer than a whole hook). Light."""

import os
import stat

_CHUNK, _MOST_CHUNKS = 1 << 16, 512
"""32 MB: packed-refs of the largest repositories, and no more of anything that only claims to be git's."""

_ELSEWHERE = "refs/heads/.invalid"
"""What HEAD says where the refs are kept in another form (reftable): not the name of a branch."""


class Repository:
    """A repository as seen from one directory."""

    __slots__ = ("common_dir", "git_dir", "worktree", "worktree_id")

    def __init__(self, common_dir: str, git_dir: str, worktree: str, worktree_id: str) -> None:
        self.common_dir = common_dir
        """Shared by all worktrees: where a store lives."""
        self.git_dir = git_dir
        """This worktree's own: its HEAD, its rebase."""
        self.worktree = worktree
        """The root of the work tree; empty in a bare repository."""
        self.worktree_id = worktree_id
        """Git's name for a linked worktree; empty for the main one."""


def find(directory: str) -> "Repository | None":
    """The repository that a directory is in. The directory itself may be gone: its parents are asked all the same."""
    here = os.path.abspath(directory)
    while True:
        found = _of_worktree(here) or _of_git_dir(here)
        if found:
            return found
        parent = os.path.dirname(here)
        if parent == here:
            return None
        here = parent


def rebasing(git_dir: str) -> bool:
    """Whether a rebase is under way."""
    return os.path.isdir(os.path.join(git_dir, "rebase-merge")) or os.path.isdir(os.path.join(git_dir, "rebase-apply"))


def head(repository: Repository) -> tuple[str, str]:
    """The branch (empty when detached) and the commit (empty when there is none yet) that HEAD names."""
    text = _text(os.path.join(repository.git_dir, "HEAD"))
    if not text.startswith("ref: "):
        return "", text if _is_hash(text) else ""
    ref = text[5:].strip()
    if ref == _ELSEWHERE:
        return "", ""
    branch = ref.removeprefix("refs/heads/")
    loose = _text(os.path.join(repository.common_dir, ref)) if ".." not in ref else ""
    return branch, loose if _is_hash(loose) else _packed(repository.common_dir, ref)


def _of_worktree(here: str) -> Repository | None:
    dot_git = os.path.join(here, ".git")
    if os.path.isdir(dot_git):
        return _described(dot_git, here) if _is_git_dir(dot_git) else None
    text = _text(dot_git)
    if not text.startswith("gitdir:"):
        return None
    git_dir = os.path.normpath(os.path.join(here, text[7:].strip()))
    return _described(git_dir, here) if _is_git_dir(git_dir) else None


def _of_git_dir(here: str) -> Repository | None:
    """A bare repository, or someone standing inside `.git` itself."""
    return _described(here, "") if _is_git_dir(here) else None


def _described(git_dir: str, worktree: str) -> Repository:
    common = _text(os.path.join(git_dir, "commondir"))
    if not common:
        return Repository(git_dir, git_dir, worktree, "")
    return Repository(os.path.normpath(os.path.join(git_dir, common)), git_dir, worktree, os.path.basename(git_dir))


def _is_git_dir(path: str) -> bool:
    return os.path.isfile(os.path.join(path, "HEAD")) and (
        os.path.isfile(os.path.join(path, "commondir"))
        or all(os.path.isdir(os.path.join(path, name)) for name in ("objects", "refs"))
    )


def _packed(common_dir: str, ref: str) -> str:
    for line in _text(os.path.join(common_dir, "packed-refs")).splitlines():
        commit, _, name = line.partition(" ")
        if name == ref and _is_hash(commit):
            return commit
    return ""


def _is_hash(text: str) -> bool:
    return len(text) in (40, 64) and all(letter in "0123456789abcdef" for letter in text)


def _text(path: str) -> str:
    """A small file's text; nothing where there is none, or where it is something else."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except (OSError, ValueError):
        return ""
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return ""
        chunks: list[bytes] = []
        while len(chunks) < _MOST_CHUNKS and (chunk := os.read(descriptor, _CHUNK)):
            chunks.append(chunk)
        return b"".join(chunks).decode("utf-8", "surrogateescape").strip()
    except OSError:
        return ""
    finally:
        os.close(descriptor)
