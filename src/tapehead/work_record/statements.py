"""What a text states: its sentences, each with what it needs to be understood alone.

A point of a list says little without the words above the list, a row of a table without the others, and a sentence that begins with `this` without
the one before it. So they are taken together, as long as they stay short.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tapehead.work_record.sentences import announces, flat, split_sentences, strip_marks, tells

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LONGEST = 280
"""Letters of one statement: a longer list is told in parts."""
_A_LABEL, _A_POINT, _FEW = 90, 170, 3
_POINT = re.compile(r"(?:[-*•+]|\d{1,2}[.)]|\[[ xX]\])\s+")
_ROW_MARKS = re.compile(r"^[|:\-\s]+$")
_NUMBER = re.compile(r"^(?:\d{1,2}[.)]\s+)+")
_MARKED = re.compile(r"#|\*\*.*\*\*:?$")
_NAMES = re.compile(r"(?:#+ |\*\*)[\s*]*(?:\d{1,2}[.)]|[A-Z]{1,3}\d{1,3}\b|`|.*`)")
"""A heading with a number or a name of code: what stands below it is about that."""
_EMPTY_LABEL = re.compile(
    r"(?:(?:test )?results?|summary(?: of .*)?|(?:overall|final|current) status|status|details?|overview|key (?:changes|points|findings|features)|changes(?: made)?|"
    r"what (?:i|was) (?:did|done)|here(?:'s| is| are).*|.*(?:let me|i'll|i will|let's)\b.*|example.*|usage|note)$",
    re.IGNORECASE,
)
"""Words above a list that say nothing of it."""
_NEEDS = re.compile(
    r"(?:this|that|these|those|it|they|so|otherwise|instead|because of (?:this|that)|which|therefore|hence|thus|however|but)\b",
    re.IGNORECASE,
)


def statements(text: str) -> list[str]:
    """Take the statements of a text in order, without code and quotes, each on one line."""
    return _Statements().take(text)


class _Statements:
    """What was read so far: the words above, the points below them, and the columns of a table."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self.label = ""
        self.stands_alone = ""
        """A heading that says something by itself, until something stands below it."""
        self.announced = ""
        """A sentence that ends with a colon, until points stand below it."""
        self.points: list[str] = []
        self.columns: list[str] = []

    def take(self, text: str) -> list[str]:
        for indented, line in _lines(text):
            self._line(line, indented=indented)
        self._end_list()
        self._end_heading()
        return self.found

    def _line(self, line: str, *, indented: bool) -> None:
        if _is_point(line):
            number = _NUMBER.match(line)
            self.points.append(f"{number[0] if number else ''}{flat(strip_marks(line))}")
        elif line[0] == "|":
            self._row(line)
        elif indented and self.points and len(line) < _A_POINT:
            self.points[-1] += f" {flat(line)}"
        elif heading := _heading(line):
            self._end_list()
            if (bare := strip_marks(line)).endswith(f". {heading}:"):
                self._sentences(bare[: -len(heading) - 1])
            self._end_heading()
            self.label = heading
            if _MARKED.match(line):
                self.stands_alone = _undressed(heading) if _NAMES.match(line) or heading.endswith((".", "!")) else ""
            else:
                self.announced = heading
        else:
            self._end_list()
            self._sentences(line)

    def _row(self, line: str) -> None:
        """A row of a table is a point; the first one names the columns."""
        if _ROW_MARKS.match(line):
            return
        cells = [flat(cell).replace("**", "") for cell in line.strip("|").split("|")]
        if self.columns:
            self.points.append(" | ".join(cell for cell in cells if cell))
        self.columns = self.columns or cells

    def _sentences(self, line: str) -> None:
        told = _sentences(line)
        if self.stands_alone and told and len(self.stands_alone) + len(told[0]) < LONGEST:
            told[0], self.stands_alone = f"{self.stands_alone}: {told[0]}", ""
        self._end_heading()
        self.found += told

    def _end_heading(self) -> None:
        if self.stands_alone:
            self.found += _sentences(self.stands_alone)
        self.stands_alone = ""

    def _end_list(self) -> None:
        if self.points:
            self.stands_alone = ""
            self.found += _listed(self.label, self.points)
        elif self.announced and not (announces(self.announced) or _EMPTY_LABEL.match(self.announced)):
            self.found += _sentences(f"{self.announced}.")  # what code shows, or a call then did
        self.announced = ""
        self.label, self.points, self.columns = "", [], []


def _lines(text: str) -> Iterator[tuple[bool, str]]:
    """The lines outside of code and quotes, and whether they are indented."""
    inside = False
    for raw in text.splitlines():
        line = raw.strip()
        if line.startswith("```"):
            inside = not inside
        elif line and not inside and line[0] != ">":
            yield raw[:2].isspace(), line


def _is_point(line: str) -> bool:
    """Whether a line is a point of a list: a heading with a number, or one all in bold, is none."""
    return _POINT.match(line) is not None and not (_NUMBER.match(line) and line.endswith(("**", "**:", ":")))


def _heading(line: str) -> str:
    """The words above a list: a heading, a line all in bold, or a sentence that ends with a colon."""
    bare = strip_marks(line)
    marked = line[0] == "#" or (line.startswith("**") and line.endswith(("**", "**:")))
    if not (marked or bare.endswith(":")):
        return ""
    parts = split_sentences(bare, 1_000) if not marked else [bare]
    return flat(_NUMBER.sub("", parts[-1] if parts else bare)).strip(" :*#-")


def _sentences(line: str) -> list[str]:
    """The sentences of a line that say something; one that is about the one before it stands with it."""
    found: list[str] = []
    before = ""
    parts = [flat(one) for one in split_sentences(strip_marks(line))]
    for one in parts:
        joins = before and _NEEDS.match(one) and len(before) + len(one) < LONGEST
        if tells(one):
            if joins and found and found[-1].endswith(before):
                found[-1] = f"{found[-1]} {one}" if len(found[-1]) + len(one) < LONGEST else found[-1]
            else:
                found.append(f"{before} {one}" if joins and tells(before) else one)
        before = one
    return found


def _listed(label: str, points: Iterable[str]) -> list[str]:
    """The points of a list: short ones together under the words above them, long ones as sentences."""
    found: list[str] = []
    above = "" if _EMPTY_LABEL.match(label) or len(label) > _A_LABEL else _undressed(label)
    together = ""
    for point in points:
        if len(point) > _A_POINT:
            found += _sentences(point)
        elif together and len(together) + len(point) + 2 <= LONGEST:
            together = f"{together}{' ' if together.endswith(':') else '; '}{point}"
        else:
            found += _whole(together)
            together = f"{above}: {point}" if above else point
    return [*found, *_whole(together)]


def _whole(line: str) -> list[str]:
    return [line] if line and tells(f"{line.rstrip('?:')}.") else []


def _undressed(label: str) -> str:
    return label.lstrip("".join(c for c in label[:_FEW] if not (c.isalnum() or c in "`\"'(/"))).strip()
