"""Where a context ends and the brief must go on: /clear, /compact, a window that fills up in mid-turn."""

from rig.evidence import texts, times


def test_clear(place, seen, terminal):
    """After `/clear` the old session is over, and the new one's first request holds its brief once."""
    terminal.claude()
    terminal.enter("the number is 4711")
    seen.wait_for("Stop")
    terminal.enter("/clear")
    seen.wait_for("SessionEnd(clear)", "SessionStart(clear)")
    terminal.enter("which number was it?")
    seen.wait_for("SessionStart(clear)", "Stop")
    terminal.leave()
    old, new = seen.sessions()
    assert seen.order(old) == ["SessionStart(startup)", "UserPromptSubmit", "Stop", "SessionEnd(clear)"]
    assert seen.order(new)[:3] == ["SessionStart(clear)", "UserPromptSubmit", "Stop"]
    assert seen.path(old)[-1] == "session_stop -> ended"
    assert seen.path(new)[:3] == ["session_start -> restored", "turn_start -> active", "turn_end -> idle"]
    assert seen.inheritance(new) == (old, 1), "by the baton"
    assert "4711" in seen.story_told(new, "which number was it?")


def test_compact(place, seen, terminal):
    """After `/compact words` the next request holds the brief once, beside the agent's own summary."""
    terminal.claude()
    terminal.enter("the number is 4711")
    seen.wait_for("Stop")
    terminal.enter("/compact mind the number")
    seen.wait_for("PostCompact(manual)")
    terminal.enter("which number was it?")
    seen.wait_for("PostCompact(manual)", "Stop")
    terminal.leave()
    [session] = seen.sessions()
    assert seen.order()[3:7] == ["PreCompact(manual)", "SubagentStop", "SessionStart(compact)", "PostCompact(manual)"]
    assert seen.hooks()[3]["custom_instructions"] == "mind the number"
    assert seen.path(session)[3:8] == [
        "compaction -> compacting",
        "session_start -> restored",
        "compacted -> restored",
        "turn_start -> active",
        "turn_end -> idle",
    ]
    _the_summary_was_known(seen, session)
    assert times(seen.requests()[1], "Additional Instructions:\nmind the number\n\n") == 1, (
        "our words come after the person's"
    )
    assert "4711" in seen.story_told(session, "which number was it?")


def test_window_fills_up_in_mid_turn(place, seen, terminal):
    """A compaction in the middle of a turn leaves the turn running, and the request that goes on holds the brief once."""
    terminal.claude()
    terminal.enter("the number is 4711")
    seen.wait_for("Stop")
    terminal.enter("fill the window {claim 985000} {run echo full}")
    seen.wait_for("Stop", "PostCompact(auto)", "Stop")
    terminal.leave()
    [session] = seen.sessions()
    assert seen.order()[3:9] == [
        "UserPromptSubmit", "PreCompact(auto)", "SubagentStop", "SessionStart(compact)", "PostCompact(auto)", "Stop",
    ]  # fmt: skip
    assert seen.path(session)[3:8] == [
        "turn_start -> active",
        "compaction -> compacting",
        "session_start -> restored",
        "compacted -> restored",
        "turn_end -> idle",
    ]
    _the_summary_was_known(seen, session)
    story = seen.story_told(session, "SUMMARY-OF-THE-STAND-IN")
    assert "fill the window" in story, "what is being worked on"
    assert [times(request, story) for request in seen.requests()] == [0, 0, 0, 1]


def _the_summary_was_known(seen, session):
    """The summariser was told what must survive; its summary was on the tape before the brief was handed back, and is kept."""
    [steered] = seen.notes(session, "steered")
    asked = [text for request in seen.requests() for text in texts(request) if "Additional Instructions:" in text]
    assert len(asked) == 1
    assert len(asked[0].partition("Additional Instructions:")[2]) > steered["characters"] > 0
    assert "word for word" in asked[0].partition("Additional Instructions:")[2]
    kinds = [move["event"] or move["note"] for move in seen.log(session)]
    assert kinds.index("compaction") < kinds.index("subagent_stop") < kinds.index("restored")
    [said] = seen.notes(session, "subagent_stop")
    assert "SUMMARY-OF-THE-STAND-IN" in said["summary"]
    assert seen.notes(session, "keep_summary")
