"""`adrs/ADR-0001-slug.md`: decisions that outlive a session, one file each, numbered once and for all.

The number is in the file's name. The text is a user's to edit: what cannot be understood in it is left out, never an error.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from tapehead.documents import hand_edited, outline

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.store.paths import Layout

_NAME = re.compile(r"ADR-(\d{1,9})\b.*\.md$", re.IGNORECASE)
_FIELD = re.compile(r"[-*\s]*\**(Date|Status|Session|Confidence|TL;?DR)\**\s*:\**\s*(.*)$", re.IGNORECASE)
_PREFIX = re.compile(r"ADR-\d+\s*[:.\-\u2013\u2014]?\s*", re.IGNORECASE)
_NO_LETTER = re.compile(r"[^a-z0-9]+")
PARTS = ("Context", "Decision", "Alternatives", "Consequences")
_SLUG = 60
_STALE = ("superseded", "rejected", "deprecated", "withdrawn")


class Adr(NamedTuple):
    """One decision."""

    number: int
    title: str
    date: str = ""
    status: str = ""
    session: str = ""
    tldr: str = ""
    context: str = ""
    decision: str = ""
    alternatives: str = ""
    consequences: str = ""
    rest: str = ""
    """Sections under other headings, as they were written."""
    confidence: str = ""
    """How sure whoever decided was: high, medium or low; empty where nobody said."""

    @property
    def name(self) -> str:
        """How it is called: ADR-0001."""
        return f"ADR-{self.number:04d}"

    @property
    def gist(self) -> str:
        """Its TL;DR, or where there is none the beginning of its decision."""
        return self.tldr or next((line for line in map(outline.one_line, self.decision.split("\n")) if line), "")

    @property
    def holds(self) -> bool:
        """Whether it has not been given up."""
        return not self.status.casefold().startswith(_STALE)


def directory(layout: Layout) -> str:
    """Where they are."""
    return os.path.join(layout.root, "adrs")


def files(layout: Layout) -> dict[int, str]:
    """The path of each by its number, in the order of the numbers; of two with one number, the first by name."""
    try:
        names = sorted(os.listdir(directory(layout)), reverse=True)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    found = {int(match[1]): os.path.join(directory(layout), name) for name in names if (match := _NAME.match(name))}
    return dict(sorted(found.items()))


def list_adrs(layout: Layout) -> tuple[Adr, ...]:
    """All of them, in the order of their numbers; one that cannot be read at all is passed over."""
    return tuple(_readable(layout))


def write(layout: Layout, draft: Adr) -> tuple[Adr, str]:
    """Gives a draft the next number and writes it; the number and the path are nobody else's."""
    with hand_edited.editing(layout):
        taken = files(layout)
        adr = draft._replace(number=max(taken, default=0) + 1)
        path = os.path.join(directory(layout), f"{adr.name}{_slug(adr.title)}.md")
        hand_edited.put(path, render_adr(adr))
    return adr, path


def render_adr(adr: Adr) -> str:
    """The file's text. Pure."""
    fields = {"Date": adr.date, "Status": adr.status, "Session": adr.session, "Confidence": adr.confidence}
    fields["TL;DR"] = adr.tldr
    head = [f"# {adr.name}: {adr.title}", "", *(f"{name}: {value}  " for name, value in fields.items() if value)]
    bodies = (adr.context, adr.decision, adr.alternatives, adr.consequences)
    parts = [f"\n## {title}\n\n{body.strip()}\n" for title, body in zip(PARTS, bodies, strict=True) if body.strip()]
    return "\n".join([*head, ""]) + "".join(parts) + (f"\n{adr.rest.strip()}\n" if adr.rest.strip() else "")


def understood(text: str, number: int = 0) -> Adr:
    """What a text says. Without any of our headings, all of it below the title is the decision. Pure."""
    lines = [line.rstrip("\r") for line in outline.lines_of(text.removeprefix("\ufeff"))]
    found = outline.sections(lines)
    title, below = _titled(lines, found)
    opening = lines[below : next((each.heading for each in found if each.heading >= below), len(lines))]
    fields = {_key(match[1]): outline.one_line(match[2]) for line in opening if (match := _FIELD.match(line))}
    free = "\n".join(line for line in opening if not _FIELD.match(line)).strip()
    bodies = {title.lower(): _whole(lines, title) for title in PARTS}
    if free:
        part = "context" if bodies["decision"] else "decision"
        bodies[part] = f"{free}\n\n{bodies[part]}".strip()
    return Adr(number, outline.one_line(_PREFIX.sub("", title, count=1)), rest=_rest(lines, below), **fields, **bodies)


def _titled(lines: list[str], found: list[outline.Section]) -> tuple[str, int]:
    """The title (a heading of the first level, or the first line that is none of our parts), and where the rest begins."""
    for each in found:
        if each.level == 1:
            return each.title, each.heading + 1
    first = next((at for at, line in enumerate(lines) if line.strip()), 0)
    if any(each.heading == first and _is_ours(each) for each in found):
        return "", first
    return lines[first].strip("# "), first + 1


def _is_ours(section: outline.Section) -> bool:
    return section.title.casefold().startswith(tuple(part.casefold() for part in PARTS))


def _whole(lines: list[str], title: str) -> str:
    """A section with all that is under it."""
    found = outline.section(lines, title)
    return "\n".join(lines[found.heading + 1 : found.end]).strip() if found else ""


def _rest(lines: list[str], below: int) -> str:
    """The sections that are none of ours, whole."""
    kept, until = [], below
    for each in outline.sections(lines):
        if each.heading >= until:
            until = each.end
            if not _is_ours(each):
                kept += lines[each.heading : each.end]
    return "\n".join(kept).strip()


def _key(word: str) -> str:
    return word.lower().replace(";", "")


def _readable(layout: Layout) -> Iterator[Adr]:
    for number, path in files(layout).items():
        try:
            yield understood(hand_edited.text_of(path), number)
        except OSError:
            continue


def _slug(title: str) -> str:
    words = _NO_LETTER.sub("-", title.lower()).strip("-")
    cut = words[:_SLUG].rsplit("-", 1)[0] if len(words) > _SLUG else words
    return f"-{cut}" if cut else ""
