"""Steps on their way to the memory."""

import json

import pytest

from tapehead.transcript.recorded_steps import IMAGE, Cursor
from tapehead.transcript.step_recorder import Recording, head_of, resume_cursor
from tapehead.transcript.turns import AGENT, HUMAN, SUMMARY, Said


def test_prompts_count_the_turns():
    """1 is the first prompt, 0 what came before; queued words belong to the turn that runs, and begin the first one at most."""
    recording = Recording(Cursor(), "h")
    said = [
        Said(AGENT, "Hello."),
        Said(HUMAN, "a", queued=True),
        Said(HUMAN, "b", queued=True),
        Said(HUMAN, "c"),
        Said(AGENT, "."),
    ]
    for number, step in enumerate(said):
        recording.add(str(number), step)
    assert [step.turn for step in recording.steps] == [0, 1, 1, 2, 2]


def test_a_subagents_prompts_begin_no_turn():
    """They are not the user's."""
    recording = Recording(Cursor(turn=4), "h")
    recording.subagent = "scout"
    recording.add("1", Said(HUMAN, "look"))
    assert [(step.turn, step.subagent) for step in recording.steps] == [(4, "scout")]


def test_words_that_say_nothing_are_not_remembered():
    """A summary that only the model can read."""
    recording = Recording(Cursor(), "h")
    recording.add("1", Said(SUMMARY, " \n"))
    assert recording.steps == []


def test_an_image_is_noted_with_its_prompt():
    """By a name of its own."""
    recording = Recording(Cursor(), "h")
    recording.add("1", Said(HUMAN, "see [image] and [image]"))
    assert [(step.source, step.step) for step in recording.steps[1:]] == [
        ("1/images", Said(IMAGE, "2 with the prompt"))
    ]


def test_a_batch_carries_what_the_next_reading_must_know():
    """It can be written as JSON, and nothing in it changes afterwards."""
    recording = Recording(Cursor(about={"cwd": "/w", "model": "a"}), "h")
    recording.time = "10:00"
    recording.tell(model="b", branch="")
    recording.add("1", Said(HUMAN, "go"))
    batch = recording.batch(77, {"more": [1]})
    recording.tell(model="c")
    assert len(batch.steps) == 1
    assert json.loads(json.dumps(batch.cursor)) == [
        77,
        1,
        {"cwd": "/w", "model": "b"},
        {"head": "h", "time": "10:00", "more": [1]},
    ]
    assert Recording(batch.cursor, "h").time == "10:00"
    assert recording.batch(78, {}).steps == []


@pytest.mark.parametrize(
    ("content", "goes_on"),
    [(b'{"a":1}\n{"b":2}\n{"c":3}\n', True), (b'{"a":1}\n', False), (b'{"x":1}\n{"b":2}\n{"c":3}\n', False)],
)
def test_a_cursor_holds_only_for_the_file_that_it_was_made_for(tmp_path, content, goes_on):
    """One that has grown is the same; one that is shorter or begins otherwise is not."""
    path = tmp_path / "t"
    path.write_bytes(b'{"a":1}\n{"b":2}\n')
    cursor = Cursor(16, 3, {}, {"head": head_of(str(path))})
    path.write_bytes(content)
    assert resume_cursor(str(path), cursor, head_of(str(path))) == (cursor if goes_on else Cursor())


def test_an_empty_file_is_known_by_nothing(tmp_path):
    """What it will begin with is not known yet."""
    path = tmp_path / "t"
    path.write_bytes(b"")
    assert head_of(str(path)) == ""
