"""How likely each named thing is needed again: what was named often and lately is.

Over real compactions, the count of a name divided by how long ago it was last named ranks the names that are used
afterwards nearly as well as anything fitted to them; so that is the weight, flattened to behave like a chance.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tapehead.transcript import turns
from tapehead.transcript.things import named, split

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.transcript.story import Story

_LOOKED_AT = 80_000
"""Characters of text, from the end: beyond them a name has been forgotten anyway."""
_OF_A_RESULT = 6_000
OFTEN, LATELY = 0.35, 0.55


def weights(story: Story) -> dict[str, float]:
    """Every thing that was named lately, with its weight."""
    counts, newest = _counted(story)
    often: dict[str, int] = {}
    lately: dict[str, int] = {}
    for token, at in newest.items():
        for thing in named(token):
            often[thing] = often.get(thing, 0) + counts[token]
            lately[thing] = max(lately.get(thing, 0), at)
    end = story.at + 4
    return {thing: count**OFTEN / (end - lately[thing]) ** LATELY for thing, count in often.items()}


def _counted(story: Story) -> tuple[Counter[str], dict[str, int]]:
    """In how many texts each token stands, and where it stood last; in whole sets, for there are many tokens."""
    counts: Counter[str] = Counter()
    newest: dict[str, int] = {}
    left = _LOOKED_AT
    for at, text in _texts(story):
        words = split(text)
        counts.update(words)
        newest.update(dict.fromkeys(words.difference(newest), at))
        left -= len(text)
        if left < 0:
            break
    return counts, newest


def _texts(story: Story) -> Iterator[tuple[int, str]]:
    """Give what was said and done, newest first."""
    parts = [(place.at, text) for place, text in story.agent[-200:]]
    parts += [(place.at, said.text[:_OF_A_RESULT]) for place, said in story.human[-60:]]
    for act in story.acts[-500:]:
        call = act.call
        at = act.place.at
        parts.append((at, f"{call.path} {call.text[:_OF_A_RESULT]}"))
        parts += [(at, new[:_OF_A_RESULT]) for _, new in call.pairs]
        if act.result is not None and call.kind not in _SAYS_NOTHING:
            parts.append((at, act.result.text[:_OF_A_RESULT]))
    parts.sort(key=lambda part: -part[0])
    return iter(parts)


_SAYS_NOTHING = (turns.TODOS, turns.TASK_ADD, turns.TASK_SET, turns.EDIT, turns.WRITE)
