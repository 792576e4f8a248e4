"""On which line of a config.toml a setting stands: tomllib tells where a file is wrong, never where it is right. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

HEADER = "["


def keys(text: str) -> Iterator[tuple[int, str]]:
    """Every key that begins a line, with its whole dotted name; a table's own line has the name and a dot behind it.

    A look at the lines and no more: a text over several lines may hold something that looks like a key.
    """
    table = ""
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()
        if stripped.startswith(HEADER) and not stripped.endswith(","):
            table = _plain(stripped.partition("#")[0].strip().strip("[]")) + "."
            yield number, table
        elif "=" in stripped and not stripped.startswith("#"):
            yield number, (table + _plain(stripped.partition("=")[0])).removeprefix(".")


def line_of(text: str, name: str) -> int:
    """The line of a setting, or of what holds it (an inline table); 0 where it cannot be told."""
    found = 0
    for number, key in keys(text):
        if key in {name, name + "."}:
            return number
        if name.startswith(key if key.endswith(".") else key + "."):
            found = number
    return found


def _plain(dotted: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in dotted.split("."))
