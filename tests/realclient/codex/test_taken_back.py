"""What the user takes back in Codex: a prompt that is cancelled stays in the conversation, and going back begins a new rollout."""

from rig.evidence import times
from rig.waiting import until


def _brief(place):
    return place.tapehead("brief", "--full").stdout


def _escaped(terminal):
    """Once for the hint, once more for the conversation; one that comes while the client still works is lost."""
    if not terminal.shows("Browsing transcript", 1.0):
        terminal.press("Escape")
    return terminal.shows("Browsing transcript", 1.0)


def _back(terminal, words):
    """Goes back to before the newest prompt (Escape twice, Enter), and empties the line that the client puts it into."""
    until(lambda: _escaped(terminal), "it shows the conversation", show=terminal.screen)
    terminal.press("Enter")
    terminal.wait_for("Conversation reverted to this point")

    def gone():
        terminal.press("C-u")
        return words not in "\n".join(terminal.screen().rstrip().splitlines()[-4:])

    until(gone, "the line is empty", show=terminal.screen)


def test_gone_back(place, seen, terminal):
    """Neither the next request nor the brief has the turn that was left, and both have what came before it; the history has it with a mark."""
    terminal.codex()
    terminal.enter("open the door")
    seen.wait_for("Stop")
    terminal.enter("paint it red, never use a brush")
    seen.wait_for("Stop", "Stop")
    _back(terminal, "paint it red")
    terminal.enter("close the door")
    seen.wait_for("SessionStart(resume)", "Stop")
    request = seen.request_after("close the door")
    assert (times(request, "open the door"), times(request, "never use a brush")) == (1, 0), "the client itself"
    [session] = seen.sessions()
    until(lambda: seen.state(session)["phase"] == "idle", "the turn is settled")
    told = _brief(place)
    assert "open the door" in told
    assert "close the door" in told
    assert "never use a brush" not in told
    found = until(lambda: place.tapehead("search", "brush").stdout, "it is in the history")
    assert "(taken back)" in found
    assert seen.state(session)["token_usage"]["output"] == 27, "each of the three answers is counted once"


def test_a_cancelled_prompt_stays(place, seen, terminal):
    """Codex tells the model that the turn was interrupted, and keeps the prompt: so it is asked, here too."""
    terminal.codex()
    terminal.enter("open the door")
    seen.wait_for("Stop")
    terminal.enter("never paint it green {wait 30}")
    seen.wait_for_request("never paint it green")
    terminal.press("Escape")
    terminal.wait_for("Conversation interrupted")
    terminal.enter("close the door")
    seen.wait_for("Stop", "Stop")
    assert times(seen.request_after("close the door"), "never paint it green") == 1, "the client itself"
    assert "never paint it green" in _brief(place)


def test_a_fork(place, seen):
    """`codex exec fork` goes on from what it copied, and the copied turns are counted where they were said."""
    place.print_mode("the number is 4711")
    [first] = seen.sessions()
    place.print_mode("the colour is mauve")
    place.print_mode("which number was it?", "fork", first)
    *_, fork = seen.sessions()
    assert seen.order(fork)[0] == "SessionStart(fork)"
    assert seen.inheritance(fork) == (first, 7)
    assert times(seen.request_after("which number was it?"), "mauve") == 0
    until(lambda: seen.state(fork)["phase"] == "ended", "its end is settled")
    assert [seen.state(each)["token_usage"]["output"] for each in (first, fork)] == [9, 9]
