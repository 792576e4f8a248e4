"""`codex exec`: one prompt, and out."""

import signal
import subprocess

from rig.evidence import briefs, times

from tapehead.actions.injection import NOTHING_CHANGED


def test_one_prompt(place, seen):
    """A run goes from start to end, tools included, and what its end asks for is done after it is gone."""
    done = place.print_mode("add one and one {run echo $((1+1))}")
    assert (done.returncode, done.stdout) == (0, "Answer 2.\n")
    [session] = seen.sessions()
    assert seen.order() == ["SessionStart(startup)", "UserPromptSubmit", "Stop", "SessionEnd(other)"]
    assert seen.path(session) == [
        "session_start -> idle", "turn_start -> active", "turn_end -> idle", "session_stop -> ended",
    ]  # fmt: skip
    state = seen.state(session)
    assert (state["phase"], state["agent"], state["model"]) == ("ended", "codex", "gpt-5.1-codex")
    assert seen.notes(session, "capture"), "the end wrote the description"
    assert seen.told() == [], "there was no story to tell"


def test_resume(place, seen):
    """`codex exec resume` goes on in the same session; the conversation is loaded again, and nothing is told beside it."""
    place.print_mode("the number is 4711")
    [session] = seen.sessions()
    seen.state(session)
    place.print_mode("which number was it?", "resume", "--last")
    assert seen.sessions() == [session]
    assert seen.order()[4:] == ["SessionStart(resume)", "UserPromptSubmit", "Stop", "SessionEnd(other)"]
    assert seen.path(session)[4:] == [
        "session_start -> restored", "turn_start -> active", "turn_end -> idle", "session_stop -> ended",
    ]  # fmt: skip
    request = seen.request_after("which number was it?")
    assert (times(request, "the number is 4711"), briefs(request)) == (1, [])
    assert seen.notes(session, "restored")[-1]["why"] == NOTHING_CHANGED


def test_the_window_fills_up_in_mid_turn(place, seen):
    """The turn goes on after the compaction, and its next request holds the brief once, by the start that follows it."""
    place.print_mode("the number is 4711 {claim 260000} {run echo full}")
    [session] = seen.sessions()
    assert seen.order()[2:6] == ["PreCompact(auto)", "PostCompact(auto)", "SessionStart(compact)", "Stop"]
    assert seen.path(session)[1:6] == [
        "turn_start -> active",
        "compaction -> compacting",
        "compacted -> restored",
        "session_start -> restored",
        "turn_end -> idle",
    ]
    assert [len(briefs(request)) for request in seen.requests()] == [0, 0, 1]
    [story] = seen.told()
    assert "4711" in story
    assert seen.state(session)["compaction_count"] == 1
    assert seen.notes(session, "keep_summary")
    assert not seen.notes(session, "steered"), "nobody would have heard it"


def test_a_compaction_before_a_resumed_turn(place, seen):
    """The agent then says the start twice in a row; the next request holds one story."""
    place.print_mode("the number is 4711 {claim 260000}")
    [session] = seen.sessions()
    seen.state(session)
    place.print_mode("which number was it?", "resume", "--last")
    assert seen.order()[4:9] == [
        "PreCompact(auto)", "PostCompact(auto)", "SessionStart(resume)", "SessionStart(compact)", "UserPromptSubmit",
    ]  # fmt: skip
    request = seen.request_after("which number was it?")
    assert times(request, "which number was it?") == 1
    [story] = briefs(request)
    assert "4711" in story
    first, again = seen.notes(session, "restored")
    assert (first["source"], "again" in again) == ("resume", True)
    assert seen.delivery(session) == "delivered"


def test_what_was_started_in_the_same_place(place, seen):
    """A new session is told whom it could go on from."""
    place.print_mode("the number is 4711")
    place.print_mode("hello again")
    old, new = seen.sessions()
    assert seen.inheritance(new)[0] == old
    [story] = briefs(seen.request_after("hello again"))
    assert "4711" in story
    assert old in story


def test_a_long_story_arrives_whole(place, seen):
    """In whatever script and however much may be told: within the agent's limit, which counts bytes."""
    place.tapehead("config", "set", "restore.budget", "20000")
    place.tapehead("config", "set", "restore.on_resume", "full")
    for part in range(3):
        rules = " ".join(f"Niemals Äpfel №{n} mit Öl {part} 数字を足す。" for n in range(200))
        place.print_mode(f"{rules} Always mind part {part}.", *(["resume", "--last"] if part else []))
    [session] = seen.sessions()
    assert len(seen.told()) == 2
    for story in seen.told():
        assert 1_000 < len(story.encode()) <= 10_000
        assert "truncated output" not in story
    assert seen.delivery(session) == "delivered"


def test_hang_up_in_mid_turn(place, seen):
    """TERM ends the client without a word; whoever looks next finds that its process is gone."""
    command = place.inside(place.client, *place.print_words("the number is 4711 {wait 30}"))
    client = subprocess.Popen(
        command,
        cwd=place.project,
        env=place.env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    seen.wait_for_request("4711")
    client.send_signal(signal.SIGTERM)
    client.wait()
    [session] = seen.sessions()
    assert "SessionEnd(other)" not in seen.order()
    place.tapehead("status")
    assert seen.path(session)[-1] == "process_lost -> halted"
    place.print_mode("go on", "resume", "--last")
    [story] = briefs(seen.request_after("go on"))
    assert "4711" in story
