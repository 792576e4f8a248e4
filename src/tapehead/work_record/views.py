"""What was in view: of each file that was lately read, searched or changed, the names in it that the work is about.

What the file defines comes first, with its line where a tool gave the number: there the next step begins.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tapehead.transcript import turns
from tapehead.work_record.facts import View
from tapehead.work_record.files_in_play import shorter
from tapehead.work_record.named_things import name_token, split

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tapehead.work_record.step_row import Act, Conversation

_DEFINED = re.compile(
    r"^[ \t]*(?:(\d+)[\u2192\t:-])?[ \t]*(?:(?:export|default|pub|public|private|protected|static|final|abstract|async|override) +)*"
    r"(?:func(?: *\([^)\n]*\))?|def|class|fn|struct|enum|trait|impl|interface|type|function|module|fun) +([A-Za-z_]\w{2,})",
    re.MULTILINE,
)
_HIT = re.compile(r"^([^\s:]+?\.\w+)[:-]([0-9]{1,7}[:-].*)$", re.MULTILINE)
_LATELY = 100
_OF_A_TEXT = 8_000
_NAMES, _PLACES = 36, 8


def views(conversation: Conversation, weights: Mapping[str, float]) -> tuple[View, ...]:
    """The last seen first; the names with the most weight first, which are those that come up often and lately."""
    found: dict[str, _Seen] = {}
    for act in reversed(conversation.acts[-_LATELY:]):
        if act.failed or not act.said:
            continue
        for path, told in _seen(act):
            text = told[:_OF_A_TEXT]
            seen = found.setdefault(shorter(path, conversation.cwd), _Seen(act.place.at, act.place.turn))
            seen.names.update(name for token in split(text) for name in name_token(token) if name in weights)
            for line, name in _DEFINED.findall(text):
                seen.defined.setdefault(name, line)
    return tuple(
        View(path, _heaviest(seen, path, weights), seen.turn, seen.at, _places(seen, weights))
        for path, seen in found.items()
        if seen.names
    )


class _Seen:
    """What was seen of one file."""

    def __init__(self, at: int, turn: int) -> None:
        self.at, self.turn = at, turn
        self.names: set[str] = set()
        self.defined: dict[str, str] = {}


def _heaviest(seen: _Seen, path: str, weights: Mapping[str, float]) -> tuple[str, ...]:
    own = [name for name in seen.names if name not in path and name.isidentifier()]
    return tuple(sorted(own, key=lambda name: (-weights[name], name))[:_NAMES])


def _places(seen: _Seen, weights: Mapping[str, float]) -> tuple[str, ...]:
    """Where in the file the weightiest of what it defines stand, from the top."""
    own = [name for name, line in seen.defined.items() if line and name in weights]
    chosen = sorted(own, key=lambda name: (-weights[name], name))[:_PLACES]
    return tuple(f"{name} :{seen.defined[name]}" for name in sorted(chosen, key=lambda name: int(seen.defined[name])))


def _seen(act: Act) -> Iterator[tuple[str, str]]:
    call = act.call
    if call.kind == turns.READ and call.path:
        yield call.path, act.said
    elif call.kind in (turns.EDIT, turns.WRITE) and call.path:
        yield call.path, "\n".join((call.text, *(new for _, new in call.pairs)))
    elif call.kind == turns.SEARCH:
        yield from _HIT.findall(act.said[:_OF_A_TEXT])
