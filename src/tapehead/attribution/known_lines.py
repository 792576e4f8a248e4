"""What is asked of a chain of marks, and what a mark says: a work tree, and whose its lines are. Values."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import attrs

from tapehead.checkpoints import line_owners

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from tapehead.attribution.tally import Tally
    from tapehead.checkpoints.line_owners import Files
    from tapehead.git.hunks import FileDiff
    from tapehead.git.trees import Recorded

    Late = Callable[[bytes], bool]
    """Whether a file changed after the one who was at work was at work."""

_NAMED = 20
START, END = "start", "end"
LOOK, REWOUND = "look", "rewound"
"""No turn's: the work tree before a rewind, which an undo goes back to, and the one after it."""


@attrs.frozen
class Mark:
    """What is asked for."""

    kind: str
    session: str
    turn: int
    line: str
    """The line of the tape that asks: the same one asks once."""
    at: int
    """Seconds since 1970."""
    late: bool = False
    """The agent may have begun before the work tree was recorded."""


@attrs.frozen
class Known:
    """A work tree, and whose its lines are."""

    mark: str = ""
    """The commit in the chain; empty where there is none yet."""
    work: str = ""
    """The recorded tree."""
    head: str = ""
    open: dict[str, int] = attrs.field(factory=dict)
    """The sessions whose turn is running, with its number."""
    files: Files = attrs.field(factory=dict)
    """The agents' lines that are in no commit."""
    gone: Files | None = None
    """The lines of HEAD that are not there any more, and who removed them (`removals`); None where a former version did not say."""
    stashes: dict[str, Files] = attrs.field(factory=dict)
    """The agents' lines in what is stashed, by the stash's commit (`stashes`)."""
    tally: Tally = attrs.field(factory=dict)
    made: dict[str, Any] = attrs.field(factory=dict)
    """By whom and why."""
    changed: tuple[bytes, ...] = ()
    """The files that differ from the mark before."""
    raw: str = ""
    """The flat tree (`real`) of files that lay there other than git would have them."""
    filtered: bool = False
    """A former version's: it has the files as git would commit them, and no more."""
    kept: str = ""
    """The same for the files that a rewind is about to touch, exactly: what an undo brings back."""

    @property
    def at_work(self) -> str:
        """The session whose turn was opened last, of those that are; nobody where none is."""
        return next(reversed(self.open), line_owners.HUMAN)


def as_json(known: Known) -> dict[str, Any]:
    """What a mark keeps, but for its own name."""
    return {
        "work": known.work,
        "head": known.head,
        "open": known.open,
        "files": _named(known.files),
        "gone": _named(known.gone or {}),
        **({"stashes": {tree: _named(files) for tree, files in known.stashes.items()}} if known.stashes else {}),
        "tally": _named(known.tally),
        "made": known.made,
        "changed": [os.fsdecode(path) for path in known.changed],
        "raw": known.raw,
        "kept": known.kept,
    }


def from_json(mark: str, found: dict[str, Any]) -> Known:
    """A mark by its name, and what it keeps."""
    return Known(
        mark=mark,
        work=found["work"],
        head=found["head"],
        open=found["open"],
        files=_files(found["files"]),
        gone=_files(found["gone"]) if "gone" in found else None,
        stashes={tree: _files(files) for tree, files in found.get("stashes", {}).items()},
        tally={os.fsencode(path): tuple(counts) for path, counts in found["tally"].items()},
        made=found["made"],
        changed=tuple(map(os.fsencode, found["changed"])),
        raw=found.get("raw", ""),
        filtered="raw" not in found,
        kept=found.get("kept", ""),
    )


def _named(by_path: dict[bytes, Any]) -> dict[str, Any]:
    return {os.fsdecode(path): value for path, value in by_path.items()}


def _files(by_name: dict[str, Any]) -> Files:
    return {os.fsencode(path): tuple(map(tuple, runs)) for path, runs in by_name.items()}


def list_open(before: dict[str, int], mark: Mark) -> dict[str, int]:
    """The sessions whose turn is running after a mark."""
    if mark.kind in (LOOK, REWOUND):
        return before
    others = {session: turn for session, turn in before.items() if session != mark.session}
    return others if mark.kind == END else {**others, mark.session: mark.turn}


def left_out(recorded: Recorded, diffs: list[FileDiff]) -> dict[str, list[str]]:
    """What is in no record, and of what nobody can say whose its lines are."""
    large = [os.fsdecode(diff.new) for diff in diffs if diff.is_large]
    return {"skipped": [os.fsdecode(path) for path in recorded.skipped[:_NAMED]], "too_large": large[:_NAMED]}


def never(_: bytes) -> bool:
    """Of no file: nobody's work was over before it changed."""
    return False
