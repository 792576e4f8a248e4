"""Where git's view of a work tree is not the work tree itself: files that it converts, and files that it was told not to look at.

Asked anew only where something changed that the answer depends on; the index itself is read, never written.
"""

from __future__ import annotations

import os
import struct
from typing import TYPE_CHECKING

import attrs

from tapehead import door
from tapehead.git.run import GitFailed, git

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from tapehead.git.layout import Repository

_SECONDS = 60.0
_KEYS = r"^(core\.(autocrlf|eol|filemode|symlinks|attributesfile|sparsecheckout)|include.*\.path)$"
_CONVERTING = ("text", "crlf", "eol", "filter", "ident", "working-tree-encoding")
_HEAD, _ENTRY, _VERSION = 12, 62, 2
_LEFT_ALONE = 0x8000
_LENGTH = 0x0FFF
_YOUNG = 2_000_000_000
"""Nanoseconds: a file that was written a moment ago may be written again without its time showing it."""


@attrs.frozen
class Special:
    """What must be looked at beside `git status`."""

    converts: bool = False
    """Whether git may change any file on its way in or out."""
    files: dict[bytes, tuple[str, str]] = attrs.field(factory=dict)
    """Tracked files that may lie there other than git says, each with its mode and blob in the index."""
    flagged: frozenset[bytes] = frozenset()
    """Those of them that git was told not to look at (skip-worktree, assume-unchanged)."""


def special(repository: Repository, memory: dict[str, Any], *, attributes: bool) -> tuple[Special, dict[str, Any]]:
    """What is special here, and what is to be remembered of the asking. `attributes`: a new `.gitattributes` lies about."""
    config = _config(repository, memory)
    index = os.path.join(repository.git_dir, "index")
    key = [_signature(index), config["values"], _sources(repository, config["values"]), attributes]
    known = memory.get("special")
    if all(key[0:1]) and isinstance(known, dict) and known.get("key") == key and not attributes:
        return _recalled(known), {"config": config, "special": known}
    found = _found(repository, config["values"], attributes=attributes or bool(key[2]))
    told = {
        "key": key,
        "converts": found.converts,
        "files": {os.fsdecode(path): both for path, both in found.files.items()},
        "flagged": [os.fsdecode(path) for path in sorted(found.flagged)],
    }
    return found, {"config": config, "special": told}


def _recalled(known: dict[str, Any]) -> Special:
    files = {os.fsencode(path): (both[0], both[1]) for path, both in known["files"].items()}
    return Special(known["converts"], files, frozenset(map(os.fsencode, known["flagged"])))


def _found(repository: Repository, config: dict[str, str], *, attributes: bool) -> Special:
    index = _read(os.path.join(repository.git_dir, "index"))
    attributes = attributes or b".gitattributes" in index or index[4:8] == b"\0\0\0\4"
    converts = attributes or config.get("core.autocrlf", "false") not in ("false", "")
    loosely = config.get("core.filemode") == "false" or config.get("core.symlinks") == "false"
    if not converts and not loosely and _is_plain(index, repository):
        return Special()
    entries = list(_entries(repository))
    flagged = frozenset(path for tag, _, _, path in entries if tag == b"S" or tag.islower())
    chosen = {path for _, _, _, path in entries} if loosely else {*flagged}
    if converts:
        chosen |= _converted(repository, [entry[3] for entry in entries], config)
    return Special(converts, {path: (mode, name) for _, mode, name, path in entries if path in chosen}, flagged)


def _entries(repository: Repository) -> Iterator[tuple[bytes, str, str, bytes]]:
    raw = git(repository.worktree, "ls-files", "-s", "-v", "-z", timeout=_SECONDS, most=1 << 28)
    for row in raw.split(b"\0"):
        what, tab, path = row.partition(b"\t")
        if tab:
            tag, mode, name, _ = what.split(b" ")
            if mode != b"160000":
                yield tag, mode.decode(), name.decode(), path


