"""Whom a new session goes on from: after one kill, beside one that runs, with a single run in between, as a fork."""

from rig.evidence import times
from rig.terminal import Terminal
from rig.waiting import until


def chat(seen, terminal, words):
    """A session of one turn in this terminal; its id."""
    stops = seen.order().count("Stop") + 1
    terminal.claude()
    terminal.enter(words)
    seen.wait_for(*["Stop"] * stops)
    terminal.leave()
    return seen.sessions()[-1]


def test_one_kill_is_told_of_once(place, seen, terminal):
    """Of three chats after a kill the first is told of the halted work, and each of the others of the one before it."""
    terminal.claude()
    terminal.enter("the number is 4711 {wait 40}")
    seen.wait_for_request("4711")
    terminal.kill()
    [killed] = seen.sessions()
    one, two, three = (chat(seen, Terminal(place, f"later{n}"), f"something else, {n}") for n in range(3))
    assert [seen.inheritance(each) for each in (one, two, three)] == [(killed, 4), (one, 5), (two, 5)]
    assert [("4711" in "".join(seen.handed_back(each))) for each in (two, three)] == [False, False]


def test_beside_one_that_runs(place, seen, terminal):
    """A session that runs, and whose last turn failed, is nobody's past; nor is what it went on from."""
    first = chat(seen, terminal, "the number is 4711")
    terminal.claude()
    terminal.enter("try it {fail 400}")
    seen.wait_for("StopFailure")
    running = seen.sessions()[-1]
    until(lambda: seen.path(running)[-1] == "turn_failed -> halted", "the failure is on the tape")
    beside = chat(seen, Terminal(place, "beside"), "something else")
    assert seen.inheritance(running) == (first, 3)
    assert seen.inheritance(beside) is None
    assert seen.handed_back(beside) == []


def test_a_single_run_in_between(place, seen, terminal):
    """`claude -p` is passed over: the next chat in the terminal goes on from the one before."""
    first = chat(seen, terminal, "the number is 4711")
    terminal.enter("claude -p 'the number is 1147'")
    seen.wait_for("Stop", "Stop", "SessionEnd(other)")
    single = seen.sessions()[-1]
    after = chat(seen, terminal, "which number was it?")
    assert seen.state(single)["one_off"]
    assert seen.inheritance(after) == (first, 3)
    assert "1147" not in "".join(seen.handed_back(after))


def test_a_fork(place, seen, terminal):
    """`--fork-session` and `/branch` go on from what they copied; the copied turns are counted where they were said."""
    first = chat(seen, terminal, "the number is 4711")
    chat(seen, Terminal(place, "other"), "the number is 1147")
    terminal.claude("--resume", first, "--fork-session")
    terminal.enter("which number was it?")
    seen.wait_for("SessionStart(fork)", "Stop")
    fork = seen.sessions()[-1]
    terminal.enter("/branch")
    seen.wait_for("SessionStart(fork)", "SessionStart(fork)")
    terminal.enter("and again?")
    seen.wait_for("SessionStart(fork)", "SessionStart(fork)", "Stop")
    terminal.leave()
    branch = seen.sessions()[-1]
    assert (seen.inheritance(fork), seen.inheritance(branch)) == ((first, 7), (fork, 7))
    assert times(seen.request_after("which number was it?"), "4711") >= 1, "the conversation itself is there"
    assert "1147" not in str(seen.request_after("which number was it?")["messages"])
    assert [_own(seen, each) for each in (first, fork, branch)] == [(1, 9), (1, 9), (1, 9)]
    found = place.tapehead("search", "4711", "--json").stdout
    assert found.count('"the number is 4711"') <= 1


def _own(seen, session):
    """Turns and written tokens of a session, once its end is settled."""
    until(lambda: seen.state(session)["phase"] == "ended", "its end is settled")
    state = seen.state(session)
    return state["turn_number"], state["token_usage"]["output"]
