"""Codex's rollouts, of all versions, as turns."""

import gzip
import json
import shutil
import subprocess
from pathlib import Path

import pytest
import rollouts
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rollouts import THREAD, agent, compacted, custom, event, function, item, message, meta, output, person, ran, tokens

from tapehead.agents.codex import transcript
from tapehead.agents.codex.rollout import Rollout
from tapehead.transcript import packed_files, turns
from tapehead.transcript.compactions import compactions
from tapehead.transcript.usage import Usage


@pytest.fixture
def written(tmp_path):
    """Write lines as a rollout, and give its path."""
    return lambda *lines, name=rollouts.NAME: rollouts.written(tmp_path / name, lines)


@pytest.mark.parametrize("lines", [rollouts.legacy(), rollouts.paginated()], ids=["legacy", "paginated"])
def test_both_formats_tell_the_same_story(written, lines):
    """The user's words count once, whether or not they stand a second time for the screen; the agent's do not count."""
    first = transcript.read(written(*lines)).turns[0]
    assert first.human == ("open the door",)
    assert first.agent[0] == "Looking."
    assert first.calls[0][:5] == ("c1", "exec_command", turns.RUN, "", "make test")
    assert first.results[0] == turns.Result("c1", "Exit code 2\n1 failed\n", failed=True)
    assert (first.session, first.branch, first.cwd) == (THREAD, "main", "/home/me/project")
    assert (first.began, first.ended[:16]) == ("2026-03-01T10:01:00.000Z", "2026-03-01T10:06")


def test_a_session_is_read_whole(written):
    """Each prompt begins a turn; thinking, patches and counts are in it."""
    first, second = transcript.read(written(*rollouts.legacy())).turns
    assert first.agent == ("Looking.", "It is open.")
    assert tuple(first.words(turns.THINKING)) == ("hm",)
    edited = [(call.kind, call.path) for call in first.calls[1:]]
    assert edited == [(turns.EDIT, "src/door.py"), (turns.WRITE, "tests/test_door.py"), (turns.EDIT, "old.txt")]
    assert {result.id for result in first.results} == {call.id for call in first.calls}
    assert first.usage == Usage(1000, 120, 1500, 0, 2, 1500, rollouts.WINDOW, "gpt-test")
    assert (second.number, second.human, second.agent) == (1, ("thanks",), ("Welcome.",))


def test_the_oldest_files_have_nothing_around_their_items(written):
    """The first line says whose file it is; the others are what the model was given and said."""
    path = written(
        {"id": THREAD, "timestamp": "2026-01-01T00:00:00Z", "instructions": "be good"},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hello"}]},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Hi."}]},
        name="old.jsonl",
    )
    (turn,) = transcript.read(path).turns
    assert (turn.human, turn.agent, turn.session) == (("hello",), ("Hi.",), THREAD)


def test_reading_goes_on_where_it_stopped(written):
    """The offset is the byte after the last whole line; the session is known wherever the reading begins."""
    path = written(*rollouts.legacy())
    first = transcript.read(path)
    with Path(path).open("ab") as file:
        file.write(json.dumps(person("two")).encode()[:-9])
    assert transcript.read(path, first.offset) == turns.Reading((), first.offset)
    with Path(path).open("ab") as file:
        file.write(json.dumps(person("two")).encode()[-9:] + b"\n")
    (turn,) = transcript.read(path, first.offset).turns
    assert (turn.human, turn.session, turn.branch) == (("two",), THREAD, "main")


def test_a_last_line_without_its_end_is_read(written):
    """Some rollouts end like that, and its words count."""
    path = Path(written(meta(), person("go"), agent("Gone.")))
    path.write_bytes(path.read_bytes()[:-1])
    reading = transcript.read(str(path))
    assert (reading.turns[0].agent, reading.offset) == (("Gone.",), path.stat().st_size)
    assert next(transcript.skim(str(path))) == reading.turns[0]


