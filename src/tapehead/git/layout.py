"""What git's own files say, read without starting git (which takes longer than a whole hook). Light.

Which repository a directory is in is decided as git decides it, so that nothing is ever kept where git itself would refuse to work.
"""

import os
import stat
from typing import TYPE_CHECKING

from tapehead import door, system

if TYPE_CHECKING:
    from collections.abc import Mapping

_MOST = 1 << 25
"""32 MB: packed-refs of the largest repositories, and no more of anything that only claims to be git's."""
_LARGEST_GIT_FILE = 1 << 20
_HEAD = 255
"""Bytes of HEAD that git looks at to tell whether it is one."""

_ELSEWHERE = "refs/heads/.invalid"
"""What HEAD says where the refs are kept in another form (reftable): not the name of a branch."""
_PARTS_OF_OTHERS = ("/.git/worktrees/", "/.git/modules/")


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


class Refused(Exception):
    """A repository in which git would not work, or which may have come with another one. The text says why."""

    def __init__(self, reason: str, git_dir: str) -> None:
        super().__init__(reason)
        self.git_dir = git_dir
        """What it would have been."""


def find(directory: str, env: "Mapping[str, str]" = os.environ) -> Repository | None:
    """The repository that a directory is in; None where there is none that git would work in.

    The directory itself may be gone: its parents are asked all the same.
    """
    try:
        return look(directory, env)
    except (Refused, OSError):
        return None


def look(directory: str, env: "Mapping[str, str]" = os.environ) -> Repository | None:
    """The same, with the reason: raises Refused."""
    here = _existing(_real(directory))
    top = _ceiling(here, env)
    device = (
        -1 if env.get("GIT_DISCOVERY_ACROSS_FILESYSTEM", "") in ("1", "true", "yes", "on") else os.stat(here).st_dev
    )
    while True:
        found = _of_worktree(here, env) or _of_bare(here, env)
        if found:
            return found
        parent = os.path.dirname(here)
        if parent in (here, top) or device not in (-1, os.stat(parent).st_dev):
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


def _real(directory: str) -> str:
    try:
        return os.path.realpath(directory)
    except ValueError:  # no name of a directory
        return os.sep


def _existing(path: str) -> str:
    while not os.path.isdir(path) and path != os.path.dirname(path):
        path = os.path.dirname(path)
    return path


def _ceiling(here: str, env: "Mapping[str, str]") -> str:
    """The directory that git would not look into, nor above it: the nearest of those above us that the user named."""
    tops, resolved = [""], True
    for named in env.get("GIT_CEILING_DIRECTORIES", "").split(":"):
        if not named:
            resolved = False  # git's own rule: those behind an empty one are taken as they are
        elif os.path.isabs(named):
            top = (os.path.realpath(named) if resolved else named).rstrip("/")
            tops += [top or "/"] if here.startswith(top + "/") and here != "/" else []
    return max(tops, key=len)


def _of_worktree(here: str, env: "Mapping[str, str]") -> Repository | None:
    """A repository whose work tree this is: `.git` is its git dir, or a file that names it."""
    dot_git = os.path.join(here, ".git")
    try:
        is_file = stat.S_ISREG(os.stat(dot_git).st_mode)
    except OSError:
        return None
    git_dir = _named_by(dot_git) if is_file else dot_git
    if not is_git_dir(git_dir):
        if is_file:
            raise Refused(f"{dot_git} leads to no repository", dot_git)
        return None
    found = _described(git_dir, here)
    _must_be_trusted((*((dot_git,) if is_file else ()), here, git_dir), found, env)
    return found


def _named_by(git_file: str) -> str:
    try:
        text = door.read(git_file, _LARGEST_GIT_FILE + 1).decode("utf-8", "surrogateescape")
    except OSError:
        text = ""
    named = text[8:].rstrip("\r\n").partition("\0")[0]
    if not text.startswith("gitdir: ") or not named or len(text) > _LARGEST_GIT_FILE:
        raise Refused(f"{git_file} names no repository", git_file)
    return os.path.realpath(os.path.join(os.path.dirname(git_file), named))


