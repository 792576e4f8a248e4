"""Two terminals in one repository."""

from rig.terminal import Terminal


def test_each_inherits_its_own(place, seen, terminal):
    """Of two clients at once neither inherits from the other; a new chat in either terminal goes on with that one's work."""
    other = Terminal(place, "two")
    for each, words in ((terminal, "the number is 1111"), (other, "the number is 2222")):
        each.claude()
        each.enter(words)
        seen.wait_for_request(words)
    seen.wait_for("Stop", "Stop")
    terminal.leave()
    other.leave()
    for each, words in ((terminal, "which was mine?"), (other, "and which was mine?")):
        each.claude()
        each.enter(words)
        seen.wait_for_request(words)
    seen.wait_for(*["Stop"] * 4)
    terminal.leave()
    other.leave()
    one, two, after_one, after_two = seen.sessions()
    assert [seen.inheritance(each) for each in (one, two)] == [None, None]
    assert seen.path(two)[0] == "session_start -> idle", "the other one still lives: it is nobody's past"
    assert [seen.inheritance(each) for each in (after_one, after_two)] == [(one, 3), (two, 3)]
    assert {seen.path(each)[0] for each in (after_one, after_two)} == {"session_start -> restored"}
    for session, mine, not_mine, asked in (
        (after_one, "1111", "2222", "which was mine?"),
        (after_two, "2222", "1111", "and which was mine?"),
    ):
        story = seen.story_told(session, asked)
        assert (mine in story, not_mine in story) == (True, False)


def test_resumed_while_it_still_works(place, seen, terminal):
    """A session that is taken up in a second terminal in mid-turn is restored there, and the user is told."""
    terminal.claude()
    terminal.enter("the number is 4711")
    seen.wait_for("Stop")
    terminal.enter("now count to it {wait 40}")
    seen.wait_for_request("now count to it")
    [session] = seen.sessions()
    other = Terminal(place, "two")
    other.claude("--resume", session)
    other.wait_for("SessionStart:resume says: tapehead: this session was left in mid-turn")
    other.enter("where were we?")
    seen.wait_for("SessionStart(resume)", "Stop")
    assert seen.path(session)[3:7] == [
        "turn_start -> active", "session_start -> restored", "turn_start -> active", "turn_end -> idle",
    ]  # fmt: skip
    assert "now count to it" in seen.story_told(session, "where were we?")
    assert "left in mid-turn" not in "".join(str(request) for request in seen.requests()), (
        "told the person, not the model"
    )
