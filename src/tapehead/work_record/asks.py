"""What the user asked for, in their own words."""

from __future__ import annotations

from tapehead.work_record.facts import Fact

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from tapehead.work_record.step_row import Story


def asks(story: Story) -> tuple[Fact, ...]:
    """Every prompt in order, each once: what was typed again counts where it was typed last. The first of all stays, too."""
    found: dict[str, Fact] = {}
    first: Fact | None = None
    for place, said in story.human:
        text = said.text.strip()
        before = found.pop(text, None)
        again = f"also asked in turn {before.turn}" if before else ""
        note = "queued" if said.queued else ""
        found[text] = Fact(text, place.turn, place.time, place.at, note=note, earlier=again)
        first = first or found[text]
    own = tuple(found.values())
    return own if first is None or first in own else (first, *own)
