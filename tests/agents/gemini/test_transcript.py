"""Gemini's session files, of both formats, as turns."""

import gzip
import json
from pathlib import Path

import chats
import pytest
from chats import SESSION, agent, called, history, message, person
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tapehead.agents.gemini import transcript
from tapehead.transcript import turns
from tapehead.transcript.compactions import compactions
from tapehead.transcript.usage import Usage


@pytest.fixture
def written(tmp_path):
    """Write lines or a document as a session file, and give its path."""
    return lambda *entries, name=chats.NAME: chats.written(tmp_path / name, entries)


@pytest.fixture(params=["lines", "document"])
def session(request, tmp_path):
    """The made-up session in one of the formats."""
    made = chats.lines() if request.param == "lines" else chats.document()
    return chats.written(
        tmp_path / chats.NAME.replace(".jsonl", ".jsonl" if request.param == "lines" else ".json"), made
    )


def test_both_formats_tell_the_same_story(session):
    """Each prompt and each reply once, with the calls and what came of them, whatever the file repeats."""
    first, second = transcript.read(session).turns
    assert (first.human, first.agent) == (("open the door",), ("Looking.", "It is open."))
    assert tuple(first.words(turns.THINKING)) == ("Doors hm",)
    assert [(call.id, call.kind, call.path, call.text) for call in first.calls] == [
        ("t1", turns.RUN, "", "make test"),
        ("t2", turns.EDIT, "/home/me/project/a.py", ""),
    ]
    assert first.calls[1].pairs == (("x", "y"),)
    assert first.results == (turns.Result("t1", "Exit code 2\n1 failed", failed=True), turns.Result("t2", "ok"))
    assert first.usage == Usage(1900, 75, 600, 0, 2, 1500, model="gemini-test")
    assert (first.session, first.began, first.ended) == (
        SESSION,
        "2026-03-01T10:01:00.000Z",
        "2026-03-01T10:04:00.000Z",
    )
    assert (second.number, second.human, second.agent, second.session) == (1, ("thanks",), ("Welcome.",), SESSION)


def test_a_document_is_read_whole_and_its_offset_is_its_size(tmp_path):
    """Where it has not grown there is nothing new; where it has, it is told again."""
    path = chats.written(tmp_path / "session.json", chats.document())
    reading = transcript.read(path)
    assert reading.offset == Path(path).stat().st_size
    assert transcript.read(path, reading.offset) == turns.Reading((), reading.offset)
    assert transcript.read(path, 7) == transcript.newest(path, 7) == reading
    Path(path).write_bytes(Path(path).read_bytes()[:-9])
    assert transcript.read(path, 5) == turns.Reading((), 5)


def test_lines_under_the_name_of_a_document_are_read(tmp_path):
    """Some tools keep them so."""
    path = chats.written(tmp_path / "session.json", chats.lines())
    assert [turn.human for turn in transcript.read(path).turns] == [("open the door",), ("thanks",)]


def test_reading_goes_on_where_it_stopped(written):
    """From a byte on, a history that comes again brings nothing that was there before; whose file it is stands at its start."""
    path = written(*chats.lines()[:8])
    first = transcript.read(path)
    with Path(path).open("ab") as file:
        file.write(b"".join(json.dumps(one).encode() + b"\n" for one in chats.lines()[8:]))
    (turn,) = transcript.read(path, first.offset).turns
    assert (turn.human, turn.session) == (("thanks",), SESSION)


def test_a_history_counts_where_nothing_stands_before_it(written):
    """A file that begins with one: its messages stand nowhere else, and its calls are in their contents."""
    parts = [{"text": "Looking."}, {"functionCall": {"id": "t1", "name": "glob", "args": {"pattern": "*"}}}]
    answered = message("user", "u2", [chats.answer("t1", "glob", output="a.py")])
    path = written(chats.HEADER, history(person("u1", "go"), message("gemini", "m1", parts), answered))
    (turn,) = transcript.read(path).turns
    assert (turn.human, turn.agent) == (("go",), ("Looking.",))
    assert (turn.calls[0].kind, turn.results) == (turns.SEARCH, (turns.Result("t1", "a.py"),))


