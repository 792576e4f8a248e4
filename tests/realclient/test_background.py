"""Work that goes on beside the session: what the agent says of it, and what a brief tells when its process is gone."""

STARTS = "serve it {background sleep 60}"


def test_work_in_the_background(place, seen, terminal):
    """Every Stop lists what runs. After `/clear` it runs on, and the brief says so; the next session's list names it too."""
    terminal.claude()
    terminal.enter(STARTS)
    seen.wait_for("Stop")
    terminal.enter("/clear")
    seen.wait_for("SessionEnd(clear)", "SessionStart(clear)")
    terminal.enter("does it still run?")
    seen.wait_for("SessionStart(clear)", "Stop")
    old, new = seen.sessions()
    [first], [second] = (_running(seen, session) for session in (old, new))
    assert first == second
    [listed] = first
    assert listed.endswith(" sleep 60")
    story = seen.story_told(new, "does it still run?")
    assert "in the background, running at " in story
    assert "since t1: Bash sleep 60" in story


def test_work_whose_client_was_killed(place, seen, terminal):
    """A brief says that sight of it was lost; nobody else tells a new chat, and its own list is empty."""
    place.tapehead("config", "set", "restore.on_start", "full")
    terminal.claude()
    terminal.enter(STARTS)
    seen.wait_for("Stop")
    terminal.kill()
    terminal.claude()
    terminal.enter("does it still run?")
    seen.wait_for("Stop", "SessionStart(startup)", "Stop")
    terminal.leave()
    old, new = seen.sessions()
    assert seen.path(old)[-1] == "process_lost -> ended"
    assert [len(listed) for session in (old, new) for listed in _running(seen, session)] == [1, 0]
    story = seen.story_told(new, "does it still run?")
    assert "lost with its process by " in story
    assert "(it may have to be started again), begun in t1: Bash sleep 60" in story


def _running(seen, session):
    return [move["data"]["running"] for move in seen.log(session) if move["event"] == "turn_end"]
