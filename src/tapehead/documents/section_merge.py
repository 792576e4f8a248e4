"""Sections of a file that we write again and again, and a user edits in between: both survive. Pure.

Three texts meet: what we wrote last, what stands there now, what we would write today. A line that stands there and is not ours is the
user's: it stays, behind the line it stood behind. A line of ours that is gone was taken out by the user: it does not come back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tapehead.documents import outline

Sections = dict[str, list[str]]


class Record(NamedTuple):
    """What we know of our own lines in a file. It is written before the file is: whether the file followed is seen by its lines."""

    former: Sections = {}  # noqa: RUF012 - never changed: a change is a new value
    """What we wrote the time before last: after a crash that still stands there."""
    newest: Sections = {}  # noqa: RUF012 - as above
    dropped: Sections = {}  # noqa: RUF012 - as above
    """Lines of ours that the user took out."""


class Standing:
    """A text taken apart once: its sections with their lines as they stand, blank ones at the ends left out."""

    def __init__(self, text: str) -> None:
        from tapehead.documents import outline  # noqa: PLC0415 - most often all is ours, and nothing is taken apart

        self.lines = outline.lines_of(text)
        self.places: dict[str, outline.Section] = {}
        for one in outline.sections(self.lines):
            self.places.setdefault(one.title.casefold(), one)

    def body(self, title: str) -> list[str] | None:
        """The lines of a section; None where there is no such section."""
        place = self.places.get(title.casefold())
        if place is None:
            return None
        lines = [line.rstrip() for line in self.lines[place.heading + 1 : place.until]]
        while lines and not lines[-1]:
            lines.pop()
        while lines and not lines[0]:
            lines.pop(0)
        return lines


Joined = dict[str, bytes]
"""Sections with their lines as they are written: what a record is kept as, since most of the time nobody needs the lines."""


def whole(sections: Joined) -> bytes:
    """A file in which all is ours."""
    return b"\n".join(
        b"## %b\n\n%b\n" % (title.encode(), lines) if lines else b"## %b\n\n" % title.encode()
        for title, lines in sections.items()
    )


def renew_sections(standing: bytes, newest: Joined, dropped: Sections, new: Mapping[str, list[str]]) -> Joined | None:
    """The sections of today, where the file is as we left it: nothing is to be merged then. None where a user was there."""
    if standing != whole(newest) or newest.keys() != new.keys():
        return None
    return {
        title: join_sections([one for one in lines if one not in gone] if (gone := dropped.get(title)) else lines)
        for title, lines in new.items()
    }


def join_sections(lines: list[str]) -> bytes:
    """As they are written."""
    return "\n".join(lines).encode("utf-8", "surrogateescape")


def apart(part: Joined) -> Sections:
    """As they are read."""
    return {
        title: lines.decode("utf-8", "surrogateescape").split("\n") if lines else [] for title, lines in part.items()
    }


def merge_sections(text: str, record: Record, new: Mapping[str, list[str]]) -> tuple[str, Record]:
    """The file's new text, and what to remember of it."""
    standing = Standing(text)
    stands = {title: standing.body(title) for title in {*new, *record.newest}}
    base = _base(stands, record)
    bodies: Sections = {}
    newest: Sections = {}
    dropped: Sections = {}
    for title, lines in new.items():
        there = stands[title]
        if there is None and title in base:
            newest[title] = []  # the user took the whole section out
            continue
        dropped[title] = _taken_out(base.get(title, []), there or [], record.dropped.get(title, []))
        taken_out = set(dropped[title])
        newest[title] = [line for line in lines if line not in taken_out]
        ours = {*record.former.get(title, ()), *record.newest.get(title, ())}
        bodies[title] = _woven(there or [], ours, newest[title])
    return _assembled(standing, text, bodies), Record(base, newest, dropped)


def by_the_user(text: str, record: Record, titles: Iterable[str]) -> Sections:
    """The lines of these sections that are not ours."""
    standing = Standing(text)
    found = {}
    for title in titles:
        ours = {*record.former.get(title, ()), *record.newest.get(title, ())}
        lines = [line.strip() for line in standing.body(title) or [] if line.strip() and line not in ours]
        if lines:
            found[title] = lines
    return found


def _base(stands: Mapping[str, list[str] | None], record: Record) -> Sections:
    """What stood there before a user came: what we wrote last, or where we died before it, what we wrote before that."""
    new = {title: set(lines) - set(record.former.get(title, ())) for title, lines in record.newest.items()}
    landed = not any(new.values()) or any(lines.intersection(stands[title] or ()) for title, lines in new.items())
    return record.newest if landed else record.former


def _taken_out(base: list[str], stands: list[str], before: list[str]) -> list[str]:
    there = set(stands)
    gone = dict.fromkeys(line for line in (*before, *base) if line not in there)
    return list(gone)[-_MOST:]


_MOST = 200
"""Lines that are remembered as taken out, of one section."""


def _woven(stands: list[str], ours: set[str], new: list[str]) -> list[str]:
    """The new lines with the user's own among them, each behind the nearest line above it that is still there."""
    behind: dict[str | None, list[str]] = {}
    anchor: str | None = None
    fresh = set(new)
    for line in stands:
        if line in fresh:
            anchor = line
        elif line not in ours:
            behind.setdefault(anchor, []).append(line)
    woven = list(behind.get(None, ()))
    for line in new:
        woven += [line, *behind.get(line, ())]
    return woven if any(woven) else []


def _assembled(standing: Standing, text: str, bodies: Sections) -> str:
    """The text with these bodies, from the last section to the first, so that places stay true; new sections come at the end."""
    ending = "\r" if "\r\n" in text else ""
    lines = standing.lines
    there = [title for title in bodies if title.casefold() in standing.places]
    for title in sorted(there, key=lambda title: -standing.places[title.casefold()].heading):
        place = standing.places[title.casefold()]
        after = [ending] if place.until < len(lines) else []
        lines[place.heading + 1 : place.until] = [ending, *(line + ending for line in bodies[title]), *after]
    while lines and not lines[-1].strip():
        lines.pop()
    for title in bodies:
        if title not in there:
            lines += [
                *([ending] if lines else []),
                f"## {title}{ending}",
                ending,
                *(line + ending for line in bodies[title]),
            ]
    return "\n".join([*lines, ""])
