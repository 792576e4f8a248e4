"""`gemini -p`: one prompt, and out."""

from rig.evidence import briefs, texts

from tapehead.actions.injection import NOTHING_CHANGED


def test_one_prompt(place, seen):
    """A run goes from start to end, tools included; that a compression may come before every answer is no compaction."""
    done = place.print_mode("add one and one {run echo $((1+1))}")
    assert done.returncode == 0, done.stderr
    [session] = seen.sessions()
    assert [each for each in seen.order() if each != "PreCompress(auto)"] == [
        "SessionStart(startup)", "BeforeAgent", "AfterAgent", "SessionEnd(exit)",
    ]  # fmt: skip
    assert seen.order().count("PreCompress(auto)") >= 2
    assert seen.path(session) == [
        "session_start -> idle", "turn_start -> active", "turn_end -> idle", "session_stop -> ended",
    ]  # fmt: skip
    state = seen.state(session)
    assert (state["phase"], state["agent"], state["compaction_count"]) == ("ended", "gemini", 0)
    assert seen.notes(session, "capture"), "the end wrote the description"
    assert seen.told() == [], "there was no story to tell"


def test_resume(place, seen):
    """The conversation is loaded again, and nothing is told beside it."""
    place.print_mode("the number is 4711")
    [session] = seen.sessions()
    seen.state(session)
    place.print_mode("tell me the number", "-r", "latest")
    assert seen.sessions() == [session]
    assert seen.path(session)[4:] == [
        "session_start -> restored", "turn_start -> active", "turn_end -> idle", "session_stop -> ended",
    ]  # fmt: skip
    request = seen.request_after("tell me the number")
    assert briefs(request) == []
    assert seen.notes(session, "restored")[-1]["why"] == NOTHING_CHANGED
    assert "the number is 4711" in texts(request["contents"]), "the history is whole"


def test_what_a_resume_is_told_leaves_the_history_whole(place, seen):
    """Words of a start's own would void the user's first prompt; the brief comes with the prompt, once."""
    place.tapehead("config", "set", "restore.on_resume", "full")
    place.print_mode("the number is 4711")
    [session] = seen.sessions()
    seen.state(session)
    place.print_mode("tell me the number", "-r", "latest")
    request = seen.request_after("tell me the number")
    [story] = briefs(request)
    assert "4711" in story
    assert seen.delivery(session) == "delivered"
    assert "the number is 4711" in texts(request["contents"])


def test_what_was_started_in_the_same_place(place, seen):
    """A new session is told whom it could go on from, at its first prompt."""
    place.print_mode("the number is 4711")
    place.print_mode("hello again")
    old, new = seen.sessions()
    assert seen.inheritance(new)[0] == old
    [story] = briefs(seen.request_after("hello again"))
    assert "4711" in story
    assert old in story
    assert seen.delivery(new) == "delivered"
