"""The capture: what a session was about and how it stands, as a file that a user can read.

Front matter, then sections with their priority. The checksum covers all of it but its own line, and is checked
whenever the file is read. Pure: text in, text out.
"""

from __future__ import annotations

from typing import NamedTuple

from tapehead.text.checksum import sha256

VERSION = "1.1"
_CHECKSUM = "checksum"


class Section(NamedTuple):
    """One part, and how early it must be handed back."""

    priority: str
    """CRITICAL, HIGH, MEDIUM, LOW or ARCHIVE."""
    title: str
    body: str


class Description(NamedTuple):
    """What the file says."""

    matter: dict[str, str]
    """The front matter, without the checksum."""
    sections: tuple[Section, ...]
    move: str
    """The machine's last move, such as `COMPACTING -> RESTORED`."""


class NotAsWritten(Exception):
    """A description that is torn, or that somebody changed: what it says cannot be trusted."""


def written(description: Description) -> str:
    """The file's text."""
    parts = [
        f"<!-- PRIORITY: {part.priority} -->\n## {part.title}\n\n{_escaped(part.body.strip())}\n"
        for part in description.sections
    ]
    body = "\n".join([*parts, f"---\nmachine: {description.move}\n"])
    head = "".join(f"{name}: {_scalar(value)}\n" for name, value in description.matter.items() if name != _CHECKSUM)
    return f"---\n{head}{_CHECKSUM}: {_scalar(checksum(head + body))}\n---\n\n{body}"


def read(text: str) -> Description:
    """What a file says; raises NotAsWritten where its checksum does not fit."""
    matter, body, covered = _parts(text)
    found = matter.pop(_CHECKSUM, "")
    if found != checksum(covered + body):
        raise NotAsWritten("the checksum does not fit the text" if found else "no checksum")
    sections, _, move = body.rpartition("---\nmachine: ")
    return Description(matter, tuple(_sections(sections)), move.strip())


def checksum(body: str) -> str:
    """SHA-256 over the text."""
    return sha256(body.encode("utf-8", "replace"))


def _parts(text: str) -> tuple[dict[str, str], str, str]:
    """The front matter, the body, and the lines of the front matter that the checksum covers: all but its own."""
    if not text.startswith("---\n"):
        raise NotAsWritten("no front matter")
    head, found, body = text[4:].partition("\n---\n\n")
    if not found:
        raise NotAsWritten("the front matter does not end")
    lines = head.split("\n")
    covered = "".join(f"{line}\n" for line in lines if not line.startswith(f"{_CHECKSUM}: "))
    return {name: _value(value) for name, _, value in (line.partition(": ") for line in lines)}, body, covered


_MARKS = ("<!-- PRIORITY: ", "machine: ")
"""What only a description itself may say at the beginning of a line: in quoted text it gets a backslash."""


def _is_mark(line: str) -> bool:
    return line.lstrip("\\").startswith(_MARKS)


def _escaped(body: str) -> str:
    return "\n".join(f"\\{line}" if _is_mark(line) else line for line in body.split("\n"))


def _as_it_was(body: str) -> str:
    return "\n".join(line[1:] if line.startswith("\\") and _is_mark(line) else line for line in body.split("\n"))


def _sections(text: str) -> list[Section]:
    found = []
    for part in f"\n{text}".split("\n<!-- PRIORITY: ")[1:]:
        priority, _, rest = part.partition(" -->\n## ")
        title, _, body = rest.partition("\n\n")
        found.append(Section(priority, title, _as_it_was(body.strip())))
    return found


def _scalar(value: str) -> str:
    """A value that YAML reads as the text it is, on one line."""
    flat = "".join(letter for letter in " ".join(value.split()) if letter.isprintable())
    plain = flat and flat.isascii() and flat[0].isalpha() and all(c.isalnum() or c in "./-_+ " for c in flat)
    return flat if plain and flat.lower() not in _NOT_TEXT else "'" + flat.replace("'", "''") + "'"


def _value(scalar: str) -> str:
    quoted = len(scalar) > 1 and scalar[0] == scalar[-1] == "'"
    return scalar[1:-1].replace("''", "'") if quoted else scalar.strip('"')


_NOT_TEXT = ("true", "false", "yes", "no", "on", "off", "null", "y", "n")
"""Words that YAML takes for something else."""
