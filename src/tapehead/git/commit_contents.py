"""What commits say and bring, many with one process: message, tree, parents, and the text of every line that is new in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from tapehead.git.quoting import unquote_path
from tapehead.git.run import GitFailed, git

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SECONDS = 30.0
_MOST = 1 << 27
_BEGIN = b"\0\1"
_WORDS = (
    "log",
    "--no-walk=unsorted",
    "--stdin",
    "--format=%x00%x01%H %T %ct %P%n%ae%x02%ce%n%B%x00",
    *(
        "-p",
        "-U0",
        "-M",
        "--root",
        "--no-color",
        "--no-ext-diff",
        "--no-textconv",
        "--src-prefix=a/",
        "--dst-prefix=b/",
    ),
    *("--diff-algorithm=myers", "--indent-heuristic", "--inter-hunk-context=0", "--no-show-signature", "--no-notes"),
)


@attrs.frozen
class Patch:
    """One commit; of a merge no lines are told."""

    commit: str
    tree: str
    at: int
    """When it was committed, in seconds since 1970."""
    parents: tuple[str, ...]
    message: str
    files: dict[bytes, list[tuple[int, bytes]]] = attrs.field(factory=dict)
    """By file, the lines that it brought, each with its number."""
    author: str = ""
    committer: str = ""
    """Their addresses."""


def read(directory: str, commits: Sequence[str], since: int = 0) -> dict[str, Patch]:
    """By commit. One that git does not have, that says too much, or that was made before a time (seconds since 1970) is left out."""
    if not commits:
        return {}
    try:
        raw = git(
            directory, *_WORDS, f"--since={since}", timeout=_SECONDS, stdin="\n".join(commits).encode(), most=_MOST
        )
    except GitFailed as error:
        error.raise_if_killed()
        if len(commits) == 1:
            return {}
        half = len(commits) // 2
        return {**read(directory, commits[:half], since), **read(directory, commits[half:], since)}
    return {patch.commit: patch for part in raw.split(_BEGIN)[1:] if (patch := _patch(part))}


def _patch(part: bytes) -> Patch | None:
    head, _, rest = part.partition(b"\n")
    people, _, rest = rest.partition(b"\n")
    author, _, committer = people.decode("utf-8", "replace").partition("\x02")
    message, _, diff = rest.partition(b"\0")
    commit, tree, at, *parents = head.decode("ascii", "replace").split()
    return Patch(
        commit, tree, int(at), tuple(parents), message.decode("utf-8", "replace"), dict(_files(diff)), author, committer
    )


def _files(diff: bytes) -> Iterator[tuple[bytes, list[tuple[int, bytes]]]]:
    name = b""
    lines: list[tuple[int, bytes]] = []
    each = iter(diff.split(b"\n"))
    for row in each:
        if row.startswith(b"diff --git "):
            if name and lines:
                yield name, lines
            name, lines = b"", []
        elif row.startswith(b"+++ "):
            told = unquote_path(row[4:].rstrip(b"\t"))
            name = told[2:] if told.startswith(b"b/") else b""
        elif row.startswith(b"@@ "):
            gone, start, count = _hunk(row)
            left = gone + count
            while left and (text := next(each, None)) is not None:
                left -= not text.startswith(b"\\")  # `\ No newline at end of file` is no line
                if text.startswith(b"+"):
                    lines.append((start, text[1:]))
                    start += 1
    if name and lines:
        yield name, lines


def _hunk(row: bytes) -> tuple[int, int, int]:
    old, new = ((side[1:] + b",1").split(b",")[:2] for side in row.split(b" ")[1:3])
    return int(old[1]), int(new[0]), int(new[1])
