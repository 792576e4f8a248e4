"""Commands, word for word: how often, how the last run ended, what it said, and what each is for."""

from __future__ import annotations

from tapehead.transcript import turns
from tapehead.work_record.facts import Ran
from tapehead.work_record.outcomes import outcome_of
from tapehead.work_record.sentences import flat

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from tapehead.work_record.step_row import Act, Story

_PURPOSES = {
    "test": "test tests pytest jest vitest nextest rspec ctest tox unittest",
    "lint": "lint ruff eslint mypy tsc typecheck clippy vet check",
    "format": "fmt format prettier gofmt black",
    "build": "build compile make bundle",
    "commit": "commit push merge rebase tag",
}
_PURPOSE_OF = {word: purpose for purpose, words in _PURPOSES.items() for word in words.split()}
_A_LINE = 200


def commands(story: Story) -> tuple[Ran, ...]:
    """Every command that was run, newest first."""
    runs: dict[str, list[Act]] = {}
    for act in story.acts:
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


def purpose(command: str) -> str:
    """Give what a command is for, from the words at its start: tests before linters, linters before builds."""
    words = command[:_A_LINE].replace(":", " ").replace("-", " ").split()
    if _PURPOSE_OF.keys().isdisjoint(words):
        return ""
    found = [_PURPOSE_OF[word] for word in words if word in _PURPOSE_OF]
    return next(name for name in _PURPOSES if name in found)
