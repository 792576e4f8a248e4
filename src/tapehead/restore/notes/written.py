"""From what is known to the lines of the notes: the sections that a person would keep. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapehead.restore.notes.gathered import Gathered

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
    """Every section with its lines, in the order of the file."""
    return {title: list(dict.fromkeys(write(known))) for title, write in _SECTIONS.items()}


def _title(known: Gathered) -> list[str]:
    return [known.asks[0][2][:100]] if known.asks else []


def _state(known: Gathered) -> list[str]:
    where = f"{known.cwd} on {known.branch}" if known.branch else known.cwd
    lines = [f"- Turn {known.turn}, {known.ended}, {where}"]
    lines += [f"- Asked last (turn {ask[0]}): “{ask[2]}”" for ask in known.asks[-1:]]
    lines += [f"- Last words: “{known.said}”"] if known.said else []
    tasks = [*known.listed, *known.tasks.values()]
    lines += [
        f"- [ ] {text}{' (in progress)' if status == 'in_progress' else ''}"
        for text, status in tasks
        if status not in _OVER
    ]
    return [*lines, *(f"- {text}" for text in known.in_flight)]


def _task(known: Gathered) -> list[str]:
    return [f"- turn {turn}: “{text}”" for turn, _, text in known.asks]


def _files(known: Gathered) -> list[str]:
    found = []
    for path, file in list(known.files.items())[: -_SHOWN["files"] - 1 : -1]:
        done = ", ".join(
            f"{verb} {file[verb]}x" if file[verb] > 1 else verb
            for verb in ("edited", "written", "read")
            if verb in file
        )
        symbols = f": {', '.join(file['symbols'])}" if file["symbols"] else ""
        found.append(f"- {path}{symbols} ({done}, turn {file['turn']})")
    return found


def _workflow(known: Gathered) -> list[str]:
    """What is run again and again, and what is for something, in the order in which it was last run."""
    used = [(text, ran) for text, ran in known.commands.items() if ran["purpose"] or ran["times"] > 1]
    return [f"- `{text}` ({_times(ran['purpose'], ran['times'])})" for text, ran in used[-_SHOWN["workflow"] :]]


def _times(purpose: str, times: int) -> str:
    return ", ".join(part for part in (purpose, f"{times}x" if times > 1 else "") if part)


def _errors(known: Gathered) -> list[str]:
    newest = list(known.errors.values())[: -_SHOWN["errors"] - 1 : -1]
    wrong = [f"- {one['text']} ({one['note'] or 'open'}, turn {one['turn']})" for one in newest]
    return [*wrong, *(f"- The person: “{text}” (turn {turn})" for turn, text in reversed(known.rules))]


def _learnings(known: Gathered) -> list[str]:
    return [f"- {text} (turn {turn})" for turn, text in reversed(known.learnings)]


def _results(known: Gathered) -> list[str]:
    """How the last run of everything that is for something ended."""
    told = [(text, ran) for text, ran in known.commands.items() if ran["purpose"] and (ran["outcome"] or ran["failed"])]
    return [
        f"- `{text}` → {'failed: ' if ran['failed'] else ''}{ran['outcome']} (turn {ran['turn']})"
        for text, ran in told[: -_SHOWN["results"] - 1 : -1]
    ]


def _worklog(known: Gathered) -> list[str]:
    return [
        f"- turn {turn}, {time}: {asked or '(no words)'}{' → ' if came else ''}{came}"
        for turn, time, asked, came in known.worklog
    ]


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
