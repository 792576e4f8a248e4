"""What the work is held against: the lines of a plan that bind, without the steps that were taken and what was decided otherwise since."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tapehead.brief.course import ASK_AT_MOST
from tapehead.brief.sections import A_SENTENCE, PER_CHARACTER, Item
from tapehead.text.fence import quote, spoken
from tapehead.work_record.named_things import things
from tapehead.work_record.own_text import is_all_own
from tapehead.work_record.sentence_worth import binds, worth_of
from tapehead.work_record.sentences import unwrap_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.work_record.facts import Fact, WorkRecord


def plan_items(digest: WorkRecord, _room: int) -> Iterator[Item]:
    """Give the lines of the approved plan and of prompts too long to be quoted whole: what the work is held against."""
    long = [ask for ask in (*digest.asks[:1], *digest.asks[-2:]) if len(ask.text) > _A_PLAN and _gives_a_plan(ask.text)]
    plans = dict.fromkeys((*long, *((digest.plan,) if digest.plan else ())))
    taken_back = _taken_back(digest) if plans else []
    for place, fact in enumerate(plans):
        whole = spoken(fact.text)
        quoted_already = ASK_AT_MOST * (fact is not digest.plan)
        changed, done = {thing for at, thing in taken_back if at > fact.at}, _is_done(digest, fact.at)
        for n, (heading, line) in enumerate(_planned(whole[quoted_already:_OF_A_PLAN])):
            bound = binds(line, heading)
            if (done and not bound) or not changed.isdisjoint(things(line)):
                continue  # a step that was taken, or what was decided otherwise since
            text = quote(f"- {heading}: {line}" if heading else f"- {line}", A_SENTENCE)
            worth = _PLAN * (worth_of(line) + bound) * PER_CHARACTER * len(text)
            yield Item("plan", text, worth, place + n / 1000)
    if digest.given is not None:
        yield from _of_a_command(digest.given)


def _of_a_command(given: Fact) -> Iterator[Item]:
    """What binds in the text of a command or a skill that the user called: its steps are taken or not, its rules hold."""
    for n, (heading, line) in enumerate(_planned(unwrap_lines(given.text))):
        bound = binds(line)
        if bound > 1 and line[-1] != ":" and line[0] not in "<#":
            line = line.strip("| ").replace(" | ", ": ")  # noqa: PLW2901  a row of a table
            text = quote(f"- {given.note}: {f'{heading}: ' if heading else ''}{line}", A_SENTENCE)
            yield Item("plan", text, _PLAN * (worth_of(line) + bound) * PER_CHARACTER * len(text), 10 + n / 1000)


def _is_done(digest: WorkRecord, since: int) -> bool:
    """Whether the steps of a plan were taken: it was committed since, or all of the task list is ticked off."""
    committed = bool(digest.commits) and digest.commits[-1].at > since
    return not any(todo.holds for todo in digest.todos) and (committed or bool(digest.todos))


def _taken_back(digest: WorkRecord) -> list[tuple[int, str]]:
    """The things that were decided otherwise, each with when: named where something is put back, given up or said to be wrong."""
    said = [(one.at, one.text) for one in digest.asks]
    said += [(one.at, one.text) for one in digest.findings if not one.from_subagent]
    return [(at, thing) for at, text in said if _takes_back(text) for thing in things(text)]


def _takes_back(text: str) -> bool:
    lowered = text.lower()
    return any(word in lowered for word in _TAKEN_BACK) and _TAKES_BACK.search(text) is not None


_TAKEN_BACK = ("back", "from", "gave up", "wrong", "incorrectly", "restore", "revert", "planned", "unlike", "no longer")
"""One of these stands in all that the pattern finds: most sentences need no closer look."""


_TAKES_BACK = re.compile(
    r"\b(?:put (?:\S+ ){1,4}back|(?:switch|mov|chang)(?:ed|ing) (?:\S+ ){0,3}from|gave up|turned out to be wrong|(?:incorrectly|wrongly) \w+ed|"
    r"restored?|revert(?:ed|ing)?|instead of the planned|unlike the plan|no longer follow)\b",
    re.IGNORECASE,
)


def _planned(text: str) -> Iterator[tuple[str, str]]:
    """The spoken lines of a plan, each with the heading that it stands under."""
    heading, inside = "", False
    for raw in text.splitlines()[1:]:
        line = raw.strip()
        if line.startswith("```"):
            inside = not inside
        elif line.startswith("#") or (line.startswith("**") and line.rstrip(":").endswith("**")):
            heading = quote(line.strip("#*: "), _A_HEADING)
        elif not inside and len(line) > _A_PLAN_LINE:
            yield heading, line.replace("**", "").strip("-*> ")


def _gives_a_plan(prompt: str) -> bool:
    """Whether a long prompt says what to do: it is all the user's own, or hands over a plan as one. Other pastes are no plans."""
    first = prompt[: _A_PLAN_LINE * 10].lstrip().lower()
    return is_all_own(prompt) or first.startswith(_PLANS)


_PLANS = tuple(
    f"{verb} {which} {what}"
    for verb in ("implement", "execute", "follow", "carry out")
    for which in ("the following", "this")
    for what in ("plan", "spec")
)
_A_PLAN, _OF_A_PLAN, _A_PLAN_LINE, _A_HEADING = 1_000, 12_000, 20, 60
_PLAN = 0.7
