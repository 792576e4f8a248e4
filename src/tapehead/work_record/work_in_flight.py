"""Work in flight: what the agent last announced, what it had begun and not heard the end of."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from tapehead.transcript import turns
from tapehead.work_record.facts import Fact
from tapehead.work_record.files_in_play import shorter
from tapehead.work_record.outcomes import outcome_of
from tapehead.work_record.sentences import flat

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tapehead.work_record.step_row import Act, Conversation

_STARTED = 1
"""A background task's first result only says that it was started; the second one that it is over."""
_SHOWN = 200


def in_flight(conversation: Conversation) -> tuple[Fact, ...]:
    """Give the agent's last words, and every call without an answer since the user last spoke."""
    said = [Fact(text.strip(), place.turn, place.time, place.at) for place, text in conversation.agent[-1:]]
    return (*said, *find_unanswered(conversation))


def find_unanswered(conversation: Conversation) -> list[Fact]:
    """Give the newest of those calls alone."""
    since = conversation.human[-1][0].at if conversation.human else 0
    return [_begun(act, "no answer yet") for act in conversation.acts if act.result is None and act.place.at > since][
        -3:
    ]


def last_steps(conversation: Conversation) -> tuple[Fact, ...]:
    """Give the newest calls in words, oldest first; the same step twice in a row is one."""
    steps: list[Fact] = []
    for act in conversation.acts[-2 * _STEPS :]:
        told = _VERBS.get(act.call.kind)
        if told is None:
            continue
        text = flat(told(act, conversation.cwd))
        note = outcome_of(act.said, failed=act.failed) if act.failed or act.call.kind == turns.RUN else ""
        if not steps or steps[-1].text != text:
            steps.append(Fact(text[:_SHOWN], act.place.turn, act.place.time, act.place.at, not act.failed, note))
    return tuple(steps[-_STEPS:])


_STEPS = 5


def _edited(act: Act, cwd: str) -> str:
    new = next((line for old, text in act.call.pairs for line in _new(old, text)), "")
    return f"edited {shorter(act.call.path, cwd)}: `{new.strip()}`" if new else f"edited {shorter(act.call.path, cwd)}"


def _new(old: str, text: str) -> Iterator[str]:
    """Give the lines that an edit brought, not those that it only shows to say where."""
    kept = set(old.splitlines())
    return (line for line in text.splitlines() if line.strip() and line not in kept)


_VERBS: dict[str, Callable[[Act, str], str]] = {
    turns.EDIT: _edited,
    turns.WRITE: lambda act, cwd: f"wrote {shorter(act.call.path, cwd)}",
    turns.READ: lambda act, cwd: f"read {shorter(act.call.path, cwd)}",
    turns.RUN: lambda act, _: f"ran `{act.call.text}`",
    turns.SEARCH: lambda act, cwd: f"searched `{act.call.text}` in {shorter(act.call.path, cwd) or '.'}",
    turns.DELEGATE: lambda act, _: f"delegated: {act.call.text}",
}


class Heard(NamedTuple):
    """What the agent said of work beside the session, outside of its transcript. Times are UTC, to the second, as text."""

    at: str = ""
    """When it last said what runs; empty where it never did."""
    running: Mapping[str, str] = MappingProxyType({})
    """What ran then: its name for it, and what it is."""
    over: frozenset[str] = frozenset()
    """Subagents that it has since said are done."""
    gone: tuple[str, ...] = ()
    """When its process was found to be another one, or none any more: oldest first."""


NOTHING_HEARD = Heard()
BESIDE = "in the background"


def background(conversation: Conversation, heard: Heard = NOTHING_HEARD) -> tuple[Fact, ...]:
    """Give what runs beside the session and was not seen to end; what was started again counts once, as it is now."""
    found: dict[str, Fact] = {}
    for act in conversation.acts:
        if (act.call.background or act.task) and act.results <= _STARTED:
            fact = _begun(act, BESIDE)
            found.pop(fact.text, None)
            if told := _life(fact, act, heard):
                found[fact.text] = told
    return (*_from_before(conversation, heard), *found.values())


def _from_before(conversation: Conversation, heard: Heard) -> Iterator[Fact]:
    """Give what runs and was not started here: by a session before this one, in the same process."""
    if heard.running and (not heard.gone or heard.gone[-1] < heard.at):
        known = heard.over.union(act.task for act in conversation.acts)
        yield from (Fact(flat(what), note=_running(heard)) for task, what in heard.running.items() if task not in known)


def _life(fact: Fact, act: Act, heard: Heard) -> Fact | None:
    """Give what is known of something that was started: whether it runs, or was lost with its process; None if it is over."""
    since = (act.since or act.place.time)[:_A_SECOND]
    lost = [time for time in heard.gone if since <= time]
    if lost:
        # After a turn of the next process, or with a process before the last one: somebody has seen to it.
        news = lost == [heard.gone[-1]] and heard.at <= lost[0]
        return fact._replace(holds=False, note=f"lost with its process by {_shown(lost[0])}") if news else None
    if act.task in heard.over:
        return None
    if not act.task or heard.at < since:
        return fact
    return fact._replace(note=_running(heard)) if act.task in heard.running else None


def _running(heard: Heard) -> str:
    return f"{BESIDE}, running at {_shown(heard.at)}"


_A_SECOND = len("2026-01-01T00:00:00")


def _shown(time: str) -> str:
    return f"{time[:16].replace('T', ' ')}Z"


def _begun(act: Act, note: str) -> Fact:
    call = act.call
    what = flat(f"{call.tool} {call.path} {call.text}")[:_SHOWN]
    return Fact(what, act.place.turn, act.place.time, act.place.at, note=note)
