"""One setting in the text of a config.toml, changed or taken out; everything else, comments included, stays as it was. Pure.

tomlkit does the work: it keeps what it does not change. What it writes is read back by tomllib and compared before anybody keeps it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AoT, InlineTable, Item, Table

from tapehead.settings.key_lines import keys
from tapehead.settings.loading import document_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tomlkit.container import Container

    Holder = Container | Table | InlineTable


class CannotEdit(Exception):
    """A file in which this setting cannot be changed without touching the rest. The text says why."""


def change_setting(text: str, name: str, written: object) -> str:
    """The text with this setting in it. Raises CannotEdit, and ValueError where the text is no TOML."""
    expected = _with(document_of(text), name.split("."), written)
    document, *tables, key = _parsed(text), *name.split(".")
    if not tables and key not in document:
        return _checked(_above_tables(text, f"{key} = {tomlkit.item(written).as_string()}"), expected)
    holder: Holder = document
    for table in tables:
        holder = _table_in(holder, table)
    _set(holder, key, tomlkit.item(written))
    return _checked(_with_ends(tomlkit.dumps(document), text), expected)


def remove_setting(text: str, name: str) -> str:
    """The text without this setting; the same text where it is not there. Raises as `changed` does."""
    before = document_of(text)
    document, *tables, key = _parsed(text), *name.split(".")
    holder: Holder = document
    for table in tables:
        if table not in holder:
            return text
        holder = _table_in(holder, table)
    if key not in holder:
        return text
    holder.remove(key)
    return _checked(_with_ends(tomlkit.dumps(document), text), _without(before, name.split(".")))


def _parsed(text: str) -> tomlkit.TOMLDocument:
    try:
        return tomlkit.parse(text)
    except TOMLKitError as error:
        raise CannotEdit(str(error)) from error


def _table_in(holder: Holder, name: str) -> Table | InlineTable:
    """A table of this name, made where there is none: at the end, parted from what stands before."""
    if name not in holder:
        if written := tomlkit.dumps(holder):
            holder.add(tomlkit.ws("\n" if written.endswith("\n") else "\n\n"))
        holder[name] = tomlkit.table()
    found = holder[name]
    if not isinstance(found, Table | InlineTable):
        raise CannotEdit(f"{name} is not a table there")
    return found


def _set(holder: Holder, key: str, value: Item) -> None:
    """Set a value; the comment behind the former one stays."""
    former = holder.get(key)
    if isinstance(former, Table | InlineTable | AoT):
        raise CannotEdit(f"{key} is a table there")
    if isinstance(former, Item):
        value.trivia.comment_ws, value.trivia.comment = former.trivia.comment_ws, former.trivia.comment
    holder[key] = value


def _above_tables(text: str, line: str) -> str:
    """The text with a line of no table: before the first table, and above the comment that belongs to it, which tomlkit does not see."""
    lines = text.split("\n")
    tables = [number - 1 for number, found in keys(text) if found.endswith(".")]
    place = min(tables, default=len(lines) - 1 if not lines[-1] else len(lines))
    while tables and place and lines[place - 1].startswith("#"):
        place -= 1
    end = "\r" if lines[0].endswith("\r") else ""
    after = [end] if tables else [""] * (place == len(lines))
    return "\n".join([*lines[:place], f"{line}{end}", *after, *lines[place:]])


def _with_ends(text: str, former: str) -> str:
    """The text with line ends as the former had them: tomlkit ends new lines in its own way."""
    return text.replace("\r\n", "\n").replace("\n", "\r\n") if former.count("\n") == former.count("\r\n") > 0 else text


def _checked(text: str, expected: Mapping[str, object]) -> str:
    """The text, if it says what it is to say and nothing else."""
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
