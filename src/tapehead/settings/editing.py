"""One setting in the text of a config.toml, changed or taken out; everything else, comments included, stays as it was. Pure."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tapehead.settings.lines import keys
from tapehead.settings.loading import document_of

if TYPE_CHECKING:
    from collections.abc import Mapping

_DELETE = "\x7f"


class CannotEdit(Exception):
    """A file in which this setting cannot be changed without touching the rest. The text says why."""


def changed(text: str, name: str, written: object) -> str:
    """The text with this setting in it. Raises CannotEdit, and ValueError where the text is no TOML."""
    before = document_of(text)
    lines = text.split("\n")
    at = _lines_of(text, lines, name)
    new = _replaced(lines, at, written) if at else _added(text, lines, name, written)
    return _proven("\n".join(new), _with(before, name.split("."), written))


def removed(text: str, name: str) -> str:
    """The text without this setting; the same text where it is not there. Raises as `changed` does."""
    before = document_of(text)
    lines = text.split("\n")
    at = _lines_of(text, lines, name)
    if at:
        del lines[at.start : at.stop]
    return _proven("\n".join(lines), _without(before, name.split(".")))


def literal(written: object) -> str:
    """A value in TOML. JSON's texts are TOML's, but for one character."""
    if isinstance(written, list):
        return f"[{', '.join(map(literal, written))}]"
    return json.dumps(written, ensure_ascii=False).replace(_DELETE, "\\u007f")


def _lines_of(text: str, lines: list[str], name: str) -> range | None:
    """The lines that the setting takes: one, or more where its value goes on."""
    start = next((number - 1 for number, key in keys(text) if key == name), None)
    if start is None:
        return None
    for stop in range(start + 1, len(lines) + 1):
        if _is_toml("\n".join(lines[start:stop]) + "\n"):
            return range(start, stop)
    raise CannotEdit(f"line {start + 1} cannot be made out")


def _replaced(lines: list[str], at: range, written: object) -> list[str]:
    first, end = lines[at.start], "\r" if lines[at.stop - 1].endswith("\r") else ""
    key = first.partition("=")[0].rstrip()
    comment = _comment(first) if len(at) == 1 else ""
    return [*lines[: at.start], f"{key} = {literal(written)}{comment}{end}", *lines[at.stop :]]


def _comment(line: str) -> str:
    """What stands behind a value, the blanks before it included."""
    for place, letter in enumerate(line):
        if letter == "#" and _is_toml(line[:place]):
            return line[len(line[:place].rstrip()) :].rstrip("\r")
    return ""


def _added(text: str, lines: list[str], name: str, written: object) -> list[str]:
    table, _, key = name.rpartition(".")
    end = "\r" if lines[0].endswith("\r") else ""
    line = f"{key} = {literal(written)}{end}"
    headers = {found: number for number, found in keys(text) if found.endswith(".")}
    if table and table + "." in headers:
        place = headers[table + "."]
        return [*lines[:place], line, *lines[place:]]
    if not table:  # a key without a table must stand before the first of them
        place = _above(lines, min(headers.values(), default=len(lines)) - 1)
        return [*lines[:place], line, *([end] if headers else []), *lines[place:]]
    above = lines[:-1] if not lines[-1] else lines
    return [*above, *([end] if above else []), f"[{table}]{end}", line, ""]


def _above(lines: list[str], place: int) -> int:
    """The place above the comment that belongs to a line."""
    while place and lines[place - 1].startswith("#"):
        place -= 1
    return place


def _is_toml(text: str) -> bool:
    try:
        document_of(text)
    except ValueError:
        return False
    return True


def _proven(text: str, expected: Mapping[str, object]) -> str:
    """The text, if it says what it is to say and nothing else: a look at lines can be fooled, tomllib cannot."""
    try:
        good = document_of(text) == expected
    except ValueError:
        good = False
    if not good:
        raise CannotEdit("the file is written in a way that one line cannot change")
    return text


def _with(document: Mapping[str, object], path: list[str], written: object) -> dict[str, object]:
    inner = document.get(path[0])
    below = inner if isinstance(inner, dict) else {}
    return {**document, path[0]: _with(below, path[1:], written) if path[1:] else written}


def _without(document: Mapping[str, object], path: list[str]) -> dict[str, object]:
    inner = document.get(path[0])
    if path[1:] and isinstance(inner, dict):
        return {**document, path[0]: _without(inner, path[1:])}
    return {key: value for key, value in document.items() if key != path[0]}
