"""The commits that the agent made, as git told them, and whether the last one was pushed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tapehead.transcript import turns
from tapehead.work_record.facts import Commit

if TYPE_CHECKING:
    from tapehead.work_record.step_row import Conversation

_MADE = re.compile(r"^\[(\S+)(?: \(root-commit\))? ([0-9a-f]{7,40})\] (.+)$", re.MULTILINE)
_PUSHED = re.compile(r"->|up-to-date|set up to track")


def commits(conversation: Conversation) -> tuple[Commit, ...]:
    """Oldest first. Only what git itself said counts: a command that was run is no commit that was made."""
    found = []
    for act in conversation.acts:
        if act.call.kind == turns.RUN and "commit" in act.call.text and not act.failed:
            place = act.place
            found += [
                Commit(ident, branch, subject, place.turn, place.at)
                for branch, ident, subject in _MADE.findall(act.said)
            ]
    return tuple(found)


def pushed_at(conversation: Conversation) -> int:
    """The step of the last push that went well; 0 where there was none."""
    pushes = [
        act.place.at
        for act in conversation.acts
        if act.call.kind == turns.RUN and "git push" in act.call.text and not act.failed and _PUSHED.search(act.said)
    ]
    return pushes[-1] if pushes else 0
