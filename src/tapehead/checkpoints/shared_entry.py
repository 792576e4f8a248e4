"""What a team shares, one file for each thing, and which files of another clone are taken. Pure.

    memories/<id>.json      a memory or a decision; its id is the hash of its content, so nobody can change one
    withdrawn/<id>.json     that its author takes it back: the secret that its seal was made of, which only the author had

Two clones are united by taking all files that are valid. That is the same in every order, nothing is lost by it, and whoever writes
something else into the ref has written it for nobody.
"""

from __future__ import annotations

import json
import re
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

LARGEST = 16 * 1024
"""Bytes of one file."""
DECISION = "decision"
KINDS = ("user", "feedback", "project", "reference", DECISION)
_PATH = re.compile(r"(memories|withdrawn)/([0-9a-f]{40})\.json")
_SECRET = re.compile(r"[0-9a-f]{32}")


class Entry(NamedTuple):
    """One thing that somebody shares."""

    kind: str
    text: str
    by: str
    """The name that its author goes by in git. Nobody checks it."""
    at: str
    seal: str
    """The hash of a secret that the author keeps."""


def written(entry: Entry) -> bytes:
    """The content of its file."""
    return json.dumps(entry._asdict(), ensure_ascii=False, sort_keys=True).encode("utf-8", "replace") + b"\n"


def id_of(content: bytes) -> str:
    """What an entry is known by."""
    return sha256(content).hexdigest()[:40]


def seal_of(secret: str) -> str:
    """What everybody may know of a secret."""
    return sha256(secret.encode()).hexdigest()


def withdrawal(secret: str) -> bytes:
    """The content of the file that takes an entry back."""
    return json.dumps({"secret": secret}).encode() + b"\n"


def read(content: bytes) -> Entry | None:
    """The entry in a file; None where it is none in the one form that `written` gives."""
    if len(content) > LARGEST:
        return None
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or {*found} != {*Entry._fields}:
        return None
    if not all(isinstance(value, str) for value in found.values()) or found["kind"] not in KINDS:
        return None
    entry = Entry(**found)
    return entry if entry.text.strip() and written(entry) == content else None


def is_valid(path: str, files: Mapping[str, bytes]) -> bool:
    """Whether a file may stand in the ref, beside the others that came with it."""
    found, content = _PATH.fullmatch(path), files.get(path, b"")
    if not found:
        return False
    folder, name = found.groups()
    if folder == "memories":
        return id_of(content) == name and read(content) is not None
    entry = read(files.get(f"memories/{name}.json", b""))
    return entry is not None and id_of(written(entry)) == name and _opens(content, entry.seal)


def _opens(content: bytes, seal: str) -> bool:
    if len(content) > LARGEST:
        return False
    try:
        secret = json.loads(content)["secret"]
    except (ValueError, RecursionError, TypeError, KeyError):
        return False
    if not isinstance(secret, str) or not _SECRET.fullmatch(secret):
        return False
    return seal_of(secret) == seal and withdrawal(secret) == content


def unite_entries(ours: Mapping[str, bytes], theirs: Mapping[str, bytes]) -> dict[str, bytes]:
    """All of ours, and of theirs what is valid."""
    both = {**theirs, **ours}
    return {path: both[path] for path in sorted(both) if path in ours or is_valid(path, both)}


def living(files: Mapping[str, bytes]) -> dict[str, Entry]:
    """What nobody took back, by id."""
    found = {}
    for path, content in files.items():
        folder, _, name = path.removesuffix(".json").partition("/")
        entry = read(content) if folder == "memories" and is_valid(path, files) else None
        if entry and not is_valid(f"withdrawn/{name}.json", files):
            found[name] = entry
    return found
