"""Which project files the user allowed to name commands and paths: by the very text, so that a changed one is asked about again.

An allowance is an empty file in the user's own directory for settings, named by the path and the text together (as direnv does it).
Nothing that comes with a repository can put one there. Light, and loaded only where a project's file sets something that is guarded.
"""

from __future__ import annotations

import os

from tapehead import door, system

_FOLDER = "allowed"


def is_allowed(user_dir: str, path: str, text: str) -> bool:
    """Whether the user said yes to this text in this place."""
    if not user_dir:
        return False
    try:
        descriptor = door.open_file(_mark(user_dir, path, text), follow=False)
    except OSError:
        return False
    try:
        return os.fstat(descriptor).st_uid == system.user_id()
    finally:
        os.close(descriptor)


def allow(user_dir: str, path: str, text: str) -> None:
    """Remembers that the user said yes. Raises OSError."""
    os.makedirs(os.path.join(user_dir, _FOLDER), mode=0o700, exist_ok=True)
    os.close(door.open_file(_mark(user_dir, path, text), os.O_WRONLY | os.O_CREAT, follow=False))


def deny(user_dir: str, path: str, text: str) -> bool:
    """Forgets it; whether there was anything to forget. Raises OSError."""
    try:
        os.unlink(_mark(user_dir, path, text))
    except FileNotFoundError:
        return False
    return True


def _mark(user_dir: str, path: str, text: str) -> str:
    from hashlib import sha256  # noqa: PLC0415 - most projects set nothing that is guarded

    named = os.path.realpath(path).encode("utf-8", "surrogateescape") + b"\0" + text.encode("utf-8", "surrogateescape")
    return os.path.join(user_dir, _FOLDER, sha256(named).hexdigest())
