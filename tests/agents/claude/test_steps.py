"""Claude Code's transcripts step by step, for the memory."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from record import SESSION, Record
from tapehead.agents.claude import steps as following
from tapehead.agents.claude import transcript
from tapehead.transcript import recorded_steps, turns
from tapehead.transcript.recorded_steps import Cursor


def read(path, cursor=None, *, final=True, at_once=following.AT_ONCE):
    """All that is new, and the cursor after it."""
    cursor = cursor or Cursor()
    steps = []
    for batch in following.follow(str(path), cursor, final=final, at_once=at_once):
        steps += batch.steps
        cursor = batch.cursor
    return steps, Cursor(*json.loads(json.dumps(cursor)))


def told(record, tmp_path, **options):
    return read(record.write(tmp_path), **options)[0]


def words(steps, who=turns.HUMAN):
    return [one.step.text for one in steps if isinstance(one.step, turns.Said) and one.step.who == who]


def test_a_step_has_its_place(tmp_path):
    """Every step carries an id, its turn, its time and the session that its line names; 1 is the first prompt."""
    record = Record().line("system", content="hello", subtype="informational").prompt("fix it")
    steps = told(record.said({"type": "text", "text": "a"}, {"type": "text", "text": "b"}), tmp_path)
    assert [(one.turn, one.source[-2:], one.origin) for one in steps] == [
        (0, "/0", SESSION),
        (1, "/0", SESSION),
        (1, "/0", SESSION),
        (1, "/1", SESSION),
    ]
    assert steps[1].time == "2027-01-15T08:00:01.000Z"
    assert len({one.source for one in steps}) == 4


def test_what_the_file_says_of_its_session(tmp_path):
    """The place, the branch, the model and the title go with the cursor, the newest of each."""
    record = Record().line("summary", summary="Old title").prompt("x").reply("y").line("custom-title", customTitle="T")
    about = read(record.write(tmp_path))[1].about
    assert about == {
        "cwd": "/srv/boat",
        "branch": "main",
        "version": "2.1.0",
        "session": SESSION,
        "model": "model-1",
        "title": "T",
    }


def test_queued_words_that_stand_nowhere_else(tmp_path):
    """They are given out when the next prompt comes, as words of the turn in which they were typed, with their own time."""
    record = Record().prompt("one").queue("wait").reply("hm").prompt("two")
    steps = told(record, tmp_path)
    assert words(steps) == ["one", "wait", "two"]
    queued = steps[2]
    assert (queued.turn, queued.time, queued.step.queued) == (1, "2027-01-15T08:00:01.000Z", True)


def test_queued_words_twice(tmp_path):
    """The same words typed twice in mid-turn were said twice."""
    record = Record().prompt("one").queue("go on").queue("go on").reply("hm")
    assert words(told(record, tmp_path)) == ["one", "go on", "go on"]
    assert len({one.source for one in told(record, tmp_path)}) == 4


FEEDBACK = {"toolDenialKind": "user-rejected", "userFeedback": "use make", "holdsPersonsWords": True}


@pytest.mark.parametrize("how", ["prompt", "attachment", "beside a result", "taken back"])
def test_queued_words_that_stand_elsewhere_too(tmp_path, how):
    """Once: as a prompt, as an attachment, or beside a tool's result; and not at all where the user took them back."""
    record = Record().prompt("one").queue("wait")
    if how == "prompt":
        record.prompt("wait")
    elif how == "attachment":
        record.line("attachment", attachment={"type": "queued_command", "prompt": "wait"})
    elif how == "beside a result":
        result = {"type": "tool_result", "tool_use_id": "c", "content": "ok"}
        record.user([result, {"type": "text", "text": "wait"}])
    else:
        record.queue("wait", "popAll")
    assert words(told(record.reply("x"), tmp_path)) == ["one", "wait"][: 1 if how == "taken back" else 2]


def test_queued_words_wait_while_the_file_is_written(tmp_path):
    """They may still come as a prompt: only at the end they are given out, and the reading may be cut anywhere between."""
    record = Record().prompt("one").queue("wait")
    path = record.write(tmp_path)
    steps, cursor = read(path, final=False)
    assert words(steps) == ["one"]
    record.prompt("wait").write(tmp_path)
    steps, cursor = read(path, cursor, final=True)
    assert words(steps) == ["wait"]
    assert read(path, cursor, final=True)[0] == []


