"""Claude Code's transcripts, of all versions, as turns."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from record import Record
from tapehead.agents.claude import result_copies, steps, transcript
from tapehead.transcript import turns
from tapehead.transcript.usage import Usage
from tapehead.work_record.work_record import gather_work


def user(content, **fields):
    return {"type": "user", "message": {"role": "user", "content": content}, **fields}


def said(*blocks, ident="m1", usage=None, **fields):
    message = {"id": ident, "role": "assistant", "content": list(blocks)}
    return {"type": "assistant", "message": message | ({"usage": usage} if usage else {}), **fields}


def text(words):
    return {"type": "text", "text": words}


def use(ident, tool, **arguments):
    return {"type": "tool_use", "id": ident, "name": tool, "input": arguments}


def result(ident, content, *, failed=False, **fields):
    return user([{"type": "tool_result", "tool_use_id": ident, "content": content, "is_error": failed}], **fields)


def all_of_them(call):
    """Wants to know what came of every call."""
    return bool(call)


@pytest.fixture
def written(tmp_path):
    """Write lines as a transcript, and give its path."""

    def write(*entries, name="t.jsonl"):
        path = tmp_path / name
        lines = (one if isinstance(one, bytes) else json.dumps(one, separators=(",", ":")).encode() for one in entries)
        path.write_bytes(b"".join(line + b"\n" for line in lines))
        return str(path)

    return write


def test_a_turn_is_a_prompt_and_all_that_came_of_it(written):
    """Words, thinking, calls and results stand in the order of the file, under the prompt that began them."""
    path = written(
        user("fix it", timestamp="2026-01-01T10:00:00Z", sessionId="s", gitBranch="main", cwd="/w"),
        said({"type": "thinking", "thinking": "hm"}, text("Looking.")),
        said(use("c1", "Bash", command="make test", description="tests")),
        result("c1", [text("ok"), {"type": "image"}]),
        user("thanks", timestamp="2026-01-01T10:05:00Z"),
        said(text("Welcome.")),
    )
    first, second = transcript.read(path).turns
    assert first.human == ("fix it",)
    assert first.agent == ("Looking.",)
    assert tuple(first.words(turns.THINKING)) == ("hm",)
    made = {"command": "make test", "description": "tests"}
    assert first.calls == (turns.Call("c1", "Bash", turns.RUN, text="make test", note="tests", arguments=made),)
    assert first.results == (turns.Result("c1", "ok\n[image]"),)
    assert (first.session, first.branch, first.cwd, first.began) == ("s", "main", "/w", "2026-01-01T10:00:00Z")
    assert (second.number, second.human, second.agent, second.session) == (1, ("thanks",), ("Welcome.",), "s")


def test_reading_goes_on_where_it_stopped(written):
    """The offset is the byte after the last whole line: a torn one is read when it is whole."""
    path = written(user("one"), said(text("1")))
    with Path(path).open("ab") as file:
        file.write(b'{"type":"user","mess')
    first = transcript.read(path)
    with Path(path).open("ab") as file:
        file.write(b'age":{"content":"two"}}\n')
    second = transcript.read(path, first.offset)
    assert [turn.human for turn in (*first.turns, *second.turns)] == [("one",), ("two",)]
    assert transcript.read(path, second.offset).turns == ()
    assert transcript.read(path, second.offset).offset == second.offset


def test_the_usage_of_a_message_is_counted_once(written):
    """A message is several lines that repeat its usage."""
    usage = {"input_tokens": 5, "output_tokens": 7, "cache_read_input_tokens": 100, "cache_creation_input_tokens": 20}
    path = written(
        user("go"),
        said(text("a"), usage=usage),
        said(text("b"), usage=usage),
        said(
            text("c"), ident="m2", usage={"input_tokens": 1, "output_tokens": "many", "cache_read_input_tokens": True}
        ),
        said(text("d"), ident="m3", usage=[]),
    )
    assert transcript.read(path).turns[0].usage == Usage(6, 7, 100, 20, 2, 1)


def test_what_a_message_says_in_the_end_is_what_it_cost(written):
    """Its first lines are written while the model still speaks; none of them counts twice, in whatever order they come."""
    counts = [{"input_tokens": 5, "output_tokens": out} for out in (2, 90, 1, 90, 120)]
    path = written(user("go"), *(said(text(f"{n}"), usage=usage) for n, usage in enumerate(counts)))
    assert transcript.read(path).turns[0].usage == Usage(5, 120, 0, 0, 1, 5)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("please", ("please",)),
        ([text("one"), text("two")], ("one\ntwo",)),
        ("<system-reminder>be good</system-reminder>", ()),
        ("<system-reminder>be good</system-reminder>do it", ("<system-reminder>be good</system-reminder>do it",)),
        ("do it<system-reminder>never closed", ("do it<system-reminder>never closed",)),
        ("Caveat: I am in a hurry", ("Caveat: I am in a hurry",)),
        ("[Request interrupted by user] is what it said", ("[Request interrupted by user] is what it said",)),
        ("<bash-input>ls</bash-input> fails, why?", ("<bash-input>ls</bash-input> fails, why?",)),
        ("<command-name>/review</command-name><command-args>the parser</command-args>", ("/review the parser",)),
        ("<command-name>/compact</command-name><command-args></command-args>", ()),
        ("/compact", ()),
        ("/etc/hosts is wrong", ("/etc/hosts is wrong",)),
        ("<bash-input>ls -l</bash-input>", ("! ls -l",)),
        ("<bash-stdout>x</bash-stdout>", ()),
        ("Caveat: The messages below were generated by the user while running local commands. DO NOT", ()),
        ("<task-notification>done</task-notification>", ()),
        ("[Request interrupted by user]", ()),
    ],
)
def test_only_what_a_person_typed_is_theirs(written, content, words):
    """Commands, reminders and notices of the agent stand on lines like a user's own."""
    human = tuple(said for turn in transcript.read(written(user(content))).turns for said in turn.human)
    assert human == words


