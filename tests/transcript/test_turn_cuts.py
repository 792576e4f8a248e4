"""Steps cut into turns."""

from tapehead.transcript.turn_cuts import Cutting
from tapehead.transcript.turns import AGENT, HUMAN, Call, Said
from tapehead.transcript.usage import Usage

PLACE = ("10:00", "s", "main", "/w")
LATER = ("10:05", "s", "main", "/w")


def test_a_persons_words_begin_a_turn():
    """What came before them is the turn before; what is said without them is a turn too."""
    cutting = Cutting()
    assert list(cutting.take([Said(AGENT, "Hello.")], PLACE)) == []
    (first,) = cutting.take([Said(HUMAN, "go")], LATER)
    assert (first.number, first.agent, first.began, first.ended) == (0, ("Hello.",), "10:00", "10:00")
    (second,) = cutting.end()
    assert (second.number, second.human, second.began, second.session, second.branch) == (
        1,
        ("go",),
        "10:05",
        "s",
        "main",
    )
    assert list(cutting.end()) == []


def test_queued_words_belong_to_the_turn():
    """They were typed while the agent was at work."""
    cutting = Cutting()
    assert list(cutting.take([Said(HUMAN, "go"), Said(HUMAN, "left", queued=True)], PLACE)) == []
    assert next(cutting.end()).human == ("go", "left")


def test_costs_and_strange_speakers_are_no_steps():
    """What it cost adds up; the agent's words are for the memory alone, and neither says when a turn was worked on."""
    cutting = Cutting("scout")
    list(cutting.take([Said(HUMAN, "go"), Usage(1, 2)], PLACE))
    list(cutting.take([Usage(10, 20, messages=1), Said("system", "be good")], LATER))
    (turn,) = cutting.end()
    assert (turn.usage, turn.ended, turn.subagent) == (Usage(11, 22, messages=1), "10:00", "scout")
    assert turn.steps == (Said(HUMAN, "go"),)


def test_a_line_may_hold_several_steps():
    """All of them are in the turn that the prompt among them begins."""
    cutting = Cutting()
    call = Call("c", "t", "run")
    assert [turn.steps for turn in cutting.take([call, Said(HUMAN, "go"), call], PLACE)] == [(call,)]
    assert next(cutting.end()).steps == (Said(HUMAN, "go"), call)
