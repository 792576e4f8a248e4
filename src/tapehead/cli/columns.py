"""A table of plain columns, for a terminal or a pipe. rich draws more, and takes a third of the time that `status` has."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from tapehead.text.plain import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

_CODES = {
    "bold": "1",
    "dim": "2",
    "green": "32",
    "magenta": "35",
    "cyan": "36",
    "bold red": "1;31",
    "bold yellow": "1;33",
}
_GAP = "  "
_NARROWEST = 20
_USUAL = 80


def show_line(text: str, style: str = "") -> None:
    """Print a line, broken between words where the terminal ends, in a colour where there are colours."""
    room = _width()
    for part in _broken(plain(text), room) if room else [plain(text)]:
        click.echo(_styled(part, style))


def show_columns(titles: Sequence[str], rows: Sequence[tuple[Sequence[str], str]], *, cut: bool) -> None:
    """Each row with its style. The last column is cut where the terminal ends, unless all of it is wanted."""
    told = [[plain(cell) for cell in cells] for cells, _ in rows]
    widths = [max(map(_cells, column)) for column in zip(titles, *told, strict=True)]
    room = _width() if cut else 0
    styles = ["bold", *(style for _, style in rows)]
    for cells, style in zip((titles, *told), styles, strict=True):
        filled = [f"{cell}{' ' * (width - _cells(cell))}" for cell, width in zip(cells[:-1], widths, strict=False)]
        line = _GAP.join([*filled, ""])
        last = (
            _fitting(cells[-1], max(_NARROWEST, room - len(_GAP) * len(filled) - sum(widths[:-1])))
            if room
            else cells[-1]
        )
        click.echo(_styled(f"{line}{last}".rstrip(), style))


def _width() -> int:
    """Of the terminal; 0 in a pipe, whose lines stay whole for grep and cut."""
    if not sys.stdout.isatty():
        return 0
    said = os.environ.get("COLUMNS", "")
    try:
        return int(said) if said.isdecimal() and int(said) else os.get_terminal_size(sys.stdout.fileno()).columns
    except (OSError, ValueError):
        return _USUAL


def _styled(text: str, style: str) -> str:
    plain_only = not style or not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return text if plain_only else f"\x1b[{_CODES[style]}m{text}\x1b[0m"


def _cells(text: str) -> int:
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # noqa: PLC0415 - light, and only for other letters

    return cell_len(text)


def _fitting(text: str, room: int) -> str:
    if _cells(text) <= room:
        return text
    while _cells(text) > room - 1:
        text = text[:-1]
    return f"{text}…"


def _broken(text: str, room: int) -> list[str]:
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if lines[-1] and _cells(longer) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
