"""What the running notes know: everything that was found so far, in a form that fits into a small JSON file. Pure.

It grows by the turns that are new. What was read once is never read again, so that keeping notes costs what is new and nothing more.
Every text is fenced and masked when it comes in: whoever writes it out need not look at it again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from tapehead.restore.fence import clean, quote
from tapehead.restore.notes.laying import Laid
from tapehead.transcript import turns as said
from tapehead.transcript.asks import rules
from tapehead.transcript.commands import outcome, purpose
from tapehead.transcript.decisions import decisions
from tapehead.transcript.errors import is_failure, key_of
from tapehead.transcript.files import names, shorter
from tapehead.transcript.inflight import background, in_flight
from tapehead.transcript.sentences import flat

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tapehead.transcript.story import Act

_VERBS = {said.EDIT: "edited", said.WRITE: "written", said.READ: "read"}
_MOST = {"asks": 12, "rules": 20, "files": 40, "commands": 60, "errors": 20, "learnings": 30, "worklog": 80}
"""How much of each kind is kept; the newest, and of the asks also the first."""
_A_LINE, _A_SENTENCE, _A_COMMAND, _AN_ASK, _WORDS = 120, 240, 300, 400, 600
_SYMBOLS, _EDITS = 6, 4
_AN_OUTCOME = 1_000
"""Characters of an output in which its outcome is looked for."""


class Gathered(NamedTuple):
    """All that is known. Lists hold lists, since JSON has nothing else."""

    turn: int = 0
    branch: str = ""
    cwd: str = ""
    ended: str = ""
    asks: list[list[Any]] = []  # noqa: RUF012 - never changed: a change is a new value
    """Turn, time and words."""
    rules: list[list[Any]] = []  # noqa: RUF012 - as above
    """Turn and words."""
    listed: list[list[str]] = []  # noqa: RUF012 - as above
    """The agent's task list where it is given whole: text and status."""
    tasks: dict[str, list[str]] = {}  # noqa: RUF012 - as above
    """And where it is given one by one: by number."""
    files: dict[str, dict[str, Any]] = {}  # noqa: RUF012 - as above
    commands: dict[str, dict[str, Any]] = {}  # noqa: RUF012 - as above
    errors: dict[str, dict[str, Any]] = {}  # noqa: RUF012 - as above
    learnings: list[list[Any]] = []  # noqa: RUF012 - as above
    worklog: list[list[Any]] = []  # noqa: RUF012 - as above
    """Turn, time, what was asked, what came of it."""
    said: str = ""
    in_flight: list[str] = []  # noqa: RUF012 - as above
    edited: str = ""
    """The file that was edited last: what fixed an error."""


def gathered(before: Gathered, told: Iterable[said.Turn]) -> Gathered:
    """What is known after these turns, which follow on those before; the first may go on with the last turn that was read."""
    own = [turn for turn in told if not turn.subagent]
    if not own:
        return before
    numbered = [*zip(_numbers(own), own, strict=True)]
    goes_on = bool(before.turn) and not _asks(own[0])
    return _Gathering(before, Laid(numbered), before.turn - goes_on).done(numbered)


def _numbers(own: list[said.Turn]) -> Iterator[int]:
    """A reader may hand over a long turn in parts: they are one."""
    number = 0
    for turn in own:
        number += not turn.goes_on
        yield number


def _asks(turn: said.Turn) -> bool:
    """Whether a person's words begin it; queued ones came into the middle of it."""
    first = next((one for one in turn.steps if isinstance(one, said.Said) and one.who == said.HUMAN), None)
    return first is not None and not first.queued


