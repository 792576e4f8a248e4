"""A subagent at work: its hooks are not the session's own."""


def test_delegated_work(place, seen, terminal):
    """A subagent's end is a note, and the agent's own prompt about it, which it sends as the user's, is not taken for one."""
    terminal.claude()
    terminal.enter("ask someone {delegate count the files}")
    seen.wait_for("UserPromptSubmit", "UserPromptSubmit", "Stop")
    terminal.leave()
    [session] = seen.sessions()
    order = seen.order()
    assert order[:3] == ["SessionStart(startup)", "UserPromptSubmit", "SubagentStart"]
    assert sorted(order[3:5]) == ["Stop", "SubagentStop"], "it works in the background"
    assert order[5:7] == ["UserPromptSubmit", "Stop"]
    assert seen.path(session)[1:5] == [
        "turn_start -> active", "turn_end -> idle", "turn_start -> active", "turn_end -> idle",
    ]  # fmt: skip
    [ended] = seen.notes(session, "subagent_stop")
    assert (ended["agent_type"], "summary" in ended) == ("general-purpose", False)
    state = seen.state(session)
    assert state["last_prompt"] == "ask someone {delegate count the files}"
    terminal.claude()
    terminal.enter("what was it about?")
    seen.wait_for("SessionEnd(prompt_input_exit)", "Stop")
    terminal.leave()
    story = seen.story_told(seen.sessions()[-1], "what was it about?")
    assert "ask someone" in story
    assert "task-notification" not in story


def test_what_it_writes_between_turns_is_the_agents(place, seen, terminal):
    """The session's turn is over by then, and no human typed a line."""
    terminal.claude()
    terminal.enter("ask someone {delegate write it [run sleep 2; echo line > by-agent.txt]}")
    seen.wait_for("UserPromptSubmit", "UserPromptSubmit", "Stop")
    terminal.enter("go on")
    seen.wait_for("UserPromptSubmit", "UserPromptSubmit", "UserPromptSubmit", "Stop")
    terminal.leave()
    [session] = seen.sessions()
    marks = seen.notes(session, "mark_lines")
    assert marks[-1]["agent_files"] == {"by-agent.txt": 1}
    assert marks[-1]["user_files"] == {}
