"""`claude -p`: one prompt and out."""

from rig.evidence import times


def test_print_mode(place, seen):
    """A print-mode run goes through the machine from start to end, and what its end asks for is done after it is gone."""
    done = place.print_mode("add one and one {run echo $((1+1))}")
    assert done.returncode == 0, done.stderr
    [session] = seen.sessions()
    assert seen.order() == ["SessionStart(startup)", "UserPromptSubmit", "Stop", "SessionEnd(other)"]
    assert seen.phases(session) == ["session_start>IDLE", "turn_start>ACTIVE", "turn_end>IDLE", "session_stop>ENDED"]
    assert seen.state(session)["phase"] == "ended"
