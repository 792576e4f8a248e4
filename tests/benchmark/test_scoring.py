"""Recall, score and gap."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.benchmark.held import Held
from tapehead.benchmark.needed import Needed
from tapehead.benchmark.scoring import COLUMNS, Score, mean, score, table

ASKED = Needed({"names": frozenset({"name_a", "name_b", "name_c", "name_d"}), "commands": frozenset({"make test"})})


def test_recall_is_the_share_of_items_and_score_its_mean():
    """Each probe counts the same, however many items it has."""
    found = score("name_a name_b; make test", ASKED, Held(""))
    assert found.recall == {"names": 0.5, "commands": 1.0}
    assert (found.score, found.tokens) == (0.75, 6)


def test_gap_asks_only_for_what_the_summary_lost():
    """What the summary says already earns nothing, and a probe of which it lost nothing is not asked."""
    found = score("name_a name_b", ASKED, Held("name_a name_c; make test"))
    assert (found.recall["names"], found.gap) == (0.5, 0.5)
    assert score("name_a", ASKED, Held("name_a name_b name_c name_d make test")).gap is None


def test_a_summary_has_no_gap_by_itself():
    """It cannot hold what it lost: 0 by definition, which a table may show."""
    assert score("name_a", ASKED, Held("name_a")).gap == 0


@given(st.text(), st.text())
def test_scores_lie_between_nothing_and_all(text, summary):
    """Whatever the texts are; and a context that holds another one scores no less than it."""
    found = score(text, ASKED, Held(summary))
    assert 0 <= found.score <= 1
    assert found.gap is None or 0 <= found.gap <= 1
    assert score(f"{text}\nname_a\nmake test", ASKED, Held(summary)).score >= found.score


def test_a_table_has_the_means_of_the_cases_that_have_a_number():
    """A probe that one case does not ask does not count as 0 there."""
    row = table([Score({"names": 1.0}, None, 10), Score({"names": 0.5, "open": 0.25}, 0.5, 20)])
    assert tuple(row) == COLUMNS
    assert row == {"score": 0.6875, "gap": 0.5, "names": 0.75, "open": 0.25, "tokens": 15,
                   "links": None, "commands": None, "words": None}  # fmt: skip


def test_an_empty_mean_is_none():
    """Nothing is not 0."""
    assert mean([]) is None
    assert mean([1, 2]) == pytest.approx(1.5)
    assert Score({}, None, 0).score == 0
