"""Which directory is the store for a place: in the git common dir, or else in the user's state directory. Light.

Only the command line knows the environment; everything below is given the directory.
"""

from __future__ import annotations

import os
from binascii import crc32

from tapehead.git import layout as git_layout

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class Place:
    """Where a session runs, and where what is known of it goes."""

    __slots__ = ("directory", "repository", "roots")

    def __init__(self, directory: str, repository: git_layout.Repository | None, roots: tuple[str, ...]) -> None:
        self.directory = directory
        self.repository = repository
        self.roots = roots
        """The stores to try, best first: the second is for when the first cannot be written."""

    @property
    def worktree(self) -> str:
        return (self.repository.worktree if self.repository else "") or self.directory

    @property
    def worktree_id(self) -> str:
        return self.repository.worktree_id if self.repository else ""


def place_of(directory: str, env: Mapping[str, str]) -> Place:
    """The place that a directory is in."""
    repository = git_layout.find(directory)
    return Place(directory, repository, tuple(_roots(directory, repository, env)))


def state_home(env: Mapping[str, str]) -> str:
    """The user's own directory for state, or nothing where there is no home at all."""
    chosen = env.get("XDG_STATE_HOME", "")
    if os.path.isabs(chosen):
        return os.path.join(chosen, "tapehead")
    home = env.get("HOME", "") or _home_of_user()
    return os.path.join(home, ".local", "state", "tapehead") if os.path.isabs(home) else ""


def config_home(env: Mapping[str, str]) -> str:
    """The user's own directory for settings, or nothing where there is no home at all."""
    chosen = env.get("XDG_CONFIG_HOME", "")
    if os.path.isabs(chosen):
        return os.path.join(chosen, "tapehead")
    home = env.get("HOME", "") or _home_of_user()
    return os.path.join(home, ".config", "tapehead") if os.path.isabs(home) else ""


def is_ours(root: str) -> bool:
    """Whether we may trust and use a store: it is not there yet, or it belongs to us. Root may use anything."""
    try:
        owner = os.stat(root).st_uid
    except OSError:
        return True
    return owner == os.geteuid() or os.geteuid() == 0


def _roots(directory: str, repository: git_layout.Repository | None, env: Mapping[str, str]) -> Iterator[str]:
    if repository:
        root = os.path.join(repository.common_dir, "tapehead")
        if is_ours(root):
            yield root
    if home := state_home(env):
        yield os.path.join(home, "places", _slug(repository.common_dir if repository else directory))


def _slug(path: str) -> str:
    """A directory name for a path: its end, for people, and a checksum, to tell two apart."""
    raw = os.path.abspath(path).encode("utf-8", "surrogatepass")
    tail = "".join(letter if letter.isalnum() and letter.isascii() else "-" for letter in path[-60:])
    return f"{tail.strip('-')}-{crc32(raw):08x}{len(raw):x}"


def _home_of_user() -> str:
    import pwd  # noqa: PLC0415 - only where HOME is not set

    try:
        return pwd.getpwuid(os.geteuid()).pw_dir
    except KeyError:
        return ""