def test_a_skill_that_the_user_called_says_what_they_want(written):
    """It stands among their words, and begins no turn: no other record counts it."""
    called = "<command-message>ship</command-message>\n<command-name>/ship</command-name>"
    path = written(user("go"), said(text("done")), user(called), said(text("shipped")))
    for read in (transcript.read(path).turns, tuple(transcript.skim(path))):
        assert [words for turn in read for words in turn.human] == ["go", "/ship"]
        assert [number for number, _ in turns.number_turns(read)][-1] == 1
    local = (
        "<command-name>/model</command-name>\n<command-message>model</command-message>\n<command-args></command-args>"
    )
    assert [turn.human for turn in transcript.read(written(user("go"), user(local))).turns] == [("go",)]


@pytest.mark.parametrize(
    "typed",
    [
        "<system-reminder>only this</system-reminder>",
        "<task-notification>what is this?</task-notification>",
        "[Request interrupted by user]",
        "<bash-stdout>x</bash-stdout>",
        "Caveat: The messages below were generated by the user while running local commands. Explain that.",
        "This session is being continued from a previous conversation: explain that",
    ],
)
def test_what_the_record_says_of_a_line_goes_before_its_words(written, typed):
    """A line that the client marks as typed is a prompt, whatever it looks like; one that it marks as its own is none."""
    for origin, expected in (
        ({"kind": "human"}, (typed,)),
        ({"kind": "peer"}, ()),
        ({"kind": "task-notification"}, ()),
    ):
        path = written(user("go", origin={"kind": "human"}), user(typed, origin=origin))
        for reading in (transcript.read(path).turns, tuple(transcript.skim(path))):
            assert tuple(words for turn in reading for words in turn.human) == ("go", *expected)
        recorded = [one.step for batch in steps.follow(path, final=True) for one in batch.steps]
        assert [one.text for one in recorded if one.who == turns.HUMAN] == ["go", *expected]


def test_an_interruption_is_known(written):
    """That the user stopped the agent is part of the conversation."""
    (turn,) = transcript.read(written(user("go"), user([text("[Request interrupted by user]")]))).turns
    assert tuple(turn.words(turns.INTERRUPTED)) == ("[Request interrupted by user]",)


