"""What the lines of a brief are worth beside each other, and which are taken where not all fit."""

from __future__ import annotations

import pytest

from tapehead.brief import items
from tapehead.brief.sections import Item
from tapehead.brief.selection import choose
from tapehead.transcript import turns
from tapehead.transcript.turns import Call, Result, Said, Turn
from tapehead.work_record.work_record import gather_work

PARTS = ("anchor", "rudder", "sail", "mast", "keel", "oar")
PLAN = "Implement the following plan:\n" + "".join(
    f"{n}. Step {n}: move the {part} from deck.py to hold_{n}.py and call load_{n}() there, because the crew asked for it\n"
    for n, part in enumerate(PARTS)
)
SUMMARY = "The crew decided to keep the anchor in hold_0.py because deck.py is read by the harbour master."


def did(ident, kind, **more):
    return Call(ident, "x", kind, **more), Result(ident, "4 passed")


@pytest.fixture(scope="module")
def worth():
    """What a character of the first line of each section is worth."""
    first = (
        Said(turns.HUMAN, PLAN + "We talked about this for long. " * 20),
        Said(turns.AGENT, "I moved the anchor to hold_0.py and it works."),
    )
    second = (
        Said(turns.HUMAN, "go on with the rest"),
        Said(
            turns.AGENT, "The tests in test_hold.py pass now. I looked at dock.py and found that berth() calls moor()."
        ),
        *did("1", turns.RUN, text="pytest -q tests/test_hold.py"),
        *did("2", turns.EDIT, path="/w/dock.py", pairs=(("x = 1", "berth = 2"),)),
    )
    told = gather_work([Turn(n, steps, cwd="/w", session="s") for n, steps in enumerate((first, second), 1)])
    found = {}
    for gather in items._GATHER:
        for item in gather(told._replace(summary=SUMMARY), 8_000):
            found.setdefault(item.section, item.worth / len(item.text))
    return found


def test_no_kind_of_line_drowns_another(worth):
    """A newest change, a line of the plan, an answer and a decision from before the last compaction are worth about the same."""
    about_the_same = [worth[name] for name in ("files", "plan", "answers", "earlier")]
    assert max(about_the_same) < 6 * min(about_the_same)


def test_how_the_work_is_verified_goes_first(worth):
    """The command that runs the tests is worth more than any of them, and a decision more than what is merely new."""
    assert worth["commands"] > max(worth[name] for name in ("files", "plan", "answers", "earlier"))
    assert worth["earlier"] > worth["files"]


def test_short_lines_go_before_a_long_one_of_more_worth():
    """What counts is the worth of a character: two short lines that fit tell more than the long one that keeps them out."""
    long = Item("files", "- " + "l" * 88, 2.0, 0)
    short = [Item("files", f"- {letter * 28}", 1.5, n) for n, letter in enumerate("ab", 1)]
    assert choose([long, *short], {}, 125) == short


def test_two_things_together_are_news():
    """A line that shows two things beside each other which were only named apart goes before one that shows neither."""
    apart = [Item("files", f"- {name}", 9.0, n) for n, name in enumerate(("hold_one.py", "load_two()"))]
    linked, other = Item("files", "- hold_one.py load_two()", 0.0, 2), Item("files", "- some words without it", 0.2, 3)
    taken = choose([*apart, other, linked], {"hold_one.py": 1.0, "load_two": 1.0, "load_two()": 1.0}, 75)
    assert (linked in taken, other in taken) == (True, False)
