"""Lines in view: what was written into files, and what reading and searching brought up, each with its file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tapehead.transcript import turns
from tapehead.transcript.files import shorter
from tapehead.transcript.found import Fact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.transcript.story import Act, Story

_NUMBERED = re.compile(r"^\s*\d+[→\t]")
_HIT = re.compile(r"^([^\s:]+?\.\w+)[:-]\d+[:-](.*)$")
MOST = 600
_PER_ACT = 120
_LATELY = 120
_SHORTEST, _LONGEST = 14, 200


def lines(story: Story) -> tuple[Fact, ...]:
    """Newest first, each once per file, up to a limit."""
    found: dict[tuple[str, str], Fact] = {}
    for act in reversed(story.acts[-_LATELY:]):
        take = _LINES.get(act.call.kind)
        if take is None or act.failed or len(found) >= MOST:
            continue
        for path, line in take(act, story.cwd):
            text = line.strip()
            if _SHORTEST <= len(text) <= _LONGEST:
                found.setdefault((path, text), Fact(text, act.place.turn, at=act.place.at, note=path))
    return tuple(found.values())


def _edited(act: Act, cwd: str) -> Iterator[tuple[str, str]]:
    path = shorter(act.call.path, cwd)
    for old, new in act.call.pairs:
        kept = set(old.splitlines())
        yield from ((path, line) for line in new.splitlines()[:_PER_ACT] if line not in kept)
        yield from ((path, line) for line in new.splitlines()[:_PER_ACT] if line in kept)


def _written(act: Act, cwd: str) -> Iterator[tuple[str, str]]:
    path = shorter(act.call.path, cwd)
    return ((path, line) for line in act.call.text.splitlines()[:_PER_ACT])


def _read(act: Act, cwd: str) -> Iterator[tuple[str, str]]:
    path = shorter(act.call.path, cwd)
    return ((path, _NUMBERED.sub("", line)) for line in act.said.splitlines()[:_PER_ACT])


def _hits(act: Act, cwd: str) -> Iterator[tuple[str, str]]:
    for line in act.said.splitlines()[:_PER_ACT]:
        if hit := _HIT.match(line):
            yield shorter(hit[1], cwd), hit[2]


_LINES = {turns.EDIT: _edited, turns.WRITE: _written, turns.READ: _read, turns.SEARCH: _hits}
