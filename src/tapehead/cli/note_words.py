"""What the notes on a tape say, in a few words: for `tapehead log`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.text.wording import count

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapehead.store.line import Line


def describe_note(line: Line) -> list[str]:
    """The parts worth a word; none for an event, or for a note that says all by its name."""
    return _OF[line.note](line) if line.event is None and line.note in _OF else []


def _ingest(line: Line) -> list[str]:
    counted = {"input": "in", "output": "out", "context_tokens": "in the context"}
    told = [f"{number:,} {word}" for name, word in counted.items() if (number := line.number(name))]
    files = len({*line.texts("files"), *line.texts("changed")})
    told += [f"{count(files, 'file')} changed"] if files else []
    return [", ".join(told)] if told else []


def _mark_lines(line: Line) -> list[str]:
    return [
        f"{whose} +{line.number(f'{name}_added') or 0} -{line.number(f'{name}_removed') or 0}"
        for name, whose in (("user", "human"), ("agent", "agents"))
    ]


def _condense(line: Line) -> list[str]:
    lines = line.number("session_added")
    told = [f"checkpoint {line.text('id')}", f"of commit {line.text('commit')[:10]}"]
    return [*told, f"with {count(lines, 'line')} of this session"] if lines is not None else told


def _rewound(line: Line) -> list[str]:
    turn = line.number("turn")
    back = "once more" if line.data.get("redone") is True else "taken back"
    before = line.text("before")
    to = back if turn is None else f"to before {before}" if before else f"to turn {turn}"
    return [f"{to}, {count(len(line.texts('files')), 'file')}"]


def _survey(line: Line) -> list[str]:
    return [count(len(line.texts("untracked")), "untracked file")]


_OF: dict[str, Callable[[Line], list[str]]] = {
    "snapshot": _ingest,
    "ingest": _ingest,
    "mark_lines": _mark_lines,
    "condense": _condense,
    "condense_if_touched": _condense,
    "rewound": _rewound,
    "survey": _survey,
}
