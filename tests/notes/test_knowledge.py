"""What the notes know, as it comes back from a file that anybody may have written."""

import json

import pytest

from tapehead.notes.knowledge import Gathered, read_known

FULL = Gathered(
    turn=3,
    asks=[[1, "t", "a"]],
    rules=[[1, "r"]],
    listed=[["x", "pending"]],
    tasks={"1": ["x", "done"]},
    lists=[[1, [["x", "pending"]]]],
    added={"1": 2},
    files={"a.py": [1, 0, 2, 3, ["f"]]},
    commands={"make": [1, "test", False, "ok", 3]},
    ran={7: 2},
    errors={9: ["e", 1, ""]},
    learnings=[[1, "l"]],
    worklog=["- turn 1"],
    latest=[3, "t", "a", "b"],
)


def test_it_comes_back_as_it_was():
    """JSON has no numbers as keys: they are numbers again."""
    assert read_known(json.loads(json.dumps(FULL._asdict()))) == FULL
    assert read_known(Gathered()._asdict()) == Gathered()


@pytest.mark.parametrize("name", Gathered._fields)
@pytest.mark.parametrize("wrong", [None, 7, "x", [7], [[]], [[1]], [["x", {}]], {"x": 7.5}, {"x": []}, {"x": [{}]}])
def test_what_is_not_ours_is_not_believed(name, wrong):
    """A field of another shape: nothing is known, and all of it is gathered again."""
    found = read_known({**FULL._asdict(), name: wrong})
    assert found is None or getattr(found, name) == wrong  # a text in place of a text
    assert read_known({**FULL._asdict(), "more": 1}) is None
    assert read_known(wrong) is None
