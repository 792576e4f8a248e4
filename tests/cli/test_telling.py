"""How ids are told."""

from hypothesis import given
from hypothesis import strategies as st

from tapehead.cli.telling import alike, short


def test_ids_are_as_short_as_can_be():
    """Eight letters where that is enough."""
    assert short(["0123456789", "abababab-1", "abababab-2", "abc"]) == {
        "0123456789": "01234567",
        "abababab-1": "abababab-1",
        "abababab-2": "abababab-2",
        "abc": "abc",
    }


@given(st.lists(st.text("ab", min_size=9, max_size=14)))
def test_no_two_are_told_alike(ids):
    """Whatever they are: each begins as it is told, and two that differ are told differently."""
    told = short(ids)
    assert told.keys() == set(ids)
    assert all(one.startswith(begins) for one, begins in told.items())
    assert len(set(told.values())) == len(told)


def test_ids_to_choose_from_are_whole():
    """And not more than anyone reads."""
    assert alike(["a1", "a2"]) == "say more of it: a1, a2"
    assert alike([f"a{number}" for number in range(12)]).endswith(", a9 and 2 more")
