"""The difference between two texts, as `diff -u` shows it."""

from __future__ import annotations

from difflib import unified_diff

from rich.text import Text

_NO_NEWLINE = "\\ No newline at end of file"
_STYLES = {"---": "bold", "+++": "bold", "@@ ": "cyan", "-": "red", "+": "green"}


def list_difference(before: str | None, after: str | None, path: str) -> tuple[str, ...]:
    """The lines of the difference; None is a file that is not there."""
    names = ("/dev/null" if before is None else path, "/dev/null" if after is None else path)
    rows = unified_diff(_lines(before), _lines(after), *names, lineterm="")
    return tuple(part for row in rows for part in row.split("\n"))


def colour_difference(rows: tuple[str, ...]) -> Text:
    """The same for a terminal."""
    return Text("\n").join(Text(row, style=_style(row)) for row in rows)


def _lines(text: str | None) -> list[str]:
    """Split at line feeds alone (a string may hold other line ends), with diff's own mark where the last is missing."""
    rows = [row.removesuffix("\r") for row in (text or "").split("\n")]
    last = rows.pop()
    return [*rows, f"{last}\n{_NO_NEWLINE}"] if last else rows


def _style(row: str) -> str:
    return _STYLES.get(row[:3]) or _STYLES.get(row[:1]) or ""
