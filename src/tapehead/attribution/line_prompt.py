"""What a line was asked for with: the turn at whose end it first lay there, and that turn's prompt."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from tapehead.attribution.snapshots import END, Chain
from tapehead.git import batch
from tapehead.git.run import GitFailed
from tapehead.git.side import Side
from tapehead.history.turn_numbers import turn_numbers
from tapehead.store.paths import place_name

if TYPE_CHECKING:
    from tapehead.git.layout import Repository
    from tapehead.store.paths import Layout

_MARKS = 400


class Asked(NamedTuple):
    """A turn, and what was asked."""

    turn: int
    prompt: str


def asked_for(layout: Layout, repository: Repository, session_id: str, path: str, text: str) -> Asked | None:
    """The turn of a session that brought a line of a file; None where no record of the work tree tells (any more)."""
    side = Side(layout.lines, repository.common_dir)
    chain = Chain(side, place_name(repository.worktree_id))
    marks = list(reversed(chain.newest(_MARKS)))
    had = _had(side, [name for name, _ in marks], path, text) if marks else []
    appeared = [number for number, has in enumerate(had) if has and not (number and had[number - 1])]
    for number in reversed(appeared):
        name, asked = marks[number]
        made = chain.known(name).made if asked.endswith(f" {END}") else {}
        if made.get("session") == session_id:
            numbers = turn_numbers(layout, session_id)
            turn = numbers.ended(made["turn"], str(made.get("line", "")))
            return Asked(turn, numbers.asked(turn))
    return None


def _had(side: Side, marks: list[str], path: str, text: str) -> list[bool]:
    """By mark, whether the file had such a line then; with one process."""
    wanted = text.encode("utf-8", "replace")
    asked = "".join(f"{mark}:work/{path}\n" for mark in marks) if "\n" not in path else ""
    try:
        raw = side.git("cat-file", "--batch", stdin=os.fsencode(asked), most=1 << 28)
    except GitFailed as error:
        error.raise_if_killed()
        return []
    return [content is not None and wanted in content.split(b"\n") for content in batch.blobs(raw)]