def test_a_compression_is_a_history_with_a_snapshot(written):
    """It is the only sign of one; what the host lets the agent say to it is not said."""
    squeezed = history(
        person("c", chats.CONTEXT), person("s", chats.SNAPSHOT, 5), agent("k", [{"text": chats.THANKS}], 5)
    )
    path = written(*chats.lines()[:8], squeezed, squeezed, person("u3", "on", 6), agent("m3", "On.", 7))
    first, second = transcript.read(path).turns
    assert [one._replace(time="") for one in first.boundaries] == [turns.Boundary("", 1500)]
    assert all(one.time for one in first.boundaries)
    assert (first.human, first.agent) == (("open the door",), ("Looking.", "It is open."))
    (found,) = compactions((first, second))
    assert found.summary == "<overall_goal>open the door</overall_goal>"
    assert second.agent == ("On.",)


def lives(reading):
    """The prompts that are in the conversation."""
    return [words for _, turn in turns.living([*enumerate(reading.turns)])[0] for words in turn.human]


def test_what_was_rewound_is_gone(written):
    """From the message that is named on; from one that nobody knows, all, as the agent has it."""
    path = written(*chats.lines(), {"$rewindTo": "u3"}, person("u4", "shut it", 20))
    reading = transcript.read(path)
    assert lives(reading) == ["open the door", "shut it"]
    assert (reading.turns[-1].drops, reading.turns[-1].drops_since) == (1, reading.turns[1].began)
    path = written(*chats.lines(), {"$rewindTo": "nobody"}, person("u4", "shut it"))
    assert lives(transcript.read(path)) == ["shut it"]


def test_gone_back_behind_what_was_read_before(written):
    """Who reads on from a byte is told how many turns before it are gone, and nothing else of them."""
    path = written(*chats.lines(), person("u4", "shut it", 20), agent("m4", "Shut.", 21))
    offset = transcript.read(path).offset
    path = written(
        *chats.lines(), person("u4", "shut it", 20), agent("m4", "Shut.", 21), {"$rewindTo": "u3"},
        person("u5", "paint it", 22), agent("m5", "Done.", 23),
    )  # fmt: skip
    (turn,) = transcript.read(path, offset).turns
    assert (turn.human, turn.agent, turn.drops) == (("paint it",), ("Done.",), 2)
    assert turn.drops_since == "2026-03-01T10:10:00.000Z", "when `thanks` was said"


CANCELLED = message("info", "i1", "Request cancelled.", 21)


@pytest.mark.parametrize(
    ("between", "listed", "lost"),
    [
        ([CANCELLED], ["u1", "m1"], ["shut it"]),
        ([CANCELLED], ["u1", "m1", "u4"], []),
        ([agent("m4", "Shutting", 21), CANCELLED], ["u1", "m1", "u4", "m4"], []),
        ([agent("m4", "Shutting", 21), CANCELLED], ["u1", "m1"], []),
        ([message("info", "i1", "Updated.", 21)], ["u1", "m1"], []),
        ([CANCELLED], [], []),
    ],
    ids=["cancelled", "kept by the host", "answered", "answered, by its place", "another notice", "nothing said of it"],
)
def test_a_prompt_that_was_cancelled_before_an_answer_is_gone(written, between, listed, lost):
    """By the notice after it and the history that comes then; whoever reads it in parts is told the same."""
    told = [*chats.lines(), person("u4", "shut it", 20), *between]
    told += [history(*(person(ident, "x") for ident in listed))] if listed else []
    whole = written(*told, person("u5", "paint it", 22))
    expected = [words for words in ("open the door", "thanks", "shut it", "paint it") if words not in lost]
    assert lives(transcript.read(whole)) == expected
    since = transcript.read(written(*told[:-1])).offset
    written(*told, person("u5", "paint it", 22))
    assert transcript.read(whole, since).turns[-1].drops == len(lost)


@pytest.mark.parametrize(
    ("fields", "human"),
    [
        ({"content": [{"text": chats.CONTEXT}]}, ()),
        ({"content": "<hook_context>be brief</hook_context>\n\nfix it"}, ("fix it",)),
        ({"content": [{"text": "fix it"}, {"text": "<hook_context>be &lt;brief&gt;</hook_context>"}]}, ("fix it",)),
        (
            {
                "content": [
                    {"text": "see @a.py"},
                    {"text": "\n--- Content from referenced files ---"},
                    {"text": "x = 1"},
                ]
            },
            ("see @a.py",),
        ),
        ({"content": [{"text": "expanded"}], "displayContent": [{"text": "typed"}]}, ("typed",)),
        ({"content": "/compress"}, ()),
        ({"content": "/fix the door"}, ("/fix the door",)),
        ({"content": [{"text": "see"}, {"inlineData": {"mimeType": "image/png"}}]}, ("see\n[image]",)),
        ({"content": 7}, ()),
    ],
)
def test_only_the_persons_own_words_are_theirs(written, fields, human):
    """Not the surroundings, not what hooks and files put in, not a command that asks for nothing."""
    path = written(chats.HEADER, {"id": "u", "type": "user"} | fields, agent("m", "Yes."))
    (turn,) = transcript.read(path).turns
    assert turn.human == human


