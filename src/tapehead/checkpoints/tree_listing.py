"""Three trees of a ref as listings: what differs between them is read at once, and the rest only where somebody asks for it.

A team's ref holds hundreds of thousands of files, of which a sync brings a few.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from tapehead.checkpoints.growth import Entry
from tapehead.git.run import GitFailed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tapehead.checkpoints.growth import Listing

    Git = Callable[..., bytes]
    Rows = dict[bytes, tuple[tuple[bytes, str], tuple[bytes, str]]]

_NONE = b"000000"
_FIELDS = 5


class Tree(Mapping[bytes, Entry]):
    """A commit's files. Those that are known are counted; any other is looked up when it is asked for."""

    def __init__(self, git: Git, commit: str, known: dict[bytes, Entry | None]) -> None:
        self._git, self._commit = git, commit
        self._known = known

    def __getitem__(self, path: bytes) -> Entry:
        if path not in self._known:
            words = ("ls-tree", "-r", "-z", "-l", "--full-tree", self._commit, "--", os.fsdecode(path))
            try:
                self._known[path] = _listed(self._git("--literal-pathspecs", *words)).get(path)
            except GitFailed as error:
                error.raise_if_killed()
                self._known[path] = None  # a path that leads out of the repository: a lying remote names such
        found = self._known[path]
        if found is None:
            raise KeyError(path)
        return found

    def __iter__(self) -> Iterator[bytes]:
        return (path for path, entry in self._known.items() if entry)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def listings(git: Git, ours: str, theirs: str, base: str) -> tuple[Listing, Listing, Listing]:
    """Both sides and what they came from; whole where they came from nothing that both know."""
    if not (ours and theirs and base):
        return whole(git, ours), whole(git, theirs), whole(git, base)
    by_us, by_them = _differences(git, base, ours), _differences(git, base, theirs)
    before = {path: row[0] for path, row in {**by_us, **by_them}.items()}
    sides = [
        {path: rows[path][1] if path in rows else there for path, there in before.items()} for rows in (by_us, by_them)
    ]
    sizes = _sizes(git, {name for side in (*sides, before) for mode, name in side.values() if mode != _NONE})
    made = [
        Tree(git, commit, {path: _entry(*about, sizes) for path, about in side.items()})
        for commit, side in zip((ours, theirs, base), (*sides, before), strict=True)
    ]
    return made[0], made[1], made[2]


def added(git: Git, old: str, new: str) -> list[bytes]:
    """The files that one commit has and an older one has not."""
    if not new or old == new:
        return []
    if not old:
        return git("ls-tree", "-r", "-z", "--name-only", "--full-tree", new).split(b"\0")[:-1]
    words = ("diff-tree", "-r", "-z", "--no-renames", "--diff-filter=A", "--name-only", old, new)
    return git(*words).split(b"\0")[:-1]


def _entry(mode: bytes, name: str, sizes: dict[str, int]) -> Entry | None:
    return Entry(mode, name, sizes.get(name, 0)) if mode != _NONE else None


def _differences(git: Git, old: str, new: str) -> Rows:
    """By path, its mode and name in both; of what is not there, only zeros."""
    words = git("diff-tree", "-r", "-z", "--no-renames", "--no-abbrev", old, new).split(b"\0")
    found: Rows = {}
    for about, path in zip(words[::2], words[1::2], strict=False):
        fields = about.lstrip(b":").split(b" ")
        if len(fields) == _FIELDS:
            found[path] = ((fields[0], fields[2].decode("ascii")), (fields[1], fields[3].decode("ascii")))
    return found


def _sizes(git: Git, names: Iterable[str]) -> dict[str, int]:
    asked = "".join(f"{name}\n" for name in names).encode("ascii")
    rows = git("cat-file", "--batch-check", stdin=asked).decode("ascii", "replace").splitlines() if asked else []
    return {row.split(" ")[0]: int(row.split(" ")[2]) for row in rows if row.count(" ") == 2}  # noqa: PLR2004 - else it is missing


def whole(git: Git, commit: str) -> Listing:
    """All files below a commit."""
    return _listed(git("ls-tree", "-r", "-z", "-l", "--full-tree", commit)) if commit else {}


def _listed(raw: bytes) -> dict[bytes, Entry]:
    found = {}
    for row in raw.split(b"\0"):
        about, _, path = row.partition(b"\t")
        if path:
            mode, _, name, size = about.split()
            found[path] = Entry(mode, name.decode("ascii"), int(size) if size.isdigit() else 0)
    return found
