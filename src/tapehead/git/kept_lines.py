"""Lines that a change brought to git's mind as new, and that are old: set in otherwise, broken otherwise, or moved. Pure.

White space does not count, nor do commas and the kind of quotes where a formatter broke a line elsewhere. A block that went in one place
and came in another was moved, if it is of some length: anybody writes a bracket.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Text = tuple[int, bytes]
    """A line's number, and what it says without white space."""

MOST = 60_000
"""Changed lines of one change that are compared."""
_BLOCK, _LONG = 2, 24
"""Lines, and characters in all, of what counts as moved."""
_ONE = 16
"""Characters of a single line that counts as moved: where a block went past it, git says that the line went past the block."""
_GROUP = 200
"""Lines that a formatter makes one, or one makes."""
_BETWEEN = 4
"""Lines that may stand between the pieces of one."""
_NEAR = 40
"""Lines among which what is left of one is looked for."""
_APART = 2
"""Lines between two hunks that may be brackets of what was broken."""
_BRACKETS = b")]};"
_BEGINNING = 3
"""Characters by which a place is found where two sides may go on alike."""
_SAME = 20
"""Places of one text that are looked at."""
_QUOTES = bytes.maketrans(b"'", b'"')


class Kept(NamedTuple):
    """So many lines of the new file, from this one on, are those of an old file from that one on."""

    new: int
    many: int
    path: bytes
    old: int


class Change(NamedTuple):
    """What one file lost and got, hunk by hunk."""

    path: bytes
    """Of the old file."""
    hunks: list[tuple[list[Text], list[Text]]]


def bare(text: bytes) -> bytes:
    """A line without white space."""
    return b"".join(text.split())


def kept(changes: Sequence[Change]) -> list[tuple[Kept, ...]]:
    """For each file the lines that were somewhere before."""
    found: list[list[Kept]] = [[] for _ in changes]
    gone: dict[bytes, list[tuple[bytes, int]]] = {}
    came: list[list[Text]] = [[] for _ in changes]
    for change, own, new in zip(changes, found, came, strict=True):
        left: list[tuple[list[Text], list[Text]]] = []
        for old, added in change.hunks:
            pairs = [*_in_place(old, added)] if old and added else []
            own += [Kept(line, 1, change.path, before) for line, before in pairs]
            left.append(_without(pairs, old, added))
        own += [Kept(line, 1, change.path, before) for line, before in _across(change.hunks, left)]
        for old, added in left:
            for line, text in old:
                gone.setdefault(text, []).append((change.path, line))
            new.extend(added)
    return [_joined([*own, *_moved(new, gone)]) for own, new in zip(found, came, strict=True)]


def _without(pairs: list[tuple[int, int]], old: list[Text], new: list[Text]) -> tuple[list[Text], list[Text]]:
    """What is left of a hunk."""
    here, there = {line for line, _ in pairs}, {before for _, before in pairs}
    return [one for one in old if one[0] not in there], [one for one in new if one[0] not in here]


def _across(
    hunks: list[tuple[list[Text], list[Text]]], left: list[tuple[list[Text], list[Text]]]
) -> Iterator[tuple[int, int]]:
    """Lines that went in one hunk and came broken in the next one: git took a bracket of one for that of another. Takes them out of what is left."""
    for at in range(1, len(left)):
        for lost, got in ((at - 1, at), (at, at - 1)):
            if not left[lost][0] or left[lost][1] or not left[got][1] or _gap(hunks[at - 1], hunks[at]) > _APART:
                continue
            pairs = [*_broken(left[lost][0], left[got][1])]
            left[lost] = _without(pairs, left[lost][0], [])
            left[got] = _without(pairs, left[got][0], left[got][1])
            yield from pairs


def _gap(one: tuple[list[Text], list[Text]], other: tuple[list[Text], list[Text]]) -> int:
    """How many lines lie between two hunks; more than anybody asks for where neither side tells."""
    return min(
        (after[0][0] - before[-1][0] - 1 for before, after in zip(one, other, strict=True) if before and after),
        default=_NEAR,
    )


def _in_place(old: list[Text], new: list[Text]) -> Iterator[tuple[int, int]]:
    """The lines of a hunk that say the same, in order; and of what lies between these, what was only broken otherwise."""
    places: dict[bytes, list[int]] = {}
    for at, (_, text) in enumerate(old):
        if text:
            places.setdefault(text, []).append(at)
    pairs, behind = [], -1
    for at, (_, text) in enumerate(new):
        place = next((one for one in places.get(text, ())[:_SAME] if one > behind), None)
        if place is not None:
            pairs.append((at, place))
            behind = place
    last_new, last_old = -1, -1
    for at, place in [*pairs, (len(new), len(old))]:
        yield from _broken(old[last_old + 1 : place], new[last_new + 1 : at])
        if at < len(new):
            yield new[at][0], old[place][0]
        last_new, last_old = at, place


