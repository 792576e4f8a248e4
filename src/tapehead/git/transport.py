"""Talking to a remote: by the transports that git allows by default, within a limit in time and size, and nobody is asked for anything.

A helper like `ext::` or `fd::` runs whatever its address says, so it is refused, also where a remote of the user's config names it.
What the user forbids (`protocol.*.allow`, GIT_ALLOW_PROTOCOL) stays forbidden.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from tapehead.git.run import GitFailed, git

if TYPE_CHECKING:
    from collections.abc import Mapping

TRANSPORTS = ("file", "git", "http", "https", "ssh")
SECONDS = 120.0
_ASKED = 10.0
_LARGEST = 1 << 30
"""Bytes of the biggest file that may come: a pack with all that a remote has of ours."""
_QUIETLY = (
    "-c",
    "gc.auto=0",
    "-c",
    "maintenance.auto=false",
    "-c",
    "fetch.fsckObjects=true",
    "-c",
    "fetch.unpackLimit=1",
)
_SCHEME = re.compile(r"(?:git\+|\+)?([A-Za-z0-9.+-]+?)(?:\+git)?://")
_HELPER = re.compile(r"[A-Za-z0-9]+::")


def why_refused(remote: str) -> str:
    """Why a remote's name or address is not talked to; nothing where it may be."""
    if not remote or remote.startswith("-"):
        return "it looks like an option, not like a remote"
    scheme = _SCHEME.match(remote)
    if _HELPER.match(remote) or (scheme and scheme[1].lower() not in TRANSPORTS):
        return f"only {', '.join(TRANSPORTS)} addresses are used"
    return ""


def talk(where: str, *words: str, seconds: float = SECONDS, env: Mapping[str, str] | None = None) -> bytes:
    """What git prints when it talks to a remote."""
    around = {"GIT_ALLOW_PROTOCOL": ":".join(_allowed(where)), **(env or {})}
    return git(where, *_QUIETLY, *words, timeout=seconds, env=around, largest=_LARGEST)


def _allowed(where: str) -> list[str]:
    """Ours, but for what the user forbids: git would take our word for theirs."""
    given = os.environ.get("GIT_ALLOW_PROTOCOL")
    kept = [name for name in TRANSPORTS if given is None or name in given.split(":")]
    try:
        raw = git(where, "config", "--get-regexp", r"^protocol\.(.*\.)?allow$", timeout=_ASKED).decode(
            "utf-8", "replace"
        )
    except GitFailed:
        return kept  # nothing is set
    said = dict(row.partition(" ")[::2] for row in raw.lower().splitlines())  # the last one counts
    usual = said.get("protocol.allow", "")
    return [name for name in kept if said.get(f"protocol.{name}.allow", usual) != "never"]
