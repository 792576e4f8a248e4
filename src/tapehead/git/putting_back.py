"""Puts the files of a work tree back to a recorded tree: through git's own filters, without the user's index, and without HEAD."""

from __future__ import annotations

import os
from contextlib import suppress

import attrs

from tapehead.git.run import git

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.git.layout import Repository
    from tapehead.git.side import Side

_SECONDS = 120.0
_SUBMODULE = "160000"


@attrs.frozen
class Plan:
    """What is to be written, and what is to go."""

    write: tuple[bytes, ...]
    remove: tuple[bytes, ...]
    left: tuple[bytes, ...] = ()
    """What would have to make room and is in no record (ignored, or too large): it stays, and so it is not written."""

    @property
    def files(self) -> tuple[bytes, ...]:
        return tuple(sorted({*self.write, *self.remove}))


def planned(side: Side, root: str, now: str, target: str, spared: frozenset[str] = frozenset()) -> Plan:
    """The difference between two recorded trees. Submodules stay where they are; `spared` files are never removed."""
    fields = iter(side.git("diff-tree", "-r", "-z", "--no-renames", now, target).split(b"\0"))
    write, remove, new = [], [], []
    for field in fields:
        if not field.startswith(b":"):
            continue
        old_mode, new_mode, _, _, status = field[1:].decode("ascii").split(" ")
        path = next(fields)
        if _SUBMODULE in (old_mode, new_mode):
            continue
        if status == "A":
            new.append(path)
        elif status != "D":
            write.append(path)
        elif os.fsdecode(path) not in spared:
            remove.append(path)
    left = _in_the_way(os.fsencode(root), new, {*remove})
    return Plan((*write, *(path for path in new if path not in left)), tuple(remove), tuple(sorted(left)))


def _in_the_way(root: bytes, new: list[bytes], going: set[bytes]) -> set[bytes]:
    """Of the paths that no record of now has, those where something lies all the same: nobody could bring that back."""
    return {path for path in new if any(kept not in going for kept in _lying_at(root, path))}


def _lying_at(root: bytes, path: bytes) -> Iterator[bytes]:
    """The files that git would take away to write one: in its place, below it, or where its folders have to be."""
    folder = os.path.dirname(path)
    while folder:
        if os.path.lexists(full := os.path.join(root, folder)) and (os.path.islink(full) or not os.path.isdir(full)):
            yield folder
        folder = os.path.dirname(folder)
    full = os.path.join(root, path)
    if os.path.isdir(full) and not os.path.islink(full):
        for directory, folders, names in os.walk(full):
            links = [name for name in folders if os.path.islink(os.path.join(directory, name))]
            yield from (os.path.relpath(os.path.join(directory, name), root) for name in (*names, *links))
    elif os.path.lexists(full):
        yield path


def put_back(repository: Repository, side: Side, target: str, plan: Plan) -> None:
    """Does it. Removals first: a folder may have to make room for a file."""
    root = os.fsencode(repository.worktree)
    for path in plan.remove:
        with suppress(FileNotFoundError, IsADirectoryError):
            os.unlink(os.path.join(root, path))
        _prune(root, os.path.dirname(path))
    if plan.write:
        index = os.path.join(side.path, f"putting-back-{os.getpid()}.index")
        env = {"GIT_INDEX_FILE": index, "GIT_OBJECT_DIRECTORY": os.path.join(side.path, "objects")}
        try:
            git(repository.worktree, "read-tree", target, timeout=_SECONDS, env=env, private=True)
            names = b"".join(path + b"\0" for path in plan.write)
            git(repository.worktree, "checkout-index", "-f", "-z", "--stdin", timeout=_SECONDS, env=env, stdin=names)
        finally:
            with suppress(FileNotFoundError):
                os.unlink(index)


def _prune(root: bytes, folder: bytes) -> None:
    """A folder that is empty now was there for its files."""
    while folder:
        try:
            os.rmdir(os.path.join(root, folder))
        except OSError:
            return
        folder = os.path.dirname(folder)
