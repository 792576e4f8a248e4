"""What the work after a compaction is found to have needed."""

from __future__ import annotations

import pytest

from example_transcript import session
from tapehead.agents.claude.transcript import read
from tapehead.benchmark import needed as subject
from tapehead.benchmark.needed import find_needed
from tapehead.transcript.compactions import Compaction, compactions
from tapehead.transcript.turns import (
    AGENT,
    HUMAN,
    RUN,
    SUMMARY,
    TASK_ADD,
    TASK_SET,
    THINKING,
    TODOS,
    Call,
    Result,
    Said,
    Turn,
)

NAMES = [f"name_{letter}" for letter in "abcdefgh"]


def example(tmp_path):
    return compactions(read(session().write(tmp_path / "session.jsonl")).turns)[0]


def items(before=(), after=(), filler=20):
    """The items of a made-up case that is large enough: eight names stand before and after."""
    all_names = [Said(AGENT, name) for name in NAMES]
    pad = [Said(AGENT, "so") for _ in range(filler)]
    case = Compaction(1, "", (Turn(1, (*pad, *all_names, *before)),), "told", (Turn(1, (*after, *all_names)),))
    return find_needed(case).items


def test_a_real_session_shows_what_it_needed(tmp_path):
    """Files, functions, refs and the command that were used again; the user's words; the items left open."""
    found = find_needed(example(tmp_path)).items
    assert found["names"] == {
        "stream_csv", "export.py", "handle_export", "server.py", "test_export.py", "to_csv",
        "EXPORT_CHUNK_ROWS", "CHANGELOG.md", "#41",
    }  # fmt: skip
    assert ("export.py", "stream_csv") not in found["links"]  # never on one line before the cut
    assert ("EXPORT_CHUNK_ROWS", "handle_export") in found["links"]
    assert found["commands"] == {"python -m pytest tests/test_export.py -q", "ruff check tidewatch"}
    assert {"never reformat files you don't", "the csv export breaks when"} <= found["words"]
    assert found["open"] == {
        "write stream_csv beside to_csv",
        "send export_chunk_rows rows at a time in handle_export",
        "note the fix in changelog.md",
    }


def test_nothing_is_asked_that_was_not_known():
    """A name that first stands after the cut, or before it only in thinking or in the agent's summary, is not needed."""
    found = items(
        [Said(THINKING, "thought_of"), Said(SUMMARY, "summed_up")],
        [Said(AGENT, "brand_new thought_of summed_up"), Call("1", "Bash", RUN, text="make brand_new")],
    )
    assert found["names"] == set(NAMES)
    assert "commands" not in found


def test_what_tools_say_is_known_but_never_needed():
    """A result before the cut makes a name known; one after the cut makes none needed."""
    assert "only_result" in items([Result("1", "only_result")], [Said(HUMAN, "only_result")])["names"]
    assert "only_result" not in items([Said(AGENT, "only_result")], [Result("1", "only_result")])["names"]


def test_the_window_ends():
    """What is named after so many steps was found out anew: it is not counted."""
    late = [Said(AGENT, "and so on")] * (subject.WINDOW - len(NAMES)) + [Said(AGENT, "name_later")]
    assert (
        "name_later"
        not in items([Said(AGENT, "name_later")], late[:-1] + [Said(AGENT, n) for n in NAMES] + late[-1:])["names"]
    )
    assert "name_later" in items([Said(AGENT, "name_later")], late[1:-8] + late[-1:])["names"]


def test_links_stand_on_one_line_on_both_sides():
    """Two names of one line, before and after; not where either side has them on different lines, nor in a list."""
    both = [Said(AGENT, "name_a in name_b")]
    apart = [Said(AGENT, "name_a\nname_b")]
    listed = [Said(AGENT, " ".join(f"name_{n:03d}" for n in range(29)) + " name_a name_b")]
    assert items(both, both)["links"] == {("name_a", "name_b")}
    for before, after in ((both, apart), (apart, both), (listed, both)):
        assert "links" not in items(before, after)


def test_a_name_inside_another_makes_no_link():
    """`name_a` and `name_a_long` stand together wherever the longer one does: that says nothing."""
    text = [Said(AGENT, "name_a name_a_long")]
    assert "links" not in items(text, text)


def test_commands_are_runs_of_some_length():
    """Only what was run, word for word but for white space; `ls` and whole scripts are no probe."""
    ran = [Call(str(n), "Bash", RUN, text=text) for n, text in enumerate(("make  test", "ls", "x" * 401))]
    said = [Said(AGENT, "make lint")]
    assert items([*ran, *said], [*ran, Call("9", "Bash", RUN, text="make lint")])["commands"] == {"make test"}


def test_words_are_of_the_first_prompt_and_the_newest():
    """Runs of five words; a shorter prompt is one run; those in the middle of a long session are let go."""
    prompts = [Said(HUMAN, f"prompt {n}") for n in ("one", "two", *"345678")] + [Said(HUMAN, "  "), Said(HUMAN, "…")]
    said = items(prompts)["words"]
    assert said == {"prompt one", *(f"prompt {n}" for n in "45678")}
    assert items([Said(HUMAN, "Do this, and then that!")])["words"] == {"do this and then that"}
    assert len(items([Said(HUMAN, "one two three four five six seven")])["words"]) == 3


def test_open_items_are_the_list_as_it_stands():
    """The newest list replaces the former; tasks are set by their number; what is done or dropped is not open."""
    before = [
        Call("1", "TodoWrite", TODOS, pairs=(("Gone", "pending"),)),
        Call("2", "TodoWrite", TODOS, pairs=(("Write  it", "in_progress"), ("Done", "completed"), ("", "pending"))),
        *(Call("3", "TaskCreate", TASK_ADD, text=text) for text in ("First", "Second", "Third")),
        Call("4", "TaskUpdate", TASK_SET, path="1", text="completed"),
        Call("5", "TaskUpdate", TASK_SET, path="2", text="in_progress"),
        *(Call("6", "TaskUpdate", TASK_SET, path=path, text="deleted") for path in ("0", "4", "x", "")),
    ]
    assert items(before)["open"] == {"write it", "second", "third"}


@pytest.mark.parametrize(
    "change",
    [
        {"summary": ""},
        {"before": ()},
        {"after": ()},
        {"before": (Turn(1, tuple(Said(AGENT, "so") for _ in range(30))),)},
    ],
    ids=["no summary", "nothing before", "nothing after", "nothing in common"],
)
def test_a_case_that_says_nothing_is_none(change, tmp_path):
    """Without a summary to compare with, work to lose, work that goes on, or names that both share."""
    assert find_needed(example(tmp_path)) is not None
    assert find_needed(example(tmp_path)._replace(**change)) is None
