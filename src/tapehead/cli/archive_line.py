"""What the archive of transcripts holds, in a line and for programs: status and archive tell it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tapehead.archive.archive import Archive
from tapehead.text.wording import count, size

if TYPE_CHECKING:
    from tapehead.cli.here import Here

_MEGABYTE = 1_000_000


def told(at: Here) -> str:
    """In a line: how many sessions, how large they were, what they take, what they may take."""
    found = as_data(at)
    if not found["sessions"]:
        return "transcripts kept: none" + ("" if found["keep"] else " (archive.keep is off)")
    of = f" of {size(found['limit'])}" if found["limit"] else ""
    took = f"{size(found['bytes'])} in {size(found['bytes_on_disk'])}{of}"
    return f"transcripts kept: {count(found['sessions'], 'session')}, {took}"


def as_data(at: Here) -> dict[str, Any]:
    """The same as numbers."""
    archive, settings = Archive(at.engine.layout), at.engine.settings
    kept = archive.kept()
    return {
        "keep": settings.flag("archive.keep"),
        "sessions": len({each.source.session for each in kept}),
        "files": len(kept),
        "bytes": sum(each.size for each in kept),
        "bytes_on_disk": archive.size() if kept else 0,
        "limit": settings.number("archive.limit") * _MEGABYTE,
    }
