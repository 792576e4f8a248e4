"""What it means that a context holds something."""

from __future__ import annotations

import pytest

from tapehead.benchmark.held import NEAR, PROBES, Held

HELD = Held(
    "In src/export.py the function to_csv\n quotes;  run `make  test` — The person said: never reformat, files!"
)


@pytest.mark.parametrize(
    ("probe", "item", "held"),
    [
        ("names", "export.py", True),
        ("names", "export", False),
        ("links", ("export.py", "to_csv"), True),
        ("links", ("export.py", "write_row"), False),
        ("commands", "make test", True),
        ("commands", "make  test", False),
        ("words", "person said never reformat files", True),
        ("words", "person said never reformat file", False),
        ("words", "erson said", False),
        ("open", "never reformat, files", True),
        ("open", "always reformat", False),
    ],
)
def test_each_probe_finds_its_items_in_its_own_way(probe, item, held):
    """Names as words, commands word for word but for white space, the user's words without case and punctuation."""
    assert HELD.holds(probe, item) is held


@pytest.mark.parametrize(("between", "held"), [(NEAR - 7, True), (NEAR - 6, False)])
def test_a_link_is_held_where_both_stand_near_each_other(between, held):
    """Counted from the beginning of one to the beginning of the other, either way round, to the character."""
    text = f"to_csv {'.' * (between - 1)} a_file.py"
    assert len(text) - len("a_file.py") == between + 7
    assert Held(text).holds("links", ("to_csv", "a_file.py")) is held
    assert Held(text).holds("links", ("a_file.py", "to_csv")) is held


@pytest.mark.parametrize("probe", PROBES)
def test_an_empty_context_holds_nothing(probe):
    """Not even an item that is nothing but white space once cleaned."""
    assert not Held("").holds(probe, ("a_b_c", "b_c_d") if probe == "links" else "to_csv")