def test_words_while_refusing_a_tool(tmp_path):
    """They are the user's where the record has them in a field of their own, and nowhere else."""
    refused = (
        "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nuse make"
    )
    record = Record().prompt("one").call("Bash", refused, failed=True, command="x")
    assert words(told(record, tmp_path)) == ["one"]
    line = json.loads(record.lines[-1])
    line |= {"toolUseResult": f"Error: {refused}"} | FEEDBACK | {"sourceToolAssistantUUID": "a"}
    record.lines[-1] = json.dumps(line, separators=(",", ":")).encode()
    steps = told(record, tmp_path)
    assert words(steps) == ["one", "use make"]
    assert steps[-1].turn == 1


@pytest.mark.parametrize(
    "text",
    [
        "<task-notification>\n<summary>done</summary></task-notification>",
        "<local-command-stdout>x</local-command-stdout>",
    ],
)
def test_words_of_the_host_in_the_persons_mouth(tmp_path, text):
    """They begin no turn and are kept whole, whichever line they stand in."""
    record = Record().prompt("one").prompt(text).user("meta", isMeta=True).reply("x")
    record.line("attachment", attachment={"type": "queued_command", "prompt": text})
    steps = told(record, tmp_path)
    assert words(steps) == ["one"]
    assert words(steps, recorded_steps.SYSTEM) == [text, "meta", text]


def test_interruptions_and_images(tmp_path):
    """A stop of the user is noted as such; an image leaves a note that there was one."""
    record = Record().user([{"type": "text", "text": "look"}, {"type": "image", "source": {"data": "AAAA"}}])
    steps = told(record.prompt("[Request interrupted by user]"), tmp_path)
    assert words(steps) == ["look\n[image]"]
    assert words(steps, recorded_steps.IMAGE) == ["1 with the prompt"]
    assert words(steps, turns.INTERRUPTED) == ["[Request interrupted by user]"]


@pytest.mark.parametrize("marked", [True, False])
def test_summaries_are_no_prompts(tmp_path, marked):
    """Old versions mark them in no other way than by their words."""
    text = "This session is being continued from a previous conversation that ran out of context.\nWe made a boat."
    steps = told(Record().prompt("one").user(text, isCompactSummary=marked or None).prompt("two"), tmp_path)
    assert words(steps) == ["one", "two"]
    assert words(steps, turns.SUMMARY) == ["We made a boat."]


def test_subagents_stand_beside_the_turn(tmp_path):
    """Their prompts begin no turn of the session; every step carries the subagent's name."""
    side = {"isSidechain": True, "agentId": "a1"}
    record = Record().prompt("one").prompt("look into it", **side).reply("I did", **side).reply("done")
    record.prompt("nameless", isSidechain=True)
    steps = told(record, tmp_path)
    assert [(one.turn, one.subagent) for one in steps] == [(1, ""), (1, "a1"), (1, "a1"), (1, ""), (1, "sidechain")]


def test_hooks_and_the_host(tmp_path):
    """What hooks and the agent put beside the conversation is told apart; what has no words gives no step."""
    record = Record().prompt("one")
    record.line("attachment", attachment={"type": "hook_success", "content": "", "stdout": "from a hook"})
    record.line("attachment", attachment={"type": "todo", "content": ["a", 1, "b"]})
    record.line("attachment", attachment={"type": "nothing", "content": []}).line("attachment", attachment="none")
    record.line("system", subtype="stop_hook_summary", content="ran 1 hook").line("system", content=None)
    record.reply("api error", isApiErrorMessage=True)
    steps = told(record, tmp_path)
    assert words(steps, recorded_steps.HOOK) == ["from a hook", "ran 1 hook"]
    assert words(steps, recorded_steps.SYSTEM) == ["a\nb", "api error"]
    assert len(steps) == 5


def test_boundaries(tmp_path):
    """A compaction, and one that only dropped old results."""
    record = Record().prompt("one").compacted("what was")
    record.line("system", subtype="microcompact_boundary", microcompactMetadata={"trigger": "auto", "preTokens": 5})
    found = [one.step for one in told(record, tmp_path) if isinstance(one.step, turns.Boundary)]
    assert [one._replace(time="") for one in found] == [
        turns.Boundary("auto", 160_000),
        turns.Boundary("auto", 5, partial=True),
    ]
    assert all(one.time for one in found)


