"""What a rewind has to change: how the files are to be, where that is not how they are."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from tapehead.git import loose, raw_files
from tapehead.git.run import git
from tapehead.rewind.file_writer import Impossible, Plan

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from tapehead.attribution.snapshots import Known
    from tapehead.git.raw_files import Real, Reals
    from tapehead.git.side import Side
    from tapehead.git.trees import Recorded

_SECONDS = 60.0
_SUBMODULE = b"160000"


def to_snapshot(side: Side, root: str, now: Recorded, target: Known, spared: frozenset[bytes] = frozenset()) -> Plan:
    """From what lies there to what a mark has. Submodules stay where they are; `spared` files are never removed."""
    base = os.fsencode(root)
    raw = raw_files.read(side, target.raw)
    lying = raw_files.read(side, now.raw)
    before, after = _both(side, (now.tree, lying), (target.work, raw))
    before |= dict.fromkeys(now.flagged - lying.keys())  # git thinks that they lie there
    wanted: Reals = {}
    left = set()
    for path in _inside({*before, *after}):
        old, new = before.get(path), after.get(path)
        if old == new or _SUBMODULE in (getattr(old, "mode", b""), getattr(new, "mode", b"")):
            continue
        if path in now.flagged and path not in raw:
            left.add(path)  # what git was told not to look at then is not known
        elif old is None and new is not None and _is_unknown(base, path, new):
            left.add(path)
        elif new is not None or path not in spared:
            wanted[path] = new
    return _possible(base, _checked_out(side, root, wanted) if target.filtered else wanted, left)


def to_kept(side: Side, root: str, kept: str) -> Plan:
    """Back to what lay there before a rewind, in exactly the places that it touched."""
    found = raw_files.read(side, kept)
    _inside(found)
    return _possible(os.fsencode(root), found, set())


def _inside(paths: Collection[bytes]) -> Collection[bytes]:
    """The paths, if all of them lie in the work tree. A record that somebody else made may name any file: nothing of it is done."""
    if bad := tuple(sorted(filter(raw_files.leads_astray, paths))):
        raise Impossible("the record names files outside the work tree or in .git, so tapehead did not make it", bad)
    return paths


def _checked_out(side: Side, root: str, wanted: Reals) -> Reals:
    """Files as git would check them out: all that a former version's record can give."""
    objects = os.path.join(side.path, "objects")
    found: Reals = {}
    for path, one in wanted.items():
        found[path] = one
        if one and one.mode != raw_files.LINK:
            words = ("cat-file", "--filters", f"--path={os.fsdecode(path)}", one.name)
            raw = git(root, *words, timeout=_SECONDS, env={"GIT_OBJECT_DIRECTORY": objects}, most=1 << 30)
            found[path] = raw_files.Real(one.mode, loose.blob(objects, one.name, raw))
    return found


def is_so(base: bytes, path: bytes, one: Real | None) -> bool:
    """Whether a file is as it is to be, by its bytes, its permissions and its kind."""
    full = os.path.join(base, path)
    try:
        found = os.lstat(full)
    except (FileNotFoundError, NotADirectoryError):
        return one is None
    if raw_files.is_behind(base, path):
        return one is None
    if one is None or raw_files.mode_of(found.st_mode) != one.mode:
        return one is None and stat.S_ISDIR(found.st_mode)
    if one.permissions and one.permissions != stat.S_IMODE(found.st_mode):
        return False
    try:
        return loose.name_blob(full, one.name) == one.name
    except OSError:
        return False


def _both(side: Side, now: tuple[str, Reals], target: tuple[str, Reals]) -> tuple[Reals, Reals]:
    """The files of both, as far as they differ; all of them where git's view is not enough."""
    if not now[1] and not target[1]:
        return _differing(side, now[0], target[0])
    return {**_all(side, now[0]), **now[1]}, {**_all(side, target[0]), **target[1]}


def _differing(side: Side, old: str, new: str) -> tuple[Reals, Reals]:
    before: Reals = {}
    after: Reals = {}
    fields = iter(side.git("diff-tree", "-r", "-z", "--no-renames", old, new).split(b"\0"))
    for field in fields:
        if field.startswith(b":"):
            old_mode, new_mode, old_name, new_name, status = field[1:].split(b" ")
            path = next(fields)
            before[path] = raw_files.Real(old_mode, old_name.decode()) if status != b"A" else None
            after[path] = raw_files.Real(new_mode, new_name.decode()) if status != b"D" else None
    return before, after


def _all(side: Side, tree: str) -> Reals:
    found: Reals = {}
    for row in side.git("ls-tree", "-r", "-z", tree, most=1 << 28).split(b"\0"):
        what, tab, path = row.partition(b"\t")
        if tab:
            mode, _, name = what.split(b" ")
            found[path] = raw_files.Real(mode, name.decode())
    return found


def _possible(base: bytes, wanted: Reals, left: set[bytes]) -> Plan:
    """What is not so yet, without what lies in the way and nobody could bring back, and without what is another repository's."""
    differing = {path: one for path, one in wanted.items() if not is_so(base, path, one)}
    going = {path for path, one in differing.items() if one is None}
    for path, one in differing.items():
        if _is_foreign(base, path) or (one is not None and any(kept not in going for kept in _lying_at(base, path))):
            left.add(path)
    return Plan({path: one for path, one in differing.items() if path not in left}, tuple(sorted(left)))


def _is_unknown(base: bytes, path: bytes, one: Real) -> bool:
    """Whether something lies at a path that no record of now has (ignored, or too large), and is not what is to be there."""
    full = os.path.join(base, path)
    lies = os.path.lexists(full) and not _is_folder(full) and not raw_files.is_behind(base, path)
    return lies and not is_so(base, path, one)


def _is_foreign(base: bytes, path: bytes) -> bool:
    """Whether a path is, or lies in, a repository of its own: what is there is not this work tree's."""
    while path:
        if _is_folder(full := os.path.join(base, path)) and os.path.lexists(os.path.join(full, b".git")):
            return True
        path = os.path.dirname(path)
    return False


def _is_folder(full: bytes) -> bool:
    return os.path.isdir(full) and not os.path.islink(full)


def _lying_at(base: bytes, path: bytes) -> Iterator[bytes]:
    """The files that would have to go to write one: below it, or where its folders have to be."""
    folder = os.path.dirname(path)
    while folder:
        if os.path.lexists(full := os.path.join(base, folder)) and not _is_folder(full):
            yield folder
        folder = os.path.dirname(folder)
    if _is_folder(full := os.path.join(base, path)):
        for directory, folders, names in os.walk(full):
            links = [name for name in folders if os.path.islink(os.path.join(directory, name))]
            yield from (os.path.relpath(os.path.join(directory, name), base) for name in (*names, *links))
