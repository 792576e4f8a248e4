"""From one session to the next: what the successor is told, and what it can still find."""

import json
import os


def remembered(place, *words):
    """What `tapehead` answers in JSON, from within the place."""
    done = place.tapehead(*words, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_memo_stands_on_top(place, seen, terminal):
    """A hands over with a memo, the client is closed, and a new chat has the memo before anything else."""
    terminal.claude()
    terminal.enter("the number is 4711")
    seen.wait_for("Stop")
    terminal.leave()
    [old] = seen.sessions()
    assert place.tapehead("handoff", "--session", old, "--memo", "next: double the number").returncode == 0
    terminal.claude()
    terminal.enter("what is next?")
    seen.wait_for("SessionEnd(prompt_input_exit)", "Stop")
    terminal.leave()
    new = seen.sessions()[1]
    assert seen.inheritance(new) == (old, 1), "by the baton"
    story = seen.story_told(new, "what is next?")
    assert story.splitlines()[1] == "It left a memo: “next: double the number”"
    assert "4711" in story
    assert f"this work was handed over to you by session {old}" in story.splitlines()[0]


def test_a_chain_of_three(place, seen, terminal):
    """The third session is told of the first one's turns, finds them whole, and its decisions are on record."""
    terminal.claude()
    asked = ("the number is 4711", "the colour is red", "the animal is a crane", "which number was it?")
    for number, words in enumerate(asked):
        if number:
            terminal.enter("/clear")
            seen.wait_for(*["SessionStart(clear)"] * number)
        terminal.enter(words)
        seen.wait_for(*["SessionStart(startup)", "Stop"], *["SessionStart(clear)", "Stop"] * number)
    terminal.leave()
    first, second, third, fourth = seen.sessions()
    rules = [seen.inheritance(each) for each in (second, third, fourth)]
    assert [former for former, _ in rules] == [first, second, third]
    assert {rule for _, rule in rules} <= {1, 2}, "by the baton, or before it lay there by the process that cleared"
    story = seen.story_told(fourth, "which number was it?")
    assert "the animal is a crane" in story
    assert f"tapehead detail turn N --session {first}" in story
    [turn] = remembered(place, "detail", "turn", "1", "--session", first)
    assert "the number is 4711" in [entry["body"] for entry in turn["entries"]]
    hits = remembered(place, "search", "4711", "--session", fourth, "--role", "human")
    assert first in {hit["session"] for hit in hits}
    handed = remembered(place, "log", "--injections")
    assert [(one["to"], one["session"]) for one in handed if one["tokens"]] == [
        (second, first),
        (third, second),
        (fourth, third),
    ]
    assert (handed[0]["to"], handed[0]["amount"]) == (first, "off"), "and of the first start, that it was told nothing"


def test_every_turn_is_remembered_once(place, seen, terminal):
    """Prompts, replies, tools and what they said are in the memory after the turn, and a second import adds nothing."""
    terminal.claude()
    terminal.enter("the number is 4711 {run echo forty-two}")
    seen.wait_for("Stop")
    terminal.enter("thank you")
    seen.wait_for("Stop", "Stop")
    terminal.leave()
    [session] = seen.sessions()
    seen.state(session)
    first, second = remembered(place, "detail", "turns", "1-2", "--session", session)
    kinds = [entry["kind"] for entry in first["entries"]]
    assert [kinds.count(kind) for kind in ("prompt", "call", "result")] == [1, 1, 1]
    assert "forty-two" in next(entry["body"] for entry in first["entries"] if entry["kind"] == "result")
    assert [entry["body"] for entry in second["entries"] if entry["kind"] == "prompt"] == ["thank you"]
    again = remembered(place, "import", os.path.dirname(seen.hooks()[0]["transcript_path"]))
    assert again["entries"] == 0
