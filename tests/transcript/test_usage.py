"""What the model really used."""

from tapehead.transcript.usage import NOTHING_USED, Usage


def test_usage_adds_up_and_the_context_is_the_latest():
    """What was sent and received adds up; how full the window is does not."""
    first = Usage(1, 2, 3, 4, 1, 100)
    assert first.plus(Usage(10, 20, 30, 40, 1, 50)) == Usage(11, 22, 33, 44, 2, 50)
    assert first.plus(NOTHING_USED) == first


def test_the_window_is_the_latest_that_was_told():
    """An agent may say it once, and another model has another."""
    assert Usage(window=200).plus(Usage(1)).window == 200
    assert Usage(window=200).plus(Usage(window=400)).window == 400