def test_the_end_of_a_huge_file_is_read_cheaply(written):
    """What was said last, and whose file it is, without reading all of it."""
    lines = [person("long ago"), *(agent("x" * 1000) for _ in range(50)), person("now"), agent("Done.")]
    reading = transcript.newest(written(meta(), *lines), 3000)
    assert (reading.turns[-1].human, reading.turns[-1].agent) == (("now",), ("Done.",))
    assert reading.turns[-1].session == THREAD
    assert "long ago" not in str(reading)


def test_what_is_typed_while_the_agent_works_is_queued(written):
    """A second prompt within one task belongs to the turn; after the task is over it begins another."""
    path = written(
        meta(),
        event("task_started"),
        person("go"),
        agent("Going."),
        person("left, not right"),
        event("task_complete"),
        event("task_started"),
        person("stop"),
    )
    first, second = transcript.read(path).turns
    assert first.human == ("go", "left, not right")
    assert first.steps[2] == turns.Said(turns.HUMAN, "left, not right", queued=True)
    assert second.human == ("stop",)


def test_a_stop_is_told_once(written):
    """The agent says it to the model and as an event."""
    path = written(
        meta(),
        person("go"),
        person("<turn_aborted>\nstopped\n</turn_aborted>"),
        event("turn_aborted", reason="interrupted"),
    )
    (turn,) = transcript.read(path).turns
    assert list(turn.words(turns.INTERRUPTED)) == ["interrupted"]
    assert turn.human == ("go",)


@pytest.mark.parametrize(
    ("line", "summary"),
    [
        (compacted("", "go", "on"), ""),
        (
            compacted("Another language model started to solve this problem and produced a summary of it:\nThe door."),
            "The door.",
        ),
    ],
    ids=["encrypted", "readable"],
)
def test_a_compaction_is_a_boundary(written, line, summary):
    """What is kept of the history stands in it again, and nobody said it again; the summary may be for the model alone."""
    path = written(
        meta(), person("go"), tokens(900, 9), agent("Going."), line, tokens(0, 0, total_tokens=70), agent("On.")
    )
    (turn,) = transcript.read(path).turns
    assert turn.human == ("go",)
    assert [one._replace(time="") for one in turn.boundaries] == [turns.Boundary("", 900)]
    assert all(one.time for one in turn.boundaries)
    (found,) = compactions([turn])
    assert (found.summary, found.before[0].agent) == (summary, ("Going.",))
    assert turn.usage.context == 70


def test_the_summary_that_the_model_writes_is_not_said_to_the_person(written):
    """Its words stand in the compaction, and its cost is not what the window held."""
    summing = message("assistant", "The door.", metadata={"compaction_output": True})
    path = written(meta(), person("go"), tokens(900, 9), summing, tokens(30, 9, total=948), compacted("The door."))
    (turn,) = transcript.read(path).turns
    assert turn.agent == ()
    assert [one._replace(time="") for one in turn.boundaries] == [turns.Boundary("", 900)]
    assert all(one.time for one in turn.boundaries)


def test_the_same_count_again_is_no_new_message(written):
    """Counts are repeated when limits are refreshed."""
    path = written(meta(), person("go"), tokens(100, 1), tokens(100, 1), tokens(200, 2, total=303))
    (turn,) = transcript.read(path).turns
    assert turn.usage == Usage(300, 3, 0, 0, 2, 200, rollouts.WINDOW)


def test_what_a_process_says_later_is_also_a_result_of_its_call(written):
    """A command that outlives its call is asked about by another one; how it ended belongs to the first."""
    running = (
        "Chunk ID: aa\nWall time: 1.0 seconds\nProcess running with session ID 17\nOriginal token count: 0\nOutput:\n"
    )
    path = written(
        meta(),
        person("test"),
        function("c1", "exec_command", cmd="make test"),
        output("c1", running),
        function("c2", "write_stdin", session_id=17, chars=""),
        ran("c2", "2 failed\n", code=1),
    )
    (turn,) = transcript.read(path).turns
    assert [(result.id, result.text, result.failed) for result in turn.results] == [
        ("c1", "", False),
        ("c2", "Exit code 1\n2 failed\n", True),
        ("c1", "Exit code 1\n2 failed\n", True),
    ]