def test_a_stop_and_a_refusal_are_told(written):
    """What was cancelled has failed."""
    refused = called("t1", "replace", status="cancelled", answered={"error": "[Operation Cancelled]"}, file_path="a.py")
    path = written(
        chats.HEADER, person("u", "go"), agent("m", "", toolCalls=[refused]), message("info", "i", "Request cancelled.")
    )
    (turn,) = transcript.read(path).turns
    assert turn.results == (turns.Result("t1", "[Operation Cancelled]", failed=True),)
    assert list(turn.words(turns.INTERRUPTED)) == ["Request cancelled."]


def test_the_project_is_what_the_host_noted_or_told(tmp_path):
    """Beside the sessions, or in the first message."""
    told = chats.written(tmp_path / "a.jsonl", chats.lines())
    assert transcript.read(told).turns[0].cwd == "/home/me/project"
    noted = chats.written(tmp_path / "tmp/door/chats" / chats.NAME, chats.lines())
    (tmp_path / "tmp/door/.project_root").write_text("/home/door\n")
    assert transcript.read(noted).turns[0].cwd == "/home/door"


def test_a_subagents_file_belongs_to_the_session_that_started_it(tmp_path):
    """It lies below it, or says itself that it is one."""
    nested = tmp_path / "chats" / SESSION / "scout-1.jsonl"
    header = chats.HEADER | {"sessionId": "scout-1", "kind": "subagent"}
    (turn,) = transcript.read(chats.written(nested, [header, person("u", "look")])).turns
    assert (turn.session, turn.subagent) == (SESSION, "scout-1")
    (turn,) = transcript.read(chats.written(tmp_path / "alone.jsonl", [header, person("u", "look")])).turns
    assert turn.subagent == "scout-1"


def test_packed_files_are_read_as_what_is_in_them(session):
    """Lines and documents alike."""
    squeezed = f"{session}.gz"
    Path(squeezed).write_bytes(gzip.compress(Path(session).read_bytes()))
    assert transcript.read(squeezed) == transcript.read(session)
    assert transcript.read(squeezed, transcript.read(session).offset).turns == ()


def test_a_digest_gets_no_thinking(session):
    """All else is there."""
    first, second = transcript.skim(session)
    assert list(first.words(turns.THINKING)) == []
    assert (len(first.calls), second.human) == (2, ("thanks",))


KEYS = [
    "id",
    "type",
    "content",
    "text",
    "toolCalls",
    "args",
    "result",
    "name",
    "functionResponse",
    "response",
    "thoughts",
    "tokens",
]
KEYS += [
    "$set",
    "messages",
    "$rewindTo",
    "sessionId",
    "displayContent",
    "functionCall",
    "resultDisplay",
    "status",
    "output",
]
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=20)
    | st.sampled_from(["user", "gemini", "u1", "ask_user"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=12,
)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_nothing_in_a_session_file_can_stop_the_reader(tmp_path, data):
    """Any field may be anything, any line may be garbage or torn: nothing raises, nothing changes sessions."""
    whole = data.draw(st.booleans())
    lines = [chats.document()] if whole else json.loads(json.dumps(chats.lines()))
    for _ in range(data.draw(st.integers(1, 6))):
        one = data.draw(
            st.sampled_from(
                lines[0]["messages"] if whole and isinstance(lines[0]["messages"], list) else lines[1:] or lines
            )
        )
        if isinstance(one, dict) and one:
            one[data.draw(st.sampled_from(sorted(one)))] = data.draw(values)
    lines += [] if whole else [data.draw(values), data.draw(st.binary(max_size=40)).replace(b"\n", b"")]
    path = chats.written(tmp_path / ("s.json" if whole else "s.jsonl"), lines[0] if whole else lines)
    reading = transcript.read(path)
    assert {turn.session for turn in reading.turns} <= {SESSION}
    assert [turn.human for turn in transcript.skim(path)] == [turn.human for turn in reading.turns]
    torn = Path(path).read_bytes()[: data.draw(st.integers(0, 3000))]
    Path(path).write_bytes(torn)
    assert transcript.read(path).offset <= len(torn)
