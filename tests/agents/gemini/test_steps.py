"""Gemini's session files for the memory, step by step."""

import json
from pathlib import Path

import chats
from chats import SESSION, history, message, person
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tapehead.agents.gemini import steps as following
from tapehead.transcript import turns
from tapehead.transcript.recorded_steps import HOOK, SYSTEM, TAKEN_BACK, Cursor

SQUEEZED = history(
    person("c", chats.CONTEXT), person("s", chats.SNAPSHOT, 12), message("gemini", "k", [{"text": chats.THANKS}], 12)
)


def kept(cursor):
    """A cursor as it is after it was written down."""
    return Cursor(*json.loads(json.dumps(cursor)))


def followed(path, **options):
    batches = list(following.follow(path, **options))
    return [step for batch in batches for step in batch.steps], batches[-1].cursor if batches else Cursor()


def said(steps, who):
    return [one.step.text for one in steps if isinstance(one.step, turns.Said) and one.step.who == who]


def test_every_step_has_its_place(tmp_path):
    """Its turn, the time of its message, the session; each once, however often the file has it."""
    steps, cursor = followed(chats.written(tmp_path / chats.NAME, [*chats.lines(), SQUEEZED, SQUEEZED]))
    assert said(steps, turns.HUMAN) == ["open the door", "thanks"]
    assert said(steps, turns.AGENT) == ["Looking.", "It is open.", "Welcome."]
    assert said(steps, turns.THINKING) == ["Doors hm"]
    assert said(steps, SYSTEM) == [chats.CONTEXT]
    assert said(steps, turns.SUMMARY) == ["<overall_goal>open the door</overall_goal>"]
    assert [step.step.id for step in steps if isinstance(step.step, turns.Call)] == ["t1", "t2"]
    assert [step.turn for step in steps if isinstance(step.step, turns.Said) and step.step.who == turns.HUMAN] == [1, 2]
    assert {step.origin for step in steps} == {SESSION}
    assert len({step.source for step in steps}) == len(steps)
    assert (cursor.turn, cursor.about) == (2, {"session": SESSION, "model": "gemini-test", "cwd": "/home/me/project"})


def test_both_formats_have_the_same_names(tmp_path):
    """The agent brings documents into lines when a session is resumed: nothing is then remembered twice."""
    lines, _ = followed(chats.written(tmp_path / "a.jsonl", chats.lines()))
    document, _ = followed(chats.written(tmp_path / "a.json", chats.document()))
    assert [step.source for step in document] == [step.source for step in lines if step.source != "c/context"]


def test_reading_on_line_by_line_gives_the_same(tmp_path):
    """From a cursor that was written down, at every line: the same steps with the same names as in one go."""
    path = tmp_path / chats.NAME
    whole, end = followed(chats.written(path, [*chats.lines(), SQUEEZED, person("u9", "on", 13)]))
    content = path.read_bytes().splitlines(keepends=True)
    pieces, cursor = [], Cursor()
    for number in range(len(content)):
        path.write_bytes(b"".join(content[: number + 1]))
        for batch in following.follow(str(path), cursor, at_once=1):
            pieces += batch.steps
            cursor = kept(batch.cursor)
    assert pieces == whole
    assert cursor == kept(end)
    assert list(following.follow(str(path), cursor)) == []


def test_a_document_that_has_changed_is_told_again_by_the_same_names(tmp_path):
    """And one that has not, not at all."""
    path = tmp_path / "session.json"
    steps, cursor = followed(chats.written(path, chats.document()))
    assert list(following.follow(str(path), kept(cursor))) == []
    grown = chats.document()
    grown["messages"].append(person("u9", "on", 13))
    again, after = followed(chats.written(path, grown), cursor=kept(cursor))
    assert again[:-1] == steps
    assert (again[-1].turn, after.turn, after.offset) == (3, 3, path.stat().st_size)


def test_what_was_rewound_was_said_all_the_same(tmp_path):
    """The memory keeps it; hooks' words are told apart."""
    hooked = person("u4", "<hook_context>the door is red</hook_context>shut it")
    steps, _ = followed(chats.written(tmp_path / chats.NAME, [*chats.lines(), {"$rewindTo": "u3"}, hooked]))
    assert said(steps, turns.HUMAN) == ["open the door", "thanks", "shut it"]
    assert said(steps, HOOK) == ["the door is red"]
    assert [one.turn for one in steps if one.source.startswith("taken back/2")] == [2]
    assert [one.turn for one in steps if isinstance(one.step, turns.Said) and one.step.who == TAKEN_BACK] == [2]


def test_a_message_without_a_name_is_named_after_what_it_says(tmp_path):
    """Reading it again gives the same name."""
    path = chats.written(tmp_path / chats.NAME, [chats.HEADER, history({"type": "user", "content": "nameless"})])
    first, again = followed(path)[0], followed(path)[0]
    assert first == again
    assert said(first, turns.HUMAN) == ["nameless"]


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.sampled_from([*chats.lines(), SQUEEZED, {"$rewindTo": "u1"}, {"type": "user", "content": "nameless"}])
        | st.binary(max_size=30).map(lambda raw: raw.replace(b"\n", b"")),
        max_size=12,
    ),
    st.integers(1, 5),
)
def test_lines_in_any_order_are_followed(tmp_path, lines, at_once):
    """Nothing raises; batches of any size give the same steps; every cursor can be written down."""
    path = chats.written(tmp_path / chats.NAME, [chats.HEADER, *lines])
    batches = list(following.follow(path, at_once=at_once))
    assert [step for batch in batches for step in batch.steps] == followed(path)[0]
    assert kept(batches[-1].cursor).offset == Path(path).stat().st_size
