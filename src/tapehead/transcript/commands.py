"""Commands, word for word: how often, how the last run ended, what it said, and what each is for."""

from __future__ import annotations

import re

from tapehead.transcript import turns
from tapehead.transcript.found import Ran
from tapehead.transcript.sentences import flat

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from tapehead.transcript.story import Act, Story

_PURPOSES = {
    "test": "test tests pytest jest vitest nextest rspec ctest tox unittest",
    "lint": "lint ruff eslint mypy tsc typecheck clippy vet check",
    "format": "fmt format prettier gofmt black",
    "build": "build compile make bundle",
    "commit": "commit push merge rebase tag",
}
_PURPOSE_OF = {word: purpose for purpose, words in _PURPOSES.items() for word in words.split()}
_TELLS = re.compile(
    r"\b(?:FAIL(?:ED|URE)?|ERROR|error(?:\[\w+\])?:|panic|Traceback|assert|\d+ (?:passed|failed|tests?|pass|fail)|"
    r"undefined|cannot|not found|no such|exit (?:code|status)|\d+ issues?|Exception)\b|^(?:ok|PASS)\b|\wError\b",
)
_MAY_TELL = re.compile(
    r"FAIL|ERROR|error|panic|Traceback|assert|undefined|cannot|not found|no such|exit |Exception|Error|ok|PASS|"
    r" (?:pass|fail|test|issue)"
)
"""One of these stands wherever that is found: looking for plain words first is five times as fast."""
_SAYS = re.compile(r"\w{2}")
_LOOKED_AT = 4_000
_A_LINE = 200


def commands(story: Story) -> tuple[Ran, ...]:
    """Every command that was run, newest first."""
    runs: dict[str, list[Act]] = {}
    for act in story.acts:
        if act.call.kind == turns.RUN and act.call.text.strip():
            runs.setdefault(flat(act.call.text), []).append(act)
    return tuple(sorted((_ran(text, acts) for text, acts in runs.items()), key=lambda ran: -ran.at))


def _ran(text: str, acts: list[Act]) -> Ran:
    last = acts[-1]
    return Ran(text, len(acts), last.failed, outcome(last.said), purpose(text), last.place.turn, last.place.at)


def purpose(command: str) -> str:
    """Give what a command is for, from the words at its start: tests before linters, linters before builds."""
    words = command[:_A_LINE].replace(":", " ").replace("-", " ").split()
    if _PURPOSE_OF.keys().isdisjoint(words):
        return ""
    found = [_PURPOSE_OF[word] for word in words if word in _PURPOSE_OF]
    return next(name for name in _PURPOSES if name in found)


def outcome(said: str) -> str:
    """Give the line of an output that tells most: the last one that speaks of success or failure, or else the last."""
    last = ""
    for raw in reversed(said[-_LOOKED_AT:].splitlines()):
        line = raw.strip()
        if _MAY_TELL.search(line) and _TELLS.search(line):  # whatever tells has two letters
            return _shown(line)
        if not last and _SAYS.search(line):
            last = line
    return _shown(last)


def _shown(line: str) -> str:
    return flat(line).strip("= -")[:_A_LINE]
