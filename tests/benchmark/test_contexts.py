"""The contexts that are compared."""

from __future__ import annotations

import pytest

from example_transcript import SUMMARY, session
from tapehead.agents.claude.transcript import read
from tapehead.benchmark.contexts import BRIEF, NAMES, TAIL, TOGETHER, TURNS, contexts, talk
from tapehead.benchmark.contexts import SUMMARY as HOST
from tapehead.tokens.estimate import tokens
from tapehead.transcript.compactions import compactions
from transcript_script import Script


def of(script, tmp_path, budget=500):
    turns = read(script.write(tmp_path / "session.jsonl")).turns
    return contexts(compactions(turns)[0], budget)


@pytest.mark.parametrize("budget", [1, 50, 500, 2000])
def test_what_has_a_budget_keeps_to_it(budget, tmp_path):
    """The brief and the tail cost no more than they may; the tail is the newest of what was said."""
    found = of(session(), tmp_path, budget)
    assert tuple(found) == NAMES
    assert tokens(found[BRIEF]) <= budget
    assert tokens(found[TAIL]) <= budget
    assert "truncate() after each row.".endswith(found[TAIL][-26:])


def test_the_summary_is_the_host_s_and_goes_first_where_both_are_given(tmp_path):
    """What an agent really has: the summary whole, then what our brief adds."""
    found = of(session(), tmp_path)
    assert SUMMARY.endswith(found[HOST])
    assert "Pending tasks" in found[HOST]
    assert found[TOGETHER].startswith(f"{found[HOST]}\n# The work so far")


def test_twenty_turns_are_twenty(tmp_path):
    """The newest, whatever they cost; tool output is no talk."""
    script = Script()
    for n in range(30):
        script.human(f"prompt {n}").run("make", "tool output").agent(f"reply {n}")
    said = of(script.compacts("summary"), tmp_path)[TURNS]
    assert said.split("\n") == [line for n in range(10, 30) for line in (f"prompt {n}", f"reply {n}")]


def test_nothing_of_the_future_is_in_a_context(tmp_path):
    """Every context is made from the turns before the cut."""
    script = session()
    assert "buffer.truncate()" in script.text()
    assert all("buffer.truncate()" not in text for text in of(script, tmp_path).values())
    assert talk(()) == ""