@pytest.mark.parametrize("form", ["legacy", "paginated"])
def test_what_a_script_did_that_cannot_be_read_is_told_by_the_host(written, form):
    """The agent writes down each patch and each command of a script; where the script itself told them, that is enough."""
    patched = {
        "changes": {"/home/me/project/a.py": {"type": "update", "unified_diff": "@@ -1 +1 @@\n-x\n+y\n"}},
        "success": True,
        "stdout": "Done",
    }
    ran_ = {"command": ["/bin/bash", "-lc", "make"], "aggregated_output": "no rule", "status": "failed"}
    events = {
        "legacy": [event("patch_apply_end", call_id="exec-1", **patched)],
        "paginated": [item("FileChange", id="exec-1", **patched), item("CommandExecution", id="exec-2", **ran_)],
    }[form]
    unread, told = "run(thing)", 'tools.exec_command({cmd:"make"})'
    path = written(
        *(meta(), person("go"), custom("c1", "exec", unread), *events, output("c1", "Script completed\nOutput:\nok")),
        *(custom("c2", "exec", told), *events, output("c2", "Script completed\nOutput:\nok"), *events),
    )
    (turn,) = transcript.read(path).turns
    by_host = [("exec-1", turns.EDIT, "/home/me/project/a.py", "")] + [("exec-2", turns.RUN, "", "make")] * (
        form == "paginated"
    )
    assert [call[:1] + call[2:5] for call in turn.calls] == [
        ("c1", turns.OTHER, "", "input: run(thing)"),
        *by_host,
        ("c2", turns.RUN, "", "make"),
    ]
    failed = {result.id: result.failed for result in turn.results}
    assert failed == {"exec-1": False, "c1": False, "c2": False} | ({"exec-2": True} if form == "paginated" else {})


def test_what_the_hosts_service_did_is_over_when_it_is_told(written):
    """A search on the web has no answer in the file."""
    search = {
        "type": "web_search_call",
        "id": "ws",
        "status": "completed",
        "action": {"type": "search", "query": "doors"},
    }
    (turn,) = transcript.read(written(meta(), person("go"), rollouts.line("response_item", search))).turns
    assert (turn.calls[0].kind, turn.calls[0].text) == (turns.SEARCH, "doors")
    assert turn.results == (turns.Result("ws", "completed"),)


def test_calls_that_nobody_answers_are_forgotten_in_the_end():
    """What is remembered of them is carried from reading to reading, and must not grow."""
    rollout = Rollout()
    for number in range(1000):
        list(rollout.take(custom(f"c{number}", "exec", "unread(thing)")))
    assert len(rollout.known["unread"]) < 300


def test_a_summary_in_the_persons_name_is_the_hosts(written):
    """Some versions hand it to the model as a message of its own."""
    frame = "Another language model started to solve this problem and produced a summary of its thinking:\nThe door."
    (turn,) = transcript.read(written(meta(), person("go"), person(frame))).turns
    assert (turn.human, list(turn.words(turns.SUMMARY))) == (("go",), ["The door."])


def test_answers_of_the_person_stand_with_their_questions(written):
    """The work record looks for decisions in this shape."""
    asked = function("c1", "request_user_input", questions=[{"id": "q", "question": "Which door?"}])
    path = written(
        meta(), person("go"), asked, output("c1", json.dumps({"answers": {"q": {"answers": ["the red one"]}}}))
    )
    (turn,) = transcript.read(path).turns
    assert turn.calls[0].kind == turns.QUESTION
    assert turn.results[0].text == '"Which door?"="the red one"'


def test_a_subagents_file_belongs_to_the_session_that_started_it(written):
    """Its turns carry its id and stand apart."""
    source = {"subagent": {"thread_spawn": {"parent_thread_id": rollouts.PARENT, "depth": 1}}}
    (turn,) = transcript.read(written(meta(source=source), person("look"), agent("Seen."))).turns
    assert (turn.session, turn.subagent, turn.agent) == (rollouts.PARENT, THREAD, ("Seen.",))


