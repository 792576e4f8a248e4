"""JSON text read with the position of everything in it, so that an edit can leave every other byte as it was.

Strict JSON: what an agent would refuse is refused here too. Numbers are never converted: only their place counts.
"""

from __future__ import annotations

import re
from json.decoder import JSONDecodeError, JSONDecoder
from typing import TYPE_CHECKING

from attrs import frozen

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    Item = TypeVar("Item", bound="Node | Member")

BOM = "\ufeff"
# Far more than any settings file has, and far less than Python's stack: hostile nesting is an error, not a crash.
MAX_DEPTH = 150
_DECODER = JSONDecoder()
_GAP = re.compile(r"[ \t\n\r]*")
_PLAIN = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null")


class JsonTextError(ValueError):
    """Something in a JSON text is not as it should be; says what and where."""

    def __init__(self, what: str, text: str, position: int) -> None:
        self.what = what
        self.line = text.count("\n", 0, position) + 1
        self.column = position - text.rfind("\n", 0, position)
        super().__init__(f"line {self.line}, column {self.column}: {what}")


class MalformedError(JsonTextError):
    """The text is not JSON."""


class DuplicateKeyError(JsonTextError):
    """A key that is asked for stands twice in one object: readers disagree on which one counts."""


@frozen
class Plain:
    """A number, `true`, `false` or `null`."""

    start: int
    end: int


@frozen
class String:
    """A string, with its value."""

    start: int
    end: int
    value: str


@frozen
class Array:
    """A list: from its opening to behind its closing bracket."""

    start: int
    end: int
    items: tuple[Node, ...]


@frozen
class Member:
    """One key and its value in an object."""

    start: int
    key: str
    key_end: int
    value: Node

    @property
    def end(self) -> int:
        """Where the value ends."""
        return self.value.end


@frozen
class Object:
    """An object: from its opening to behind its closing brace."""

    start: int
    end: int
    items: tuple[Member, ...]

    def last(self, key: str) -> Node | None:
        """Give the value that counts for JavaScript and Python where a key stands twice: the last one."""
        return next((member.value for member in reversed(self.items) if member.key == key), None)


Node = Plain | String | Array | Object


@frozen
class Document:
    """A text and what stands where in it."""

    text: str
    root: Node

    def member(self, parent: Object, key: str) -> Member | None:
        """Find the one member of that name."""
        found = [member for member in parent.items if member.key == key]
        if len(found) > 1:
            raise DuplicateKeyError(f'the key "{key}" stands twice in one object', self.text, found[1].start)
        return found[0] if found else None


def parse(text: str) -> Document:
    """Read a whole text; a byte order mark at its start is passed over."""
    root = _value(text, _skip(text, text.startswith(BOM)), 0)
    end = _skip(text, root.end)
    if end != len(text):
        raise MalformedError("there is more after the end of the document", text, end)
    return Document(text, root)


def is_blank(text: str) -> bool:
    """Whether there is nothing in a text, which agents read like a file that is not there."""
    return _skip(text, text.startswith(BOM)) == len(text)


def _skip(text: str, at: int) -> int:
    gap = _GAP.match(text, at)
    return gap.end() if gap else at


def _value(text: str, at: int, depth: int) -> Node:
    if depth > MAX_DEPTH:
        raise MalformedError(f"nested more than {MAX_DEPTH} levels deep", text, at)
    read = _READERS.get(text[at : at + 1], _plain)
    return read(text, at, depth)


def _plain(text: str, at: int, _depth: int) -> Plain:
    found = _PLAIN.match(text, at)
    if not found:
        raise MalformedError("a value is expected here", text, at)
    return Plain(at, found.end())


def _string(text: str, at: int, _depth: int = 0) -> String:
    try:
        value, end = _DECODER.raw_decode(text, at)
    except JSONDecodeError as error:
        raise MalformedError(f"in a string: {error.msg}", text, error.pos) from None
    return String(at, end, value)


def _member(text: str, at: int, depth: int) -> Member:
    if text[at : at + 1] != '"':
        raise MalformedError("a key in double quotes is expected here", text, at)
    key = _string(text, at)
    colon = _skip(text, key.end)
    if text[colon : colon + 1] != ":":
        raise MalformedError("a colon is expected here", text, colon)
    return Member(at, key.value, key.end, _value(text, _skip(text, colon + 1), depth))


def _array(text: str, start: int, depth: int) -> Array:
    items, end = _items(text, start, depth, "]", _value)
    return Array(start, end, items)


def _object(text: str, start: int, depth: int) -> Object:
    items, end = _items(text, start, depth, "}", _member)
    return Object(start, end, items)


def _items(
    text: str, start: int, depth: int, closing: str, read: Callable[[str, int, int], Item]
) -> tuple[tuple[Item, ...], int]:
    at = _skip(text, start + 1)
    if text[at : at + 1] == closing:
        return (), at + 1
    items = []
    while True:
        items.append(read(text, at, depth + 1))
        at = _skip(text, items[-1].end)
        after = text[at : at + 1]
        if after == closing:
            return tuple(items), at + 1
        if after != ",":
            raise MalformedError(f"a comma or {closing} is expected here", text, at)
        at = _skip(text, at + 1)


_READERS: dict[str, Callable[[str, int, int], Node]] = {"{": _object, "[": _array, '"': _string}
