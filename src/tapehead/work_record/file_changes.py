"""The newest change of each file: in which function, and what became of what."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tapehead.transcript import turns
from tapehead.work_record.facts import Change, Touched
from tapehead.work_record.files_in_play import shorter
from tapehead.work_record.named_things import things

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tapehead.work_record.step_row import Act, Conversation

_CHANGES = (turns.EDIT, turns.WRITE)
_MOST = 30


def changes(conversation: Conversation) -> tuple[Change, ...]:
    """The newest ones of each changed file, the last changed file first. A change that failed changed nothing."""
    made: dict[str, list[Act]] = {}
    for act in conversation.acts:
        path = act.call.path
        if act.call.kind in _CHANGES and path and act.result is not None and not act.failed:
            made[path] = [*made.pop(path, []), act]
        elif act.call.kind == turns.RUN and not act.failed and made:
            for name in undone(act.call.text):
                made = {one: acts for one, acts in made.items() if one != name and not one.endswith(f"/{name}")}
    newest = list(made.items())[: -_MOST - 1 : -1]
    return tuple(change for path, acts in newest for change in _of_file(acts, shorter(path, conversation.cwd)))


def undone(command: str) -> list[str]:
    """The files that a command removed or put back as they were committed: what was changed in them before is gone."""
    if not any(word in command for word in ("rm ", "restore ", "checkout ")):
        return []
    words = (word for found in _UNDOES.finditer(command) for word in found[1].split())
    return [
        word.strip("'\"").removeprefix("./") for word in words if word[0] not in "-<>&|\\" and "." in word.strip("./")
    ]


_UNDOES = re.compile(r"(?:^|[;&|\n(] *)(?:(?:git )?rm|git restore|git checkout(?: \S+)? --)(?! --staged) +([^;&|\n]+)")


def list_touched(conversation: Conversation) -> tuple[Touched, ...]:
    """Which files each turn changed, oldest first."""
    found: dict[int, Touched] = {}
    for act in conversation.acts:
        path, place = shorter(act.call.path, conversation.cwd), act.place
        if act.call.kind in _CHANGES and path and act.result is not None and not act.failed:
            paths = found[place.turn].paths if place.turn in found else ()
            found[place.turn] = Touched(place.turn, place.at, (*(one for one in paths if one != path), path))
    return tuple(found.values())


def _of_file(acts: list[Act], path: str) -> list[Change]:
    """The newest changes that tell something: a new import alone only serves the change before it."""
    found: dict[tuple[str, str, str], Change] = {}
    for act in reversed(acts[-_LATELY:]):
        names, place = ", ".join(act.symbols[:_NAMED]), act.place
        if names and any(one.function == names for one in found.values()):
            continue  # a newer change of the same place tells how it is now
        differing = _differing(act.call.pairs) if act.call.kind == turns.EDIT else [("", "")]
        if _is_draft(differing, found):
            continue
        for before, after in differing:
            if before or after or names:
                found.setdefault(
                    (names, before, after), Change(path, names, before, after, place.turn, place.at, len(acts))
                )
    last = acts[-1].place
    return list(found.values())[:_EACH] or [Change(path, "", "", "", last.turn, last.at, len(acts))]


def _is_draft(differing: list[tuple[str, str]], newer: Iterable[tuple[str, str, str]]) -> bool:
    """Whether all that an edit brought was changed again since."""
    came = {after for _, after in differing if after}
    return bool(came) and came <= {before for _, before, _ in newer}


_LATELY, _EACH = 6, 4
_NAMED = 4


def _differing(pairs: tuple[tuple[str, str], ...]) -> list[tuple[str, str]]:
    """Of each pair in which lines differ, the line that went and the line that came which tell most; the last pair first."""
    found = []
    for old, new in reversed(pairs):
        gone, come = old.splitlines(), new.splitlines()
        before, after = _most_telling(gone, _bare(come)), _most_telling(come, _bare(gone))
        if before or after:
            found.append((before, after))
    return found


def _bare(lines: list[str]) -> set[str]:
    """Lines without how they are laid out: a field that was only aligned anew is no change."""
    return {" ".join(line.split()) for line in lines}


def _most_telling(lines: list[str], but: set[str]) -> str:
    """The line that names most, of those that the other side does not have; a comment only where there is nothing else."""
    found = (line.strip() for line in lines[:_LOOKED_AT] if " ".join(line.split()) not in but)
    return max(
        (line for line in found if len(line) >= _SHORTEST and not line.startswith(_IMPORTS)), key=_names, default=""
    )


_IMPORTS = ("import ", "from ", "use ", "#include", '"', "'", "require", "package ")


def _names(line: str) -> tuple[bool, int]:
    return not line.startswith(("//", "#", "*", "/*", "--", '"""')), len(things(line))


_LOOKED_AT, _SHORTEST = 60, 6
