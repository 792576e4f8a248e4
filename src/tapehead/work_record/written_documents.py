"""What the agent settled in documents that it wrote: plans, reviews, notes. A brief that only says "written" would lose it all."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from tapehead.transcript import turns
from tapehead.work_record.facts import Finding
from tapehead.work_record.sentence_worth import binds, worth_of
from tapehead.work_record.sentences import flat, prose, strip_marks, tells, unwrap_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.work_record.step_row import Conversation, Place

_SETTLED, _BINDING, _PLAIN = 2.0, 0.8, 0.4
_OF_A_DOCUMENT, _OF_A_SECTION = 16, 4
_READ = 40_000
"""Letters of a document that are looked at."""
_SHORTEST, _A_HEADING, _A_REASON = 13, 60, 140


class Entry(NamedTuple):
    """Something that a document settles."""

    text: str
    worth: float


def settled(conversation: Conversation) -> tuple[Finding, ...]:
    """Give what stands in the newest version of each document, at the place where it was written first, oldest first."""
    documents: dict[str, dict[str, tuple[Place, float]]] = {}
    for act, call in conversation.documents:
        if act.failed:
            continue
        known = documents.pop(call.path, {})
        if call.kind == turns.WRITE:
            now = {one.text: one.worth for one in entries(call.text)}
            documents[call.path] = {
                text: (known[text][0] if text in known else act.place, worth) for text, worth in now.items()
            }
        else:
            for old, new in call.pairs:
                for one in entries(old):
                    known.pop(one.text, None)
                for one in entries(new):
                    known.setdefault(one.text, (act.place, one.worth))
            documents[call.path] = known
    found = [one for path, known in documents.items() for one in _best_of(path, known)]
    return tuple(sorted(found, key=lambda one: one.at))


def _best_of(path: str, known: dict[str, tuple[Place, float]]) -> Iterator[Finding]:
    best = sorted(known.items(), key=lambda item: -item[1][1])[:_OF_A_DOCUMENT]
    return (Finding(text, place.turn, place.at, worth, document=path) for text, (place, worth) in best)


def entries(text: str) -> list[Entry]:
    """Take the decisions of a document, each with its heading and its first reason, and the lines that set a limit."""
    found: dict[str, Entry] = {}
    for heading, lines in _sections(text[:_READ]):
        for one in (*_decided(heading, lines), *_bound(heading, lines)):
            found.setdefault(one.text, one)
    return list(found.values())


def _sections(text: str) -> Iterator[tuple[str, list[str]]]:
    lines: list[str] = []
    heading = ""
    for line in prose(unwrap_lines(text)):
        if line.startswith("#"):
            yield heading, lines
            heading, lines = strip_marks(line).strip(" :*"), []
        else:
            lines.append(line)
    yield heading, lines


def _decided(heading: str, lines: list[str]) -> Iterator[Entry]:
    """Give each line that says that it decides, with the first reason below it."""
    for n, line in enumerate(lines):
        said = _DECISION.match(strip_marks(line))
        if said is None or len(said[1]) < _SHORTEST:
            continue
        what = flat(said[1]).rstrip(".")
        why = _reason(lines[n + 1 :])
        yield Entry(f"{_under(heading)}{what}{f' ({why})' if why else ''}", _SETTLED)


def _reason(lines: list[str]) -> str:
    """Give the first line that is called the reason, before the next decision."""
    for n, line in enumerate(lines):
        bare = strip_marks(line)
        if _DECISION.match(bare):
            return ""
        if (said := _REASON.match(bare)) is not None:
            why = said[1] or (flat(strip_marks(lines[n + 1])) if n + 1 < len(lines) else "")
            return _short(f"because: {why}".rstrip(".")) if why else ""
    return ""


def _bound(heading: str, lines: list[str]) -> Iterator[Entry]:
    """Give the lines that set a limit, were rejected or are open, by their heading or their own words."""
    under = 0
    for line in lines:
        bare = flat(strip_marks(line))
        limit = binds(bare, heading)
        names = _SETTLES.search(heading) is not None
        if not (names or limit >= _FIRM) or len(bare) < _SHORTEST or _DECISION.match(bare) or not tells(bare):
            continue
        under += 1
        if under > _OF_A_SECTION:
            return
        yield Entry(
            f"{_under(heading)}{_first_sentences(bare)}", (_BINDING if names else _PLAIN) * (_PLAIN + worth_of(bare))
        )


_FIRM = 2.0
_DECISION = re.compile(r"(?:decisions?|decided|resolution|resolved|verdict|chosen|answer):\s*(\S.*)", re.IGNORECASE)
_REASON = re.compile(r"(?:rationale|reasons?|reasoning|why|because):\s*(.*)", re.IGNORECASE)
_SETTLES = re.compile(
    r"\b(?:decisions?|decided|constraints?|non-?goals?|out of scope|deferred|rejected|alternatives|trade-?offs?|open (?:questions?|items?|points?)|"
    r"known (?:issues?|limitations?)|limitations|won'?t (?:do|fix)|remaining|follow-?ups?|next steps?|lessons?(?: learned)?|gotchas|pitfalls)\b",
    re.IGNORECASE,
)
_GENERAL = re.compile(r"(?:key |design |main |the )?(?:decisions?|notes?|summary|overview)", re.IGNORECASE)


def _under(heading: str) -> str:
    return "" if not heading or _GENERAL.fullmatch(heading) else f"{_short(heading, _A_HEADING)}: "


def _first_sentences(line: str) -> str:
    """Give as many whole sentences from the beginning of a line as are not too long; the first one at least."""
    if len(line) <= _A_LINE:
        return line
    ends = [found.start() for found in _SENTENCE_END.finditer(line, _SHORTEST, _A_LINE)]
    return line[: ends[-1]] if ends else line


_SENTENCE_END = re.compile(r"(?<=[.!?])\s")
_A_LINE = 200


def _short(text: str, longest: int = _A_REASON) -> str:
    return text if len(text) <= longest else f"{text[:longest].rpartition(' ')[0]} …"