def _converted(repository: Repository, paths: list[bytes], config: dict[str, str]) -> set[bytes]:
    """The files that an attribute or a setting lets git change."""
    asked = b"".join(path + b"\0" for path in paths)
    words = ("check-attr", "--stdin", "-z", *_CONVERTING)
    fields = git(repository.worktree, *words, timeout=_SECONDS, stdin=asked, most=1 << 29).split(b"\0")[:-1]
    every = config.get("core.autocrlf", "false") not in ("false", "")
    found = set()
    for path, name, value in zip(fields[::3], fields[1::3], fields[2::3], strict=True):
        if value not in (b"unspecified", b"unset") or (every and name == b"text" and value == b"unspecified"):
            found.add(path)
    return found


def _is_plain(index: bytes, repository: Repository) -> bool:
    """Whether no entry has a flag that keeps git from looking. Forms that could hide one are left to git."""
    if index[:8] != b"DIRC" + struct.pack(">I", _VERSION):
        return not index
    if any(name.startswith("sharedindex.") for name in os.listdir(repository.git_dir)):
        return False
    size = 20 if _name_bytes(repository) == 20 else 32  # noqa: PLR2004 - of SHA-1
    at, flags_at = _HEAD, 40 + size
    flags = struct.Struct(">H").unpack_from
    for _ in range(int.from_bytes(index[8:12], "big")):
        (bits,) = flags(index, at + flags_at)
        length = bits & _LENGTH
        if bits & _LEFT_ALONE:
            return False
        if length == _LENGTH:
            length = index.index(b"\0", at + flags_at + 2) - at - flags_at - 2
        at += (flags_at + 2 + length + 8) & ~7
    return True


def _name_bytes(repository: Repository) -> int:
    return 32 if b"sha256" in _read(os.path.join(repository.common_dir, "config")).lower() else 20


def _config(repository: Repository, memory: dict[str, Any]) -> dict[str, Any]:
    """The settings that matter; asked again where a file that holds settings changed, or one may lie elsewhere."""
    home = os.path.expanduser("~")
    above = os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    places = [
        os.environ.get("GIT_CONFIG_GLOBAL") or os.path.join(home, ".gitconfig"),
        os.path.join(above, "git", "config"),
        os.environ.get("GIT_CONFIG_SYSTEM") or "/etc/gitconfig",
        os.path.join(repository.common_dir, "config"),
        os.path.join(repository.git_dir, "config.worktree"),
    ]
    key = [_signature(place) for place in places]
    known = memory.get("config")
    if isinstance(known, dict) and known.get("key") == key and not known.get("elsewhere") and key[3]:
        return known
    try:
        raw = git(repository.worktree, "config", "-z", "--get-regexp", _KEYS, timeout=_SECONDS)
    except GitFailed as error:
        error.raise_if_killed()
        raw = b""  # none of them is set
    rows = (row.partition("\n") for row in raw.decode("utf-8", "surrogateescape").split("\0") if row)
    values = {
        name.lower(): value.lower() if name.endswith(("crlf", "mode", "links")) else value for name, _, value in rows
    }
    elsewhere = any(name.startswith("include") for name in values) or "GIT_CONFIG_COUNT" in os.environ
    return {"key": key, "values": values, "elsewhere": elsewhere}


def _sources(repository: Repository, config: dict[str, str]) -> list[str]:
    """The files outside of the work tree that may hold attributes, as they are now."""
    above = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    own = config.get("core.attributesfile")
    places = [
        os.path.join(repository.common_dir, "info", "attributes"),
        os.path.expanduser(own) if own else os.path.join(above, "git", "attributes"),
        "/etc/gitattributes",
    ]
    return [f"{place} {os.stat(place).st_mtime_ns}" for place in places if os.path.isfile(place)]


def _signature(path: str) -> str:
    try:
        found = os.stat(path)
    except OSError:
        return "none"
    return f"{found.st_ino}-{found.st_size}-{found.st_mtime_ns}-{found.st_ctime_ns}"


def _read(path: str) -> bytes:
    try:
        with door.open_reader(path) as file:
            return file.read()
    except OSError:
        return b""
