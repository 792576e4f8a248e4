"""A file's name as git quotes it in what it prints for people, undone."""

from __future__ import annotations


def unquote_path(name: bytes) -> bytes:
    """The name itself."""
    if not name.startswith(b'"'):
        return name
    return name[1:-1].decode("unicode_escape").encode("latin-1")
