"""The trailer that leads from a commit to its checkpoint: put into a message, and read from one. Light."""

from __future__ import annotations

NAME = "Tapehead-Checkpoint"
_HEX = frozenset("0123456789abcdef")
_ID = 12
_SCISSORS = ">8"
_OF_A_PERSON = "Signed-off-by: "
"""Git itself puts these: a message that has nothing else is empty to it."""


def found(message: str) -> list[str]:
    """The ids that a message names, in order; a squash has several."""
    ids = []
    for line in message.splitlines():
        name, _, value = line.partition(":")
        word = value.strip()
        if name == NAME and len(word) == _ID and _HEX.issuperset(word) and word not in ids:
            ids.append(word)
    return ids


def everywhere(message: str) -> list[str]:
    """The ids that a message names at all: a server sets the messages of what it squashed in, or into a list."""
    return found("\n".join(line.lstrip(" \t*-") for line in message.splitlines()))


def said(text: str, comment: str = "#") -> list[str]:
    """The lines that a user wrote, or may have: no comment, nothing below the scissors, none of git's or ours.

    Where nothing is a comment (git opens no editor, and keeps every line), `comment` is empty.
    """
    lines = text.split("\n")
    mine = [lines[n].rstrip() for n in _kept(lines, comment)]
    return [line for line in mine if not line.startswith((_OF_A_PERSON, f"{NAME}: "))]


def put(text: str, ids: list[str], comment: str = "#") -> str:
    """A message with these ids at the end of what the user wrote.

    A message without a word stays as it is: git gives up a commit whose message is empty, and ours must not fill it.
    """
    if not said(text, comment):
        return text
    lines = text.split("\n")
    last = _kept(lines, comment)[-1]
    rows = [f"{NAME}: {word}" for word in ids]
    gap = [] if _is_trailers(lines, last) else [""]
    return "\n".join([*lines[: last + 1], *gap, *rows, *lines[last + 1 :]])


def without(text: str) -> str:
    """The message without ours."""
    return "\n".join(line for line in text.split("\n") if not line.startswith(f"{NAME}: "))


def _kept(lines: list[str], comment: str) -> list[int]:
    """The numbers of the lines that git keeps and that are not blank."""
    cut = comment or "#"
    end = next((n for n, line in enumerate(lines) if line.startswith(cut) and _SCISSORS in line), len(lines))
    return [n for n in range(end) if lines[n].strip() and not (comment and lines[n].startswith(comment))]


def _is_trailers(lines: list[str], last: int) -> bool:
    """Whether the paragraph that ends here is one of trailers; the first one is the subject's."""
    first = last
    while first > 0 and lines[first - 1].strip():
        first -= 1
    return first > 0 and all(_is_trailer(line) for line in lines[first : last + 1])


def _is_trailer(line: str) -> bool:
    name, sign, _ = line.partition(": ")
    return bool(sign) and name.replace("-", "").isalnum()
