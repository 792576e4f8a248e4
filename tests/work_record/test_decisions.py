"""Sentences in which something is decided."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.work_record.decisions import deciding
from tapehead.work_record.sentences import flat, prose, split_sentences, strip_marks, tells

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