class _Gathering:
    """Copies what is about to change, and changes the copies."""

    def __init__(self, before: Gathered, story: Laid, turn: int) -> None:
        self.before = before
        self.story = story
        self.turn = turn
        self.files = dict(before.files)
        self.commands = dict(before.commands)
        self.errors = dict(before.errors)
        self.listed, self.tasks = before.listed, dict(before.tasks)
        self.edited = before.edited
        self.paths: dict[str, str] = {}
        self.keys: dict[str, str] = {}
        self.changed: dict[str, list[Act]] = {}
        self.runs: dict[str, list[Act]] = {}
        self.last_list: Act | None = None

    def done(self, own: list[tuple[int, said.Turn]]) -> Gathered:
        story, before = self.story, self.before
        for act in story.acts:
            self._act(act)
        self._count_runs()
        self._name_symbols()
        if self.last_list is not None:
            pairs = self.last_list.call.pairs
            self.listed = [
                [_short(text, _A_SENTENCE), clean(status[:_A_LINE])] for text, status in pairs if text.strip()
            ]
        asks = [[self.turn + at.turn, _minute(at.time), _short(one.text, _AN_ASK)] for at, one in story.human]
        found = [[self.turn + fact.turn, _short(fact.text, _A_SENTENCE)] for fact in reversed(decisions(story))]
        insisted = [[self.turn + fact.turn, _short(fact.text, _A_SENTENCE)] for fact in reversed(rules(story))]
        flight = [*in_flight(story)[bool(story.agent) :], *background(story)]
        return Gathered(
            turn=self.turn + story.turns,
            branch=_short(story.branch, _A_LINE) or before.branch,
            cwd=clean(story.cwd) or before.cwd,
            ended=_minute(story.ended) or before.ended,
            asks=_with_first(_each_once([*before.asks, *asks]), _MOST["asks"]),
            rules=_each_once([*before.rules, *insisted])[-_MOST["rules"] :],
            listed=self.listed,
            tasks=self.tasks,
            files=_newest(self.files, _MOST["files"]),
            commands=_newest(self.commands, _MOST["commands"]),
            errors=_newest(self.errors, _MOST["errors"]),
            learnings=_each_once([*before.learnings, *found])[-_MOST["learnings"] :],
            worklog=self._worklog(own)[-_MOST["worklog"] :],
            said=_short(story.agent[-1][1], _WORDS) if story.agent else before.said,
            in_flight=[f"{fact.note}: {_short(fact.text, _A_SENTENCE)}" for fact in flight[-5:]],
            edited=self.edited,
        )

    def _act(self, act: Act) -> None:
        if (take := _TAKE.get(act.call.kind)) is not None:
            take(self, act)
        if not (act.failed or self.errors):
            return
        raw = key_of(act)
        key = self.keys.get(raw) or self.keys.setdefault(raw, clean(raw))
        if is_failure(act):
            text = f"`{key}`: {_short(outcome(act.said[-_AN_OUTCOME:]), _A_SENTENCE)}"
            _put(self.errors, key, {"text": text, "turn": self._at(act), "note": ""})
        elif act.result is not None and key in self.errors and not self.errors[key]["note"]:
            note = f"fixed after editing {self.edited}" if self.edited else "passes now"
            _put(self.errors, key, {**self.errors[key], "note": note})

    def _touched(self, act: Act) -> None:
        if not act.call.path or act.failed:
            return
        path = self.paths.get(act.call.path) or self._path(act.call.path)
        verb = _VERBS[act.call.kind]
        former = self.files.get(path, {"symbols": []})
        _put(self.files, path, {**former, verb: former.get(verb, 0) + 1, "turn": self._at(act)})
        if act.call.kind != said.READ:
            self.changed.setdefault(path, []).append(act)
        if act.call.kind == said.EDIT:
            self.edited = path

    def _name_symbols(self) -> None:
        """The functions of the newest edits of each file. The one that an edit stands in is looked for where the edit names none."""
        for path, acts in self.changed.items():
            if path in self.files:
                found = [name for act in reversed(acts[-_EDITS:]) for name in [*names(act.call, None)] or act.symbols]
                symbols = dict.fromkeys((*found, *self.files[path]["symbols"]))
                self.files[path] = {**self.files[path], "symbols": [clean(name) for name in symbols][:_SYMBOLS]}

    def _path(self, path: str) -> str:
        found = self.paths[path] = _short(shorter(path, self.story.cwd or self.before.cwd), 200)
        return found

    def _ran(self, act: Act) -> None:
        text = act.call.text.strip()
        if text and len(text) <= _A_COMMAND:
            self.runs.setdefault(text, []).append(act)

    def _count_runs(self) -> None:
        """Each command once: how it ended is looked for only in its last run."""
        for raw, acts in sorted(self.runs.items(), key=lambda run: run[1][-1].place.at):
            text, last = clean(flat(raw)), acts[-1]
            for_what = purpose(text)
            came = _short(outcome(last.said[-_AN_OUTCOME:]), _A_LINE) if for_what else ""
            times = self.commands.get(text, {}).get("times", 0) + len(acts)
            ran = {"failed": last.failed, "outcome": came, "turn": self._at(last)}
            _put(self.commands, text, {"times": times, "purpose": for_what, **ran})

    def _todos(self, act: Act) -> None:
        """The list is given whole each time: only the last counts."""
        self.last_list = act

    def _task_added(self, act: Act) -> None:
        self.tasks[str(len(self.tasks) + 1)] = [_short(act.call.text, _A_SENTENCE), "pending"]

    def _task_set(self, act: Act) -> None:
        if act.call.path in self.tasks and act.call.text:
            self.tasks[act.call.path] = [self.tasks[act.call.path][0], clean(act.call.text[:_A_LINE])]

    def _worklog(self, own: list[tuple[int, said.Turn]]) -> list[list[Any]]:
        """A line per turn; one that goes on gets what came of it now."""
        log = [*self.before.worklog]
        last = {place.turn: told[0] for place, told in self.story.sentences if told}
        for n, turn in own:
            came = _short(last[n], _A_SENTENCE) if n in last else ""
            asked = next((_short(words, _A_LINE) for words in turn.human), "")
            if log and log[-1][0] == self.turn + n:
                log[-1] = [*log[-1][:2], log[-1][2] or asked, came or log[-1][3]]
            else:
                log.append([self.turn + n, _minute(turn.began), asked, came])
        return log

    def _at(self, act: Act) -> int:
        return self.turn + act.place.turn


