"""What Gemini's tools said, and the tools themselves."""

import json

import pytest
from chats import answer, called
from hypothesis import given
from hypothesis import strategies as st

from tapehead.agents.gemini.calls import call
from tapehead.agents.gemini.results import result
from tapehead.transcript import turns

OLD_SHELL = (
    "Command: ls\nDirectory: (root)\nOutput: a\nb\nError: (none)\nExit Code: 1\nSignal: (none)\nProcess Group PGID: 3"
)


@pytest.mark.parametrize(
    ("record", "text", "failed"),
    [
        (called("t", "read_file", answered={"output": "x"}), "x", False),
        (called("t", "read_file", status="error", answered={"error": "no such file"}), "no such file", True),
        (called("t", "run_shell_command", answered={"output": OLD_SHELL}), "Exit code 1\na\nb", True),
        (called("t", "run_shell_command", answered={"output": "Output: (empty)\nExit Code: (none)"}), "", False),
        (called("t", "run_shell_command", answered={"output": "no such shell"}), "no such shell", False),
        (called("t", "x", answered={"rows": [1]}), '{"rows": [1]}', False),
        ({"id": "t", "name": "x", "status": "success", "result": "plain"}, "plain", False),
        ({"id": "t", "name": "x", "status": "cancelled"}, "", True),
        (
            {
                "id": "t",
                "name": "x",
                "result": [answer("t", "x", output="a"), {"inlineData": {}}, {"inlineData": {"data": "A"}}],
            },
            "a\n[image]",
            False,
        ),
    ],
)
def test_a_result_is_what_was_said_and_whether_it_went_well(record, text, failed):
    """Without the agent's own words around it, in every shape that results have had."""
    assert result(record) == turns.Result("t", text, failed=failed)


def test_a_call_without_an_answer_has_none_yet():
    """It may still be at work."""
    assert result(called("t", "glob", status="executing")) is None


def test_a_response_that_is_too_deep_says_nothing():
    """Python gives up on it, and we go on."""
    deep = []
    for _ in range(100_000):
        deep = [deep]
    assert result(called("t", "x", answered={"rows": deep})).text == ""


def test_the_file_before_an_edit_is_kept():
    """It tells which function the edit stands in."""
    record = called("t", "replace", answered={"output": "ok"}) | {"resultDisplay": {"originalContent": "def f():\n"}}
    assert result(record).before == "def f():\n"


def test_answers_of_the_person_stand_with_their_questions():
    """The work record looks for decisions in this shape."""
    asked = called(
        "t",
        "ask_user",
        questions=[{"question": "Which door?"}],
        answered={"output": json.dumps({"answers": {"0": "the red one"}})},
    )
    assert result(asked).text == '"Which door?"="the red one"'
    assert (call(asked).kind, call(asked).text) == (turns.QUESTION, "Which door?")


@pytest.mark.parametrize(
    ("tool", "given_", "kind", "path", "text"),
    [
        ("write_file", {"file_path": "a", "content": "x"}, turns.WRITE, "a", "x"),
        ("read_file", {"absolute_path": "/a"}, turns.READ, "/a", ""),
        ("read_many_files", {"include": ["a", "b"]}, turns.READ, "", "a, b"),
        ("search_file_content", {"pattern": "x", "dir_path": "src"}, turns.SEARCH, "src", "x"),
        ("google_web_search", {"query": "x"}, turns.SEARCH, "", "x"),
        ("invoke_agent", {"agent_name": "scout", "prompt": "look"}, turns.DELEGATE, "", "scout"),
        ("exit_plan_mode", {"plan_filename": "plan.md"}, turns.PLAN, "plan.md", ""),
        ("mcp_door_open", {"which": "red"}, turns.OTHER, "", "which: red"),
    ],
)
def test_a_tool_is_told_by_what_it_does(tool, given_, kind, path, text):
    """In words that hold for any agent, with the arguments as they were given."""
    made = call(called("t", tool, **given_))
    assert (made.id, made.kind, made.path, made.text, made.arguments) == ("t", kind, path, text, given_)


def test_todos_are_the_whole_task_list():
    """Each with its status."""
    made = call(
        called("t", "write_todos", todos=[{"description": "a", "status": "completed"}, {"description": "b"}, 3])
    )
    assert (made.kind, made.pairs) == (turns.TODOS, (("a", "completed"), ("b", "pending")))


KEYS = [
    "id",
    "name",
    "args",
    "result",
    "status",
    "functionResponse",
    "response",
    "output",
    "error",
    "text",
    "resultDisplay",
    "questions",
]
anything = st.recursive(
    st.none() | st.integers() | st.text() | st.sampled_from(["ask_user", "run_shell_command", '{"answers": {"9": 1}}']),
    lambda one: st.lists(one) | st.dictionaries(st.sampled_from(KEYS), one),
)


@given(st.dictionaries(st.sampled_from(KEYS), anything))
def test_whatever_is_recorded_is_a_call_and_perhaps_a_result(record):
    """Nothing raises."""
    assert call(record).kind in turns.KINDS
    found = result(record)
    assert found is None or isinstance(found.text, str)
