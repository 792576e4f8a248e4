"""How full a window was, turn by turn."""

from __future__ import annotations

from tapehead.transcript.turns import AGENT, HUMAN, Boundary, Call, Result, Said, Turn
from tapehead.transcript.usage import Usage
from tapehead.transcript.window_use import contexts, estimate


def turn(*steps, context=0, subagent=""):
    return Turn(1, steps, subagent=subagent, usage=Usage(messages=1, context=context))


ASKED, ANSWERED, DROPPED = Said(HUMAN, "harbour " * 50), Said(AGENT, "tide " * 50), Boundary("auto")


def test_the_counts_since_the_last_compaction():
    """A subagent's window is another one, a partial boundary drops no turns."""
    turns = [
        turn(ASKED, context=10),
        turn(ASKED, Boundary("auto", partial=True), context=20),
        turn(context=9, subagent="a"),
    ]
    assert contexts(turns) == ([10, 20], False)
    assert contexts([*turns, turn(ASKED, DROPPED, ANSWERED, context=5)]) == ([5], True)


def test_after_a_compaction_nobody_knows_until_the_next_answer():
    """The newest count of a turn that ends compacted was taken before."""
    assert contexts([turn(ASKED, ANSWERED, DROPPED, context=99)]) == ([], True)


def test_an_estimate_looks_at_the_same_part():
    """What was dropped takes no room; calls and results do, subagents' do not."""
    one = estimate([turn(ASKED, ANSWERED)])
    assert estimate([turn(ASKED, ANSWERED), turn(ASKED, ANSWERED)]) == 2 * one
    assert estimate([turn(ASKED, ANSWERED), turn(ASKED, DROPPED, ANSWERED)]) < one
    assert estimate([turn(ASKED, ANSWERED), turn(ASKED, subagent="a")]) == one
    call = Call("1", "Edit", "edit", "a.py", pairs=(("old words here", "new words here"),))
    assert estimate([turn(call)]) < estimate([turn(call, Result("1", "done"))])