def test_words_said_while_refusing_a_tool_are_the_person_s(written):
    """They count from the field that the client keeps for them; the same words in a tool's result are the tool's, in every version."""
    refused = (
        "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nuse the API"
    )
    told = {"toolUseResult": f"Error: {refused}", "sourceToolAssistantUUID": "a"}
    feedback = {"toolDenialKind": "user-rejected", "userFeedback": "use the API"}
    asked = user("go"), said(use("c", "Bash", command="rm x"))
    for fields, expected in (
        (told | feedback, ("go", "use the API")),
        (told, ("go",)),
        ({}, ("go",)),
        (told | feedback | {"toolDenialKind": "permission-rule"}, ("go",)),
        (told | {"toolDenialKind": "user-rejected"}, ("go",)),
        (told | feedback | {"userFeedback": ["use the API"]}, ("go",)),
    ):
        path = written(*asked, result("c", refused, failed=True, **fields))
        readings = (
            transcript.read(path).turns,
            tuple(transcript.skim(path)),
            transcript.between(path, 0, 10**9, all_of_them).turns,
        )
        assert [reading[0].human for reading in readings] == [expected] * len(readings), fields


def test_queued_prompts_are_read_once_wherever_they_stand(written):
    """In the queue alone, as an attachment, or again as a line of their own."""
    path = written(
        user("go"),
        {"type": "queue-operation", "operation": "enqueue", "content": "only queued"},
        {"type": "queue-operation", "operation": "enqueue", "content": "attached"},
        {"type": "queue-operation", "operation": "enqueue", "content": "typed later"},
        {"type": "queue-operation", "operation": "enqueue", "content": "taken back"},
        {"type": "queue-operation", "operation": "popAll", "content": "taken back"},
        {"type": "queue-operation", "operation": "remove"},
        {"type": "attachment", "attachment": {"type": "queued_command", "prompt": "attached"}},
        {"type": "attachment", "attachment": {"type": "hook_success", "content": "no words"}},
        user("typed later"),
    )
    found = [step for turn in transcript.read(path).turns for step in turn.steps if isinstance(step, turns.Said)]
    assert [(one.text, one.queued) for one in found] == [
        ("go", False),
        ("attached", True),
        ("only queued", True),
        ("typed later", False),
    ]


def test_what_is_still_queued_at_the_end_is_not_lost(written):
    """A prompt that the agent never got is still what the user wants."""
    path = written(user("go"), {"type": "queue-operation", "operation": "enqueue", "content": "and then stop"})
    assert transcript.read(path).turns[0].human == ("go", "and then stop")


def test_compactions_of_all_versions(written):
    """Old ones are a summary alone, newer ones a boundary and a summary; a small one clears only results."""
    path = written(
        user("Summary of before", isCompactSummary=True),
        user("go"),
        {
            "type": "system",
            "subtype": "microcompact_boundary",
            "microcompactMetadata": {"trigger": "auto", "preTokens": 9},
        },
        {
            "type": "system",
            "subtype": "compact_boundary",
            "compactMetadata": {"trigger": "manual", "preTokens": 160000},
        },
        user([text("What was done")], isCompactSummary=True),
        {"type": "system", "subtype": "compact_boundary"},
        {"type": "system", "subtype": "turn_duration"},
    )
    first, second = transcript.read(path).turns
    assert tuple(first.words(turns.SUMMARY)) == ("Summary of before",)
    assert tuple(second.words(turns.SUMMARY)) == ("What was done",)
    assert second.boundaries == (
        turns.Boundary("auto", 9, partial=True),
        turns.Boundary("manual", 160000),
        turns.Boundary("", 0),
    )


def test_subagents_stand_apart(written):
    """Their prompts are not the user's, and their turns carry their name."""
    path = written(
        user("go"),
        user("search everything", isSidechain=True, agentId="a1"),
        said(text("found"), isSidechain=True, agentId="a1"),
        user("old style", isSidechain=True),
        said(text("done"), ident="m2"),
    )
    found = {turn.subagent: (turn.human, turn.agent) for turn in transcript.read(path).turns}
    assert found == {
        "": (("go",), ("done",)),
        "a1": (("search everything",), ("found",)),
        "sidechain": (("old style",), ()),
    }


