"""Two sessions in one worktree, read from the requests."""

from rig.waiting import until

SAID = "another session (Claude Code) is at work in this worktree"


def said(request):
    return str(request["messages"]).count(SAID)


def test_the_second_is_told_of_the_first_once(place, seen, terminal):
    """While the first is open: which files it has changed, on the tape and in the list of what models were told as well."""
    terminal.claude()
    terminal.enter("begin {run echo one > sail.txt}")
    seen.wait_for("Stop")
    [first] = seen.sessions()
    until(lambda: seen.state(first).get("files_touched"), "the first session's file on its tape")
    place.print_mode("begin too {run echo two > hull.txt}")
    [second] = [each for each in seen.sessions() if each != first]
    requests = [request for request in seen.requests() if "begin too" in str(request["messages"])]
    assert "sail.txt" in str(requests[-1]["messages"])
    assert said(requests[-1]) == 1
    assert "notice" in place.tapehead("log", "--injections", "--session", second).stdout
    assert seen.notes(second, "told_neighbours")[0]["session"] == first