_TAKE: dict[str, Callable[[_Gathering, Act], None]] = {
    said.EDIT: _Gathering._touched,  # noqa: SLF001 - the table of this class
    said.WRITE: _Gathering._touched,  # noqa: SLF001 - as above
    said.READ: _Gathering._touched,  # noqa: SLF001 - as above
    said.RUN: _Gathering._ran,  # noqa: SLF001 - as above
    said.TODOS: _Gathering._todos,  # noqa: SLF001 - as above
    said.TASK_ADD: _Gathering._task_added,  # noqa: SLF001 - as above
    said.TASK_SET: _Gathering._task_set,  # noqa: SLF001 - as above
}


def _short(text: str, longest: int) -> str:
    """On one line, shortened, fenced and masked."""
    return clean(text if len(text) <= longest and text.isprintable() else quote(text, longest))


def _minute(time: str) -> str:
    return clean(time[:16].replace("T", " "))


def _put(found: dict[str, dict[str, Any]], key: str, value: dict[str, Any]) -> None:
    """What was touched last stands last."""
    found.pop(key, None)
    found[key] = value


def _newest(found: dict[str, dict[str, Any]], most: int) -> dict[str, dict[str, Any]]:
    return dict(list(found.items())[-most:])


def _each_once(rows: list[list[Any]]) -> list[list[Any]]:
    """The same words count where they were said last."""
    found: dict[str, list[Any]] = {}
    for row in rows:
        found.pop(row[-1].lower(), None)
        found[row[-1].lower()] = row
    return list(found.values())


def _with_first(rows: list[list[Any]], most: int) -> list[list[Any]]:
    return rows if len(rows) <= most else [rows[0], *rows[1 - most :]]
