"""Where a context ends and the brief must go on: /compact and /clear, in the terminal."""

from rig.evidence import briefs, times


def test_compact(place, seen, terminal):
    """After `/compact` the next prompt's request holds the brief once, beside the summary."""
    terminal.copilot()
    terminal.enter("the number is 4711")
    seen.wait_for("Stop")
    terminal.enter("/compact")
    terminal.wait_for("Compaction completed")
    terminal.enter("which number was it?")
    seen.wait_for("PreCompact(manual)", "Stop")
    terminal.enter("thanks")
    seen.wait_for("PreCompact(manual)", "Stop", "Stop")
    [session] = seen.sessions()
    assert seen.path(session)[3:7] == [
        "compaction -> compacting", "compacted -> restored", "turn_start -> active", "turn_end -> idle",
    ]  # fmt: skip
    request = seen.request_after("which number was it?")
    [story] = briefs(request)
    assert "4711" in story
    assert times(request, "SUMMARY-OF-THE-STAND-IN") == 1
    assert briefs(seen.requests()[-1]) == [story], "and in the requests after it, still once"
    assert seen.state(session)["compaction_count"] == 1
    assert seen.delivery(session) == "delivered"


def test_the_window_fills_up(place, seen, terminal):
    """The compaction runs beside the turn; the prompt after it brings the brief, once, beside the agent's summary."""
    terminal.copilot()
    terminal.enter("the number is 4711 {claim 63000} {run echo full}")
    seen.wait_for("PreCompact(auto)", "Stop")
    terminal.wait_for("Compaction completed")
    terminal.enter("which number was it?")
    seen.wait_for("PreCompact(auto)", "Stop", "UserPromptSubmit", "Stop")
    [session] = seen.sessions()
    request = seen.request_after("which number was it?")
    [story] = briefs(request)
    assert "4711" in story
    assert times(request, "SUMMARY-OF-THE-STAND-IN") == 1
    assert seen.state(session)["compaction_count"] == 1
    assert seen.delivery(session) == "delivered"


def test_clear(place, seen, terminal):
    """The old session ends, the new one is known by its terminal, and its first request holds the brief."""
    terminal.copilot()
    terminal.enter("the number is 4711")
    seen.wait_for("Stop")
    terminal.enter("/clear")
    seen.wait_for("SessionEnd(user_exit)")
    terminal.wait_for("Started a fresh session")
    terminal.enter("which number was it?")
    seen.wait_for("SessionEnd(user_exit)", "Stop")
    old, new = seen.sessions()
    assert seen.inheritance(new) == (old, 3), "by the terminal: the old one has ended"
    [story] = briefs(seen.request_after("which number was it?"))
    assert "4711" in story
    terminal.leave("/exit")
    seen.wait_for("SessionEnd(user_exit)", "SessionEnd(user_exit)")
    assert {seen.state(each)["phase"] for each in (old, new)} == {"ended"}
