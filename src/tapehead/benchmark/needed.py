"""What the work after a compaction turned out to need of the work before it. Pure.

Nobody can say beforehand what an agent will need. Afterwards the transcript shows it: what it names again, runs again, and was
asked. Only what was known before the cut is asked of a context: it cannot hold what nobody knew.
"""

from __future__ import annotations

from itertools import combinations, islice
from typing import TYPE_CHECKING

import attrs

from tapehead.benchmark.held import PROBES, flat, words
from tapehead.benchmark.named import names
from tapehead.transcript import turns

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tapehead.benchmark.held import Item
    from tapehead.transcript.compactions import Compaction
    from tapehead.transcript.turns import Step, Turn

WINDOW = 40
"""Steps after the cut (words and calls) that show what was needed: later ones build on what the agent found out anew."""
FEWEST_BEFORE, FEWEST_AFTER, FEWEST_NAMES = 20, 6, 8
"""With less of either the case says nothing: there was no work to lose, or none to see it missed."""
NEWEST_PROMPTS = 6
_OF_A_PROMPT = 400
RUN = 5
"""Words of the user in a row: fewer are found again by chance."""
_COMMAND = range(6, 401)
_OF_AN_ITEM = 60
_A_LIST = 30
"""A line with more names is a list, and stands for no link."""
_OVER = ("completed", "deleted", "cancelled")


@attrs.frozen
class Needed:
    """The items of each probe; a probe without items is not asked."""

    items: dict[str, frozenset[Item]]


def find_needed(compaction: Compaction) -> Needed | None:
    """What one compaction's case asks for; None where it is too small to say anything."""
    before = compaction.before
    after = list(islice(_acted(compaction.after), WINDOW))
    if not compaction.summary or sum(len(turn.steps) for turn in before) < FEWEST_BEFORE or len(after) < FEWEST_AFTER:
        return None
    wanted = {name for step in after for name in names(_text(step))}
    known, linked = _met((_text(step) for turn in before for step in turn.steps), wanted)
    if len(known) < FEWEST_NAMES:
        return None
    again = _met((_text(step) for step in after), known)[1]
    commands = _commands(step for turn in before for step in turn.steps) & _commands(after)
    found: tuple[set[Item], ...] = ({*known}, linked & again, commands, _said(before), _open(before))
    return Needed({probe: frozenset(items) for probe, items in zip(PROBES, found, strict=True) if items})


def _acted(after: Iterable[Turn]) -> Iterator[Step]:
    """What the user and the agent said and did; what tools answer is no need of theirs."""
    for turn in after:
        yield from (step for step in turn.steps if isinstance(step, turns.Call) or _is_talk(step))


def _is_talk(step: Step) -> bool:
    return isinstance(step, turns.Said) and step.who in {turns.HUMAN, turns.AGENT}


def _text(step: Step) -> str:
    """All that a step says. Thinking is not kept by agents, and an agent's summary is what we compare with."""
    if isinstance(step, turns.Call):
        pairs = (part for pair in step.pairs for part in pair)
        return "\n".join((f"{step.path} {step.text}", *pairs, step.note))
    if isinstance(step, turns.Result):
        return step.text
    return step.text if isinstance(step, turns.Said) and _is_talk(step) else ""


def _met(texts: Iterable[str], wanted: set[str]) -> tuple[set[str], set[Item]]:
    """Which of the wanted names stand in the texts, and which two of them on one line."""
    known: set[str] = set()
    linked: set[Item] = set()
    for text in texts:
        for line in text.splitlines():
            every = names(line)
            here = sorted(every & wanted)
            known.update(here)
            if len(every) <= _A_LIST:
                linked.update((a, b) for a, b in combinations(here, 2) if a not in b and b not in a)
    return known, linked


def _commands(steps: Iterable[Step]) -> set[Item]:
    ran = (flat(step.text) for step in steps if isinstance(step, turns.Call) and step.kind == turns.RUN)
    return {command for command in ran if len(command) in _COMMAND}


def _said(before: tuple[Turn, ...]) -> set[Item]:
    """The user's words, in runs: of the first prompt, where it all began, and of the newest."""
    prompts = [prompt for turn in before for prompt in turn.human if prompt.strip()]
    runs: set[Item] = set()
    for prompt in (*prompts[:1], *prompts[1:][-NEWEST_PROMPTS:]):
        told = words(prompt[:_OF_A_PROMPT])
        runs.update(" ".join(told[n : n + RUN]) for n in range(max(1, len(told) - RUN + 1)) if told)
    return runs


def _open(before: tuple[Turn, ...]) -> set[Item]:
    """The agent's task list as it stood at the cut: what was not done."""
    listed: tuple[tuple[str, str], ...] = ()
    tasks: list[tuple[str, str]] = []
    for call in (call for turn in before for call in turn.calls):
        if call.kind == turns.TODOS:
            listed = call.pairs
        elif call.kind == turns.TASK_ADD:
            tasks.append((call.text, "pending"))
        elif call.kind == turns.TASK_SET and call.path.isdecimal() and 0 < int(call.path) <= len(tasks):
            tasks[int(call.path) - 1] = (tasks[int(call.path) - 1][0], call.text)
    still = (flat(text).lower()[:_OF_AN_ITEM] for text, status in (*listed, *tasks) if status not in _OVER)
    return {text for text in still if text}
