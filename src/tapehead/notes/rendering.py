"""From what is known to the lines of the notes: the sections that a user would keep. Pure."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from tapehead.notes.knowledge import FAILED, OUTCOME, PURPOSE, RAN_IN, TIMES, log_turn
from tapehead.text.fence import single

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapehead.notes.knowledge import Gathered

TITLE, STATE, TASK, FILES = "Title", "Current state", "Task", "Files and functions"
WORKFLOW, ERRORS, LEARNINGS, RESULTS, WORKLOG = (
    "Workflow",
    "Errors and corrections",
    "Learnings",
    "Key results",
    "Worklog",
)
_OVER = ("completed", "deleted", "cancelled")
_SHOWN = {"files": 25, "workflow": 15, "errors": 12, "results": 10}


def sections(known: Gathered) -> dict[str, list[str]]:
    """Every section with its lines, each line once, in the order of the file."""
    return {title: write(known) for title, write in _SECTIONS.items()}


def _title(known: Gathered) -> list[str]:
    """On a line of its own, so it must not begin like a heading, a quote or code."""
    title = known.asks[0][2].lstrip("#>`~-*+= \t").rstrip() if known.asks else ""
    return [title if len(title) <= _TITLE else _whole_words(title[:_TITLE])] if title else []


_TITLE = 100


def _whole_words(cut: str) -> str:
    """Not inside a word, unless there is but one."""
    return (cut.rpartition(" ")[0].rstrip() or cut[:-1]) + "…"


def _state(known: Gathered) -> list[str]:
    where = f"{known.cwd} on {known.branch}" if known.branch else known.cwd
    lines = [f"- Turn {known.turn}, {known.ended}, {where}"]
    lines += [f"- Asked last (turn {ask[0]}): “{single(ask[2])}”" for ask in known.asks[-1:]]
    lines += [f"- Last words: “{single(known.said)}”"] if known.said else []
    tasks = [*known.listed, *known.tasks.values()]
    lines += [
        f"- [ ] {text}{' (in progress)' if status == 'in_progress' else ''}"
        for text, status in tasks
        if status not in _OVER
    ]
    return list(dict.fromkeys([*lines, *(f"- {text}" for text in known.in_flight)]))


def _task(known: Gathered) -> list[str]:
    return list(dict.fromkeys(f"- turn {turn}: “{single(text)}”" for turn, _, text in known.asks))


def _files(known: Gathered) -> list[str]:
    found = []
    for path, (edited, written, read, turn, symbols) in list(known.files.items())[: -_SHOWN["files"] - 1 : -1]:
        worked_on = f": {', '.join(symbols)}" if symbols else ""
        found.append(f"- {path}{worked_on} ({_done(edited, written, read)}, turn {turn})")
    return found


@cache
def _done(edited: int, written: int, read: int) -> str:
    """What was done to a file, in words: the same few again and again."""
    counts = (("edited", edited), ("written", written), ("read", read))
    return ", ".join(f"{verb} {count}x" if count > 1 else verb for verb, count in counts if count)


def _workflow(known: Gathered) -> list[str]:
    """What is run again and again, and what is for something, in the order in which it was last run."""
    used = list(known.commands.items())[-_SHOWN["workflow"] :]
    return [f"- `{text}` ({_times(ran[PURPOSE], ran[TIMES])})" for text, ran in used]


def _times(purpose: str, times: int) -> str:
    if times > 1:
        return f"{purpose}, {times}x" if purpose else f"{times}x"
    return purpose


def _errors(known: Gathered) -> list[str]:
    newest = list(known.errors.values())[: -_SHOWN["errors"] - 1 : -1]
    wrong = [f"- {text} ({cure or 'open'}, turn {turn})" for text, turn, cure in newest]
    ruled = [f"- The user: “{single(text)}” (turn {turn})" for turn, text in reversed(known.rules)]
    return list(dict.fromkeys(wrong + ruled))


def _learnings(known: Gathered) -> list[str]:
    return [f"- {text} (turn {turn})" for turn, text in reversed(known.learnings)]


def _results(known: Gathered) -> list[str]:
    """How the last run of everything that is for something ended."""
    told = [(text, ran) for text, ran in known.commands.items() if ran[PURPOSE] and (ran[OUTCOME] or ran[FAILED])]
    return [
        f"- `{text}` → {'failed: ' if ran[FAILED] else ''}{ran[OUTCOME]} (turn {ran[RAN_IN]})"
        for text, ran in told[: -_SHOWN["results"] - 1 : -1]
    ]


def _worklog(known: Gathered) -> list[str]:
    return [*known.worklog, log_turn(known.latest)] if known.latest else known.worklog


_SECTIONS: dict[str, Callable[[Gathered], list[str]]] = {
    TITLE: _title,
    STATE: _state,
    TASK: _task,
    FILES: _files,
    WORKFLOW: _workflow,
    ERRORS: _errors,
    LEARNINGS: _learnings,
    RESULTS: _results,
    WORKLOG: _worklog,
}
TITLES = tuple(_SECTIONS)