def test_lines_that_repeat_messages_or_are_not_known_are_skipped(written):
    """Progress, requests, comments, garbage: the lines around them are read."""
    path = written(
        b"# a comment",
        b"\x00\x00",
        b"[1, 2]",
        b"{" * 5000,
        user("go"),
        {"type": "progress", "data": {"message": user("not typed")}},
        {"type": "api-request-blob", "message": {"content": "not typed either"}},
        {"type": ["user"], "message": 3},
        {"type": "user"},
        {"type": "assistant", "message": "?"},
        {"type": "attachment", "attachment": 3},
        user("meta", isMeta=True),
        said(text("API Error"), isApiErrorMessage=True),
        {"type": "assistant", "message": {"model": "<synthetic>", "content": "No response requested."}},
        {"type": "assistant", "message": {"content": "plain"}},
        b'{"type":"user","message":{"content":"half \xff a character"}}',
    )
    found = transcript.read(path).turns
    assert [turn.human for turn in found] == [("go",), ("half � a character",)]
    assert found[0].agent == ("plain",)


def test_every_tool_is_told_in_neutral_words(written):
    """What a call is about is found whichever tool it was; an unknown one by its short arguments."""
    calls = [
        use("1", "Edit", file_path="/a.py", old_string="x", new_string="y"),
        use("2", "MultiEdit", file_path="/a.py", edits=[{"old_string": "p", "new_string": "q"}, 7]),
        use("3", "Write", file_path="/b.py", content="z"),
        use("4", "Read", file_path="/c.py"),
        use("5", "Grep", pattern="needle", path="src"),
        use("6", "TodoWrite", todos=[{"content": "do", "status": "in_progress"}, {"content": "later"}]),
        use("7", "TaskCreate", subject="a task", description="more"),
        use("8", "TaskUpdate", taskId=1, status="completed"),
        use("9", "Task", description="look", prompt="look well", run_in_background=True),
        use("10", "ExitPlanMode", plan="1. do"),
        use("11", "AskUserQuestion", questions=[{"question": "A or B?"}]),
        use("12", "mcp__x__y", owner="o", number=3, body="long " * 99, nothing=None),
        {"type": "tool_use"},
    ]
    (turn,) = transcript.read(written(user("go"), said(*calls))).turns
    told = [(call.kind, call.path, call.text, call.pairs, call.background) for call in turn.calls]
    assert told == [
        (turns.EDIT, "/a.py", "", (("x", "y"),), False),
        (turns.EDIT, "/a.py", "", (("p", "q"),), False),
        (turns.WRITE, "/b.py", "z", (), False),
        (turns.READ, "/c.py", "", (), False),
        (turns.SEARCH, "src", "needle", (), False),
        (turns.TODOS, "", "", (("do", "in_progress"), ("later", "pending")), False),
        (turns.TASK_ADD, "", "a task", (), False),
        (turns.TASK_SET, "1", "completed", (), False),
        (turns.DELEGATE, "", "look", (), True),
        (turns.PLAN, "", "1. do", (), False),
        (turns.QUESTION, "", "A or B?", (), False),
        (turns.OTHER, "", "owner: o, number: 3", (), False),
        (turns.OTHER, "", "", (), False),
    ]
    assert {call.kind for call in turn.calls} <= set(turns.KINDS)


def test_the_end_of_background_work_is_the_second_result_of_its_call(written):
    """However the agent tells of it: a notice with the call's id, one with the task's, a look at the task, or that the agent ended it."""
    notice = "<task-notification><task-id>{}</task-id>{}<status>{}</status><summary>over</summary></task-notification>"
    path = written(
        user("go"),
        said(*(use(f"c{n}", "Bash", command="sleep 9", run_in_background=True) for n in range(8))),
        *(result(f"c{n}", "started", toolUseResult={"backgroundTaskId": f"t{n}"}) for n in range(8)),
        user(notice.format("t0", "", "completed")),
        {
            "type": "queue-operation",
            "operation": "enqueue",
            "content": notice.format("", "<tool-use-id>c1</tool-use-id>", "failed"),
        },
        {
            "type": "attachment",
            "attachment": {"type": "queued_command", "prompt": notice.format("t9", "", "completed")},
        },
        result("x", "status", toolUseResult={"task": {"task_id": "t2", "status": "completed"}}),
        result("y", "status", toolUseResult={"task": {"task_id": "t3", "status": "running"}}),
        result("z", "killed", toolUseResult={"message": "Successfully killed shell: t4", "shell_id": "t4"}),
        result("z", "stopped", toolUseResult={"message": "Successfully stopped task: t5", "task_id": "t5"}),
        result("z", "output", toolUseResult={"shellId": "t6", "status": "completed", "exitCode": 0}),
        result("z", "output", toolUseResult={"shellId": "t7", "status": "running", "exitCode": None}),
    )
    (turn,) = transcript.read(path).turns
    seen = [(one.id, one.failed) for one in turn.results if one.id.startswith("c")]
    assert seen[8:] == [(f"c{n}", n == 1) for n in (0, 1, 2, 4, 5, 6)]


