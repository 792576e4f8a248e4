"""Where a context ends and the brief must go on: /compress and /clear, in the terminal."""

from rig.evidence import briefs, times


def test_compress_and_clear(place, seen, terminal):
    """After either, the next prompt's request holds the brief once; the old session ends, and so does the new one with the client."""
    terminal.qwen()
    terminal.enter("the number is 4711")
    seen.wait_for("Stop")
    terminal.enter("/compress")
    seen.wait_for("PostCompact(manual)", "SessionStart(compact)")
    terminal.wait_for("Chat history compressed")
    terminal.enter("which number was it?")
    seen.wait_for("PostCompact(manual)", "Stop")
    [session] = seen.sessions()
    assert seen.path(session)[3:8] == [
        "compaction -> compacting", "compacted -> restored", "session_start -> restored", "turn_start -> active",
        "turn_end -> idle",
    ]  # fmt: skip
    request = seen.request_after("which number was it?")
    [story] = briefs(request)
    assert "4711" in story
    assert times(request, "SUMMARY-OF-THE-STAND-IN") == 1
    terminal.enter("/clear")
    seen.wait_for("SessionEnd(clear)", "SessionStart(clear)")
    terminal.enter("what was it about?")
    seen.wait_for("SessionStart(clear)", "Stop")
    old, new = seen.sessions()
    assert seen.inheritance(new)[0] == old
    [story] = briefs(seen.request_after("what was it about?"))
    assert "4711" in story
    terminal.leave("/quit")
    seen.wait_for("SessionStart(clear)", "SessionEnd(prompt_input_exit)")
    assert {seen.state(each)["phase"] for each in (old, new)} == {"ended"}


def test_a_resume_after_a_kill(place, seen, terminal):
    """The session is halted, and the resumed one is told that it stopped in mid-turn."""
    terminal.qwen()
    terminal.enter("the number is 4711 {wait 15}")
    seen.wait_for_request("the number is 4711")
    terminal.kill()
    [session] = seen.sessions()
    place.tapehead("status")
    assert seen.state(session)["phase"] == "halted"
    terminal.qwen("--continue")
    seen.wait_for("SessionStart(resume)")
    terminal.enter("go on then")
    seen.wait_for("SessionStart(resume)", "Stop")
    [story] = briefs(seen.request_after("go on then"))
    assert "stopped" in story
