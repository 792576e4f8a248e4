"""What each kind of start is told, read from the requests: only what the model has lost, once, and as the settings say."""

import json

from rig.terminal import Terminal
from rig.waiting import until

from tapehead.tokens.estimate import tokens

POINTER_TOKENS = 60


def commit(place, subject):
    place.run(
        "git", "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "--allow-empty", "-m", subject
    )


def why(seen, session):
    """The reason on the tape for what the last start was told, and the same in `log --injections`."""
    told = seen.notes(session, "restored")[-1]["why"]
    assert told in seen.place.tapehead("log", "--injections", "--session", session).stdout
    return told


def continued(place, seen, times):
    for number in range(times):
        place.print_mode(f"go on, {number}", "--continue")
        seen.ended()


def test_seven_continues_add_nothing(place, seen):
    """The conversation is loaded each time: after a compaction the brief stands in the seventh request once, and nothing else of ours."""
    place.print_mode("the number is 4711 {claim 985000} {run echo full}")
    session = seen.ended()
    continued(place, seen, 7)
    assert seen.sessions() == [session]
    [brief] = seen.ours(seen.requests()[-1])
    assert "before its context was compacted" in brief
    assert why(seen, session) == "the conversation was loaded again, and nothing changed meanwhile"


def test_of_seven_continues_one_is_told_of_a_commit(place, seen):
    """What changed meanwhile is told to the start that comes upon it, and to no later one."""
    place.print_mode("the number is 4711")
    session = seen.ended()
    continued(place, seen, 3)
    assert seen.ours(seen.requests()[-1]) == []
    commit(place, "Fix the importer")
    continued(place, seen, 4)
    [told] = seen.ours(seen.requests()[-1])
    assert "Fix the importer" in told
    assert "4711" not in told
    assert tokens(told) <= POINTER_TOKENS
    assert len(seen.handed_back(session)) == 1


def test_a_memo_is_told_once(place, seen):
    """Of a handoff the memo and the brief stand in the conversation: the resumes after it do not repeat them."""
    place.print_mode("the number is 4711")
    old = seen.ended()
    place.tapehead("handoff", "--session", old, "--memo", "next: double the number")
    place.print_mode("what is next?")
    seen.ended()
    continued(place, seen, 2)
    [told] = seen.ours(seen.requests()[-1])
    assert told.count("next: double the number") == 1


def test_two_compactions_in_one_turn(place, seen):
    """Each loses what was handed over before it: the last request holds one brief, and it says that it replaces the first."""
    place.print_mode("the number is 4711 {claim 985000} {run echo full} {summary then [claim 985000] [run echo again]}")
    session = seen.ended()
    assert seen.order().count("PreCompact(auto)") == 2
    assert seen.order().count("Stop") == 1
    assert [len(seen.ours(request)) for request in seen.requests()][-1] == 1
    assert max(len(seen.ours(request)) for request in seen.requests()) == 1
    first, second = seen.handed_back(session)
    assert "This replaces what tapehead said before." not in first
    assert seen.ours(seen.requests()[-1]) == [second.strip()]
    assert "This replaces what tapehead said before." in second.splitlines()[0]
    assert "the number is 4711" in second


def test_kill_and_resume(place, seen, terminal):
    """The record may lack the last words: two lines say where it stopped. Who resumes once more is told nothing."""
    terminal.claude()
    terminal.enter("the number is 4711 {wait 40}")
    seen.wait_for_request("4711")
    [session] = seen.sessions()
    until(
        lambda: "4711" in str(seen.transcript(session)), "the prompt is in the transcript"
    )  # or there is nothing to resume
    terminal.kill()
    place.print_mode("go on", "--continue")
    session = seen.ended()
    [told] = seen.ours(seen.requests()[-1])
    assert "It stopped in mid-turn, after the prompt “the number is 4711" in told
    assert len(told.splitlines()) == 2
    continued(place, seen, 1)
    assert seen.ours(seen.requests()[-1]) == [told]
    assert len(seen.handed_back(session)) == 1


def test_a_named_handoff_and_who_loses_it(place, seen, terminal):
    """The first to start has the whole brief with the memo; the second is told that another session took it, and no more."""
    place.print_mode("the number is 4711 {run echo forty-two}")
    old = seen.ended()
    place.tapehead("handoff", "--session", old, "--memo", "next: double the number")
    terminal.claude()
    seen.wait_for("SessionStart(startup)", "SessionStart(startup)")
    loser = Terminal(place, "loser")
    loser.claude()
    seen.wait_for(*["SessionStart(startup)"] * 3)
    loser.enter("what was lost?")
    seen.wait_for("Stop", "Stop")
    terminal.enter("what is next?")
    seen.wait_for("Stop", "Stop", "Stop")
    loser.leave()
    terminal.leave()
    [told] = seen.ours(seen.request_after("what was lost?"))
    assert told == f"tapehead: the handoff of session {old} was taken by another session."
    [brief] = seen.ours(seen.request_after("what is next?"))
    assert brief.startswith(f"tapehead: this work was handed over to you by session {old}")
    assert "next: double the number" in brief
    assert "the number is 4711" in brief
    assert "echo forty-two" in brief, "its commands, as after a /clear"


def test_a_resume_is_told_what_was_left_for_it(place, seen):
    """A memo and a memory that came meanwhile, once; the handoff still waits for a fresh start."""
    place.print_mode("the number is 4711")
    session = seen.ended()
    place.tapehead("handoff", "--session", session, "--memo", "next: double the number")
    place.tapehead("remember", "Never use tabs.")
    continued(place, seen, 2)
    [told] = seen.ours(seen.requests()[-1])
    assert "next: double the number" in told
    assert "Never use tabs." in told
    place.print_mode("what is next?")
    assert seen.inheritance(seen.ended()) == (session, 1)


def test_ten_restores_are_found_by_no_search(place, seen):
    """The client writes down what it was handed, ten times; a search finds the words where they were said, and nowhere else."""
    place.tapehead("config", "set", "restore.on_resume", "full")
    place.print_mode("the cunningham is number 4711")
    [session] = seen.sessions()
    for number in range(10):
        seen.state(session)
        place.print_mode(f"go on with {number}", "--resume", session)
    handed = seen.handed_back(session)
    assert len(handed) == 10
    assert all("cunningham" in text for text in handed)
    for kinds in ((), *(("--kind", kind) for kind in ("hook", "system", "result", "summary"))):
        hits = json.loads(place.tapehead("search", "cunningham", "--json", "--limit", "100", *kinds).stdout or "[]")
        assert {hit["turn"] for hit in hits} <= {1}
        assert bool(hits) is not bool(kinds)
