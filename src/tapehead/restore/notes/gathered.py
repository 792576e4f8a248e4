"""What the running notes know: everything that was found so far, in a form that fits into a small file. Pure.

It grows by the turns that are new. What was read once is never read again, so that keeping notes costs what is new and nothing more.
Every text is fenced and masked when it comes in: whoever writes it out need not look at it again.
"""

from __future__ import annotations

from binascii import crc32
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from tapehead.restore.fence import clean, defused, quote, shorten
from tapehead.restore.notes.laying import Laid
from tapehead.text.mask import mask_all
from tapehead.text.plain import plain
from tapehead.transcript import turns as said
from tapehead.transcript.asks import rules
from tapehead.transcript.commands import outcome, purpose
from tapehead.transcript.decisions import decisions
from tapehead.transcript.errors import is_failure, key_of
from tapehead.transcript.files import names, shorter
from tapehead.transcript.inflight import background, in_flight

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tapehead.transcript.story import Act

_VERBS = {said.EDIT: "edited", said.WRITE: "written", said.READ: "read"}
_MOST = {"asks": 12, "rules": 20, "files": 40, "commands": 60, "errors": 20, "learnings": 30, "worklog": 80}
"""How much of each kind is kept; the newest, and of the asks also the first."""
_A_LINE, _A_SENTENCE, _A_COMMAND, _AN_ASK, _WORDS = 120, 240, 300, 400, 600
_SYMBOLS, _EDITS = 6, 3
_LOOKED_AT = 8_000
_AN_OUTCOME = 1_000
"""Characters of an output in which its outcome is looked for."""


