"""What was in view: of each file that was lately read or searched, the names in it that the work is about."""

from __future__ import annotations

import re

from tapehead.transcript import turns
from tapehead.work_record.facts import View
from tapehead.work_record.files_in_play import shorter
from tapehead.work_record.named_things import named, split

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tapehead.work_record.step_row import Act, Story

_HIT = re.compile(r"^([^\s:]+?\.\w+)[:-][0-9]{1,7}[:-](.*)$", re.MULTILINE)
_LATELY = 100
_OF_A_TEXT = 8_000
_NAMES = 36


def views(story: Story, weights: Mapping[str, float]) -> tuple[View, ...]:
    """The last seen first; the names with the most weight first, which are those that come up often and lately."""
    found: dict[str, tuple[int, int, set[str]]] = {}
    for act in reversed(story.acts[-_LATELY:]):
        if act.failed or not act.said:
            continue
        for path, text in _seen(act):
            seen = found.setdefault(shorter(path, story.cwd), (act.place.at, act.place.turn, set()))
            seen[2].update(name for token in split(text[:_OF_A_TEXT]) for name in named(token) if name in weights)
    return tuple(
        View(path, _heaviest(names, path, weights), turn, at) for path, (at, turn, names) in found.items() if names
    )


def _heaviest(names: set[str], path: str, weights: Mapping[str, float]) -> tuple[str, ...]:
    own = [name for name in names if name not in path and "/" not in name and not path.endswith(name)]
    return tuple(sorted(own, key=lambda name: (-weights[name], name))[:_NAMES])


def _seen(act: Act) -> Iterator[tuple[str, str]]:
    call = act.call
    if call.kind == turns.READ and call.path:
        yield call.path, act.said
    elif call.kind in (turns.EDIT, turns.WRITE) and call.path:
        yield call.path, "\n".join((call.text, *(new for _, new in call.pairs)))
    elif call.kind == turns.SEARCH:
        yield from _HIT.findall(act.said[:_OF_A_TEXT])
