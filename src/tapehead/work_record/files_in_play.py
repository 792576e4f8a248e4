"""Files in play: what was done to each, and which functions were worked on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tapehead.transcript import turns
from tapehead.work_record.facts import InPlay

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.work_record.step_row import Act, Conversation

_DEFINES = re.compile(
    r"\n[ \t]*+(?=[acdefilmopstuv])(?:(?:export|default|pub(?:\([\w:]+\))?|public|private|protected|internal|static|final|abstract|async|"
    r"override|unsafe|inline|virtual)\s+)*"
    r"(?:func(?:\s*\([^)\n]*\))?|def|class|fn|struct|enum|trait|impl|interface|type|function\*?|const|var|let|object|"
    r"module|templ|fun)\s+([A-Za-z_]\w{2,})"
)
"""It begins with the end of the line before, and goes back into no indentation: most lines are then passed over at once."""
_MOST_SYMBOLS = 8
_VERBS = {turns.EDIT: "edited", turns.WRITE: "written", turns.READ: "read"}


def files(conversation: Conversation) -> tuple[InPlay, ...]:
    """Every file that was edited, written or read, the last touched first."""
    touched: dict[str, list[Act]] = {}
    for act in conversation.acts:
        if act.call.kind in _VERBS and act.call.path and not act.failed:
            touched.setdefault(act.call.path, []).append(act)
    found = (_in_play(path, acts, conversation.cwd) for path, acts in touched.items())
    return tuple(sorted(found, key=lambda file: -file.at))


def _in_play(path: str, acts: list[Act], cwd: str) -> InPlay:
    counts = {verb: sum(act.call.kind == kind for act in acts) for kind, verb in _VERBS.items()}
    done = ", ".join(f"{verb} {count}x" if count > 1 else verb for verb, count in counts.items() if count)
    symbols = dict.fromkeys(name for act in reversed(acts[-_LATELY:]) for name in act.symbols)
    changed = any(act.call.kind != turns.READ for act in acts)
    last = acts[-1].place
    return InPlay(shorter(path, cwd), done, tuple(symbols)[:_MOST_SYMBOLS], last.turn, last.at, changed)


_LATELY = 12


def names(call: turns.Call, result: turns.Result | None) -> Iterator[str]:
    """Give the names that an edit defines, and the one that it stands in."""
    if call.kind == turns.EDIT:
        for old, new in call.pairs:
            yield from find_defined(new[:_A_PIECE]) or find_defined(old[:_A_PIECE])
            if result and result.before and (around := enclosing(result.before, old)):
                yield around
    if call.kind == turns.WRITE:
        yield from find_defined(call.text[:_A_PIECE])


def find_defined(text: str) -> list[str]:
    """Give the names that a piece of code defines."""
    return _DEFINES.findall(f"\n{text}")


_A_PIECE = 4_000


def enclosing(before: str, old: str) -> str:
    """Give the nearest definition above an edit: the function that it stands in, by name."""
    at = before.find(old) if old else -1
    names = find_defined(before[max(0, at - _A_PIECE) : at]) if at > 0 else []
    return names[-1] if names else ""


def above(before: str, old: str) -> str:
    """Give as much of a file as tells in which function an edit stands: from there to the edit, or nothing."""
    at = before.find(old) if old else -1
    start = max(0, at - _A_PIECE)
    begins = [match.start() for match in _DEFINES.finditer(f"\n{before[start:at]}")] if at > 0 else []
    return before[start + begins[-1] : at + len(old)] if begins else ""


def shorter(path: str, cwd: str) -> str:
    """Give a path as one would write it from where the work is."""
    return path[len(cwd) + 1 :] if cwd and path.startswith(cwd + "/") else path
