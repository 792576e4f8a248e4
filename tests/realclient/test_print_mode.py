"""`claude -p`: one prompt, and out."""

from rig.evidence import times


def test_one_prompt(place, seen):
    """A print-mode run goes from start to end, tools included, and what its end asks for is done after it is gone."""
    done = place.print_mode("add one and one {run echo $((1+1))}")
    assert (done.returncode, done.stdout, done.stderr) == (0, "Answer 2.\n", "")
    [session] = seen.sessions()
    assert seen.order() == ["SessionStart(startup)", "UserPromptSubmit", "Stop", "SessionEnd(other)"]
    assert seen.path(session) == [
        "session_start -> idle", "turn_start -> active", "turn_end -> idle", "session_stop -> ended",
    ]  # fmt: skip
    assert seen.state(session)["phase"] == "ended"
    assert seen.notes(session, "capture"), "the end wrote the description"
    assert seen.told() == [], "there was no story to tell"


def test_resume(place, seen):
    """`claude -p --resume` goes on in the same session; the conversation is loaded again, and nothing is told beside it."""
    place.print_mode("the number is 4711")
    [session] = seen.sessions()
    seen.state(session)
    place.print_mode("which number was it?", "--resume", session)
    assert seen.sessions() == [session]
    assert seen.order()[4:] == ["SessionStart(resume)", "UserPromptSubmit", "Stop", "SessionEnd(other)"]
    assert seen.path(session)[4:] == [
        "session_start -> restored", "turn_start -> active", "turn_end -> idle", "session_stop -> ended",
    ]  # fmt: skip
    request = seen.request_after("which number was it?")
    assert times(request, "the number is 4711") == 1
    assert seen.told() == []  # the client's list of skills names ours, too: that is no hook's word
    [told] = seen.notes(session, "restored")
    assert told["why"] == "the conversation was loaded again, and nothing changed meanwhile"
