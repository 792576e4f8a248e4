"""Which directory is the store for a place: in the git common dir, or else in the user's state directory. Light.

Only the command line knows the environment; everything below is given the directory.
"""

from __future__ import annotations

import os
import stat
from binascii import crc32
from typing import TYPE_CHECKING

from tapehead import system
from tapehead.git import layout as git_layout
from tapehead.store.paths import FOLDERS, STORE

if TYPE_CHECKING:
    from collections.abc import Mapping


class Place:
    """Where a session runs, and where what is known of it goes."""

    __slots__ = ("directory", "refused", "repository", "roots")

    def __init__(
        self, directory: str, repository: git_layout.Repository | None, roots: tuple[str, ...], refused: str = ""
    ) -> None:
        self.directory = directory
        self.repository = repository
        self.roots = roots
        """The stores to try, best first: the second is for when the first cannot be written."""
        self.refused = refused
        """Why the repository here, or the store in it, is not used; empty where it is."""

    @property
    def worktree(self) -> str:
        return (self.repository.worktree if self.repository else "") or self.directory

    @property
    def worktree_id(self) -> str:
        return self.repository.worktree_id if self.repository else ""


def place_of(directory: str, env: Mapping[str, str]) -> Place:
    """The place that a directory is in. A repository that git refuses is none, and has its store at home."""
    try:
        repository, refused, known_as = git_layout.look(directory, env), "", directory
    except git_layout.Refused as error:
        repository, refused, known_as = None, str(error), error.git_dir
    except OSError:
        repository, refused, known_as = None, "", directory
    roots = []
    if repository:
        known_as = repository.common_dir
        roots.append(os.path.join(known_as, STORE))
        refused = trouble(roots[0]) or _not_roots(roots[0])
    home = _home_for(os.path.join("places", _slug(known_as)), env)
    return Place(directory, repository, tuple(filter(None, (*(roots if not refused else ()), home))), refused)


def make_home(root: str, env: Mapping[str, str]) -> None:
    """Makes the directories that a store at home stands in. A home that is not there is not made. Raises OSError."""
    home = os.path.dirname(os.path.dirname(root))
    if root.endswith(os.sep + STORE) or os.path.isdir(os.path.dirname(root)):
        return
    if not env.get("XDG_STATE_HOME") and not os.path.isdir(env.get("HOME", "") or system.home_of_user()):
        raise FileNotFoundError(2, "No home directory", home)
    os.makedirs(os.path.dirname(root), mode=0o700, exist_ok=True)


def state_home(env: Mapping[str, str]) -> str:
    """The user's own directory for state, or nothing where there is no home at all."""
    chosen = env.get("XDG_STATE_HOME", "")
    if os.path.isabs(chosen):
        return os.path.join(chosen, "tapehead")
    home = env.get("HOME", "") or system.home_of_user()
    return os.path.join(home, ".local", "state", "tapehead") if os.path.isabs(home) else ""


def config_home(env: Mapping[str, str]) -> str:
    """The user's own directory for settings, or nothing where there is no home at all."""
    chosen = env.get("XDG_CONFIG_HOME", "")
    if os.path.isabs(chosen):
        return os.path.join(chosen, "tapehead")
    home = env.get("HOME", "") or system.home_of_user()
    return os.path.join(home, ".config", "tapehead") if os.path.isabs(home) else ""


def trouble(root: str) -> str:
    """Why a store cannot be used: it is not ours, or something in it leads elsewhere; empty where all is well, or nothing is there."""
    for path in (root, *(os.path.join(root, name) for name in FOLDERS)):
        try:
            about = os.lstat(path)
        except OSError:
            continue
        if not stat.S_ISDIR(about.st_mode):
            return f"{path} is {'a link' if stat.S_ISLNK(about.st_mode) else 'no directory'}"
        if about.st_uid != system.user_id():
            return f"{path} belongs to another user"
    return ""


def _not_roots(root: str) -> str:
    """Root makes no store in what it may use only for who it was before sudo: that user could not read it."""
    above = os.path.dirname(root)
    return (
        f"{above} belongs to another user"
        if system.user_id() == 0 and _owner(above) and not os.path.isdir(root)
        else ""
    )


def _owner(path: str) -> int:
    try:
        return os.stat(path).st_uid
    except OSError:
        return -1


def _home_for(below: str, env: Mapping[str, str]) -> str:
    """The store in the user's own directory; root who was left with another user's home has one in its own."""
    home = state_home(env)
    root = os.path.join(home, below) if home else ""
    if not root or (_is_own(home) and not trouble(root)):
        return root
    home = state_home({})
    root = os.path.join(home, below) if home else ""
    return root if root and _is_own(home) and not trouble(root) else ""


def _is_own(home: str) -> bool:
    """Whether a directory is ours or would be; root does not leave its own in the home of another user."""
    if os.path.isdir(home):
        return _owner(home) == system.user_id()
    while home != os.path.dirname(home) and not os.path.isdir(home):
        home = os.path.dirname(home)
    return system.user_id() != 0 or _owner(home) == 0


def _slug(path: str) -> str:
    """A directory name for a path: its end, for people, and a checksum, to tell two apart."""
    raw = system.same_name(os.path.abspath(path)).encode("utf-8", "surrogatepass")
    tail = "".join(letter if letter.isalnum() and letter.isascii() else "-" for letter in path[-60:])
    return f"{tail.strip('-')}-{crc32(raw):08x}{len(raw):x}"
