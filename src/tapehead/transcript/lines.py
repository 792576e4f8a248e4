"""Lines in view: what was written into files, and what reading and searching brought up, each with its file."""

from __future__ import annotations

import re

from tapehead.transcript import turns
from tapehead.transcript.files import shorter
from tapehead.transcript.found import Line
from tapehead.transcript.things import things

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.transcript.story import Act, Story

_NUMBERED = re.compile(r"^\s*([0-9]{1,7})[→\t](.*)$")
_HIT = re.compile(r"^([^\s:]+?\.\w+)[:-]([0-9]{1,7})[:-](.*)$")
WRITTEN = "+"
"""The mark of a line that the agent wrote; one that it saw has its number in the file, where that is known."""
MOST = 350
_PER_ACT = 120
_SEARCHED = 20
"""Steps after which what a search brought up has been looked at, and what mattered of it is known in other ways."""
_LATELY = 120
_SHORTEST, _LONGEST = 20, 200
_WORKS = re.compile(r"[(=]|\b\w+ \w+ \w+ \w+|^(?:type|class|struct|interface|enum)\b")
_IMPORTS = ("import ", "from ", "use ", "#include", '"', "'", "require", "package ")


def lines(story: Story) -> tuple[Line, ...]:
    """Newest first, each once per file, up to a limit."""
    found: dict[tuple[str, str], Line] = {}
    for act in reversed(story.acts[-_LATELY:]):
        take = _LINES.get(act.call.kind)
        if take is None or act.failed or len(found) >= MOST:
            continue
        if act.call.kind == turns.SEARCH and act.place.at < story.at - _SEARCHED:
            continue
        for path, mark, line in take(act, story.cwd):
            text = line.strip()
            if (
                _SHORTEST <= len(text) <= _LONGEST
                and _WORKS.search(text)
                and not text.startswith(_IMPORTS)
                and things(text)
            ):
                found.setdefault((path, text), Line(path, mark, text, act.place.at))
    return tuple(found.values())


def _edited(act: Act, cwd: str) -> Iterator[tuple[str, str, str]]:
    """Yield the lines that an edit brought; those that it only moved over come after them."""
    path = shorter(act.call.path, cwd)
    for old, new in act.call.pairs:
        kept = set(old.splitlines())
        lines_ = new.splitlines()[:_PER_ACT]
        yield from ((path, WRITTEN, line) for line in lines_ if line not in kept)
        yield from ((path, "", line) for line in lines_ if line in kept)


def _written(act: Act, cwd: str) -> Iterator[tuple[str, str, str]]:
    path = shorter(act.call.path, cwd)
    return ((path, WRITTEN, line) for line in act.call.text.splitlines()[:_PER_ACT])


def _read(act: Act, cwd: str) -> Iterator[tuple[str, str, str]]:
    path = shorter(act.call.path, cwd)
    for line in act.said.splitlines()[:_PER_ACT]:
        if numbered := _NUMBERED.match(line):
            yield path, numbered[1], numbered[2]


def _hits(act: Act, cwd: str) -> Iterator[tuple[str, str, str]]:
    for line in act.said.splitlines()[:_PER_ACT]:
        if hit := _HIT.match(line):
            yield shorter(hit[1], cwd), hit[2], hit[3]


_LINES = {turns.EDIT: _edited, turns.WRITE: _written, turns.READ: _read, turns.SEARCH: _hits}
