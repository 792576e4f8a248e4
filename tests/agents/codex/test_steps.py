"""Codex's rollouts for the memory, step by step."""

import json
from pathlib import Path

import pytest
import rollouts
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rollouts import THREAD, function, line, message, meta, output, person, ran

from tapehead.agents.codex import steps as following
from tapehead.transcript import turns
from tapehead.transcript.recorded_steps import HOOK, IMAGE, SYSTEM, Cursor

SCRIPTED = [
    meta(),
    person("go", at=1),
    {"type": "event_msg", "payload": {"type": "task_started"}},
    rollouts.custom("c1", "exec", 'tools.exec_command({cmd:"a"}); tools.exec_command({cmd:"b"})', at=2),
    output("c1", "Script running with cell ID 9\nWall time 1 seconds\n", at=3),
    function("c2", "wait", at=4, cell_id="9"),
    output("c2", "Script completed\nWall time 1 seconds\nOutput:\ndone", at=5),
    rollouts.compacted("", "go"),
]


def kept(cursor):
    """A cursor as it is after it was written down."""
    return Cursor(*json.loads(json.dumps(cursor)))


def followed(path, **options):
    batches = list(following.follow(path, **options))
    return [step for batch in batches for step in batch.steps], batches[-1].cursor if batches else Cursor()


def said(steps, who):
    return [one.step.text for one in steps if isinstance(one.step, turns.Said) and one.step.who == who]


def test_every_step_has_its_place(tmp_path):
    """Its turn, counted from the first prompt, the time of its line, the session; and nothing is left out."""
    steps, cursor = followed(rollouts.written(tmp_path / rollouts.NAME, rollouts.legacy()))
    assert said(steps, turns.HUMAN) == ["open the door", "thanks"]
    assert said(steps, turns.AGENT) == ["Looking.", "It is open.", "Welcome."]
    assert said(steps, turns.THINKING) == ["hm"]
    assert len(said(steps, SYSTEM)) == 3
    assert [step.turn for step in steps if isinstance(step.step, turns.Said) and step.step.who == turns.HUMAN] == [1, 2]
    assert {step.turn for step in steps[:3]} == {0}
    ran_ = next(step for step in steps if isinstance(step.step, turns.Call))
    assert (ran_.time, ran_.origin, ran_.turn) == ("2026-03-01T10:03:00.000Z", THREAD, 1)
    assert len({step.source for step in steps}) == len(steps)
    about = {"session": THREAD, "cwd": "/home/me/project", "branch": "main", "model": "gpt-test", "version": "0.1.0"}
    assert (cursor.turn, cursor.about) == (2, about)


def test_hooks_and_images_are_told_apart(tmp_path):
    """What a hook put in, and that there was an image."""
    picture = {"type": "input_image", "image_url": "data:"}
    path = rollouts.written(tmp_path / rollouts.NAME, [*rollouts.paginated(), message("user", "see", picture)])
    steps, _ = followed(path)
    assert said(steps, HOOK) == ["the door is red"]
    assert said(steps, IMAGE) == ["1 with the prompt"]


@pytest.mark.parametrize(
    "lines", [rollouts.legacy(), rollouts.paginated(), SCRIPTED], ids=["legacy", "paginated", "scripted"]
)
def test_reading_on_line_by_line_gives_the_same(tmp_path, lines):
    """From a cursor that was written down, at every line: the same steps with the same sources as in one go."""
    path = tmp_path / rollouts.NAME
    whole, end = followed(rollouts.written(path, lines))
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


def test_what_was_said_once_is_remembered_once(tmp_path):
    """The output of a process is told for the call that asked, not again for the one that started it."""
    steps, _ = followed(rollouts.written(tmp_path / rollouts.NAME, SCRIPTED))
    results = [(step.step.id, step.step.text) for step in steps if isinstance(step.step, turns.Result)]
    assert results == [("c1", ""), ("c1#2", ""), ("c2", "done")]