def fork_of(path, thread=rollouts.PARENT, end=None, **fields):
    base = {"thread_id": thread, "end_ordinal_exclusive": 99, "end_byte_offset": end or Path(path).stat().st_size}
    return meta(history_base=base, forked_from_id=thread, **fields)


def test_a_fork_begins_with_what_it_inherited(tmp_path):
    """The parent is found in another day's directory, and read up to where the fork was made."""
    parent = tmp_path / f"sessions/2026/02/28/rollout-2026-02-28T10-00-00-{rollouts.PARENT}.jsonl"
    rollouts.written(parent, [meta(thread=rollouts.PARENT), person("go"), agent("Going.")])
    end = parent.stat().st_size
    rollouts.written(parent, [meta(thread=rollouts.PARENT), person("go"), agent("Going."), person("elsewhere")])
    path = tmp_path / "sessions/2026/03/01" / rollouts.NAME
    rollouts.written(path, [fork_of(parent, end=end), person("on"), agent("On.")])
    first, second = transcript.read(str(path)).turns
    assert (first.number, first.human, first.session) == (0, ("go",), rollouts.PARENT)
    assert (second.number, second.human, second.session) == (1, ("on",), THREAD)
    assert [turn.human for turn in transcript.skim(str(path))] == [("go",), ("on",)]


def test_a_fork_without_its_parent_is_read_alone(written, tmp_path):
    """The parent may be deleted; or the fork may name itself, or a path."""
    for thread in (rollouts.PARENT, THREAD, "../../etc", "*"):
        path = written(meta())
        path = written(fork_of(path, thread), person("on"))
        assert [turn.human for turn in transcript.read(path).turns] == [("on",)]


def test_forks_in_a_circle_come_to_an_end(tmp_path):
    """Two files that each inherit from the other."""
    paths = [tmp_path / f"rollout-2026-03-01T10-00-00-{thread}.jsonl" for thread in (THREAD, rollouts.PARENT)]
    rollouts.written(paths[1], [meta(thread=rollouts.PARENT, history_base={"thread_id": THREAD}), person("b")])
    rollouts.written(paths[0], [meta(history_base={"thread_id": rollouts.PARENT}), person("a")])
    assert transcript.read(str(paths[0])).turns[-1].human == ("a",)


def test_a_copied_history_does_not_change_whose_file_it_is(written):
    """Older forks copy the first line of their parent along with the rest."""
    path = written(meta(forked_from_id=rollouts.PARENT), meta(thread=rollouts.PARENT, cwd="/other"), person("on"))
    (turn,) = transcript.read(path).turns
    assert (turn.session, turn.cwd) == (THREAD, "/home/me/project")


def test_packed_files_are_read_as_what_is_in_them(written, tmp_path):
    """`.gz` as people keep them: the same turns, the same offset, and from an offset on."""
    path = written(*rollouts.legacy())
    squeezed = tmp_path / f"{rollouts.NAME}.gz"
    squeezed.write_bytes(gzip.compress(Path(path).read_bytes()))
    whole = transcript.read(path)
    assert transcript.read(str(squeezed)) == whole
    assert transcript.read(str(squeezed), whole.offset).turns == ()
    assert transcript.newest(str(squeezed), 500) == transcript.newest(path, 500)


@pytest.mark.skipif(shutil.which("zstd") is None, reason="needs the zstd program")
def test_old_rollouts_are_packed_with_zstd(written):
    """Codex packs what has not been used for a while."""
    path = written(*rollouts.legacy())
    subprocess.run(["zstd", "-q", path], check=True)
    assert transcript.read(path + ".zst") == transcript.read(path)


def test_where_nothing_can_unpack_it_that_is_said(written, monkeypatch):
    """Not silently nothing: the user can do something about it."""
    monkeypatch.setenv("PATH", "")
    monkeypatch.setitem(__import__("sys").modules, "compression", None)
    with pytest.raises(packed_files.Unreadable, match="zstd program"):
        transcript.read(written(meta(), name="rollout.jsonl.zst"))


