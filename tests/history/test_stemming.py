"""Stems, dates and forms: what a question is compared by."""

import sqlite3
from datetime import date

import pytest

from tapehead.history.english import forms, weight_of
from tapehead.history.question_dates import Dated, find_days
from tapehead.history.stemming import stem

WORDS = """
migrations migrated buoys hobbies agreed hopping filing sensational conditional valency rationalization
operator feudalism decisiveness hopefulness callousness formality sensitivity sensibility triplicate formative
electrical goodness revival allowance inference airliner adjustable defensible irritant replacement dependent
adoption communism activate angularity effective rate cease controlling rolling skies sky happy enjoyed falling
hissing fizzed failing troubled sized running singing parser parsing as is
"""


def test_the_index_stems_alike():
    """SQLite's stemmer and ours agree, so that the words of the one are found by the other."""
    index = sqlite3.connect(":memory:")
    try:
        index.execute("CREATE VIRTUAL TABLE w USING fts5 (body, tokenize = 'porter unicode61')")
        index.execute("CREATE VIRTUAL TABLE v USING fts5vocab (w, 'instance')")
        index.executemany("INSERT INTO w (rowid, body) VALUES (?, ?)", enumerate(WORDS.split()))
        found = dict(index.execute("SELECT doc, term FROM v"))
        assert {word: found[at] for at, word in enumerate(WORDS.split())} == {
            word: stem(word) for word in WORDS.split()
        }
    finally:
        index.close()


def test_forms_that_no_rule_gives():
    """Whichever was typed."""
    assert set(forms("wrote")) == {"write", "wrote", "written"}
    assert forms("parser") == ("parser",)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("what broke last Tuesday", date(2026, 11, 17), date(2026, 11, 17)),
        ("on Wednesday", date(2026, 11, 11), date(2026, 11, 11)),
        ("the bug in October", date(2026, 10, 1), date(2026, 10, 31)),
        ("in December", date(2025, 12, 1), date(2025, 12, 31)),
        ("on 4 February, 2023", date(2023, 2, 4), date(2023, 2, 4)),
        ("on August 15th 2023", date(2023, 8, 15), date(2023, 8, 15)),
        ("yesterday", date(2026, 11, 17), date(2026, 11, 17)),
        ("last week", date(2026, 11, 9), date(2026, 11, 15)),
        ("two weeks ago", date(2026, 11, 3), date(2026, 11, 5)),
        ("2026-11-15", date(2026, 11, 15), date(2026, 11, 15)),
        ("on 15.11.2026", date(2026, 11, 15), date(2026, 11, 15)),
        ("10.1.2026?", date(2026, 1, 10), date(2026, 1, 10)),
        ("before 11/15/2026", date(2026, 11, 15), date(2026, 11, 15)),
        ("15/11/2026", date(2026, 11, 15), date(2026, 11, 15)),
        ("in summer 2025", date(2025, 6, 1), date(2025, 8, 31)),
    ],
)
def test_dates(text, first, last):
    """As people say them; without a year the last such day that was."""
    assert find_days(text, date(2026, 11, 18))[0] == [Dated(first, last)]


@pytest.mark.parametrize(
    "text", ["may we march on", "April asked", "version 2023", "3 of 4", "10.1.2024.5", "1.10.24", "31.02.2024"]
)
def test_no_dates(text):
    """Words and numbers that are none are left alone."""
    assert find_days(text, date(2026, 11, 18)) == ([], text, [])


def test_a_day_before_another():
    """It counts from the day that is named, not from today."""
    days, _, said = find_days("last weekend before April 10, 2023", date(2026, 11, 18))
    assert days == [Dated(date(2023, 4, 10), date(2023, 4, 10)), Dated(date(2023, 4, 8), date(2023, 4, 9))]
    assert said == ["April 10, 2023", "last weekend"]


@pytest.mark.parametrize(
    ("question", "light"),
    [
        ("what kind of boat did he mention", {"kind", "mention"}),
        ("which type error is it", {"type"}),
        ("the type error in the parser", set()),
        ("how many sails", {"many"}),
        ("too many open files", set()),
    ],
)
def test_words_that_count_less(question, light):
    """Those of the asking; the same word counts in full where it is the matter."""
    words = question.split()
    assert {word for at, word in enumerate(words) if weight_of(words, at) < 1} == light
