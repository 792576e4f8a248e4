"""`qwen -p`: one prompt, and out."""

from rig.evidence import briefs, times
from rig.waiting import until


def gone(place, seen, session):
    """The state once somebody noticed that the process is gone: no hook tells the end."""
    until(lambda: place.tapehead("status").returncode == 0 and seen.state(session)["phase"] != "idle", "it is noticed")
    return seen.state(session)


def test_one_prompt(place, seen):
    """A run with a tool is one turn, though the hook of a prompt comes once more with the tool's result. No hook tells the end; the process that is gone does."""
    done = place.print_mode("add one and one {run echo $((1+1))}")
    assert (done.returncode, "Answer 2." in done.stdout) == (0, True), done.stderr
    [session] = seen.sessions()
    assert [each for each in seen.order() if each != "Notification"] == [
        "SessionStart(startup)", "UserPromptSubmit", "UserPromptSubmit", "Stop",
    ]  # fmt: skip
    assert seen.path(session)[:3] == ["session_start -> idle", "turn_start -> active", "turn_end -> idle"]
    state = gone(place, seen, session)
    assert (state["phase"], state["agent"], state["turn_number"]) == ("ended", "qwen", 1)
    assert seen.told() == [], "there was no story to tell"


def test_the_window_fills_up(place, seen):
    """The compaction comes in mid-turn. The client does not wait for the hook's words, so the brief stands in the request after the next tool."""
    place.print_mode("the number is 4711 {claim 172000} {run echo '[run timeout 8 tail -f /dev/null]'}")
    [session] = seen.sessions()
    assert seen.path(session)[1:6] == [
        "turn_start -> active", "compaction -> compacting", "compacted -> restored", "session_start -> restored",
        "turn_end -> idle",
    ]  # fmt: skip
    assert seen.state(session)["compaction_count"] == 1
    after = [each for each in seen.requests() if times(each, "SUMMARY-OF-THE-STAND-IN")]
    assert [len(briefs(each)) for each in after] == [0, 1]
    assert "4711" in briefs(after[1])[0]
    assert times(after[1], "SUMMARY-OF-THE-STAND-IN") == 1


def test_what_was_started_in_the_same_place(place, seen):
    """A new session is told whom it could go on from; a resumed one is not."""
    place.print_mode("the number is 4711")
    place.print_mode("hello again")
    place.print_mode("and now", "--continue")
    old, new = seen.sessions()
    assert seen.inheritance(new)[0] == old
    [story] = briefs(seen.request_after("hello again"))
    assert "4711" in story
    assert briefs(seen.requests()[-1]) in ([], [story])


def test_hooks_run_and_go(bare, seen):
    """The settings are as they were once the client had brought them up to its own version."""
    bare.print_mode("hello")
    with open(bare.settings, "rb") as file:
        before = file.read()
    bare.install()
    bare.print_mode("the number is 4711")
    assert seen.state(seen.sessions()[-1])["agent"] == "qwen"
    assert bare.tapehead("uninstall", "--agent", "qwen").returncode == 0
    with open(bare.settings, "rb") as file:
        assert file.read() == before
