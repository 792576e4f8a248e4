"""What the work of a session consists of: pure, from turns to a work record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.transcript import turns
from tapehead.work_record.asks import asks
from tapehead.work_record.commands import commands
from tapehead.work_record.commits import commits, pushed_at
from tapehead.work_record.decisions import decisions
from tapehead.work_record.deeds import deeds, tickets
from tapehead.work_record.errors import errors, refusals
from tapehead.work_record.facts import Fact, WorkRecord
from tapehead.work_record.file_changes import changes, list_touched
from tapehead.work_record.files_in_play import files
from tapehead.work_record.findings import findings
from tapehead.work_record.refs import refs
from tapehead.work_record.rules import rules
from tapehead.work_record.step_row import Conversation
from tapehead.work_record.todos import put_off, todos
from tapehead.work_record.views import views
from tapehead.work_record.weights import weights
from tapehead.work_record.work_in_flight import NOTHING_HEARD, background, in_flight, last_steps
from tapehead.work_record.written_documents import settled

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tapehead.work_record.work_in_flight import Heard


def gather_work(told: Iterable[turns.Turn], heard: Heard = NOTHING_HEARD) -> WorkRecord:
    """Find what the work consists of in the turns of one session, in order; an iterator is read once and let go.

    `heard` is what the agent said of work in the background, where somebody listened.
    """
    conversation = Conversation(told)
    weighed = weights(conversation)  # first: the many words that it looks at leave room for what the others find
    return WorkRecord(
        weights=weighed,
        session=conversation.session,
        branch=conversation.branch,
        cwd=conversation.cwd,
        began=conversation.began,
        ended=conversation.ended,
        turns=conversation.turns,
        steps=conversation.at,
        compactions=conversation.compactions,
        asks=asks(conversation),
        rules=rules(conversation),
        todos=todos(conversation),
        put_off=put_off(conversation),
        decisions=decisions(conversation),
        files=files(conversation),
        commands=commands(conversation),
        errors=errors(conversation),
        in_flight=in_flight(conversation),
        background=background(conversation, heard),
        last_steps=last_steps(conversation),
        findings=findings(conversation),
        settled=settled(conversation),
        changes=changes(conversation),
        touched=list_touched(conversation),
        views=views(conversation, weighed),
        commits=commits(conversation),
        pushed_at=pushed_at(conversation),
        refusals=refusals(conversation),
        answered=_answered(conversation),
        deeds=deeds(conversation),
        tickets=tickets(conversation),
        refs=refs(conversation),
        plan=_plan(conversation),
        given=_given(conversation),
        summary=conversation.summary,
    )


def _answered(conversation: Conversation) -> str:
    """What the agent had said before the newest prompt: a prompt such as "do it" says nothing without it."""
    since = conversation.human[-1][0].at if conversation.human else 0
    return next((text for place, text in reversed(conversation.agent) if place.at < since), "").strip()


def _plan(conversation: Conversation) -> Fact | None:
    plans = [act for act in conversation.acts if act.call.kind == turns.PLAN and act.call.text and not act.failed]
    return Fact(plans[-1].call.text, plans[-1].place.turn, at=plans[-1].place.at) if plans else None


def _given(conversation: Conversation) -> Fact | None:
    if conversation.given is None:
        return None
    place, name, text = conversation.given
    return Fact(text, place.turn, at=place.at, note=name)
