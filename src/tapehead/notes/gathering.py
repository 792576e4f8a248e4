"""From new turns to what the running notes know: it grows by what is new, and nothing is read or taken apart twice. Pure.

Every text is fenced and redacted when it comes in: whoever writes it out need not look at it again.
"""

from __future__ import annotations

from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any

from tapehead.notes.acts import Sorted, said_at_last
from tapehead.notes.failed_acts import failures
from tapehead.notes.knowledge import (
    CURE,
    MOST,
    SYMBOLS,
    TIMES,
    Gathered,
    log_turn,
    newest,
    oftenest,
    put,
    with_first,
    with_new,
    without,
)
from tapehead.notes.turn_layout import Laid
from tapehead.text.checksum import checksum
from tapehead.text.fence import clean, defuse, quote, shorten
from tapehead.text.plain import plain
from tapehead.text.redaction import redact_all
from tapehead.text.repeated_secrets import Repeated
from tapehead.text.times import minute
from tapehead.transcript import turns as said
from tapehead.work_record.decisions import decisions
from tapehead.work_record.facts import Fact
from tapehead.work_record.files_in_play import shorter
from tapehead.work_record.rules import Standing, sayings, told, untold
from tapehead.work_record.todos import listed_tasks, next_number
from tapehead.work_record.work_in_flight import background, find_unanswered

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tapehead.work_record.step_row import Act

_A_LINE, _A_PATH, _A_SENTENCE, _A_COMMAND, _AN_ASK, _WORDS = 120, 200, 240, 300, 400, 600
_MOST_SYMBOLS, _MOST_IN_FLIGHT = 6, 5
_LOOKED_AT = 3
"""How much more than what is shown is looked at, for white space and for secrets."""


def gather_notes(before: Gathered, told: Iterable[said.Turn]) -> Gathered:
    """What is known after these turns, which follow on those before; the first may go on with the last turn that was read."""
    for own in _parts([turn for turn in told if not turn.subagent]):
        before = _gathered(before, own)
    return before


def _parts(own: list[said.Turn]) -> Iterator[list[said.Turn]]:
    """Cut before each turn that drops others: what they left is taken back as if it had been read long before."""
    cuts = [0, *(n for n, turn in enumerate(own) if n and turn.drops), len(own)]
    return (own[since:until] for since, until in pairwise(cuts) if since < until)


def _gathered(before: Gathered, own: list[said.Turn]) -> Gathered:
    if own[0].drops:
        before = without(before, before.turn + 1 - own[0].drops)
    numbered = [*said.number_turns(own)]
    return _Gathering(before, Laid(numbered), before.turn).done(numbered)


