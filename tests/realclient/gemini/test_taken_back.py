"""What the user takes back in Gemini: a prompt that is cancelled before an answer, and turns left by `/rewind`."""

from rig.evidence import times
from rig.waiting import until


def _brief(place):
    return place.tapehead("brief", "--full").stdout


def test_cancelled_and_rewound(place, seen, terminal):
    """Neither is in the next request, nor in the brief; the history has both, marked."""
    terminal.gemini()
    terminal.enter("open the door")
    seen.wait_for("AfterAgent")
    terminal.enter("never paint it green {wait 30}")
    seen.wait_for_request("never paint it green")
    terminal.press("Escape")
    terminal.wait_for("Request cancelled.")
    terminal.enter("paint it red, never use a brush")
    seen.wait_for_request("never use a brush")
    seen.wait_for("BeforeAgent", "BeforeAgent", "BeforeAgent", "AfterAgent")
    assert times(seen.request_after("never use a brush"), "never paint it green") == 0, "the client itself"
    assert "never use a brush" in _brief(place)
    assert "never paint it green" not in _brief(place)
    terminal.enter("/rewind")
    terminal.wait_for("Stay at current position")
    terminal.press("Up")
    terminal.press("Enter")
    terminal.wait_for("Rewind conversation")
    terminal.press("Enter")
    until(lambda: "* paint it red" in terminal.screen(), "the prompt is back for editing", show=terminal.screen)

    def cleared():
        terminal.press("C-u")
        return "* paint it red" not in terminal.screen()

    until(cleared, "the line is empty", show=terminal.screen)
    terminal.enter("close the door")
    seen.wait_for(*["BeforeAgent"] * 4, "AfterAgent")
    assert times(seen.request_after("close the door"), "never use a brush") == 0, "the client itself"
    [session] = seen.sessions()
    until(lambda: seen.state(session)["phase"] == "idle", "the turn is settled")
    told = _brief(place)
    assert "open the door" in told
    assert "close the door" in told
    assert "never use a brush" not in told
    assert "never paint it green" not in told
    for words in ("brush", "green"):
        found = until(lambda words=words: place.tapehead("search", words).stdout, "it is in the history")
        assert "(taken back)" in found


def test_stopped_at_work(place, seen, terminal):
    """A prompt that the agent had begun to answer stays in the conversation."""
    terminal.gemini()
    terminal.enter("never paint it blue {run sleep 30}")
    terminal.wait_for("sleep 30")
    terminal.wait_for("Answer")
    terminal.press("Escape")
    terminal.wait_for("Request cancelled.")
    terminal.enter("close the door")
    seen.wait_for_request("close the door")
    seen.wait_for("BeforeAgent", "BeforeAgent", "AfterAgent")
    assert times(seen.request_after("close the door"), "never paint it blue") == 1, "the client itself"
    assert "never paint it blue" in _brief(place)
