"""`opencode run`: one prompt, and out."""

import os
import signal
import subprocess

from rig.evidence import briefs, times

from tapehead.actions.injection import NOTHING_CHANGED


def test_one_prompt(place, seen):
    """A run goes from start to end, tools included, and what its end asks for is done after it is gone."""
    done = place.print_mode("add one and one {run echo $((1+1))}")
    assert (done.returncode, "Answer 3." in done.stdout) == (0, True), done.stderr
    [session] = seen.sessions()
    assert seen.order() == ["SessionStart(startup)", "UserPromptSubmit", "Stop", "SessionEnd(exit)"]
    assert seen.path(session) == [
        "session_start -> idle", "turn_start -> active", "turn_end -> idle", "session_stop -> ended",
    ]  # fmt: skip
    state = seen.state(session)
    assert (state["phase"], state["agent"], state["model"], state["turn_number"]) == ("ended", "opencode", "m1", 1)
    assert seen.notes(session, "capture"), "the end wrote the description"
    assert seen.told() == [], "there was no story to tell"


def test_resume(place, seen):
    """`opencode run --continue` goes on in the same session; the conversation is loaded again, and nothing is told beside it."""
    place.print_mode("the number is 4711")
    [session] = seen.sessions()
    seen.state(session)
    place.print_mode("which number was it?", "--continue")
    assert seen.sessions() == [session]
    assert seen.path(session)[4:] == [
        "session_start -> restored", "turn_start -> active", "turn_end -> idle", "session_stop -> ended",
    ]  # fmt: skip
    request = seen.request_after("which number was it?")
    assert (times(request, "the number is 4711"), briefs(request)) == (1, [])
    assert seen.notes(session, "restored")[-1]["why"] == NOTHING_CHANGED


def test_the_window_fills_up_in_mid_turn(place, seen):
    """The turn goes on after the compaction, and its next request holds the brief once; the summariser was told what must survive."""
    place.print_mode("the number is 4711 {claim 60000} {run echo full}")
    [session] = seen.sessions()
    assert seen.order()[2:] == [
        "PreCompact(auto)", "PostCompact(auto)", "SessionStart(compact)", "Stop", "SessionEnd(exit)",
    ]  # fmt: skip
    assert seen.path(session)[1:6] == [
        "turn_start -> active",
        "compaction -> compacting",
        "compacted -> restored",
        "session_start -> restored",
        "turn_end -> idle",
    ]
    *before, summariser, after = seen.requests()
    assert [len(briefs(request)) for request in before] == [0] * len(before)
    assert briefs(summariser) == []
    [story] = briefs(after)
    assert "4711" in story
    assert times(after, "SUMMARY-OF-THE-STAND-IN") == 1
    assert seen.state(session)["compaction_count"] == 1
    assert seen.notes(session, "keep_summary")
    assert seen.notes(session, "steered")
    assert seen.delivery(session) == "delivered"


def test_what_was_started_in_the_same_place(place, seen):
    """A new session is told whom it could go on from."""
    place.print_mode("the number is 4711")
    place.print_mode("hello again")
    old, new = seen.sessions()
    assert seen.inheritance(new)[0] == old
    [story] = briefs(seen.request_after("hello again"))
    assert "4711" in story


def test_killed_in_mid_turn(place, seen):
    """No word of it; whoever looks next finds that its process is gone, and a resume is told."""
    command = place.inside(place.client, *place.print_words("the number is 4711 {wait 40}"))
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    client = subprocess.Popen(command, cwd=place.project, env=place.env, **quiet)
    seen.wait_for("UserPromptSubmit")
    seen.wait_for_request("4711")
    client.send_signal(signal.SIGKILL)
    client.wait()
    [session] = seen.sessions()
    place.tapehead("status")
    assert seen.path(session)[-1] == "process_lost -> halted"
    place.print_mode("go on", "--continue")
    [story] = briefs(seen.request_after("go on"))
    assert "4711" in story


def test_uninstall(place):
    """The plugin goes, and all else stays as it is."""
    beside = os.path.join(os.path.dirname(place.settings), "recorder.js")
    with open(beside, "rb") as file:
        before = file.read()
    assert os.path.exists(place.settings)
    assert place.tapehead("uninstall", "--agent", "opencode").returncode == 0
    assert not os.path.exists(place.settings)
    with open(beside, "rb") as file:
        assert file.read() == before