class _Gathering:
    """Copies what is about to change, and changes the copies."""

    def __init__(self, before: Gathered, conversation: Laid, turn: int) -> None:
        self.before = before
        self.conversation = conversation
        self.turn = turn
        self.acts = Sorted(conversation.acts)
        self.ran = dict(before.ran)
        self.ends = [*self._worth_telling()]
        still_open = {known for known, error in before.errors.items() if not error[CURE]}
        self.failures, self.edited = failures(conversation.acts, still_open)

    def _worth_telling(self) -> Iterator[tuple[str, str, Act, int]]:
        """The commands that are shown, and how often each ran; of a command that is for nothing that we know, since its first run."""
        for text, purpose, act, times in self.acts.ends():
            so_far = times
            if not purpose:
                known = checksum(text)
                self.ran[known] = so_far = self.ran.pop(known, 0) + times
            if purpose or so_far > 1:
                yield text, purpose, act, so_far

    def done(self, own: list[tuple[int, said.Turn]]) -> Gathered:
        conversation, before, acts = self.conversation, self.before, self.acts
        decided, ordered = decisions(conversation)[::-1], [*sayings(conversation)]
        root = before.root or next((turn.cwd for _, turn in own if turn.cwd), "")
        names = [file.symbols for file in acts.files.values()]
        failed = [(failure.key.strip(), failure.act) for failure in self.failures.values() if failure.act is not None]
        # Redacted all at once, and before they are cut: one search over everything costs little more than over one of them.
        paths, named, ran, ended, errors, todos, asks, learned, ruled, came, words = _masked(
            [shorter(path, root) for path in acts.files],
            [name for some in names for name in some],
            [end[0] for end in self.ends],
            [said_at_last(act) if purpose else "" for _, purpose, act, _ in self.ends],
            [text for key, act in failed for text in (key, said_at_last(act))],
            [text for act in acts.lists.values() for text, _ in act.call.pairs],
            [one.text[: _AN_ASK * _LOOKED_AT] for _, one in conversation.human],
            [fact.text for fact in decided],
            [fact.text for fact in ordered],
            [*conversation.came.values()],
            [text[: _WORDS * _LOOKED_AT] for _, text in conversation.agent[-1:]],
        )
        paths = [_cut(path, _A_PATH) for path in paths]
        by_path = dict(zip(acts.files, paths, strict=True))
        human = [
            (self.turn + at.turn, _minute(at.time), text)
            for (at, _), text in zip(conversation.human, asks, strict=True)
        ]
        asked = [[turn, time, _cut(text, _AN_ASK)] for turn, time, text in human]
        symbols = iter(named)
        heard = self._heard(ordered, ruled)
        standing = [rule for rule in heard.rules.values() if rule.holds]
        lists = self._lists(todos)
        log = self._worklog(own, dict(zip(conversation.came, came, strict=True)), human)
        return Gathered(
            turn=self.turn + conversation.turns,
            branch=_again(conversation.branch[:_A_LINE], before.branch),
            cwd=_again(conversation.cwd, before.cwd),
            root=_again(root, before.root),
            ended=_minute(conversation.ended) or before.ended,
            asks=with_first(before.asks, asked, "asks"),
            rules=[[rule.turn, told(rule)] for rule in standing][-MOST["rules"] :],
            orders=[[one.turn, one.text] for one in heard.orders.values()],
            listed=lists[-1][1] if acts.lists else before.listed,
            tasks=self._tasks(),
            lists=lists,
            added=self._added(),
            files=self._files(paths, [[*islice(symbols, len(some))] for some in names]),
            commands=self._commands(ran, ended),
            ran=oftenest(self.ran),
            errors=self._errors(errors, by_path),
            learnings=with_new(before.learnings, self._told(decided, learned), "learnings"),
            worklog=[*before.worklog, *map(log_turn, log[:-1])][1 - MOST["worklog"] :],
            latest=log[-1],
            said=_cut(words[0], _WORDS) if words else before.said,
            in_flight=self._in_flight(),
            edited=by_path[self.edited] if self.edited else before.edited,
        )

    def _told(self, facts: Iterable[Fact], texts: Iterable[str]) -> list[list[Any]]:
        """Turn and words."""
        return [[self.turn + fact.turn, _cut(text, _A_SENTENCE)] for fact, text in zip(facts, texts, strict=True)]

    def _heard(self, said: list[Fact], texts: list[str]) -> Standing:
        """What stands after these sentences, too."""
        orders = (Fact(text, turn) for turn, text in self.before.orders)
        standing = Standing((untold(text, turn) for turn, text in self.before.rules), orders)
        for fact, text in zip(said, texts, strict=True):
            standing.hear(fact._replace(text=_cut(text, _A_SENTENCE), turn=self.turn + fact.turn))
        return standing

    def _files(self, paths: list[str], named: list[list[str]]) -> dict[str, list[Any]]:
        files = dict(self.before.files)
        for path, file, names in zip(paths, self.acts.files.values(), named, strict=True):
            former = files.get(path, [0, 0, 0, 0, []])
            times = [a + b for a, b in zip(former, file.times, strict=False)]
            symbols = list(dict.fromkeys((*names, *former[SYMBOLS])))[:_MOST_SYMBOLS]
            put(files, path, [*times, self.turn + file.turn, symbols])
        return newest(files, "files")

    def _commands(self, shown: list[str], ended: list[str]) -> dict[str, list[Any]]:
        commands = dict(self.before.commands)
        for text, came, (_, purpose, act, times) in zip(shown, ended, self.ends, strict=True):
            command = _cut(text, _A_COMMAND)
            former = commands[command][TIMES] if command in commands else 0
            so_often = former + times if purpose else max(former, times)  # two that are redacted alike are one here
            put(commands, command, [so_often, purpose, act.failed, _cut(came, _A_LINE), self._at(act)])
        return newest(commands, "commands")

    def _errors(self, told: list[str], paths: dict[str, str]) -> dict[int, list[Any]]:
        errors = dict(self.before.errors)
        texts = iter(told)
        for known, failure in self.failures.items():
            text, turn = errors[known][:CURE] if known in errors else ("", 0)
            if failure.act is not None:
                text = f"`{_cut(next(texts), _A_LINE)}`: {_cut(next(texts), _A_SENTENCE)}"
                turn = self._at(failure.act)
            edited = paths[failure.edited] if failure.edited else self.before.edited
            cure = f"fixed after editing {edited}" if edited else "passes now"
            put(errors, known, [text, turn, cure if failure.cured else ""])
        return newest(errors, "errors")

    def _lists(self, texts: list[str]) -> list[list[Any]]:
        """The task lists, each with its turn; the last of a turn is that turn's."""
        masked = iter(texts)
        lists = {row[0]: row for row in self.before.lists}
        for act in self.acts.lists.values():
            items = [[_cut(next(masked), _A_SENTENCE), _status(status)] for _, status in act.call.pairs]
            lists[self._at(act)] = [self._at(act), [item for item in items if item[0].strip()]]
        return [*lists.values()][-MOST["lists"] :]

    def _added(self) -> dict[str, int]:
        new = (act for act in self.acts.tasks if act.call.kind == said.TASK_ADD)
        return self.before.added | {
            str(n): self._at(act) for n, act in enumerate(new, int(next_number(self.before.tasks)))
        }

    def _tasks(self) -> dict[str, list[str]]:
        tasks = dict(self.before.tasks)
        for act in self.acts.tasks:
            call = act.call
            if call.kind == said.TASK_ADD:
                tasks[next_number(tasks)] = [_short(call.text, _A_SENTENCE), "pending"]
            elif call.kind == said.TASK_LIST and not act.failed:
                for number, status, text in listed_tasks(act.said):
                    tasks[number] = [_short(text, _A_SENTENCE), _status(status)]
            elif call.path in tasks and call.text:
                tasks[call.path] = [tasks[call.path][0], _status(call.text)]
        return tasks

    def _in_flight(self) -> list[str]:
        begun = [*find_unanswered(self.conversation), *background(self.conversation)]
        return [f"{fact.note}: {_short(fact.text, _A_SENTENCE)}" for fact in begun[-_MOST_IN_FLIGHT:]]

    def _worklog(
        self, own: list[tuple[int, said.Turn]], last: dict[int, str], human: list[tuple[int, str, str]]
    ) -> list[list[Any]]:
        """A row per turn, from the last that was known on; one that goes on gets what came of it now."""
        log = [self.before.latest] if self.before.latest else []
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


def _again(text: str, before: str) -> str:
    """What is most often the same as before."""
    return before if not text or text == before else clean(text)


def _short(text: str, longest: int) -> str:
    """On one line, shortened, fenced and redacted."""
    return clean(quote(text, longest))


def _status(word: str) -> str:
    """What an agent says of an item of a list: most often one of few words."""
    return word if word in _STATUSES else clean(word[:_A_LINE])


_STATUSES = frozenset(("pending", "in_progress", "completed", "deleted", "cancelled"))


def _masked(*groups: list[str]) -> list[list[str]]:
    """Every group with its texts redacted."""
    found = iter(redact_all([text for group in groups for text in group], Repeated()))
    return [list(islice(found, len(group))) for group in groups]


def _cut(masked: str, longest: int) -> str:
    """The same for what is redacted already."""
    if len(masked) > longest or not masked.isprintable():
        masked = shorten(" ".join(plain(masked[: longest * 8]).split()), longest)
    return defuse(masked) if "<" in masked else masked


def _minute(time: str) -> str:
    return defuse(plain(minute(time)))
