"""What in a user's words should outlive the session."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.memories import extraction, likeness
from tapehead.memories.memory import FEEDBACK, PROJECT, REFERENCE, USER


@pytest.mark.parametrize(
    ("prompt", "words", "kind", "why"),
    [
        (
            "Please remember that the harbour office closes in August.",
            "the harbour office closes in August.",
            PROJECT,
            extraction.ASKED,
        ),
        ("Remember: never push to main on a Friday.", "never push to main on a Friday.", FEEDBACK, extraction.ASKED),
        ("Actually, remember that tests run in tox now.", "tests run in tox now.", FEEDBACK, extraction.ASKED),
        ("Don't forget that I am new to Rust.", "I am new to Rust.", USER, extraction.ASKED),
        (
            "Keep in mind that tickets are tracked in Linear.",
            "tickets are tracked in Linear.",
            REFERENCE,
            extraction.ASKED,
        ),
        (
            "From now on write tests before the code.",
            "From now on write tests before the code.",
            FEEDBACK,
            extraction.GENERAL,
        ),
        (
            "I prefer small commits over large ones.",
            "I prefer small commits over large ones.",
            FEEDBACK,
            extraction.GENERAL,
        ),
    ],
)
def test_it_finds_what_is_meant_to_last(prompt, words, kind, why):
    """Word for word, with its kind and why it was taken."""
    (found,) = extraction.found(f"Fix the export. {prompt}")
    assert (found.words, found.kind, found.why) == (words, kind, why)


@pytest.mark.parametrize(
    "prompt",
    [
        "Do you always run the tests before a commit?",
        "For now never mind the linter warnings.",
        "Never touch the parser in this branch.",
        "Add a function that parses the tide table.",
        "```\nalways use the old API here\n```",
        "> never do that again please",
        "Remember me?",
        "x" * 5_000 + " Always use tabs for indentation.",
        "",
    ],
)
def test_it_leaves_what_is_not(prompt):
    """Questions, what is only for now, plain work, code, quotes, what is pasted."""
    assert extraction.found(prompt) == []


def test_a_correction_counts_when_it_comes_again():
    """In about the same words; the opposite is no repetition."""
    first, again = "Don't reformat files you did not touch.", "I said don't reformat the files that you did not touch!"
    assert extraction.corrections(first) == [first]
    assert extraction.is_repeated(again, [first])
    assert not extraction.is_repeated("Reformat the files that you touch, always.", [first])


@given(st.text(max_size=300))
def test_any_text_is_taken_without_complaint(text):
    """And what is found is a part of it, on one line."""
    for one in extraction.found(text):
        assert one.words in " ".join(text.replace("**", "").split())
        assert "\n" not in one.words


@given(st.text(max_size=80), st.text(max_size=80))
def test_likeness_is_the_same_from_both_sides(one, other):
    """Alike, same and contradicting do not depend on who asks; a saying never contradicts itself."""
    assert likeness.alike(one, other) == likeness.alike(other, one)
    assert likeness.same(one, other) == likeness.same(other, one)
    assert likeness.contradict(one, other) == likeness.contradict(other, one)
    assert not likeness.contradict(one, one)


def test_for_and_against_the_same_thing_is_a_contradiction():
    """About other things it is none, and twice against is for."""
    assert likeness.contradict("Always squash commits before merging.", "Never squash commits before merging.")
    assert not likeness.contradict("Always squash commits.", "Never use tabs in tables.")
    assert likeness.same("Always run the tests before a commit.", "always run tests before every commit")
