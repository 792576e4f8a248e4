"""What an agent could be told after a compaction: our brief, and what there is without it. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.restore.brief import brief
from tapehead.tokens.estimate import room
from tapehead.transcript.digest import digest
from tapehead.transcript.turns import AGENT, HUMAN, Said

if TYPE_CHECKING:
    from tapehead.transcript.compactions import Compaction
    from tapehead.transcript.turns import Turn

BRIEF = "brief"
"""Our account, made from the turns before the cut alone."""
SUMMARY = "summary"
"""The host's own summary, whatever it costs."""
TAIL = "tail"
"""The newest of the conversation that fits the budget."""
TURNS = "20 turns"
"""The newest 20 turns of the conversation, whatever they cost."""
TOGETHER = "summary + brief"
"""What an agent really has: the summary, and a brief that leaves out what the summary says."""
NAMES = (BRIEF, SUMMARY, TAIL, TURNS, TOGETHER)
_TURNS = 20


def contexts(compaction: Compaction, budget: int) -> dict[str, str]:
    """Every context of one compaction, by its name."""
    found, summary = digest(compaction.before), compaction.summary
    rest = brief(found, budget=budget, source="compact", host_summary=summary)
    told = (
        brief(found, budget=budget, source="compact"),
        summary,
        talk(compaction.before)[-room(budget) :],
        talk(compaction.before[-_TURNS:]),
        f"{summary}\n{rest}",
    )
    return dict(zip(NAMES, told, strict=True))


def talk(turns: tuple[Turn, ...]) -> str:
    """What the person and the agent said to each other."""
    steps = (step for turn in turns for step in turn.steps)
    return "\n".join(step.text for step in steps if isinstance(step, Said) and step.who in {HUMAN, AGENT})
