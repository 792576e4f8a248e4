"""The running notes of today, from those that stand there: most often all of them are ours, and nothing is to be merged. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.documents.section_merge import Record, apart, join_sections, merge_sections, renew_sections, whole

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tapehead.documents.section_merge import Joined


def today(before: bytes, parts: list[Joined], sections: Mapping[str, list[str]]) -> tuple[bytes, list[Joined], bool]:
    """The file's new text, what to keep of it, and whether all of it is ours."""
    former, newest, dropped = parts
    if not (before or former or newest or dropped):
        ours = {title: join_sections(lines) for title, lines in sections.items()}
        return whole(ours), [{}, ours, {}], True  # the first time there is nothing that could be a user's
    gone = apart(dropped) if any(dropped.values()) else {}
    if (again := renew_sections(before, newest, gone, sections)) is not None:
        return whole(again), [newest, again, dropped], True
    after, record = merge_sections(before.decode("utf-8", "surrogateescape"), Record(*map(apart, parts)), sections)
    kept = [{title: join_sections(lines) for title, lines in part.items()} for part in record]
    return after.encode("utf-8", "surrogateescape"), kept, not _has_other(after, record)


def _has_other(text: str, record: Record) -> bool:
    """Whether there is anything in the notes that is not ours."""
    ours = {line for lines in record.newest.values() for line in lines}
    ours.update(f"## {title}" for title in record.newest)
    return any(line and line not in ours for line in text.split("\n"))