def test_a_digest_gets_no_thinking_and_no_old_long_outputs(written):
    """What failed is kept whole, and what is recent."""
    long = "y" * 5000
    path = written(
        meta(),
        person("go"),
        function("c1", "exec_command", cmd="a"),
        ran("c1", long),
        function("c2", "exec_command", cmd="b"),
        ran("c2", long, code=1),
        {"type": "response_item", "payload": {"type": "reasoning", "summary": [{"text": "hm"}]}},
        *(agent("z" * 1000) for _ in range(transcript.LATELY // 1000)),
        function("c3", "exec_command", cmd="c"),
        ran("c3", long),
    )
    (turn,) = transcript.skim(path)
    kept = {result.id: (len(result.text) > 5000 - 1, result.left_out > 0) for result in turn.results}
    assert kept == {"c1": (False, True), "c2": (True, False), "c3": (True, False)}
    assert list(turn.words(turns.THINKING)) == []


def test_an_old_long_output_still_ends_every_part_of_its_call(written):
    """A patch of several files has a result for each, also where what it said is left out."""
    said = output("c1", "Exit code: 0\nWall time: 0 seconds\nOutput:\n" + "y" * 5000)
    filler = (agent("z" * 1000) for _ in range(transcript.LATELY // 1000))
    (turn,) = transcript.skim(written(meta(), person("go"), custom("c1", "apply_patch", rollouts.PATCH), said, *filler))
    assert [result.id for result in turn.results] == ["c1", "c1#2", "c1#3"]


KEYS = [
    "id",
    "type",
    "payload",
    "role",
    "content",
    "text",
    "call_id",
    "name",
    "arguments",
    "input",
    "output",
    "action",
    "summary",
    "info",
    "git",
    "source",
    "item",
    "changes",
    "command",
    "message",
    "last_token_usage",
    "plan",
    "questions",
    "content_item_kinds",
    "metadata",
    "subagent",
]
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=20)
    | st.sampled_from(["exec", "apply_patch", "user", "{}"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=12,
)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_nothing_in_a_rollout_can_stop_the_reader(tmp_path, data):
    """Any field of a recorded line may be anything, any line may be garbage or torn: nothing raises, nothing changes sessions."""
    lines = [json.loads(json.dumps(one)) for one in (*rollouts.legacy(), *rollouts.paginated()[1:])]
    for _ in range(data.draw(st.integers(1, 6))):
        one = data.draw(st.sampled_from(lines[1:]))
        payload = data.draw(st.sampled_from([one, one["payload"]])) if isinstance(one.get("payload"), dict) else one
        payload[data.draw(st.sampled_from(sorted(payload) or KEYS))] = data.draw(values)
    garbage = data.draw(st.binary(max_size=40)).replace(b"\n", b"")
    lines.insert(data.draw(st.integers(1, len(lines))), garbage)
    path = rollouts.written(tmp_path / rollouts.NAME, lines)
    Path(path).write_bytes(Path(path).read_bytes()[: -data.draw(st.integers(0, 200)) or None])
    reading = transcript.read(path)
    assert {turn.session for turn in reading.turns} <= {THREAD}
    assert [turn.human for turn in transcript.skim(path)] == [turn.human for turn in reading.turns]
    for turn in reading.turns:
        assert all(isinstance(said.text, str) for said in turn.steps if isinstance(said, turns.Said))


def test_an_object_that_is_too_deep_is_no_line(written):
    """Python gives up on it, and we go on."""
    deep = b'{"type":"response_item","payload":' + b"[" * 200_000 + b"]" * 200_000 + b"}"
    (turn,) = transcript.read(written(meta(), person("go"), deep, agent("Gone."))).turns
    assert turn.agent == ("Gone.",)


def test_the_window_and_the_model_are_known_before_anything_is_counted(written):
    """A task names the first when it begins, a turn the second; the counts add to that and take nothing from it."""
    begun = transcript.read(written(*rollouts.legacy()[:7])).turns[0].usage
    assert begun == Usage(window=rollouts.WINDOW, model="gpt-test")
    counted = transcript.read(written(*rollouts.legacy())).turns[0].usage
    assert (counted.window, counted.model, counted.messages) == (rollouts.WINDOW, "gpt-test", 2)
