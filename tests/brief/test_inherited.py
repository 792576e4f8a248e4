"""What the sessions before left that still binds."""

from tapehead.brief.inherited import bequest
from tapehead.store.state import State
from tapehead.work_record.facts import Fact, WorkRecord

STATES = {
    "three": State("three", agent="gemini", predecessor="two"),
    "two": State("two", agent="codex", predecessor="one"),
    "one": State("one", agent="claude"),
}
ACCOUNTS = {
    "two": WorkRecord(rules=(Fact("no tabs"),), todos=(Fact("write the test", holds=False), Fact("ship it"))),
    "one": WorkRecord(
        rules=(Fact("no tabs"), Fact("Python 3.11", holds=False), Fact("keep it small")),
        todos=(Fact("name it"),),
        put_off=(Fact("still need to rest"),),
    ),
}


def told(name, states=STATES):
    return bequest(
        states[name], lambda each: states.get(each, State(each)), lambda s: ACCOUNTS.get(s.session_id, WorkRecord())
    )


def test_rules_and_open_items_of_the_whole_line():
    """With whose they are, the nearest first; what is done, overruled or said twice is left out."""
    assert told("three") == (
        "said to Codex, session two: “no tabs”",
        "left open by Codex, session two: ship it",
        "said to Claude Code, session one: “keep it small”",
        "left open by Claude Code, session one: name it",
        "left open by Claude Code, session one: still need to rest",
    )
    assert told("one") == ()


def test_circles_and_gaps():
    """A line that bites its tail ends there, and a session that nobody knows has left nothing."""
    circle = {"a": State("a", predecessor="b"), "b": State("b", predecessor="a")}
    assert told("a", circle) == ()
    assert told("a", {"a": State("a", predecessor="gone")}) == ()
