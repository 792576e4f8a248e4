"""Where a context ends and the brief must go on: /compress, a window that fills up, /clear, a kill."""

from rig.evidence import briefs, times


def test_compress(place, seen, terminal):
    """The one sign of a compression is in the session file; the next prompt's request holds the brief once, beside the summary."""
    terminal.gemini()
    terminal.enter("the number is 4711")
    seen.wait_for("AfterAgent")
    terminal.enter("/compress")
    terminal.wait_for("compressed from")
    terminal.enter("tell me the number")
    seen.wait_for("PreCompress(manual)", "AfterAgent")
    terminal.enter("thanks")
    seen.wait_for("PreCompress(manual)", "AfterAgent", "AfterAgent")
    [session] = seen.sessions()
    assert seen.path(session)[3:7] == [
        "compaction -> compacting", "compacted -> restored", "turn_start -> active", "turn_end -> idle",
    ]  # fmt: skip
    request = seen.request_after("tell me the number")
    [story] = briefs(request)
    assert "4711" in story
    assert times(request, "SUMMARY-OF-THE-STAND-IN") == 1
    assert briefs(seen.request_after("thanks")) == [story], "and in the requests after it, still once"
    assert seen.state(session)["compaction_count"] == 1
    assert seen.delivery(session) == "delivered"


def test_the_window_fills_up(place, seen, terminal):
    """A compression that nobody asked for is found when its turn is over, and the next prompt brings the brief."""
    terminal.gemini()
    terminal.enter("the number is 4711 {claim 600000}")
    seen.wait_for("AfterAgent")
    terminal.enter("it is full now")
    seen.wait_for("AfterAgent", "AfterAgent")
    terminal.enter("tell me the number")
    seen.wait_for("AfterAgent", "AfterAgent", "AfterAgent")
    [session] = seen.sessions()
    assert seen.path(session)[3:8] == [
        "turn_start -> active",
        "compaction -> compacting",
        "compacted -> restored",
        "turn_end -> idle",
        "turn_start -> active",
    ]
    [story] = briefs(seen.request_after("tell me the number"))
    assert "4711" in story
    assert seen.state(session)["compaction_count"] == 1
    assert seen.delivery(session) == "delivered"


def test_clear(place, seen, terminal):
    """After `/clear` the old session is over; the new one's start can say nothing, its first prompt does."""
    terminal.gemini()
    terminal.enter("the number is 4711")
    seen.wait_for("AfterAgent")
    terminal.enter("/clear")
    seen.wait_for("SessionEnd(clear)", "SessionStart(clear)")
    terminal.enter("tell me the number")
    seen.wait_for("SessionStart(clear)", "AfterAgent")
    old, new = seen.sessions()
    assert seen.path(old)[-1] == "session_stop -> ended"
    assert seen.inheritance(new) == (old, 1), "by the baton"
    assert seen.path(new)[:3] == ["session_start -> restored", "turn_start -> active", "turn_end -> idle"]
    [story] = briefs(seen.request_after("tell me the number"))
    assert "4711" in story
    assert seen.delivery(new) == "delivered"


def test_three_ends_are_one(place, seen, terminal):
    """The agent ends a session three times at one exit; the tape has one end of it."""
    terminal.gemini()
    terminal.enter("the number is 4711")
    seen.wait_for("AfterAgent")
    terminal.leave("/quit")
    [session] = seen.sessions()
    assert seen.order().count("SessionEnd(exit)") == 3
    assert seen.path(session)[-2:] == ["turn_end -> idle", "session_stop -> ended"]


def test_killed_in_mid_turn(place, seen, terminal):
    """No hook tells of it; the next start finds out and is told, and so is a resume."""
    terminal.gemini()
    terminal.enter("the number is 4711 {wait 40}")
    seen.wait_for_request("4711")
    terminal.kill()
    [session] = seen.sessions()
    terminal.gemini()
    terminal.enter("tell me what went on")
    seen.wait_for("AfterAgent")
    _, new = seen.sessions()
    assert seen.path(session)[-1] == "process_lost -> halted"
    assert seen.inheritance(new)[0] == session
    [story] = briefs(seen.request_after("tell me what went on"))
    assert "4711" in story
