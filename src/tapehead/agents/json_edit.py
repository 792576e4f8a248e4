"""Changes to JSON text that touch nothing else: what is added looks like what stands around it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from attrs import frozen

from tapehead.agents.json_text import Array, Document, Member, Node, Object

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_DEFAULT_INDENT = "  "
_NEWLINE = re.compile(r"[\r\n]")
_LINE_INDENT = re.compile(r"[ \t]*")


@frozen
class Layout:
    """How a document is written."""

    newline: str
    indent: str | None
    """One step of indentation; None where everything stands on one line."""
    colon: str
    """What stands between a key and its value."""

    @property
    def comma(self) -> str:
        """What stands between two items on one line: spaced where the colon is."""
        return ", " if self.colon.endswith(" ") else ","


def layout_of(document: Document) -> Layout:
    """Read off a document how it is written."""
    newline = "\r\n" if "\r\n" in document.text else "\n"
    containers = [each for each in _containers(document.root) if each.items]
    indents = (_indent_of(document.text, each) for each in containers)
    found = next((each for each in indents if each is not None), None)
    return Layout(newline, found if containers else _DEFAULT_INDENT, _colon_of(document.text, containers))


def append(document: Document, parent: Array | Object, value: Any, key: str | None = None) -> str:
    """Add an element (or, with a key, a member) behind the last one."""
    layout = layout_of(document)
    text = document.text
    if not parent.items:
        return text[: parent.start + 1] + _filling(text, parent, value, key, layout) + text[parent.end - 1 :]
    end = parent.items[-1].end
    return text[:end] + _addition(text, parent, value, key, layout) + text[end:]


def remove(document: Document, parent: Array | Object, index: int, interior: str = "") -> str:
    """Take an item out, with the comma that tied it to its neighbour; a parent left empty keeps `interior`."""
    item, text = parent.items[index], document.text
    if len(parent.items) == 1:
        return text[: parent.start + 1] + interior + text[parent.end - 1 :]
    if index == 0:
        return text[: item.start] + text[parent.items[1].start :]
    return text[: parent.items[index - 1].end] + text[item.end :]


def replace(document: Document, node: Node, value: Any) -> str:
    """Put another value, written on one line, in a node's place."""
    return document.text[: node.start] + json.dumps(value, ensure_ascii=False) + document.text[node.end :]


def interior(document: Document, parent: Array | Object) -> str:
    """Give the white space inside an empty parent; nothing where there are items."""
    return "" if parent.items else document.text[parent.start + 1 : parent.end - 1]


def _filling(text: str, parent: Array | Object, value: Any, key: str | None, layout: Layout) -> str:
    if layout.indent is None:
        return _on_one_line(value, key, layout)
    outer = _line_indent(text, parent.start)
    inner = outer + layout.indent
    return layout.newline + inner + _on_lines(value, key, layout, inner) + layout.newline + outer


def _addition(text: str, parent: Array | Object, value: Any, key: str | None, layout: Layout) -> str:
    lead = _lead(text, parent, len(parent.items) - 1)
    if not _NEWLINE.search(lead):
        gap = lead if lead or len(parent.items) > 1 else layout.comma[1:]
        return "," + gap + _on_one_line(value, key, layout)
    inner = _behind_last_newline(lead)
    return "," + layout.newline + inner + _on_lines(value, key, layout, inner)


def _on_one_line(value: Any, key: str | None, layout: Layout) -> str:
    body = json.dumps(value, separators=(layout.comma, layout.colon), ensure_ascii=False)
    return _keyed(key, layout) + body


def _on_lines(value: Any, key: str | None, layout: Layout, base: str) -> str:
    indent = _DEFAULT_INDENT if layout.indent is None else layout.indent
    body = json.dumps(value, indent=indent, separators=(",", layout.colon), ensure_ascii=False)
    return _keyed(key, layout) + body.replace("\n", layout.newline + base)


def _keyed(key: str | None, layout: Layout) -> str:
    return "" if key is None else json.dumps(key, ensure_ascii=False) + layout.colon


def _containers(node: Node) -> Iterator[Array | Object]:
    if not isinstance(node, Array | Object):
        return
    yield node
    for item in node.items:
        yield from _containers(item.value if isinstance(item, Member) else item)


def _indent_of(text: str, parent: Array | Object) -> str | None:
    lead = _lead(text, parent, 0)
    if not _NEWLINE.search(lead):
        return None
    outer, inner = _line_indent(text, parent.start), _behind_last_newline(lead)
    return inner.removeprefix(outer) if inner.startswith(outer) else _DEFAULT_INDENT


def _colon_of(text: str, containers: list[Array | Object]) -> str:
    first = next((each.items[0] for each in containers if isinstance(each, Object)), None)
    found = ": " if first is None else text[first.key_end : first.value.start]
    return ": " if _NEWLINE.search(found) else found


def _lead(text: str, parent: Array | Object, index: int) -> str:
    """Give the white space before an item, behind the bracket or the comma."""
    if index == 0:
        return text[parent.start + 1 : parent.items[0].start]
    return text[parent.items[index - 1].end : parent.items[index].start].partition(",")[2]


def _behind_last_newline(gap: str) -> str:
    return _NEWLINE.split(gap)[-1]


def _line_indent(text: str, position: int) -> str:
    start = max(text.rfind("\n", 0, position), text.rfind("\r", 0, position)) + 1
    found = _LINE_INDENT.match(text, start, position)
    return found.group() if found else ""
