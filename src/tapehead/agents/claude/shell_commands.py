"""Whether a shell command only reads: then no file was written by it. Anything in doubt may write."""

from __future__ import annotations

import re

_READING = frozenset(
    [
        "ls",
        "cat",
        "head",
        "tail",
        "wc",
        "grep",
        "egrep",
        "fgrep",
        "rg",
        "pwd",
        "cd",
        "which",
        "type",
        "file",
        "stat",
        "du",
        "df",
        "tree",
        "echo",
        "printf",
        "true",
        "false",
        "test",
        "[",
        "sleep",
        "date",
        "ps",
        "diff",
        "cmp",
        "uniq",
        "cut",
        "tr",
        "basename",
        "dirname",
        "realpath",
        "readlink",
        "whoami",
        "uname",
        "id",
        "nl",
        "column",
    ]
)
_GIT = frozenset(
    [
        "status",
        "log",
        "diff",
        "show",
        "blame",
        "rev-parse",
        "describe",
        "ls-files",
        "ls-tree",
        "grep",
        "shortlog",
        "rev-list",
        "cat-file",
    ]
)
_HARMLESS = re.compile(r"\d?>&\d|&?\d?>\s*/dev/null")
_PIECES = re.compile(r"\|\||&&|[;|&\n]")
_DOUBT = re.compile(r"[<>`]|\$\(|--output")
_LONGEST = 2_000


def only_reads(command: str) -> bool:
    """Of every part of it."""
    bare = _HARMLESS.sub(" ", command)
    if len(command) > _LONGEST or _DOUBT.search(bare):
        return False
    pieces = [words for piece in _PIECES.split(bare) if (words := piece.split())]
    return bool(pieces) and all(map(_reads, pieces))


def _reads(words: list[str]) -> bool:
    if words[0] == "git":
        rest = [word for word in words[1:] if not word.startswith("-")]
        return bool(rest) and rest[0] in _GIT
    return words[0] in _READING
