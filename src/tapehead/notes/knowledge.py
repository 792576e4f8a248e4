"""What the running notes know, in plain lists and dicts, which any file can hold; lists where names would be written a hundred times."""

from __future__ import annotations

from typing import Any, NamedTuple

MOST = {
    "asks": 12,
    "rules": 20,
    "files": 40,
    "commands": 60,
    "ran": 200,
    "errors": 20,
    "learnings": 30,
    "worklog": 80,
    "lists": 3,
}
"""How much of each kind is kept; the newest, and of the asks also the first."""

EDITED, WRITTEN, READ, IN_TURN, SYMBOLS = range(5)
"""Of a file: how often it was edited, written, read; the last turn; the functions worked on."""
TIMES, PURPOSE, FAILED, OUTCOME, RAN_IN = range(5)
"""Of a command: how often it ran, what it is for, whether the last run failed, what that said; the last turn."""
TEXT, FAILED_IN, CURE = range(3)
"""Of an error: what it said, in which turn, what fixed it."""


class Gathered(NamedTuple):
    """Everything that was found so far."""

    turn: int = 0
    branch: str = ""
    cwd: str = ""
    root: str = ""
    """Where the work began: files are named from there, wherever the agent went since."""
    ended: str = ""
    asks: list[list[Any]] = []  # noqa: RUF012 - never changed: a change is a new value
    """Turn, time and words."""
    rules: list[list[Any]] = []  # noqa: RUF012 - as above
    """Turn and words."""
    orders: list[list[Any]] = []  # noqa: RUF012 - as above
    """Orders that are no rules by themselves, and what takes their place is one: turn and words."""
    listed: list[list[str]] = []  # noqa: RUF012 - as above
    """The agent's task list where it is given whole: text and status."""
    tasks: dict[str, list[str]] = {}  # noqa: RUF012 - as above
    """And where it is given one by one: by number."""
    lists: list[list[Any]] = []  # noqa: RUF012 - as above
    """The turn of the list that is given whole, and lists before it, each with its turn: one stands again where a turn is taken back."""
    added: dict[str, int] = {}  # noqa: RUF012 - as above
    """The turn in which each task was added."""
    files: dict[str, list[Any]] = {}  # noqa: RUF012 - as above
    commands: dict[str, list[Any]] = {}  # noqa: RUF012 - as above
    """Those that are for something, or ran more than once."""
    ran: dict[int, int] = {}  # noqa: RUF012 - as above
    """How often the others ran, which are for nothing that we know: most run once, so they are known by no more than a checksum."""
    errors: dict[int, list[Any]] = {}  # noqa: RUF012 - as above
    learnings: list[list[Any]] = []  # noqa: RUF012 - as above
    worklog: list[str] = []  # noqa: RUF012 - as above
    """A line for each turn but the last, as it is written: nothing about them changes any more."""
    latest: list[Any] = []  # noqa: RUF012 - as above
    """The last one: turn, time, what was asked, what came of it."""
    said: str = ""
    in_flight: list[str] = []  # noqa: RUF012 - as above
    edited: str = ""
    """The file that was edited last: what fixed an error."""


_ROWS: dict[str, tuple[type, ...]] = {
    "asks": (int, str, str),
    "rules": (int, str),
    "orders": (int, str),
    "listed": (str, str),
    "tasks": (str, str),
    "lists": (int, list),
    "files": (int, int, int, int, list),
    "commands": (int, str, bool, str, int),
    "errors": (str, int, str),
    "learnings": (int, str),
    "latest": (int, str, str, str),
}
"""What stands in each row: the file may have come with a repository, and is not believed."""
_BY_NUMBER = ("ran", "errors")


def read_known(found: object) -> Gathered | None:
    """Give what was kept as JSON; None where it is not what we keep."""
    if not isinstance(found, dict) or not found.keys() <= {*Gathered._fields}:
        return None
    try:
        for name in _BY_NUMBER:
            found = {**found, name: {int(key): value for key, value in found.get(name, {}).items()}}
        known = Gathered(**found)
    except (ValueError, AttributeError):
        return None
    return known if all(map(_fits, Gathered._fields, known, Gathered())) else None


