"""Where a context ends and the brief must go on: /compact, /clear, a kill; in the terminal, where starts come with prompts."""

import signal

from rig.evidence import briefs, times
from rig.waiting import until


def test_compact(place, seen, terminal):
    """After `/compact` the start comes with the next prompt, and its request holds the brief once, beside the summary."""
    terminal.codex()
    terminal.enter("the number is 4711")
    seen.wait_for("Stop")
    terminal.enter("/compact")
    seen.wait_for("PostCompact(manual)")
    terminal.enter("which number was it?")
    seen.wait_for("PostCompact(manual)", "Stop")
    terminal.enter("thanks")
    seen.wait_for("PostCompact(manual)", "Stop", "Stop")
    [session] = seen.sessions()
    assert seen.order()[3:8] == [
        "PreCompact(manual)", "PostCompact(manual)", "SessionStart(compact)", "UserPromptSubmit", "Stop",
    ]  # fmt: skip
    assert seen.path(session)[3:8] == [
        "compaction -> compacting",
        "compacted -> restored",
        "session_start -> restored",
        "turn_start -> active",
        "turn_end -> idle",
    ]
    request = seen.request_after("which number was it?")
    [story] = briefs(request)
    assert "4711" in story
    assert times(request, "SUMMARY-OF-THE-STAND-IN") == 1, "the host's own summary is there, and not in ours once more"
    assert briefs(seen.requests()[-1]) == [story], "and in the requests after it, still once"
    assert seen.state(session)["compaction_count"] == 1
    assert seen.delivery(session) == "delivered"


def test_clear(place, seen, terminal):
    """The old session says nothing at `/clear`; the new one is known by its process, and its first request holds the brief."""
    terminal.codex()
    terminal.enter("the number is 4711")
    seen.wait_for("Stop")
    terminal.enter("/clear")
    terminal.wait_for("Ask Codex to do anything")
    until(lambda: "4711" not in terminal.screen(), "the screen is clear", show=terminal.screen)
    terminal.enter("which number was it?")
    seen.wait_for("SessionStart(clear)", "Stop")
    old, new = seen.sessions()
    assert seen.order(old) == ["SessionStart(startup)", "UserPromptSubmit", "Stop"]
    assert seen.inheritance(new) == (old, 2), "by the process"
    assert seen.path(new)[:3] == ["session_start -> restored", "turn_start -> active", "turn_end -> idle"]
    [story] = briefs(seen.request_after("which number was it?"))
    assert "4711" in story
    terminal.leave("/quit")
    seen.wait_for("SessionEnd(other)", "SessionEnd(other)")
    assert {seen.state(each)["phase"] for each in (old, new)} == {"ended"}, "both ends come when the client goes"


def test_killed_in_mid_turn(place, seen, terminal):
    """No hook tells of it; the next start finds out, and both a resume and a new chat are told."""
    terminal.codex()
    terminal.enter("the number is 4711 {wait 40}")
    seen.wait_for_request("4711")
    terminal.kill()
    [session] = seen.sessions()
    terminal.codex()
    terminal.enter("tell me what went on")
    seen.wait_for("Stop")
    _, new = seen.sessions()
    assert seen.path(session)[-1] == "process_lost -> halted"
    assert seen.inheritance(new)[0] == session
    [story] = briefs(seen.request_after("tell me what went on"))
    assert "4711" in story
    terminal.kill(signal.SIGTERM)
    terminal.codex("resume", session)
    terminal.enter("go on")
    seen.wait_for("SessionStart(resume)", "Stop")
    [story] = briefs(seen.request_after("go on"))
    assert "4711" in story
    assert seen.path(session)[-3:] == ["session_start -> restored", "turn_start -> active", "turn_end -> idle"]
