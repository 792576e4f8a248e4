"""`droid exec`: one prompt, and out. To go on with a session it wants a login, so that was not run."""

import os

import pytest
from rig.evidence import briefs


def test_one_prompt(place, seen):
    """A run goes from start to end, tools included; no hook tells the prompt, and the record does."""
    done = place.print_mode("add one and one {run echo $((1+1))}")
    assert (done.returncode, "Answer 2." in done.stdout) == (0, True), done.stderr
    [session] = seen.sessions()
    assert seen.order() == ["SessionStart(startup)", "Stop", "SessionEnd(other)"]
    assert seen.path(session) == [
        "session_start -> idle", "turn_start -> active", "turn_end -> idle", "session_stop -> ended",
    ]  # fmt: skip
    state = seen.state(session)
    assert (state["phase"], state["agent"], state["turn_number"]) == ("ended", "droid", 1)
    assert seen.told() == [], "there was no story to tell"


def test_the_window_fills_up(place, seen):
    """No hook tells of the compaction, and the record does, with the agent's own summary. Nothing is told in mid-turn."""
    place.print_mode("the number is 4711 {claim 900000} {run echo full}")
    [session] = seen.sessions()
    assert "PreCompact(auto)" not in seen.order()
    assert seen.path(session)[1:5] == [
        "turn_start -> active", "compaction -> compacting", "compacted -> restored", "turn_end -> idle",
    ]  # fmt: skip
    assert seen.state(session)["compaction_count"] == 1
    assert seen.notes(session, "keep_summary")
    assert seen.told() == [], "it waits for the next start"


def test_what_was_started_in_the_same_place(place, seen):
    """A new session is told whom it could go on from."""
    place.print_mode("the number is 4711")
    place.print_mode("hello again")
    old, new = seen.sessions()
    assert seen.inheritance(new)[0] == old
    [story] = briefs(seen.request_after("hello again"))
    assert "4711" in story
    assert seen.delivery(new) == "delivered"


@pytest.mark.parametrize("theirs", [True, False])
def test_hooks_run_and_go(bare, seen, theirs):
    """In the user's hooks.json, or where there is none in their settings; both are left as they were."""
    settings = f"{bare.home}/.factory/settings.json"
    if not theirs:
        bare.run("rm", bare.settings)
    path = bare.settings if theirs else settings
    with open(path, "rb") as file:
        before = file.read()
    bare.install()
    bare.print_mode("the number is 4711")
    [tape] = [name for name in os.listdir(seen.sessions_dir) if name.endswith(".tape")]
    assert seen.state(tape.removesuffix(".tape"))["agent"] == "droid"
    assert bare.tapehead("uninstall", "--agent", "droid").returncode == 0
    with open(path, "rb") as file:
        assert file.read() == before