def _fits(name: str, value: Any, empty: Any) -> bool:
    if type(value) is not type(empty):
        return False
    kinds = _ROWS.get(name)
    if kinds is None:
        inner = [*value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []
        return all(isinstance(one, int if isinstance(value, dict) else str) for one in inner)
    rows = [value] if name == "latest" and value else value.values() if isinstance(value, dict) else value
    return all(
        isinstance(row, list) and len(row) == len(kinds) and all(map(isinstance, row, kinds)) and _inner_fits(row)
        for row in rows
    )


def _inner_fits(row: list[Any]) -> bool:
    """Lists within a row hold texts, or rows of texts."""
    inner = [one for part in row if isinstance(part, list) for one in part]
    return all(isinstance(text, str) for one in inner for text in (one if isinstance(one, list) else [one]))


def log_turn(row: list[Any]) -> str:
    """The line of the log for a turn."""
    turn, time, asked, came = row
    return f"- turn {turn}, {time}: {asked or '(no words)'}{' → ' if came else ''}{came}"


def without(known: Gathered, since: int) -> Gathered:
    """What is left where the user took back the turns from one on. What was done to files and run was done all the same."""
    asks, rules, orders, learnings = (
        [row for row in rows if row[0] < since] for rows in (known.asks, known.rules, known.orders, known.learnings)
    )
    known = known._replace(asks=asks, rules=rules, orders=orders, learnings=learnings)
    log = [line for line in known.worklog if _turn_of(line) < since]
    latest = known.latest if known.latest and known.latest[0] < since else []
    errors = {key: error for key, error in known.errors.items() if error[FAILED_IN] < since}
    known = _without_tasks(known, since)
    return known._replace(worklog=log, latest=latest, errors=errors, said="" if known.turn >= since else known.said)


def _without_tasks(known: Gathered, since: int) -> Gathered:
    """The task list as it was before; a task that is gone keeps its number, since the agent counts on."""
    lists = [row for row in known.lists if row[0] < since]
    listed = (lists[-1][1] if lists else []) if len(lists) < len(known.lists) else known.listed
    gone = {number for number, turn in known.added.items() if turn >= since}
    tasks = {number: ["", "deleted"] if number in gone else task for number, task in known.tasks.items()}
    return known._replace(listed=listed, lists=lists, tasks=tasks)


def _turn_of(line: str) -> int:
    """The turn that a line of the log is about."""
    number = line.removeprefix("- turn ").partition(",")[0]
    return int(number) if number.isdecimal() else 0


def put(found: dict[Any, list[Any]], key: Any, value: list[Any]) -> None:
    """What was touched last stands last."""
    found.pop(key, None)
    found[key] = value


def newest(found: dict[Any, Any], kind: str) -> dict[Any, Any]:
    """As many as are kept."""
    return found if len(found) <= MOST[kind] else dict(list(found.items())[-MOST[kind] :])


def oftenest(ran: dict[int, int]) -> dict[int, int]:
    """As many as are kept: what ran once goes first, the oldest first."""
    over = len(ran) - MOST["ran"]
    if over <= 0:
        return ran
    gone = {*[known for known, times in ran.items() if times == 1][:over]}
    return newest({known: times for known, times in ran.items() if known not in gone}, "ran")


def with_new(rows: list[list[Any]], more: list[list[Any]], kind: str) -> list[list[Any]]:
    """The rows and those that are new, the same words where they were said last; as many as are kept."""
    return _each_once(rows, more)[-MOST[kind] :] if more else rows


def with_first(rows: list[list[Any]], more: list[list[Any]], kind: str) -> list[list[Any]]:
    """The same, but the first of them all stays."""
    found = _each_once(rows, more) if more else rows
    return found if len(found) <= MOST[kind] else [found[0], *found[1 - MOST[kind] :]]


def _each_once(rows: list[list[Any]], more: list[list[Any]]) -> list[list[Any]]:
    found: dict[str, list[Any]] = {}
    for row in (*rows, *more):
        words = row[-1].lower()
        found.pop(words, None)
        found[words] = row
    return list(found.values())