def test_skimming_leaves_out_old_long_results_and_nothing_else(written, monkeypatch):
    """The brief of a huge file needs every prompt and call, and only the newest outputs; failures are always whole."""
    lines = [
        user("go"),
        said(use("old", "Read", file_path="/a"), use("bad", "Bash", command="x"), use("new", "Read", file_path="/b")),
        result("old", "o" * 5000),
        result("bad", "b" * 5000, failed=True),
        result("side", "s" * 5000, isSidechain=True),
        user("p" * 5000),
        result("new", "n" * 5000),
    ]
    path = written(*lines)
    monkeypatch.setattr(transcript, "LATELY", 6000)
    skimmed = [one for turn in transcript.skim(path) if not turn.subagent for one in turn.results]
    assert [(one.id, len(one.text), one.left_out > 0) for one in skimmed] == [
        ("old", 0, True),
        ("bad", 5000, False),
        ("new", 5000, False),
    ]
    own, skimmed = (
        [one for one in found if not one.subagent] for found in (transcript.read(path).turns, transcript.skim(path))
    )
    assert [turn.human for turn in skimmed] == [turn.human for turn in own]


def test_skimming_passes_over_subagents(written):
    """They are known by the call that started them."""
    beside = {"isSidechain": True, **said(text("beside"), agentId="a")}
    path = written(user("go"), beside, said(text("own")))
    assert [turn.agent for turn in transcript.skim(path)] == [("own",)]
    assert len(transcript.read(path).turns) == 2


def test_skimming_hands_a_long_turn_over_in_parts(written, monkeypatch):
    """All steps come, in order; only the first part begins a turn, and the next prompt begins the next one."""
    work = [said(use(f"c{n}", "Read", file_path=f"/{n}")) for n in range(5)]
    path = written(user("go", timestamp="t0"), *work, user("on"), said(text("bye"), timestamp="t1"))
    whole = list(transcript.skim(path))
    monkeypatch.setattr(transcript, "A_PART", 2)
    parts = list(transcript.skim(path))
    assert [(turn.number, turn.goes_on, turn.began) for turn in whole] == [(0, False, "t0"), (1, False, "t1")]
    assert [(turn.number, turn.goes_on, len(turn.steps)) for turn in parts] == [
        (0, False, 2),
        (0, True, 2),
        (0, True, 2),
        (0, True, 0),
        (1, False, 2),
    ]
    assert {turn.began for turn in parts if turn.number == 0} == {"t0"}
    assert [step for turn in parts for step in turn.steps] == [step for turn in whole for step in turn.steps]
    assert gather_work(parts) == gather_work(whole)


def test_skimming_keeps_of_a_file_only_what_tells_where_an_edit_stands(written):
    """The function around it is the same as with the whole file; where the agent does not say what was replaced, all is kept."""
    before = "x = 0\ndef first():\n    pass\ndef second():\n    y = 1\n    return y\n" + "z = 2\n" * 500
    path = written(
        user("go"),
        said(use("c1", "Edit", file_path="/a", old_string="return y", new_string="return 1")),
        result("c1", "ok", toolUseResult={"originalFile": before, "oldString": "return y"}),
        result("c2", "ok", toolUseResult={"originalFile": before, "oldString": "x = 0"}),
        result("c3", "ok", toolUseResult={"originalFile": before}),
        result("c4", "ok", toolUseResult={"originalFile": None, "oldString": "x"}),
    )
    (turn,) = transcript.skim(path)
    kept = [one.before for one in turn.results]
    assert kept == ["def second():\n    y = 1\n    return y", "", before, ""]
    assert gather_work([turn]).files == gather_work(transcript.read(path).turns).files
    assert gather_work([turn]).files[0].symbols == ("second",)