class Gathered(NamedTuple):
    """All that is known, in plain lists and dicts, which any file can hold."""

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
        self.changed: dict[str, list[Act]] = {}
        self.runs: dict[str, list[Act]] = {}
        self.last_list: Act | None = None

    def done(self, own: list[tuple[int, said.Turn]]) -> Gathered:
        story, before = self.story, self.before
        touched = dict.fromkeys(act.call.path for act in story.acts if act.call.kind in _VERBS and act.call.path)
        near = mask_all([shorter(path, story.cwd or before.cwd) for path in touched])
        self.paths = {path: _cut(shown, 200) for path, shown in zip(touched, near, strict=True)}
        for act in story.acts:
            self._act(act)
        self._count_runs()
        self._name_symbols()
        self._list()
        decided, insisted = [*reversed(decisions(story))], [*reversed(rules(story))]
        last = {place.turn: told[0] for place, told in story.sentences if told}
        # Masked all at once, and before they are cut: one search over everything costs little more than over one of them.
        asks, found, ruled, came, words = _masked(
            [one.text for _, one in story.human],
            [fact.text for fact in decided],
            [fact.text for fact in insisted],
            [*last.values()],
            [text for _, text in story.agent[-1:]],
        )
        human = [(self.turn + at.turn, _minute(at.time), text) for (at, _), text in zip(story.human, asks, strict=True)]
        learned = [[self.turn + fact.turn, _cut(text, _A_SENTENCE)] for fact, text in zip(decided, found, strict=True)]
        corrected = [
            [self.turn + fact.turn, _cut(text, _A_SENTENCE)] for fact, text in zip(insisted, ruled, strict=True)
        ]
        asked = [[turn, time, _cut(text, _AN_ASK)] for turn, time, text in human]
        flight = [*in_flight(story)[bool(story.agent) :], *background(story)]
        return Gathered(
            turn=self.turn + story.turns,
            branch=clean(story.branch[:_A_LINE]) or before.branch,
            cwd=clean(story.cwd) or before.cwd,
            ended=_minute(story.ended) or before.ended,
            asks=_with_first(_each_once([*before.asks, *asked]), _MOST["asks"]),
            rules=_each_once([*before.rules, *corrected])[-_MOST["rules"] :],
            listed=self.listed,
            tasks=self.tasks,
            files=_newest(self.files, _MOST["files"]),
            commands=_newest(self.commands, _MOST["commands"]),
            errors=_newest(self.errors, _MOST["errors"]),
            learnings=_each_once([*before.learnings, *learned])[-_MOST["learnings"] :],
            worklog=self._worklog(own, dict(zip(last, came, strict=True)), human)[-_MOST["worklog"] :],
            said=_cut(words[0], _WORDS) if words else before.said,
            in_flight=[f"{fact.note}: {_short(fact.text, _A_SENTENCE)}" for fact in flight[-5:]],
            edited=self.edited,
        )

    def _act(self, act: Act) -> None:
        if (take := _TAKE.get(act.call.kind)) is not None:
            take(self, act)
        if not (act.failed or self.errors):
            return
        key = key_of(act)
        known = f"{crc32(key.encode('utf-8', 'surrogateescape')):08x}"
        if is_failure(act):
            text = f"`{_short(key, _A_LINE)}`: {_short(outcome(act.said[-_AN_OUTCOME:]), _A_SENTENCE)}"
            _put(self.errors, known, {"text": text, "turn": self._at(act), "note": ""})
        elif act.result is not None and known in self.errors and not self.errors[known]["note"]:
            note = f"fixed after editing {self.edited}" if self.edited else "passes now"
            _put(self.errors, known, {**self.errors[known], "note": note})

    def _touched(self, act: Act) -> None:
        if not act.call.path or act.failed:
            return
        path = self.paths[act.call.path]
        verb = _VERBS[act.call.kind]
        former = self.files.get(path, {"symbols": []})
        _put(self.files, path, {**former, verb: former.get(verb, 0) + 1, "turn": self._at(act)})
        if act.call.kind != said.READ:
            self.changed.setdefault(path, []).append(act)
        if act.call.kind == said.EDIT:
            self.edited = path

    def _name_symbols(self) -> None:
        """The functions of the newest edits of each file; where those define none, the one that the last edit stands in."""
        found: dict[str, list[str]] = {}
        for path, acts in self.changed.items():
            named = dict.fromkeys(name for act in reversed(acts[-_EDITS:]) for name in names(act.call, None))
            found[path] = list(named) or list(dict.fromkeys(acts[-1].symbols))
        masked = iter(mask_all([name for named in found.values() for name in named]))
        for path, worked_on in found.items():
            symbols = dict.fromkeys((*islice(masked, len(worked_on)), *self.files[path]["symbols"]))
            self.files[path] = {**self.files[path], "symbols": list(symbols)[:_SYMBOLS]}

    def _ran(self, act: Act) -> None:
        text = act.call.text.strip()
        if text and len(text) <= _A_COMMAND:
            self.runs.setdefault(text, []).append(act)

    def _count_runs(self) -> None:
        """Each command once: how it ended is looked for only in its last run."""
        runs = sorted(self.runs.items(), key=lambda run: run[1][-1].place.at)
        shown = [_cut(text, _A_COMMAND) for text in mask_all([text for text, _ in runs])]
        ends = [
            outcome(acts[-1].said[-_AN_OUTCOME:]) if purpose(text) else ""
            for text, (_, acts) in zip(shown, runs, strict=True)
        ]
        for text, (_, acts), came in zip(shown, runs, mask_all(ends), strict=True):
            times = self.commands.get(text, {}).get("times", 0) + len(acts)
            ran = {"failed": acts[-1].failed, "outcome": _cut(came, _A_LINE), "turn": self._at(acts[-1])}
            _put(self.commands, text, {"times": times, "purpose": purpose(text), **ran})

    def _todos(self, act: Act) -> None:
        """The list is given whole each time: only the last counts."""
        self.last_list = act

    def _list(self) -> None:
        if self.last_list is not None:
            pairs = [pair for pair in self.last_list.call.pairs if pair[0].strip()]
            texts = mask_all([text for text, _ in pairs])
            self.listed = [
                [_cut(text, _A_SENTENCE), clean(pair[1][:_A_LINE])] for text, pair in zip(texts, pairs, strict=True)
            ]

    def _task_added(self, act: Act) -> None:
        self.tasks[str(len(self.tasks) + 1)] = [_short(act.call.text, _A_SENTENCE), "pending"]

    def _task_set(self, act: Act) -> None:
        if act.call.path in self.tasks and act.call.text:
            self.tasks[act.call.path] = [self.tasks[act.call.path][0], clean(act.call.text[:_A_LINE])]

    def _worklog(
        self, own: list[tuple[int, said.Turn]], last: dict[int, str], human: list[tuple[int, str, str]]
    ) -> list[list[Any]]:
        """A line per turn; one that goes on gets what came of it now."""
        log = [*self.before.worklog]
        first = {turn - self.turn: text for turn, _, text in reversed(human)}
        for n, turn in own:
            came = _cut(last[n], _A_SENTENCE) if n in last else ""
            asked = _cut(first[n], _A_LINE) if n in first else ""
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
    return clean(quote(text, longest))


def _masked(*groups: list[str]) -> list[list[str]]:
    """Every group with its texts masked; of a text that is far too long, the beginning."""
    found = iter(mask_all([text[:_LOOKED_AT] for group in groups for text in group]))
    return [list(islice(found, len(group))) for group in groups]


def _cut(masked: str, longest: int) -> str:
    """The same for what is masked already."""
    if len(masked) > longest or not masked.isprintable():
        masked = shorten(" ".join(plain(masked[: longest * 8]).split()), longest)
    return defused(masked)


def _minute(time: str) -> str:
    return defused(plain(time[:16].replace("T", " ")))


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
