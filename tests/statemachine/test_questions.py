"""What is asked of a phase is asked in the vocabulary: nobody else compares phases, or keeps a list of some of them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tapehead.statemachine.vocabulary import Phase

SOURCE = Path(__file__).parents[2] / "src" / "tapehead"
OWN = ("statemachine", "diagrams")
"""The machine itself, and what draws its rows."""
FILES = sorted(path for path in SOURCE.rglob("*.py") if path.relative_to(SOURCE).parts[0] not in OWN)
WORDS = {phase.value for phase in Phase}


def _names_a_phase(node):
    return (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "Phase"
        and node.attr in Phase.__members__
    )


def _is_of_phases(node):
    """A phase, its word, or a list of several."""
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return bool(node.elts) and all(map(_is_of_phases, node.elts))
    return _names_a_phase(node) or (isinstance(node, ast.Constant) and node.value in WORDS)


def decisions(source):
    """The lines of a file that decide by a phase: a comparison with one, or a list of some."""
    found = []
    for node in ast.walk(ast.parse(source)):
        sides = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
        compared = any(_names_a_phase(side) or ("phase" in ast.unparse(side) and len(sides) > 1) for side in sides)
        against = any(_is_of_phases(side) for side in sides)
        listed = (
            isinstance(node, ast.Tuple | ast.List | ast.Set)
            and len(node.elts) > 1
            and all(map(_names_a_phase, node.elts))
        )
        if (compared and against) or listed:
            found.append(node.lineno)
    return sorted({*found})


def test_nobody_decides_by_a_phase():
    """A decision that needs one is a row of the table, or a question in the vocabulary."""
    found = {str(path.relative_to(SOURCE)): decisions(path.read_text(encoding="utf-8")) for path in FILES}
    assert {path: lines for path, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    "source",
    [
        "if state.phase is Phase.HALTED: pass",
        "x = state.phase in (Phase.ENDED, Phase.HALTED)",
        "CLOSED = (Phase.ENDED, Phase.HALTED)",
        "x = {Phase.ENDED, Phase.HALTED}",
        "x = state.phase.value == 'halted'",
        "x = saved.get('phase') in ('active', 'compacting')",
        "x = phase != Phase.IDLE",
    ],
)
def test_the_checker_finds_it(source):
    """In whatever words."""
    assert decisions(source) == [1]


@pytest.mark.parametrize("source", ["STYLES = {Phase.ENDED: 'dim'}", "x = state.phase.is_closed", "x = 'halted'"])
def test_the_checker_lets_others_be(source):
    """A style for each phase, a question of the vocabulary's, a word."""
    assert decisions(source) == []


QUESTIONS = {
    "is_closed": {Phase.HALTED, Phase.ENDED},
    "is_ended": {Phase.ENDED},
    "is_halted": {Phase.HALTED},
    "is_working": {Phase.ACTIVE, Phase.COMPACTING},
    "is_on_a_prompt": {Phase.ACTIVE},
    "is_compacting": {Phase.COMPACTING},
    "is_restored": {Phase.RESTORED},
    "is_after_a_turn": {Phase.IDLE, Phase.ENDED},
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_phase_has_an_answer(question):
    """And it is written down here once more, so that a new phase has to be thought about."""
    assert {phase for phase in Phase if getattr(phase, question)} == QUESTIONS[question]


def test_every_question_is_in_here():
    """None is added without its answers."""
    assert {name for name, value in vars(Phase).items() if isinstance(value, property)} == set(QUESTIONS)