def test_skimming_passes_over_thinking_alone(written):
    """A line that also speaks or acts is read."""
    thought = {"type": "thinking", "thinking": "hm"}
    path = written(
        user("go"), said(thought), said(thought, text("aloud")), said(thought, use("c", "Bash", command="ls"))
    )
    (turn,) = transcript.skim(path)
    assert [type(step).__name__ for step in turn.steps] == ["Said", "Said", "Said", "Said", "Call"]
    assert len(transcript.read(path).turns[0].steps) == 6


def test_the_newest_part_of_a_file_is_read_alone(written):
    """The last prompts and the last reply, whatever stands before them."""
    path = written(*(user(f"prompt {n}") for n in range(1000)), said(text("bye")))
    reading = transcript.newest(path, 500)
    assert reading.turns[-1].human == ("prompt 999",)
    assert reading.turns[-1].agent == ("bye",)
    assert len(reading.turns) < 20
    assert reading.offset == transcript.read(path).offset


SHAPES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=12)
    | st.sampled_from(["user", "assistant", "tool_use", "text"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "type",
                    "message",
                    "content",
                    "text",
                    "id",
                    "name",
                    "input",
                    "usage",
                    "attachment",
                    "toolUseResult",
                    "todos",
                    "plan",
                ]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    entries=st.lists(
        st.fixed_dictionaries(
            {"type": st.sampled_from(["user", "assistant", "system", "queue-operation", "attachment", "x"])},
            optional={
                "message": SHAPES,
                "content": SHAPES,
                "attachment": SHAPES,
                "toolUseResult": SHAPES,
                "subtype": st.sampled_from(["compact_boundary", "microcompact_boundary", "x"]),
                "compactMetadata": SHAPES,
                "isSidechain": SHAPES,
                "isCompactSummary": SHAPES,
                "operation": st.sampled_from(["enqueue", "popAll"]),
                "timestamp": SHAPES,
            },
        )
        | st.binary(max_size=30).map(lambda raw: raw.replace(b"\n", b"")),
        max_size=6,
    )
)
def test_no_line_can_make_it_fail(written, entries):
    """Whatever stands in the fields, reading ends, and the offset is the end of the file."""
    path = written(*entries)
    reading = transcript.read(path)
    assert reading.offset == Path(path).stat().st_size
    assert all(isinstance(step, turns.Step) for turn in reading.turns for step in turn.steps)
    own, skimmed = ([one for one in found if not one.subagent] for found in (reading.turns, transcript.skim(path)))
    assert [turn.human for turn in skimmed] == [turn.human for turn in own]


def test_a_result_that_only_says_that_work_was_started_names_it(written, monkeypatch):
    """A shell in the background, and a subagent that nobody waits for; also where the line is old and long."""
    monkeypatch.setattr(transcript, "LATELY", 0)
    path = written(
        user("go"),
        said(use("c1", "Bash", command="serve", run_in_background=True), use("c2", "Agent", description="count")),
        result("c1", "started", toolUseResult={"backgroundTaskId": "b1"}, timestamp="t1"),
        result("c2", "launched " * 900, toolUseResult={"isAsync": True, "agentId": "a1"}, timestamp="t2"),
        result("c3", "42", toolUseResult={"agentId": "a2"}, timestamp="t3"),
        result("c4", "odd", toolUseResult={"backgroundTaskId": 4}, timestamp=["t4"]),
    )
    for turn in (transcript.read(path).turns[0], *transcript.skim(path)):
        assert [(one.task, one.time) for one in turn.results] == [("b1", "t1"), ("a1", "t2"), ("", ""), ("", "")]


def test_a_task_that_was_over_when_the_agent_looked_is_over(written, monkeypatch):
    """Its output is told in a long line, which may be old: that it ended is read there all the same."""
    monkeypatch.setattr(transcript, "LATELY", 0)
    over = {"retrieval_status": "success", "task": {"task_id": "a1", "status": "completed", "output": "fine " * 2000}}
    path = written(
        user("go"),
        said(use("c1", "Agent", description="count", run_in_background=True), use("c2", "TaskOutput", task_id="a1")),
        result("c1", "launched", toolUseResult={"isAsync": True, "agentId": "a1"}),
        result("c2", "<status>completed</status> " * 300, toolUseResult=over),
        said(text("Counted.")),
    )
    for turn in (transcript.read(path).turns[0], *transcript.skim(path)):
        assert [one.id for one in turn.results].count("c1") == 2, "that it was started, and that it ended"


