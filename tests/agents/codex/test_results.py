"""What Codex's tools said."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.agents.codex.results import Output

RAN = "Chunk ID: a1b2\nWall time: 0.1 seconds\nProcess exited with code {}\nOriginal token count: 2\nOutput:\n"


@pytest.mark.parametrize(
    ("output", "text", "failed"),
    [
        (RAN.format(0) + "Output:\nx", "Output:\nx", False),
        (RAN.format(3) + "x\n", "Exit code 3\nx\n", True),
        ("Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.", "Success.", False),
        (json.dumps({"output": "x", "metadata": {"exit_code": 1}}), "Exit code 1\nx", True),
        (json.dumps({"output": "x", "metadata": {"exit_code": 0}}), "x", False),
        ({"content": "no", "success": False}, "no", True),
        (
            [
                {"type": "input_text", "text": "Script completed\nWall time 0.1 seconds\nOutput:\n"},
                {"type": "input_text", "text": "x"},
            ],
            "x",
            False,
        ),
        (
            [
                {"type": "input_text", "text": "Script failed\nWall time 0.1 seconds\nOutput:\n"},
                {"type": "input_text", "text": "no"},
            ],
            "no",
            True,
        ),
        (
            [{"type": "input_text", "text": "Script completed\nOutput:\n"}, {"text": '{"exit_code":1,"output":"no"}'}],
            "Exit code 1\nno",
            True,
        ),
        ([{"type": "input_image", "image_url": "data:"}], "[image]", False),
        ("apply_patch verification failed: no such lines", "apply_patch verification failed: no such lines", True),
        ("exec command rejected by user", "exec command rejected by user", True),
        ("a line\nOutput:\nx", "a line\nOutput:\nx", False),
        (None, "", False),
    ],
)
def test_an_output_is_what_was_said_and_whether_it_went_well(output, text, failed):
    """Without the agent's own lines, in every shape that outputs have had."""
    told = Output(output)
    assert (told.text, told.failed) == (text, failed)


@pytest.mark.parametrize(
    ("output", "running"),
    [
        (
            "Chunk ID: a\nWall time: 1 seconds\nProcess running with session ID 17\nOriginal token count: 0\nOutput:\n",
            "session 17",
        ),
        ("Script running with cell ID 4\nWall time 10.0 seconds\n", "cell 4"),
        ([{"text": "Script completed\nOutput:\n"}, {"text": "x"}, {"text": "SESSION_ID=17"}], "session 17"),
        (RAN.format(0) + "x", ""),
    ],
)
def test_what_goes_on_is_known_by_its_number(output, running):
    """The next call that names the number asks about it."""
    assert Output(output).running == running


@given(
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda one: st.lists(one) | st.dictionaries(st.sampled_from(["text", "type", "content", "output"]), one),
    )
)
def test_whatever_came_back_is_an_output(output):
    """Nothing raises."""
    assert isinstance(Output(output).text, str)
