"""Text that comes through a pipe without being asked for: `git diff --stat | tapehead handoff`."""

from __future__ import annotations

import os
import stat
import sys

from tapehead import system
from tapehead.cli.output import show_note

PATIENCE = 60.0
"""Seconds without a byte after which nothing more will come: a model that writes the text takes its time, and some programs start
ours with a pipe that they leave open for ever."""
_MOST = 1 << 24
"""Bytes that are read: whoever brings more is not asked for the rest."""


def read_pipe() -> str:
    """All that a file or a pipe brings, waited for until it ends. A terminal, or no input at all, brings nothing."""
    try:
        descriptor = sys.stdin.fileno()
        mode = os.fstat(descriptor).st_mode
    except (OSError, ValueError, AttributeError):
        return ""
    if not stat.S_ISREG(mode) and not stat.S_ISFIFO(mode):
        return ""
    return _until_it_ends(descriptor).decode("utf-8", "replace")


def _until_it_ends(descriptor: int) -> bytes:
    found = bytearray()
    while len(found) < _MOST:
        if not system.is_readable(descriptor, PATIENCE):
            came = "nothing more came" if found else "nothing came"
            show_note(f"{came} through the pipe for {PATIENCE:.0f} seconds; tapehead stopped waiting")
            break
        chunk = os.read(descriptor, 1 << 16)
        if not chunk:
            break
        found += chunk
    return bytes(found)