def test_the_second_copy_of_a_result_is_not_read(tmp_path):
    """Even where it is broken; but where something that matters stands behind it, the whole line counts."""
    line = Record().prompt("x").result("said", "c").lines[1]
    broken = line[:-1] + b',"isSidechain":false,"cwd":"/w","toolUseResult":{"bad \\q'
    torn = line[:-1].replace(b"said", b"torn") + b',"toolUseResult":{"a":1},"sourceToolAssistantUUID":"x","cwd":"/'
    behind = b'{"type":"user","toolUseResult":{},' + line.replace(b"said", b"more")[1:]
    steps = told(Record().prompt("x").raw(broken).raw(torn).raw(behind), tmp_path)
    assert [one.step.text for one in steps] == ["x", "said", "torn", "more"]


def test_a_line_may_stand_in(tmp_path):
    """Spaces around an object are none of its business."""
    record = Record().prompt("one").prompt("two")
    record.lines[1] = b"  \t" + record.lines[1] + b" \r"
    assert words(told(record, tmp_path)) == ["one", "two"]


def test_a_torn_last_line_waits(tmp_path):
    """It is read when it is whole, or when nobody writes any more and it lacks only its end."""
    record = Record().prompt("one").reply("two")
    path = Path(record.write(tmp_path))
    whole = path.read_bytes()
    path.write_bytes(whole[:-30])
    steps, cursor = read(path, final=True)
    assert (words(steps), words(steps, turns.AGENT)) == (["one"], [])
    path.write_bytes(whole[:-1])
    assert words(read(path, cursor, final=False)[0], turns.AGENT) == []
    steps, later = read(path, cursor, final=True)
    assert words(steps, turns.AGENT) == ["two"]
    path.write_bytes(whole + Record().prompt("three").bytes())
    assert words(read(path, later)[0]) == ["three"]
    assert later.turn == 1


def test_a_line_without_an_id(tmp_path):
    """It is known by its bytes, with its end or without."""
    path = Path(Record().line("user", message={"content": "x"}, uuid=None).write(tmp_path))
    with_end = read(path)[0]
    path.write_bytes(path.read_bytes()[:-1])
    assert [one.source for one in read(path)[0]] == [one.source for one in with_end]


def test_another_file_under_the_same_name(tmp_path):
    """A shorter one, or one that begins otherwise, is read from its start."""
    path = Path(Record().prompt("one").prompt("two").write(tmp_path))
    _, cursor = read(path)
    path.write_bytes(Record().prompt("one").bytes())
    assert words(read(path, cursor)[0]) == ["one"]
    path.write_bytes(Record(cwd="/other").prompt("one").prompt("two").prompt("three").bytes())
    assert words(read(path, cursor)[0]) == ["one", "two", "three"]


def test_a_packed_file(tmp_path):
    """Bytes are counted as unpacked, so the cursor serves for either."""
    path = tmp_path / "t.jsonl.gz"
    path.write_bytes(gzip.compress(Record().prompt("one").prompt("two").bytes()[:-1]))
    steps, cursor = read(path, at_once=1)
    assert words(steps) == ["one", "two"]
    assert read(path, cursor)[0] == []


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"# a comment",
        b"{}",
        b"[1]",
        b"null",
        b'{"type":["user"]}',
        b'{"type":"user"} trailing',
        b'{"type":"user","message":7}',
        b'{"type":"user","message":{"content":[1,null,{"type":"tool_result","tool_use_id":[],"content":{}}]}}',
        b'{"type":"assistant","message":{"content":"plain","model":7}}',
        b'{"type":"assistant","message":[]}',
        b'{"type":"system","subtype":"compact_boundary","compactMetadata":"x"}',
        b'{"type":"queue-operation","operation":"enqueue","content":[1]}',
        b'{"type":"attachment","attachment":{"type":"queued_command","prompt":5}}',
        b'{"type":"user","uuid":7,"timestamp":{},"cwd":[],"sessionId":3,"message":{"content":"odd"}}',
        b"\xff\xfe\x00{",
        b"[" * 100_000,
        b'{"type":"user","message":{"content":"\\ud800 half"}}',
    ],
)
def test_lines_that_nobody_expected(tmp_path, line):
    """Nothing raises, and the lines around them are read."""
    steps = told(Record().prompt("before").raw(line).prompt("after"), tmp_path)
    assert [text for text in words(steps) if text in ("before", "after")] == ["before", "after"]