def _of_bare(here: str, env: "Mapping[str, str]") -> Repository | None:
    """A bare repository, or someone standing inside `.git` itself.

    A folder of another repository's work tree may look like a bare one, because somebody committed it: it says nothing to us. (Git
    has `safe.bareRepository` against these.)
    """
    if not is_git_dir(here):
        return None
    found = _described(here, "")
    _must_be_trusted((here,), found, env)
    if os.path.basename(here) != ".git" and not any(part in here + "/" for part in _PARTS_OF_OTHERS):
        _must_stand_alone(here, found, env)
    return found


def _must_stand_alone(here: str, found: Repository, env: "Mapping[str, str]") -> None:
    from tapehead.git import protected_config  # noqa: PLC0415 - bare repositories are rare

    if protected_config.wants_explicit_bare(env):
        raise Refused(f"{here} is a bare repository, and safe.bareRepository does not let git use it", here)
    parent = os.path.dirname(here)
    outer = look(parent, env) if parent not in (here, _ceiling(here, env)) else None
    if outer and outer.common_dir != found.common_dir:
        where = outer.worktree or outer.git_dir
        raise Refused(f"{here} looks like a bare repository inside the work tree of {where}", here)


def _must_be_trusted(paths: tuple[str, ...], found: Repository, env: "Mapping[str, str]") -> None:
    """As git does with dubious ownership, for root too."""
    known_as = found.worktree or found.git_dir
    for path in paths:
        if not _is_owned(path, env):
            from tapehead.git import protected_config  # noqa: PLC0415 - only where there is doubt

            if protected_config.is_safe(known_as, env):
                return
            raise Refused(
                f"{path} belongs to another user, and safe.directory does not name {known_as}", found.common_dir
            )


def _is_owned(path: str, env: "Mapping[str, str]") -> bool:
    """Whether a path is the user's own; root who came by sudo is also who they were before."""
    try:
        owner = os.lstat(path).st_uid
    except OSError:
        return False
    if owner == system.user_id():
        return True
    before = env.get("SUDO_UID", "")
    return system.user_id() == 0 and before.isascii() and before.isdigit() and owner == int(before)


def _described(git_dir: str, worktree: str) -> Repository:
    common = _common_dir(git_dir)
    return Repository(
        common, git_dir, worktree, os.path.basename(git_dir) if common != os.path.realpath(git_dir) else ""
    )


def _common_dir(git_dir: str) -> str:
    """Nothing where the file that names it says nothing: git stops there."""
    path = os.path.join(git_dir, "commondir")
    if not os.path.lexists(path):
        return os.path.realpath(git_dir)
    named = _text(path).partition("\0")[0]
    return os.path.realpath(os.path.join(git_dir, named)) if named else ""


def is_git_dir(path: str) -> bool:
    """Whether git would take a directory for a git dir: a HEAD that is one, objects and refs."""
    if not _is_head(os.path.join(path, "HEAD")):
        return False
    common = _common_dir(path)
    return bool(common) and all(os.access(os.path.join(common, name), os.X_OK) for name in ("objects", "refs"))


def _is_head(path: str) -> bool:
    try:
        if stat.S_ISLNK(os.lstat(path).st_mode):
            return os.readlink(path).startswith("refs/")
        text = door.read(path, _HEAD)
    except (OSError, ValueError):
        return False
    if text.startswith(b"ref:"):
        return text[4:].lstrip(b" \t\n\r").startswith(b"refs/")
    return len(text) >= 40 and all(letter in b"0123456789abcdefABCDEF" for letter in text[:40])  # noqa: PLR2004 - a hash


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
        return door.read(path, _MOST).decode("utf-8", "surrogateescape").strip()
    except OSError:
        return ""
