"""Markdown as people write it, line by line: what stands under which heading, and edits that touch only their own lines.

Pure. Whatever it does not understand (blank lines, other headings, Windows line ends, bytes that are no UTF-8) stays where it is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_HEADING = re.compile(r"\ufeff? {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*\s*$")
_FENCE = re.compile(r" {0,3}(```|~~~)")
_BULLET = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+(.*)$")
_BOX = re.compile(r"\[([ xX])\](?:\s+|$)")
_MAY_BEGIN = frozenset("#`~ \ufeff")
"""What a heading or a fence can begin with: most lines are told apart by their first letter."""
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")


class Section(NamedTuple):
    """A heading, and the lines below it up to the next heading that is not deeper."""

    title: str
    level: int
    heading: int
    """The index of the heading's own line."""
    until: int
    """The index after its own last line: the next heading, or the end."""
    end: int
    """The index after the last line of all that is under it, deeper headings included."""


def lines_of(text: str) -> list[str]:
    """The lines; a carriage return stays at the end of its line, so that joining them gives the same text."""
    return text.split("\n")


def sections(lines: Sequence[str]) -> list[Section]:
    """All headings with what they span. What looks like one inside a fenced block is code."""
    found = [*_headings(lines), (len(lines), 0, "")]
    return [
        Section(title, level, at, found[n][0], next(other for other, depth, _ in found[n:] if depth <= level))
        for n, (at, level, title) in enumerate(found[:-1], 1)
    ]


def section(lines: Sequence[str], title: str) -> Section | None:
    """The first section with this title, in whatever case; else the first whose title begins like this."""
    wanted = title.casefold()
    alike = [found for found in sections(lines) if found.title.casefold().startswith(wanted)]
    return min(alike, key=lambda found: found.title.casefold() != wanted, default=None)


def body(lines: Sequence[str], title: str) -> list[str]:
    """A section's own lines, without line ends; none where there is no such section."""
    found = section(lines, title)
    return [line.rstrip() for line in lines[found.heading + 1 : found.until]] if found else []


def bullets(lines: Sequence[str]) -> list[str]:
    """What a list or a few paragraphs say, item by item: continued lines joined, ticked boxes left out."""
    items: list[str] = []
    goes_on = False
    for line in lines:
        mark = _BULLET.match(line)
        said = (mark[1] if mark else line).strip()
        if goes_on and said and not mark:
            items[-1] = f"{items[-1]} {said}".strip()
        elif said:
            items.append(said)
        goes_on = bool(said)
    return [_BOX.sub("", item, count=1).strip() for item in items if not item.startswith(("[x]", "[X]"))]


def with_line(text: str, title: str, line: str) -> str:
    """The text with one more line after a section's own last one; the section is made if need be."""
    lines = lines_of(_closed(text))
    found = section(lines, title)
    if found is None:
        return _with_section(text, title, [line])
    last = max(at for at in range(found.heading, found.until) if at == found.heading or lines[at].strip())
    gap = [""] if last == found.heading else []
    lines[last + 1 : last + 1] = _ended(text, [*gap, line])
    return "\n".join(lines)


def with_body(text: str, title: str, lines: Sequence[str]) -> str:
    """The text with other lines for a section's own; the section is made if need be."""
    old = lines_of(_closed(text))
    found = section(old, title)
    if found is None:
        return _with_section(text, title, lines)
    after = old[found.until :]
    new = _ended(text, ["", *lines, *([""] if after else [])])
    return _closed("\n".join([*old[: found.heading + 1], *new, *after]))


def one_line(text: str) -> str:
    """Words that can stand in a list: no line breaks, nothing that moves a cursor, nothing that is no text."""
    return " ".join(_UNSEEN.sub(" ", text).split())


def _headings(lines: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    fence = ""
    for at, line in enumerate(lines):
        if line[:1] not in _MAY_BEGIN:
            continue
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1] == fence):
            fence = "" if fence else mark[1]
        elif not fence and (heading := _HEADING.match(line)):
            yield at, len(heading[1]), heading[2]


def _with_section(text: str, title: str, lines: Sequence[str]) -> str:
    ending = _ending(text)
    before = text.rstrip("\r\n")
    gap = ending * 2 if before else ""
    return before + gap + ending.join([f"## {title}", "", *lines]) + ending


def _ended(text: str, lines: Sequence[str]) -> list[str]:
    """New lines with the ends that the file has."""
    return [line + _ending(text)[:-1] for line in lines]


def _closed(text: str) -> str:
    """A file whose last line has no end gets one: the next line must start on its own."""
    return text if text.endswith("\n") else text.removesuffix("\r") + _ending(text)


def _ending(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
