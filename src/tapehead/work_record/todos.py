"""Open items: the agent's task list as it stands, and what was put off in words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tapehead.transcript import turns
from tapehead.work_record.closed_items import closed_at
from tapehead.work_record.facts import Fact
from tapehead.work_record.sentences import flat

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from tapehead.work_record.step_row import Conversation

_OVER = ("completed", "deleted", "cancelled")
_PUT_OFF = re.compile(
    r"\b(?:later|todo|fixme|still needs? to|remaining (?:work|steps?|tasks?|items?|tests?|issues?|failures?)|not yet|"
    r"left to do|follow[- ]?up|next step|out of scope|for now|postponed?|deferred?|skipped|haven'?t|outstanding|"
    r"separate (?:pr|issue|commit))\b"
)
_LATELY = 25
"""How many of the agent's newest messages may still owe something."""


def todos(conversation: Conversation) -> tuple[Fact, ...]:
    """Give the task list as the agent last left it: every item, its status as note, and whether it is still open."""
    listed: tuple[Fact, ...] = ()
    tasks: dict[str, Fact] = {}  # by the number that the agent gave, which counts from 1
    for act in conversation.acts:
        call, place = act.call, act.place
        if call.kind == turns.TODOS:
            listed = tuple(_fact(text, status, place.turn, place.at) for text, status in call.pairs if text.strip())
        elif call.kind == turns.TASK_ADD:
            made = _fact(call.text, "pending", place.turn, place.at)
            tasks[next_number(tasks)] = made._replace(detail=flat(call.note[:_DETAIL]))
        elif call.kind == turns.TASK_SET and call.text and call.path in tasks:
            before = tasks[call.path]
            tasks[call.path] = _fact(before.text, call.text, place.turn, place.at)._replace(detail=before.detail)
        elif call.kind == turns.TASK_LIST and not act.failed:
            for number, status, text in listed_tasks(act.said):
                before = tasks.get(number, Fact(""))
                if before.note != status:
                    tasks[number] = _fact(text, status, place.turn, place.at)._replace(detail=before.detail)
    return tuple(_as_said(one, conversation) for one in (*listed, *tasks.values()) if one.text)


def next_number(tasks: Collection[str]) -> str:
    """The number that the agent gives to a new task."""
    return str(max(map(int, tasks), default=0) + 1)


def listed_tasks(said: str) -> list[tuple[str, str, str]]:
    """Number, status and text of each task, as the agent's own list has them: a subagent may have closed some."""
    return _LISTED.findall(said)


_LISTED = re.compile(r"^#(\d{1,4}) \[(\w+)\] (\S.*?)\s*$", re.MULTILINE)


def _as_said(todo: Fact, conversation: Conversation) -> Fact:
    """An item that the list has open, and that the agent's later words closed, is closed; `note` says that only words say so."""
    later = [one for one in conversation.agent[-_LATER:] if one[0].at > todo.at] if todo.holds else []
    closed = closed_at(todo.text, later) if later else None
    return todo._replace(holds=False, note=SAID_DONE, turn=closed.turn) if closed else todo


SAID_DONE = "said to be done"
_DETAIL = 600
_LATER = 60
"""How many of the agent's newest messages are looked through for words that close an item."""


def _fact(text: str, status: str, turn: int, at: int) -> Fact:
    return Fact(flat(text), turn, at=at, holds=status not in _OVER, note=status)


def put_off(conversation: Conversation) -> tuple[Fact, ...]:
    """Things that the agent said are still to be done, newest first."""
    return tuple(_put_off(conversation))


def _put_off(conversation: Conversation) -> Iterator[Fact]:
    for place, told in reversed(conversation.sentences[-_LATELY:]):
        for one in told:
            if _PUT_OFF.search(one.lower()):
                yield Fact(one, place.turn, place.time, place.at)
