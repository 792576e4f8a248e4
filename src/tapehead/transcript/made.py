"""The newest calls as they were made: where the hands were, in the words that a next call will use again."""

from __future__ import annotations

import json
from os.path import commonprefix

from tapehead.transcript import turns
from tapehead.transcript.found import Fact

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from typing import Any

    from tapehead.transcript.story import Story

MOST = 24
VALUE = 100
"""Characters of one argument: a call is told by its beginnings."""
_TOLD_ELSEWHERE = (turns.RUN, turns.TODOS, turns.TASK_ADD, turns.TASK_SET, turns.PLAN, turns.QUESTION)
"""Commands and task lists have sections of their own."""
_FEW = 3


def made(story: Story) -> tuple[Fact, ...]:
    """The newest call of each kind on each file, newest first."""
    found: dict[tuple[str, str], Fact] = {}
    for act in reversed(story.acts):
        call = act.call
        key = (call.tool, call.path or call.text[:VALUE])
        if call.kind in _TOLD_ELSEWHERE or not call.arguments or key in found:
            continue
        shown = json.dumps(_short(_where_they_differ(call.arguments), story.cwd), ensure_ascii=False)
        found[key] = Fact(f"{call.tool} {shown}", act.place.turn, act.place.time, act.place.at, not act.failed)
        if len(found) == MOST:
            break
    return tuple(found.values())


def _where_they_differ(arguments: dict[str, Any]) -> dict[str, Any]:
    """An old text and a new one, from the line on in which they part: of what they share, a reader learns nothing."""
    long = [value for value in arguments.values() if isinstance(value, str) and len(value) > VALUE]
    shared = commonprefix(long).rfind("\n") + 1 if len(long) == _A_PAIR else 0  # noqa: RUF071 - letters are meant
    if not shared:
        return arguments
    return {name: f"…{value[shared:]}" if value in long else value for name, value in arguments.items()}


_A_PAIR = 2


def _short(value: Any, cwd: str) -> Any:
    """The same arguments, each cut short, with paths as one types them in the project."""
    if isinstance(value, str):
        here = value.replace(f"{cwd}/", "") if cwd else value
        return here if len(here) <= VALUE else f"{here[: VALUE - 1]}…"
    if isinstance(value, dict):
        return {name: _short(one, cwd) for name, one in value.items()}
    return [_short(one, cwd) for one in value[:_FEW]] if isinstance(value, list) else value
