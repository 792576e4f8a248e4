"""Where a context ends and the brief must go on: /compact and /new, in the terminal."""

from rig.evidence import briefs, times


def test_compact(place, seen, terminal):
    """After `/compact` the next prompt's request holds the brief once, beside the summary."""
    terminal.opencode()
    terminal.enter("the number is 4711")
    seen.wait_for("Stop")
    terminal.enter("/compact")
    seen.wait_for("PostCompact(manual)")
    terminal.enter("which number was it?")
    seen.wait_for("PostCompact(manual)", "Stop")
    terminal.enter("thanks")
    seen.wait_for("PostCompact(manual)", "Stop", "Stop")
    [session] = seen.sessions()
    assert seen.path(session)[3:7] == [
        "compaction -> compacting", "compacted -> restored", "turn_start -> active", "turn_end -> idle",
    ]  # fmt: skip
    request = seen.request_after("which number was it?")
    [story] = briefs(request)
    assert "4711" in story
    assert times(request, "SUMMARY-OF-THE-STAND-IN") == 1, "the host's own summary is there, and not in ours once more"
    assert briefs(seen.requests()[-1]) == [story], "and in the requests after it, still once"
    assert seen.state(session)["compaction_count"] == 1
    assert seen.delivery(session) == "delivered"


def test_new(place, seen, terminal):
    """Nobody says that the old session is over; the new one is known by its terminal, and its first request holds the brief."""
    terminal.opencode()
    terminal.enter("the number is 4711")
    seen.wait_for("Stop")
    terminal.enter("/new")
    terminal.wait_for("Ask anything")
    terminal.enter("which number was it?")
    seen.wait_for("Stop", "SessionStart(startup)", "Stop")
    old, new = seen.sessions()
    assert seen.inheritance(new) == (old, 3), "by the terminal"
    [story] = briefs(seen.request_after("which number was it?"))
    assert "4711" in story
    terminal.leave("/exit")
    seen.wait_for("SessionEnd(exit)", "SessionEnd(exit)")
    assert {seen.state(each)["phase"] for each in (old, new)} == {"ended"}, "both ends come when the client goes"
