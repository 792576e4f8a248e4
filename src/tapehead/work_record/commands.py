"""Commands, word for word: how often, how the last run ended, what it said, and what each is for."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from tapehead.transcript import turns
from tapehead.work_record.facts import Ran
from tapehead.work_record.outcomes import outcome_of
from tapehead.work_record.sentences import flat

if TYPE_CHECKING:
    from tapehead.work_record.step_row import Act, Conversation

_PURPOSES = {
    "test": "test tests pytest jest vitest nextest rspec ctest tox unittest",
    "lint": "lint ruff eslint mypy tsc typecheck clippy vet check",
    "format": "fmt format prettier gofmt black",
    "build": "build compile make bundle",
    "commit": "commit push merge rebase tag",
}
_PURPOSE_OF = {word: purpose for purpose, words in _PURPOSES.items() for word in words.split()}
_A_LINE = 200


def commands(conversation: Conversation) -> tuple[Ran, ...]:
    """Every command that was run, newest first."""
    runs: dict[str, list[Act]] = {}
    for act in conversation.acts:
        if act.call.kind == turns.RUN and act.call.text.strip():
            runs.setdefault(flat(act.call.text), []).append(act)
    newest = sorted(runs.items(), key=lambda run: -run[1][-1].place.at)
    return tuple(_ran(text, acts, told=n < _TOLD) for n, (text, acts) in enumerate(newest))


_TOLD = 60
"""Of older commands nobody asks what came of them."""


def _ran(text: str, acts: list[Act], *, told: bool) -> Ran:
    last = acts[-1]
    came = outcome_of(last.said, failed=last.failed) if told or last.failed else ""
    return Ran(text, len(acts), last.failed, came, purpose(text), last.place.turn, last.place.at)


@lru_cache(maxsize=512)
def purpose(command: str) -> str:
    """Give what a command is for, from the words at its start: tests before linters, linters before builds."""
    words = command[:_A_LINE].replace(":", " ").replace("-", " ").split()
    if _PURPOSE_OF.keys().isdisjoint(words) or only_looks(command):
        return ""
    found = [_PURPOSE_OF[word] for word in words if word in _PURPOSE_OF]
    return next(name for name in _PURPOSES if name in found)


def only_looks(command: str) -> bool:
    """Whether a command does nothing but look: lists, searches and prints."""
    if ">" in command and _WRITES.search(command):
        return False
    parts = [part.split() for part in _PARTS.split(command[:_A_LINE])]
    return all(_looks(words) for words in parts if words)


def _looks(words: list[str]) -> bool:
    rest = [word for word in words if "=" not in word and not word.startswith("-")] or words
    if rest[0] != "git":
        return rest[0] in _LOOKS and not (rest[0] == "sed" and "-n" not in words)
    told = rest[2:] if "-C" in words else rest[1:]
    return bool(told) and told[0] in _GIT_LOOKS


_PARTS = re.compile(r"\|\||&&|[|;\n]")
_WRITES = re.compile(r"(?<![0-9&])>>?\s*(?!/dev/null)\S")
_LOOKING = """
ls which cat grep rg egrep find head tail pwd cd wc stat file type ps lsof du df echo printf test [ tree less sed awk jq sort uniq cut tr
column command whereis env printenv date sleep xargs basename dirname realpath true
"""
_LOOKS = frozenset(_LOOKING.split())
_LOOKING_WITH_GIT = """
remote log show status diff cat-file check-ignore rev-parse rev-list config branch ls-files ls-tree blame describe reflog fsck count-objects
merge-base shortlog ls-remote for-each-ref
"""
_GIT_LOOKS = frozenset(_LOOKING_WITH_GIT.split())