def test_a_last_line_without_its_end_waits_unless_nobody_writes_any_more(tmp_path):
    """The next reading goes on behind it."""
    path = tmp_path / rollouts.NAME
    rollouts.written(path, [meta(), person("one"), person("two")])
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    steps, cursor = followed(str(path))
    assert said(steps, turns.HUMAN) == ["one"]
    steps, cursor = followed(str(path), cursor=kept(cursor), final=True)
    assert said(steps, turns.HUMAN) == ["two"]
    path.write_bytes(whole)
    assert followed(str(path), cursor=kept(cursor))[0] == []


def test_a_cursor_does_not_change_after_it_was_given(tmp_path):
    """What is read later must not reach into what was handed over before."""
    path = rollouts.written(tmp_path / rollouts.NAME, SCRIPTED)
    given_ = [(batch.cursor, kept(batch.cursor)) for batch in following.follow(path, at_once=1)]
    assert all(cursor == Cursor(*then) for cursor, then in given_)


def test_another_file_under_the_same_name_is_read_from_its_start(tmp_path):
    """A shorter one, or one that begins otherwise."""
    path = tmp_path / rollouts.NAME
    _, cursor = followed(rollouts.written(path, rollouts.legacy()))
    for lines in ([meta(), person("new")], [meta(at=9), *rollouts.legacy()[1:], person("new")]):
        steps, _ = followed(rollouts.written(path, lines), cursor=cursor)
        assert said(steps, turns.HUMAN)[-1] == "new"
        assert steps[0].turn <= 1


def test_a_fork_says_what_it_comes_from_and_tells_only_its_own(tmp_path):
    """What it inherited is in the memory of its parent."""
    parent = tmp_path / f"rollout-2026-02-28T10-00-00-{rollouts.PARENT}.jsonl"
    rollouts.written(parent, [meta(thread=rollouts.PARENT), person("go")])
    base = {"thread_id": rollouts.PARENT, "end_byte_offset": parent.stat().st_size}
    path = rollouts.written(
        tmp_path / rollouts.NAME, [meta(forked_from_id=rollouts.PARENT, history_base=base), person("on")]
    )
    steps, cursor = followed(path)
    assert said(steps, turns.HUMAN) == ["on"]
    assert cursor.about["forked_from"] == rollouts.PARENT


def test_a_subagents_prompts_begin_no_turn(tmp_path):
    """They are the agent's; its steps carry its name."""
    path = rollouts.written(
        tmp_path / rollouts.NAME, [meta(thread_source="subagent", parent_thread_id=rollouts.PARENT), person("look")]
    )
    steps, cursor = followed(path)
    assert (steps[0].subagent, steps[0].origin, steps[0].turn, cursor.turn) == (THREAD, rollouts.PARENT, 0, 0)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.one_of(
            st.sampled_from([*rollouts.legacy(), *rollouts.paginated(), *SCRIPTED]),
            st.binary(max_size=30).map(lambda raw: raw.replace(b"\n", b"")),
        ),
        max_size=12,
    ),
    st.integers(1, 5),
)
def test_lines_in_any_order_are_followed(tmp_path, lines, at_once):
    """Nothing raises; batches of any size give the same steps; every cursor can be written down."""
    path = rollouts.written(tmp_path / rollouts.NAME, [meta(), *lines, line("x", {})])
    batches = list(following.follow(path, at_once=at_once))
    assert [step for batch in batches for step in batch.steps] == followed(path)[0]
    assert kept(batches[-1].cursor).offset == Path(path).stat().st_size


def test_names_stay_when_a_file_is_brought_into_a_new_shape(tmp_path):
    """Numbers are added to lines, and fields change places; ids and times stay."""
    item = {"type": "message", "id": "msg_1", "role": "assistant", "content": [{"type": "output_text", "text": "Hi."}]}
    old = {"timestamp": "2026-03-01T10:00:00Z", "type": "response_item", "payload": item}
    new = {
        "timestamp": "2026-03-01T10:00:00Z",
        "ordinal": 7,
        "type": "response_item",
        "payload": dict(reversed(item.items())),
    }
    first, _ = followed(rollouts.written(tmp_path / "a.jsonl", [meta(), old, ran("c1", "x")]))
    second, _ = followed(rollouts.written(tmp_path / "b.jsonl", [meta(), new, ran("c1", "x")]))
    assert [step.source for step in first] == [step.source for step in second]