@pytest.mark.parametrize("at_once", [1, 2, 5])
def test_batches(tmp_path, at_once):
    """However small the batches, they hold the same steps, and each ends where its cursor says."""
    record = Record().prompt("one").queue("q").reply("a").prompt("two").call("Bash", "ok", command="x")
    path = record.write(tmp_path)
    whole = read(path)[0]
    assert read(path, at_once=at_once)[0] == whole
    first = next(iter(following.follow(path, at_once=at_once)))
    assert [*first.steps, *read(path, first.cursor)[0]] == whole


def test_progress_is_passed_over(tmp_path):
    """It repeats the messages of a subagent while it works."""
    record = Record().prompt("one").raw(b'{"type":"progress","data":{"message":{"type":"user"}}}')
    assert len(told(record, tmp_path)) == 1


def test_a_batch_is_bounded_in_bytes(tmp_path, monkeypatch):
    """However few steps a big file has, no more than so many bytes of it are held at once."""
    monkeypatch.setattr(following, "_AT_MOST", 1_000)
    path = Record().prompt("x" * 800).prompt("y" * 800).prompt("z").write(tmp_path)
    sizes = [len(batch.steps) for batch in following.follow(path)]
    assert sizes == [1, 1, 1]


_WORDS = st.sampled_from(
    ["fix it", "go on", "why?", "/compact", "<system-reminder>x</system-reminder>", "  ", "é 漢字"]
)
_SIDE = st.sampled_from([{}, {"isSidechain": True, "agentId": "a1"}])
_MOVES = st.one_of(
    st.builds(lambda text: lambda r: r.prompt(text), _WORDS),
    st.builds(lambda text, side: lambda r: r.reply(text, **side), _WORDS, _SIDE),
    st.builds(lambda text: lambda r: r.thinks(text), _WORDS),
    st.builds(lambda text, side: lambda r: r.call("Edit", text, side=side, file_path="/a.py"), _WORDS, _SIDE),
    st.builds(lambda text: lambda r: r.queue(text), _WORDS),
    st.builds(lambda text: lambda r: r.compacted(text), _WORDS),
    st.just(lambda r: r.raw(b"garbage")),
)


@given(st.lists(_MOVES, max_size=25))
def test_the_same_story_as_the_turns(tmp_path_factory, moves):
    """Prompts, replies, thinking, calls and results are those that the other reader finds, in the same turns."""
    record = Record().prompt("first of all")
    for move in moves:
        move(record)
    path = record.write(tmp_path_factory.mktemp("f"))
    mine = {}
    for one in read(path)[0]:
        if not one.subagent and one.turn:
            mine.setdefault(one.turn, []).append(one.step)
    theirs = [turn for turn in transcript.read(path).turns if not turn.subagent and turn.human]
    for steps, turn in zip(mine.values(), theirs, strict=True):
        said = [(step.who, step.text) for step in steps if isinstance(step, turns.Said)]
        assert sorted(text for who, text in said if who == turns.HUMAN) == sorted(turn.human)
        assert [text for who, text in said if who == turns.AGENT] == list(turn.agent)
        assert [text for who, text in said if who == turns.THINKING] == list(turn.words(turns.THINKING))
        assert tuple(step for step in steps if isinstance(step, turns.Call)) == turn.calls
        assert tuple(step for step in steps if isinstance(step, turns.Result)) == turn.results


@given(st.lists(_MOVES, max_size=20), st.lists(st.integers(0, 5_000), max_size=6))
def test_a_reading_may_be_cut_anywhere(tmp_path_factory, moves, cuts):
    """Read in pieces as the file grows byte by byte, or at once at its end: the same steps."""
    record = Record()
    for move in moves:
        move(record)
    path = Path(record.write(tmp_path_factory.mktemp("f")))
    whole = path.read_bytes()
    expected = read(path)[0]
    found, cursor = [], Cursor()
    for cut in sorted(cuts):
        path.write_bytes(whole[:cut])
        steps, cursor = read(path, cursor, final=False)
        found += steps
    path.write_bytes(whole)
    assert found + read(path, cursor)[0] == expected


def test_prompts_that_queue_without_end(tmp_path):
    """Only some of them are waited with; the rest are told where they were typed, and none is lost."""
    record = Record()
    for number in range(250):
        record.line("queue-operation", operation="enqueue", content=f"prompt {number}")
    path = record.write(tmp_path)
    *_, last = following.follow(path)
    assert len(last.cursor.carry["waiting"]) == transcript.QUEUE
    told = [one.step.text for batch in following.follow(path, final=True) for one in batch.steps]
    assert told == [f"prompt {number}" for number in range(250)]
    assert [words for turn in transcript.read(path).turns for words in turn.human] == told
