"""Which of the things that were named count most."""

from tapehead.transcript import turns
from tapehead.transcript.turns import Said, Turn
from tapehead.work_record.step_row import Conversation
from tapehead.work_record.weights import weights


def weighed(*words):
    """The weights after these words of an agent, one turn for each."""
    told = [Turn(n, (Said(turns.HUMAN, "go on"), Said(turns.AGENT, text)), cwd="/w") for n, text in enumerate(words, 1)]
    return weights(Conversation(told))


def test_what_was_named_lately_counts_more():
    """Both were named once, the one at the end and the other long before."""
    found = weighed("I looked at hold_one.py now", *["Nothing of note"] * 8, "I looked at dock_two.py now")
    assert found["dock_two.py"] > 2 * found["hold_one.py"]


def test_what_was_named_often_counts_more():
    """Both were named in the same words at last."""
    found = weighed(*["I looked at hold_one.py now"] * 6, "I looked at hold_one.py and dock_two.py now")
    assert found["hold_one.py"] > 1.5 * found["dock_two.py"]
