"""What the work of a session consists of: pure, from turns to a digest."""

from __future__ import annotations

from tapehead.transcript import turns
from tapehead.work_record.asks import asks
from tapehead.work_record.commands import commands
from tapehead.work_record.commits import commits, pushed_at
from tapehead.work_record.decisions import decisions
from tapehead.work_record.errors import errors, refusals
from tapehead.work_record.facts import Digest, Fact
from tapehead.work_record.file_changes import changes, touched
from tapehead.work_record.files_in_play import files
from tapehead.work_record.findings import findings
from tapehead.work_record.refs import refs
from tapehead.work_record.rules import rules
from tapehead.work_record.step_row import Story
from tapehead.work_record.todos import put_off, todos
from tapehead.work_record.views import views
from tapehead.work_record.weights import weights
from tapehead.work_record.work_in_flight import NOTHING_HEARD, background, in_flight, last_steps

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from collections.abc import Iterable

    from tapehead.work_record.work_in_flight import Heard


def digest(told: Iterable[turns.Turn], heard: Heard = NOTHING_HEARD) -> Digest:
    """Find what the work consists of in the turns of one session, in order; an iterator is read once and let go.

    `heard` is what the host said of work in the background, where somebody listened.
    """
    story = Story(told)
    weighed = weights(story)  # first: the many words that it looks at leave room for what the others find
    return Digest(
        weights=weighed,
        session=story.session,
        branch=story.branch,
        cwd=story.cwd,
        began=story.began,
        ended=story.ended,
        turns=story.turns,
        steps=story.at,
        compactions=story.compactions,
        asks=asks(story),
        rules=rules(story),
        todos=todos(story),
        put_off=put_off(story),
        decisions=decisions(story),
        files=files(story),
        commands=commands(story),
        errors=errors(story),
        in_flight=in_flight(story),
        background=background(story, heard),
        last_steps=last_steps(story),
        findings=findings(story),
        changes=changes(story),
        touched=touched(story),
        views=views(story, weighed),
        commits=commits(story),
        pushed_at=pushed_at(story),
        refusals=refusals(story),
        answered=_answered(story),
        refs=refs(story),
        plan=_plan(story),
        summary=story.summary,
    )


def _answered(story: Story) -> str:
    """What the agent had said before the newest prompt: a prompt such as "do it" says nothing without it."""
    since = story.human[-1][0].at if story.human else 0
    return next((text for place, text in reversed(story.agent) if place.at < since), "").strip()


def _plan(story: Story) -> Fact | None:
    plans = [act for act in story.acts if act.call.kind == turns.PLAN and act.call.text and not act.failed]
    return Fact(plans[-1].call.text, plans[-1].place.turn, at=plans[-1].place.at) if plans else None
