"""Codex's tools, in words that hold for any agent."""

import json

import pytest
import rollouts
from hypothesis import given
from hypothesis import strategies as st

from tapehead.agents.codex.calls import calls
from tapehead.transcript import turns


@pytest.mark.parametrize(
    ("tool", "given_", "kind", "path", "text"),
    [
        ("exec_command", {"cmd": "ls", "workdir": "/w"}, turns.RUN, "", "ls"),
        ("shell", {"command": ["bash", "-lc", "ls | wc"]}, turns.RUN, "", "ls | wc"),
        ("shell", {"command": ["/bin/zsh", "-c", "ls"]}, turns.RUN, "", "ls"),
        ("shell", {"command": ["git", "commit", "-m", "a b"]}, turns.RUN, "", "git commit -m 'a b'"),
        ("shell_command", {"command": "ls"}, turns.RUN, "", "ls"),
        ("local_shell", {"type": "exec", "command": ["ls"]}, turns.RUN, "", "ls"),
        ("functions.exec_command", {"cmd": "ls"}, turns.RUN, "", "ls"),
        ("view_image", {"path": "a.png"}, turns.READ, "a.png", ""),
        ("grep_files", {"pattern": "x", "path": "src"}, turns.SEARCH, "src", "x"),
        ("web_search", {"type": "search", "queries": ["a", "b"]}, turns.SEARCH, "", "a, b"),
        ("spawn_agent", {"task_name": "look", "message": "look at it"}, turns.DELEGATE, "", "look"),
        ("mcp__door__open", {"which": "red", "n": 2}, turns.OTHER, "", "which: red, n: 2"),
        ("exec", {}, turns.OTHER, "", ""),
        ("shell", {"command": 7}, turns.RUN, "", ""),
    ],
)
def test_a_tool_is_told_by_what_it_does(tool, given_, kind, path, text):
    """One call, one step, with the arguments as they were given."""
    (call,) = calls("c1", tool, json.dumps(given_))
    assert (call.id, call.kind, call.path, call.text, call.arguments) == ("c1", kind, path, text, given_)


def test_arguments_that_are_no_json_are_words():
    """A torn object is shown as it is."""
    (call,) = calls("c1", "door", '{"which": "re')
    assert call.arguments == {"input": '{"which": "re'}


def test_a_plan_is_the_whole_task_list():
    """Each step with its status."""
    (call,) = calls(
        "c1",
        "update_plan",
        json.dumps({"explanation": "so far", "plan": [{"step": "a", "status": "completed"}, {"step": "b"}, 3]}),
    )
    assert (call.kind, call.pairs, call.note) == (turns.TODOS, (("a", "completed"), ("b", "pending")), "so far")


@pytest.mark.parametrize(
    ("tool", "given_"),
    [
        ("apply_patch", rollouts.PATCH),
        ("apply_patch", json.dumps({"input": rollouts.PATCH})),
        ("shell", json.dumps({"command": ["apply_patch", rollouts.PATCH]})),
        ("shell", json.dumps({"command": ["bash", "-lc", f"apply_patch <<'EOF'\n{rollouts.PATCH}EOF"]})),
        ("exec", f"const p = {json.dumps(rollouts.PATCH)};\ntext(await tools.apply_patch(p));"),
    ],
)
def test_a_patch_is_a_step_for_each_file_whichever_way_it_went(tool, given_):
    """The first has the call's own id; only it carries what was given."""
    made = calls("c1", tool, given_)
    assert [(call.id, call.kind, call.path) for call in made] == [
        ("c1", turns.EDIT, "src/door.py"),
        ("c1#2", turns.WRITE, "tests/test_door.py"),
        ("c1#3", turns.EDIT, "old.txt"),
    ]
    assert [bool(call.arguments) for call in made] == [True, False, False]


def test_a_script_is_its_calls():
    """Each tool that it calls is a step."""
    made = calls(
        "c1", "exec", 'await tools.update_plan({plan:[{step:"a",status:"pending"}]}); tools.exec_command({cmd:"ls"})'
    )
    assert [(call.id, call.tool, call.kind) for call in made] == [
        ("c1", "update_plan", turns.TODOS),
        ("c1#2", "exec_command", turns.RUN),
    ]


anything = st.recursive(
    st.none() | st.integers() | st.text(),
    lambda one: (
        st.lists(one)
        | st.dictionaries(st.sampled_from(["cmd", "command", "plan", "input", "questions", "queries"]), one)
    ),
    max_leaves=8,
)


@given(
    st.sampled_from(
        [
            "exec_command",
            "shell",
            "apply_patch",
            "update_plan",
            "exec",
            "view_image",
            "web_search",
            "request_user_input",
            "x",
        ]
    ),
    anything,
)
def test_whatever_is_given_a_call_is_a_call(tool, given_):
    """At least one step, with the id of the call."""
    made = calls("c1", tool, given_)
    assert made[0].id == "c1"
    assert all(call.kind in turns.KINDS for call in made)