def test_a_turn_begins_with_the_words_that_began_it(written):
    """Not with the answer to them, which may come much later, or never."""
    path = written(
        user("one", timestamp="t1"),
        said(text("Done."), timestamp="t2"),
        user("two", timestamp="t3"),
        said(text("Done, too."), timestamp="t4"),
        user("three", timestamp="t5"),
    )
    assert [turn.began for turn in transcript.read(path).turns] == ["t1", "t3", "t5"]


def test_a_part_reads_as_it_did(written):
    """Between two bytes, however much came since: the words, calls and results, without thinking and what was spent."""
    thought = {"type": "thinking", "thinking": "hm"}
    usage = {"input_tokens": 5}
    first = [
        user("one", timestamp="t1"),
        said(thought, ident="m0"),
        said(text("Done."), use("c", "Bash", command="ls"), usage=usage),
    ]
    before = transcript.read(written(*first))
    path = written(*first, result("c", "a.py"), user("two"), said(text("Done, too.")))
    (turn,) = transcript.between(path, 0, before.offset, all_of_them).turns
    words = [step for step in before.turns[0].steps if getattr(step, "who", "") != turns.THINKING]
    assert (list(turn.steps), turn.usage) == (words, Usage())
    rest = transcript.between(path, before.offset, 10**9, all_of_them)
    assert rest.offset == Path(path).stat().st_size
    assert [step.text for each in rest.turns for step in each.steps] == ["a.py", "two", "Done, too."]


def test_a_part_is_read_again_without_the_results_that_nobody_wants(written, monkeypatch):
    """They are known by their id, not parsed; one that failed is read, and so is one that answers a call of another part."""
    parsed = []
    parse = result_copies.entry_of
    monkeypatch.setattr(result_copies, "entry_of", lambda line: parsed.append(parse(line)) or parsed[-1])
    path = written(
        result("a", "of before"),
        user("one"),
        said(use("b", "Read", file_path="x"), use("c", "Read", file_path="y"), use("d", "Bash", command="make")),
        result("b", "seen"),
        result("c", "no such file", failed=True),
        result("d", "built"),
    )
    reading = transcript.between(path, 0, 10**9, lambda call: call.kind == turns.RUN)
    found = [step for turn in reading.turns for step in turn.results]
    assert [(one.id, one.text, one.failed, one.left_out > 0) for one in found] == [
        ("a", "of before", False, False),
        ("b", "", False, True),
        ("c", "no such file", True, False),
        ("d", "built", False, False),
    ]
    assert len(parsed) == 5


@pytest.mark.parametrize(
    ("copy", "read_whole"),
    [
        ({"stdout": "ok"}, False),
        ("Error: no", False),
        ({"originalFile": "def one():\n    return 1\n", "oldString": "return 1"}, True),
        ({"backgroundTaskId": "t1"}, True),
        ({"agentId": "a1", "isAsync": True}, True),
        ({"task": {"task_id": "t1", "status": "completed"}}, True),
        ({"shellId": "t1", "status": "completed"}, True),
        ({"message": "killed", "shell_id": "t1"}, True),
        ({"originalFile": None}, False),
    ],
)
def test_the_host_s_copy_of_a_result_is_read_where_it_says_more(copy, read_whole):
    """What a file was, which task it is about: that stands nowhere else."""
    fields = {**result("c", "ok"), "isSidechain": False, "uuid": "u", "timestamp": "t", "cwd": "/w"}
    line = json.dumps({**fields, "toolUseResult": copy}, separators=(",", ":")).encode()
    assert ("toolUseResult" in result_copies.lean_entry_of(line)) is read_whole
    for name, value in fields.items():  # whatever stands behind it is not lost
        late = {key: fields[key] for key in fields if key != name} | {"toolUseResult": copy, name: value}
        assert result_copies.lean_entry_of(json.dumps(late, separators=(",", ":")).encode()) == late


