"""What the user asked for, in their own words."""

from __future__ import annotations

import re

from tapehead.work_record.facts import Fact
from tapehead.work_record.sentences import flat

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
        chooses = _option(text, story, place.at)
        found[text] = Fact(text, place.turn, place.time, place.at, note=note, earlier=again, chooses=chooses)
        first = first or found[text]
    own = tuple(found.values())
    return own if first is None or first in own else (first, *own)


def _option(prompt: str, story: Story, at: int) -> str:
    """What a bare number stands for: the line with that number in the agent's words before it."""
    number = _NUMBER.fullmatch(prompt)
    if number is None:
        return ""
    before = next((text for place, text in reversed(story.agent) if place.at < at), "")
    lines = (_OPTION.match(line) for line in reversed(before.splitlines()))  # the last list is the one to choose from
    return next((flat(line[2]) for line in lines if line and line[1] == number[1]), "")


_NUMBER = re.compile(r"(?:option |number )?#?(\d)[.)]?(?: please| pls)?", re.IGNORECASE)
_OPTION = re.compile(r"[\s>*_#-]*(?:option )?(\d)(?:[.):]|\*\*[.):]?| -)[\s*_:.-]*(\S.*)", re.IGNORECASE)
