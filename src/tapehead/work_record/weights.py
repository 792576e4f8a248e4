"""How likely each named thing is needed again: what was named often and lately is.

Over real compactions, the count of a name divided by how long ago it was last named ranks the names that are used
afterwards nearly as well as anything fitted to them; so that is the weight, flattened to behave like a chance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.transcript import turns
from tapehead.work_record.named_things import name_token, split

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.work_record.step_row import Conversation

_LOOKED_AT = 80_000
"""Characters of text, from the end: beyond them a name has been forgotten anyway."""
_OF_A_TEXT = 6_000
OFTEN, LATELY, EACH = 0.35, 0.55, 1.5


def weights(conversation: Conversation) -> dict[str, float]:
    """Every thing that was named lately, with its weight."""
    often: dict[str, int] = {}
    lately: dict[str, int] = {}
    left = _LOOKED_AT
    for at, text in _texts(conversation):
        for token in split(text):
            for thing in name_token(token):
                often[thing] = often.get(thing, 0) + 1
                lately.setdefault(thing, at)
        left -= len(text)
        if left < 0:
            break
    end = conversation.at + 4
    return {thing: EACH * count**OFTEN / (end - lately[thing]) ** LATELY for thing, count in often.items()}


def _texts(conversation: Conversation) -> Iterator[tuple[int, str]]:
    """Give what was said and done, newest first; each is cut when its turn comes, or all would be held twice."""
    parts = [(place.at, "", text) for place, text in conversation.agent[-200:]]
    parts += [(place.at, "", said.text) for place, said in conversation.human[-60:]]
    for act in conversation.acts[-500:]:
        call = act.call
        at = act.place.at
        parts.append((at, call.path, call.text))
        parts += [(at, "", new) for _, new in call.pairs]
        if act.result is not None and call.kind not in _SAYS_NOTHING:
            parts.append((at, "", act.result.text))
    parts.sort(key=lambda part: -part[0])
    return ((at, f"{path} {text[:_OF_A_TEXT]}" if path else text[:_OF_A_TEXT]) for at, path, text in parts)


_SAYS_NOTHING = (turns.TODOS, turns.TASK_ADD, turns.TASK_SET, turns.EDIT, turns.WRITE)
