"""Codex's patches, file by file: `*** Begin Patch`, then what is to be added, updated, moved and deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.transcript import turns

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

BEGIN = "*** Begin Patch"
_END = "*** End Patch"
_ADD, _DELETE, _UPDATE, _MOVE = "*** Add File: ", "*** Delete File: ", "*** Update File: ", "*** Move to: "
_FILES = (_ADD, _DELETE, _UPDATE)
DELETED = "deleted"


def changes(patch: str) -> Iterator[dict[str, Any]]:
    """Yield what is done to each file, as the fields of a call. A patch that is none yields nothing."""
    head, lines = "", list[str]()
    for line in patch.partition(BEGIN)[2].partition(_END)[0].splitlines():
        if line.startswith(_FILES):
            yield from _change(head, lines)
            head, lines = line, []
        else:
            lines.append(line)
    yield from _change(head, lines)


def _change(head: str, lines: list[str]) -> Iterator[dict[str, Any]]:
    if not head:
        return
    mark = next(mark for mark in _FILES if head.startswith(mark))
    path = head[len(mark) :].strip()
    if mark == _ADD:
        yield {"kind": turns.WRITE, "path": path, "text": "\n".join(line[1:] for line in lines if line.startswith("+"))}
    elif mark == _DELETE:
        yield {"kind": turns.EDIT, "path": path, "note": DELETED}
    else:
        moved = next((line[len(_MOVE) :].strip() for line in lines if line.startswith(_MOVE)), "")
        note = f"moved from {path}" if moved else ""
        yield {"kind": turns.EDIT, "path": moved or path, "pairs": tuple(_hunks(lines)), "note": note}


def _hunks(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Yield each hunk as (old, new); the lines that only say where are in both."""
    old, new = list[str](), list[str]()
    for line in (*lines, "@@"):
        if line.startswith("@@"):
            if old or new:
                yield "\n".join(old), "\n".join(new)
            old, new = [], []
        elif not line.startswith("***"):
            old += [line[1:]] if line[:1] != "+" else []
            new += [line[1:]] if line[:1] != "-" else []


def read_recorded(applied: Any) -> Iterator[dict[str, Any]]:
    """Yield the same from what the agent wrote down of a patch that it applied: path by path, with a diff."""
    for path, change in applied.items() if isinstance(applied, dict) else ():
        if not isinstance(change, dict):
            continue
        diff, content = change.get("unified_diff"), change.get("content")
        if change.get("type") == "add" and isinstance(content, str):
            yield {"kind": turns.WRITE, "path": str(path), "text": content}
        elif isinstance(diff, str):
            moved = change.get("move_path")
            note = f"moved from {path}" if isinstance(moved, str) else ""
            place = moved if isinstance(moved, str) else str(path)
            yield {"kind": turns.EDIT, "path": place, "pairs": tuple(_hunks(diff.splitlines())), "note": note}
        else:
            yield {"kind": turns.EDIT, "path": str(path), "note": DELETED if change.get("type") == "delete" else ""}