def test_what_new_versions_write_behind_that_copy_is_read(written):
    """Where the work is stands there now: a switch of the branch is seen in the result that it came with."""
    at = {"isSidechain": False, "uuid": "u", "timestamp": "t"}
    copy = {"stdout": "", "sourceToolAssistantUUID": "no"}
    moved = {"sourceToolAssistantUUID": "a", "cwd": "/w/fix", "sessionId": "s", "gitBranch": "fix"}
    path = written(
        user("go", cwd="/w", gitBranch="main", **at),
        said(use("c", "Bash", command="git switch fix")),
        result("c", "switched", **at, toolUseResult=copy, **moved),
        user([text("not the person's")], **at, toolUseResult=copy, sourceToolAssistantUUID="a", cwd="/w", isMeta=True),
    )
    (whole,), (lean,) = transcript.read(path).turns, transcript.skim(path)
    assert (lean.cwd, lean.branch, lean.session) == (whole.cwd, whole.branch, whole.session) == ("/w/fix", "fix", "s")
    assert lean.steps == whole.steps


def test_two_results_in_a_line_are_both_read(written):
    """Nobody writes them so today; a refusal is read, too."""
    both = user([*result("a", "seen")["message"]["content"], *result("b", "12 passed")["message"]["content"]])
    refused = "The user doesn't want to proceed with this tool use. the user said:\nnever list it"
    feedback = {"toolDenialKind": "user-rejected", "userFeedback": "never list it"}
    path = written(
        user("go"),
        said(use("a", "Read", file_path="x"), use("b", "Bash", command="make test"), use("c", "LS", path=".")),
        both,
        result("c", refused, **feedback),
    )
    (turn,) = transcript.between(path, 0, 10**9, lambda call: call.kind == turns.RUN).turns
    assert [one.text for one in turn.results] == ["seen", "12 passed", refused]
    assert turn.human == ("go", "never list it")


def test_a_part_is_read_again_without_the_lines_that_tell_nothing(written, monkeypatch):
    """Snapshots, titles and the ends of hooks are not even parsed; a boundary is, and so is a line that only quotes one of those."""
    parsed = []
    monkeypatch.setattr(result_copies, "entry_of", lambda line: parsed.append(json.loads(line)) or parsed[-1])
    quoting = said(text('{"type":"system"}'), ident="m2", toolUseResult={"type": "system"}, parentUuid="p")
    told = [
        user("one", parentUuid="p"),
        {"type": "attachment", "attachment": {"type": "queued_command", "prompt": "two"}},
        {"parentUuid": "p", "attachment": {"type": "system"}, "type": "attachment"},
        {"parentUuid": "p", "type": "system", "subtype": "compact_boundary", "compactMetadata": {"trigger": "auto"}},
        {"toolUseResult": {"type": "system"}, **quoting},
    ]
    silent = [
        {"type": "file-history-snapshot", "messageId": "m", "snapshot": {}},
        {"type": "ai-title", "title": "user"},
        {"parentUuid": "p", "type": "system", "subtype": "stop_hook_summary", "hookCount": 1},
        {"parentUuid": "p", "type": "system", "subtype": "turn_duration", "durationMs": 1},
    ]
    path = written(*(line for both in zip(silent, told, strict=False) for line in both), told[-1])
    reading = transcript.between(path, 0, 10**9, all_of_them)
    assert parsed == told
    assert reading.offset == Path(path).stat().st_size
    assert [type(step) for turn in reading.turns for step in turn.steps] == [
        *(turns.Said, turns.Said),
        *(turns.Boundary, turns.Said),
    ]


@pytest.mark.parametrize("error", [TypeError, ValueError, KeyError, RecursionError, OverflowError])
def test_what_cannot_be_read_in_a_line_costs_that_line(tmp_path, monkeypatch, error):
    """Whatever a reader of lines did not expect: the lines before and after it are told, as turns and step by step."""
    record = Record().prompt("open the door").reply("Looking.").reply("SPOILT").reply("It is open.")
    path = record.write(tmp_path)

    def spoilt(take):
        def taken(conversation, entry):
            if "SPOILT" in str(entry):
                raise error("never seen")
            return take(conversation, entry)

        return taken

    monkeypatch.setitem(transcript.TAKE, "assistant", spoilt(transcript.TAKE["assistant"]))
    monkeypatch.setitem(steps._TAKE, "assistant", spoilt(steps._TAKE["assistant"]))
    (turn,) = transcript.read(path).turns
    assert turn.agent == ("Looking.", "It is open.")
    followed = [one.step.text for batch in steps.follow(path) for one in batch.steps]
    assert followed == ["open the door", "Looking.", "It is open."]
