"""Sentences in which something is decided."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.transcript.turns import AGENT, HUMAN, Said, Turn
from tapehead.work_record.decisions import deciding
from tapehead.work_record.sentences import flat, prose, split_sentences, strip_marks, tells
from tapehead.work_record.work_record import gather_work

VERBS = ("is", "was")
PHRASES = (
    *(
        "adopted",
        "reimplemented",
        "agreed",
        "approach",
        "because",
        "chose",
        "chosen",
        "confirmed",
        "decided to",
        "decided on",
        "decided against",
    ),
    *("decision", "fixed by", "going with", "implemented", "instead of", "let's use", "lets use", "opted"),
    *("rather than", "root cause", "so that", "turns out", "trade-off", "tradeoff", "this means", "which means"),
    *("went with", "will use"),
    *(f"the {what} {verb}" for what in ("issue", "problem", "bug", "cause", "reason", "fix") for verb in VERBS),
)
PLAIN = re.compile(rf"(?:{'|'.join(map(re.escape, PHRASES))})\b")
PIECES = st.sampled_from(
    [
        *(*PHRASES, "the parser", "Thüringen", "İ", "stays", "as it was", ". Then", "\n", "\n- ", "\n> ", "\n```\n"),
        *("bug is", "fix was", "rather", "means", "using it"),
    ]
)
TEXTS = st.lists(st.lists(PIECES, max_size=12).map(" ".join), max_size=5)


@pytest.mark.parametrize("phrase", PHRASES)
def test_each_of_the_words_makes_a_decision(phrase):
    """In small letters and in capitals; neither as the beginning nor as the end of another word."""
    sentence = f"It stays there {phrase} we all saw it."
    assert deciding([f"It stays there x{phrase} we all saw it."]) == [[]]
    assert deciding([sentence, sentence.upper()]) == [[sentence], [sentence.upper()]]
    assert deciding([f"It stays there {phrase}x we all saw it."]) == [[]]


@pytest.mark.parametrize(
    "half", ["bug is", "problem was", "fix is", "cause", "issue was", "reason is", "means", "than"]
)
def test_half_of_the_words_makes_none(half):
    """What stands before belongs to it."""
    assert deciding([f"We all know what a {half} when we see it."]) == [[]]


def test_what_is_said_and_quoted_as_code_is_said_once():
    """The same line within a fence is code."""
    line = "It stays there because we all saw it."
    assert deciding([f"{line}\n```\n{line}\n```\n{line}"]) == [[line, line]]
    assert deciding([f"```\n{line}\n```"]) == [[]]


@given(TEXTS)
def test_many_texts_are_searched_as_each_is_by_itself(texts):
    """Each text gets the sentences of its own spoken lines, whatever stands beside it; code, quotes and headings give none."""
    assert deciding(texts) == [
        [
            flat(raw)
            for line in prose(text)
            if PLAIN.search(line.lower())
            for raw in split_sentences(strip_marks(line))
            if PLAIN.search(flat(raw).lower()) and tells(raw)
        ]
        for text in texts
    ]


POINTS = """Two things are left:

**Item 1: Locking is not portable.**
It does not compile everywhere.

**Item 2: Nobody tests an amend.** It may lose the line.

Which of these do you want to look at?"""


def test_answers_by_number_are_told_with_the_points_that_they_answer():
    """`2. yes, fix it` says nothing without the second point."""
    found = gathered(POINTS, "1. leave it for now\n2. yes! fix it")
    assert {fact.text for fact in found if fact.note == "answer"} == {
        "Nobody tests an amend → yes! fix it",
        "Locking is not portable → leave it for now",
    }


@pytest.mark.parametrize(
    "own",
    [
        "1. rename the module\n2. run the tests\n3. commit",
        "1. rename the module\n2. run the tests",
        "do both\n1. but later",
    ],
)
def test_a_list_of_the_users_own_answers_nothing(own):
    """Its numbers are not those of the agent's points."""
    assert not [fact for fact in gathered(POINTS, own) if fact.note == "answer"]


def gathered(said, reply):
    turn = Turn(1, (Said(HUMAN, "look at it"), Said(AGENT, said)), "2027-01-01T10:00:00Z")
    return gather_work([turn, Turn(2, (Said(HUMAN, reply),), "2027-01-02T10:00:00Z")]).decisions
