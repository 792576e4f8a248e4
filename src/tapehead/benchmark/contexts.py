"""What an agent could be told after a compaction: our brief, and what there is without it. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.brief.brief import brief
from tapehead.brief.inputs import Extras
from tapehead.notes.gathering import gather_notes
from tapehead.notes.knowledge import Gathered
from tapehead.notes.rendering import LEARNINGS, sections
from tapehead.tokens.estimate import room
from tapehead.transcript.turns import AGENT, HUMAN, Said
from tapehead.work_record.work_record import gather_work

if TYPE_CHECKING:
    from tapehead.transcript.compactions import Compaction
    from tapehead.transcript.turns import Turn

BRIEF = "brief"
"""Our account, made from the turns before the cut alone."""
SUMMARY = "summary"
"""The agent's own summary, whatever it costs."""
TAIL = "tail"
"""The newest of the conversation that fits the budget."""
TURNS = "20 turns"
"""The newest 20 turns of the conversation, whatever they cost."""
TOGETHER = "summary + brief"
"""What an agent really has: the summary, and a brief that leaves out what the summary says."""
NAMES = (BRIEF, SUMMARY, TAIL, TURNS, TOGETHER)
_TURNS = 20


def contexts(compaction: Compaction, budget: int, *, notes: bool = False) -> dict[str, str]:
    """Every context of one compaction, by its name; with `notes`, the briefs have running notes to draw on."""
    extras = _noted(compaction.before) if notes else None
    found, summary = gather_work(compaction.before), compaction.summary
    rest = brief(found, budget=budget, source="compact", host_summary=summary, extras=extras)
    told = (
        brief(found, budget=budget, source="compact", extras=extras),
        summary,
        talk(compaction.before)[-room(budget) :],
        talk(compaction.before[-_TURNS:]),
        f"{summary}\n{rest}",
    )
    return dict(zip(NAMES, told, strict=True))


def _noted(before: tuple[Turn, ...]) -> Extras:
    """What fresh notes would give to a brief (brief/notes_excerpt.py), kept turn by turn as they are beside a session."""
    known = Gathered()
    for turn in before:
        known = gather_notes(known, (turn,))
    own = (line.removeprefix("- ").rpartition(" (turn ")[0] for line in sections(known)[LEARNINGS])
    return Extras(noted=tuple(("decided", text, False) for text in own))


def talk(turns: tuple[Turn, ...]) -> str:
    """What the user and the agent said to each other."""
    steps = (step for turn in turns for step in turn.steps)
    return "\n".join(step.text for step in steps if isinstance(step, Said) and step.who in {HUMAN, AGENT})