def _broken(old: list[Text], new: list[Text]) -> Iterator[tuple[int, int]]:
    """Lines that say the same one after the other, however they are broken: each is the one in which it begins."""
    before, after = ([(line, _even(text)) for line, text in side] for side in (old, new))
    starts: dict[bytes, list[int]] = {}
    for number, (_, text) in enumerate(after):
        starts.setdefault(text[:_BEGINNING], []).append(number)
    at = to = 0
    while at < len(before) and to < len(after):
        to, many, more = _next_alike(before, at, after, to, starts)
        if not many and (pieces := _pieces(before[at][1], after, to, starts) or _rest(before[at][1], after, to)):
            yield from ((after[number][0], before[at][0]) for number in pieces)
            at, to = at + 1, pieces[-1] + 1
            continue
        begun, place, end = 0, at, len(before[at][1])
        for line, text in after[to : to + more]:
            while begun >= end and place + 1 < at + many:
                place += 1
                end += len(before[place][1])
            if text:
                yield line, before[place][0]
            begun += len(text)
        at, to = at + (many or 1), to + more


def _next_alike(
    old: list[Text], at: int, new: list[Text], to: int, starts: dict[bytes, list[int]]
) -> tuple[int, int, int]:
    """Where, from a line on, the new side says what the old one does from here on, and in how many lines of each; none where nowhere."""
    there = starts.get(old[at][1][:_BEGINNING], []) if old[at][1] else []
    first = bisect_left(there, to)
    for place in there[first : first + _SAME]:
        many, more = _alike(old, at, new, place)
        if many:
            return place, many, more
    return to, 0, 0


def _pieces(text: bytes, new: list[Text], to: int, starts: dict[bytes, list[int]]) -> list[int]:
    """The lines into which one was broken, with few others in between that somebody put there; a last bracket may be missing."""
    there = starts.get(text[:_BEGINNING], []) if text else []
    first = bisect_left(there, to)
    for place in there[first : first + _SAME]:
        found: list[int] = []
        rest, at = text, place
        while rest and at < min(len(new), place + len(found) + _BETWEEN):
            piece = new[at][1]
            if piece and rest.startswith(piece):
                found.append(at)
                rest = rest[len(piece) :]
            at += 1
        if len(found) > 1 and not rest.strip(_BRACKETS):
            return found
    return []


def _rest(text: bytes, new: list[Text], to: int) -> list[int]:
    """The lines that are left of one that was broken, after somebody took some of them out: several, one behind the other as they were."""
    for place in range(to, min(len(new), to + _NEAR)):
        begun = text.find(new[place][1]) if len(new[place][1]) > _BEGINNING else -1
        found, end = 0, begun
        while (
            begun >= 0
            and place + found < len(new)
            and new[place + found][1]
            and text.startswith(new[place + found][1], end)
        ):
            end += len(new[place + found][1])
            found += 1
        if found > 1 and end - begun >= _ONE:
            return [*range(place, place + found)]
    return []


def _alike(old: list[Text], at: int, new: list[Text], to: int) -> tuple[int, int]:
    """How many lines of each side, from these on, are the same text in all; none where they are not."""
    one, other, many, more = old[at][1], new[to][1], 1, 1
    while one != other and many + more < _GROUP:
        if len(one) < len(other) and other.startswith(one) and at + many < len(old):
            one += old[at + many][1]
            many += 1
        elif len(other) < len(one) and one.startswith(other) and to + more < len(new):
            other += new[to + more][1]
            more += 1
        else:
            return 0, 0
    return (many, more) if one == other else (0, 0)


def _even(text: bytes) -> bytes:
    return text.replace(b",", b"").translate(_QUOTES)


def _moved(new: list[Text], gone: dict[bytes, list[tuple[bytes, int]]]) -> Iterator[Kept]:
    at = 0
    while at < len(new):
        place, length = _longest(new, at, gone)
        size = sum(len(text) for _, text in new[at : at + length])
        alone = size >= _ONE and len(gone.get(new[at][1], ())) == 1
        if place and (alone or (length >= _BLOCK and size >= _LONG)):
            yield Kept(new[at][0], length, *place)
            at += length
        else:
            at += 1


def _longest(
    new: list[Text], at: int, gone: dict[bytes, list[tuple[bytes, int]]]
) -> tuple[tuple[bytes, int] | None, int]:
    best, most = None, 0
    for path, line in gone.get(new[at][1], ())[:_SAME]:
        length = 1
        while (
            at + length < len(new)
            and new[at + length][0] == new[at][0] + length
            and (path, line + length) in gone.get(new[at + length][1], ())[:_SAME]
        ):
            length += 1
        if length > most:
            best, most = (path, line), length
    return best, most


def _joined(pieces: list[Kept]) -> tuple[Kept, ...]:
    found: list[Kept] = []
    for one in sorted(pieces):
        last = found[-1] if found else None
        if last and (last.new + last.many, last.path, last.old + last.many) == (one.new, one.path, one.old):
            found[-1] = last._replace(many=last.many + one.many)
        else:
            found.append(one)
    return tuple(found)
