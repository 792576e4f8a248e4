"""Reads back what was recorded: every object by its own name, every mark with all that it leads to."""

from __future__ import annotations

import hashlib
import os
import re
from typing import TYPE_CHECKING

from tapehead.git import unreadable_refs
from tapehead.git.run import GitFailed, git

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.git.side import Side

_SECONDS = 120.0
_AT_ONCE = 200
_MOST = 1 << 28
_SHA1_LETTERS = 40
_NAME = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_TIP = ".tip.json"
_MARKS = ("refs/marks", "refs/undo", "refs/redo", "refs/safety")


def objects(directory: str, names: list[str]) -> Iterator[tuple[str, bytes | None]]:
    """Each object with what it holds; None where it is missing, cannot be read, or is not what its name says."""
    for begin in range(0, len(names), _AT_ONCE):
        yield from _read(directory, names[begin : begin + _AT_ONCE])


def _read(directory: str, names: list[str]) -> Iterator[tuple[str, bytes | None]]:
    try:
        asked = "".join(f"{name}\n" for name in names).encode()
        raw = git(
            directory, "cat-file", "--batch", timeout=_SECONDS, stdin=asked, env={"GIT_DIR": directory}, most=_MOST
        )
    except GitFailed as error:
        error.raise_if_killed()
        half = len(names) // 2  # git gives up on all for one that is damaged
        if not half:
            yield names[0], b"" if _is_too_large(directory, names[0]) else None
            return
        yield from _read(directory, names[:half])
        yield from _read(directory, names[half:])
        return
    at = 0
    for name in names:
        end = raw.index(b"\n", at)
        words = raw[at:end].split(b" ")
        at = end + 1
        if words[-1] == b"missing":
            yield name, None
            continue
        size = int(words[2])
        content = raw[at : at + size]
        at += size + 1
        yield name, content if _named(name, words[1], content) == name else None


def _is_too_large(directory: str, name: str) -> bool:
    """Whether an object is more than fits into memory: that it is there is all that is said of it."""
    try:
        raw = git(directory, "cat-file", "-s", name, timeout=_SECONDS, env={"GIT_DIR": directory})
    except GitFailed as error:
        error.raise_if_killed()
        return False
    return int(raw) > _MOST


def _named(like: str, kind: bytes, content: bytes) -> str:
    form = "sha1" if len(like) == _SHA1_LETTERS else "sha256"
    return hashlib.new(form, b"%s %d\0%s" % (kind, len(content), content), usedforsecurity=False).hexdigest()


def led_to(directory: str, tips: list[str]) -> list[str]:
    """All objects that these commits lead to, as far as git has them."""
    words = ("rev-list", "--objects", "--no-object-names", "--missing=allow-any", *tips, "--")
    return git(directory, *words, timeout=_SECONDS, most=_MOST).decode("ascii").split() if tips else []


def marks(side: Side, newest: int | None) -> Iterator[tuple[str, str, bool]]:
    """The marks of each chain and stack, newest first, by ref; whether everything is there that each leads to."""
    for folder in _MARKS:
        yield from ((ref, "", False) for ref in unreadable_refs.find(side.path, folder))
    if oversized := unreadable_refs.oversized(side.path, "refs"):
        yield from ((ref, "", False) for ref in oversized if not ref.startswith(_MARKS))
        return  # git would read them all; what else there is can be looked at once they are gone
    yield from ((ref, "", False) for ref in lost_chains(side))
    raw = side.git("for-each-ref", "--format=%(refname)", *_MARKS)
    for ref in raw.decode("utf-8", "surrogateescape").splitlines():
        most = (f"-{newest}",) if newest else ()
        alone = ("--no-walk",) if not ref.startswith(_MARKS[0]) else ()
        try:
            names = side.git("rev-list", *most, *alone, ref, "--").decode("ascii").split()
        except GitFailed as error:
            error.raise_if_killed()
            yield ref, "", False
            continue
        whole = is_whole(side, names)
        for name in names:
            yield ref, name, whole or is_whole(side, [name])


def lost_chains(side: Side) -> list[str]:
    """The refs of chains that are gone, though what was remembered of the newest mark is there, and so is the mark."""
    names = [name.removesuffix(_TIP) for name in sorted(os.listdir(side.path)) if name.endswith(_TIP)]
    return [ref for name in names if not _is_there(side, ref := f"{_MARKS[0]}/{name}") and _newest(side, ref)]


def _is_there(side: Side, ref: str) -> bool:
    return bool(side.loose(ref)) or bool(side.git("for-each-ref", ref))


def _newest(side: Side, ref: str) -> str:
    """The mark that was remembered as the newest of a chain, where all of it is there."""
    mark = side.recall(f"{ref.rpartition('/')[2]}{_TIP}").get("mark")
    return mark if isinstance(mark, str) and _NAME.fullmatch(mark) and is_whole(side, [mark]) else ""


def is_whole(side: Side, names: list[str]) -> bool:
    """Whether all is there that these marks have."""
    asked = "".join(f"{name}\n" for name in names).encode()
    try:
        side.git("rev-list", "--objects", "--quiet", "--no-walk", "--stdin", stdin=asked)
    except GitFailed as error:
        error.raise_if_killed()
        return False
    return True


def mend_chain(side: Side, ref: str) -> None:
    """Puts a chain whose newest mark is damaged back to the newest one that is whole, or takes it away: recording goes on from there."""
    is_torn = ref in unreadable_refs.find(side.path, ref.rpartition("/")[0])
    if is_torn or not _is_there(side, ref):
        if is_torn:
            unreadable_refs.remove(side.path, ref)
        if ref.startswith(_MARKS[0]) and (mark := _newest(side, ref)):
            side.git("update-ref", ref, mark)
        return
    try:
        names = side.git("rev-list", "--max-count=50", ref, "--").decode("ascii").split()
    except GitFailed as error:
        error.raise_if_killed()
        names = []
    whole = next((name for name in names if is_whole(side, [name])), "")
    if whole != (names[0] if names else None):
        side.git("update-ref", *((ref, whole) if whole else ("-d", ref)))


def checkpoint_files(common_dir: str, ref: str, newest: int | None) -> list[tuple[str, str]]:
    """The files of the checkpoints, each with its blob; of the newest changes alone, where that is enough."""
    if newest is None:
        raw = git(common_dir, "ls-tree", "-r", "-z", ref, timeout=_SECONDS, most=_MOST)
        rows = [row.partition(b"\t") for row in raw.split(b"\0") if row]
        return [(path.decode("utf-8", "replace"), what.split(b" ")[2].decode("ascii")) for what, _, path in rows]
    words = ("log", f"-{newest}", "--format=", "--raw", "--no-abbrev", "-z", "--no-renames", "-m", ref, "--")
    fields = iter(git(common_dir, *words, timeout=_SECONDS, most=_MOST).split(b"\0"))
    found: dict[str, str] = {}
    for field in fields:
        if field.lstrip(b"\n").startswith(b":"):
            words_of = field.split(b" ")
            path = next(fields).decode("utf-8", "replace")
            if words_of[4] != b"D":
                found.setdefault(path, words_of[3].decode("ascii"))
    return list(found.items())
