"""`tapehead log`."""

import re
from datetime import datetime

import pytest

from record import Record
from tapehead.cli.tape_story import _EVENTS
from tapehead.statemachine.vocabulary import Event


def timeline(repository, *words):
    """What is told below the day."""
    lines = repository.run("log", *words).stdout.splitlines()
    return [re.sub(r"^  \d\d:\d\d ", "", line) for line in lines[2:]]


def compacted(repository, tmp_path, *, told_late=False):
    path = Record(cwd=repository.root).prompt("make it blue").reply("it is blue").write(tmp_path)
    told = ("PostCompact", {"trigger": "auto", "compact_summary": "short"})
    for name, fields in (
        ("SessionStart", {"source": "startup"}),
        ("UserPromptSubmit", {"prompt": "make it: blue"}),
        ("Stop", {"last_assistant_message": "done"}),
        ("PreCompact", {"trigger": "auto"}),
        *([] if told_late else [told]),
        ("SessionStart", {"source": "compact"}),
        *([told] if told_late else []),
        ("UserPromptSubmit", {"prompt": "and red"}),
    ):
        repository.hook(name, transcript_path=path, **fields)
    repository.engine.settle("one")


@pytest.mark.parametrize("told_late", [False, True])
def test_it_tells_what_happened(repository, tmp_path, told_late):
    """In the user's words and times: a compaction is one line, with what was handed back and what became of it, whenever its end is told."""
    compacted(repository, tmp_path, told_late=told_late)
    repository.engine.append("one", {"note": "receipt", "data": {"delivery": "delivered"}})
    started, prompt, answered, compaction, last = timeline(repository)
    assert (started, prompt, answered, last) == (
        "started",
        "prompt, turn 1: make it: blue",
        "answered",
        "prompt, turn 2: and red",
    )
    assert re.fullmatch(r"compacted, \d+ tokens handed back, delivered", compaction)
    assert re.match(r"\d{4}-\d\d-\d\d, times [+-]\d{4}$", repository.run("log").stdout.splitlines()[1])
    assert timeline(repository, "--last", "1") == ["prompt, turn 2: and red"]


def test_it_tells_what_the_agent_asked(repository):
    """Once: a reminder is no news, nor that it waits for a prompt."""
    repository.hook("SessionStart", source="startup")
    repository.hook("UserPromptSubmit", prompt="deploy it")
    repository.hook("PermissionRequest", tool_name="Bash", tool_input={"command": "make deploy"})
    repository.hook("Notification", notification_type="permission_prompt")
    question = {"questions": [{"question": "To staging?"}]}
    repository.hook("PermissionRequest", tool_name="AskUserQuestion", tool_input=question)
    repository.hook("Notification", notification_type="idle_prompt")
    assert timeline(repository)[2:] == ["asked for your approval of Bash: make deploy", "asked you: To staging?"]


def test_no_word_of_the_machine_is_in_it(repository, tmp_path):
    """Phases, facts, actions and fields are for --raw; every event has words of its own."""
    compacted(repository, tmp_path)
    repository.engine.failed("one", "capture", ValueError("no room"))
    repository.engine.rewound("one", 2, ["a", "b"])
    repository.hook("SessionEnd", reason="other")
    repository.engine.settle("one")
    told = timeline(repository)
    assert told[-3:] == [
        "prompt, turn 2, capture failed (ValueError: no room): and red",
        "rewound to turn 2, 2 files",
        "closed in mid-turn",
    ]
    assert not re.search(r"[A-Z]{4}|[a-z]_[a-z]|\w=", "\n".join(told))
    assert _EVENTS.keys() == set(Event)


def test_it_prints_what_happened_and_how_the_machine_moved(repository):
    """Each event with the move and the actions, each note below it."""
    repository.session()
    lines = repository.run("log", "--raw").stdout.splitlines()
    assert lines[0] == "session one"
    moves = [" ".join(line.split()[1:]) for line in lines[1:] if "·" not in line]
    assert moves[0] == "SESSION_START IDLE TEND source=startup"
    assert moves[1] == "TURN_START IDLE -> ACTIVE MARK_LINES, TOUCH, TEND “make it blue”"
    assert moves[2] == "TURN_END ACTIVE -> IDLE SNAPSHOT, INGEST, TOUCH, TEND"
    assert moves[3].startswith("SESSION_STOP IDLE -> ENDED SNAPSHOT, INGEST, CAPTURE, JOURNAL, CLOSE, TOUCH, TEND")
    assert any("· capture" in line for line in lines)


def test_its_times_are_whole(repository):
    """With their zone: what is copied from here, `detail` reads as the same moment."""
    repository.session()
    time = repository.run("log", "--raw").stdout.splitlines()[1].split()[0]
    first = datetime.fromisoformat(repository.json("log")[0]["at"])
    assert datetime.fromisoformat(time) == first.replace(microsecond=0)


def test_what_was_handed_to_a_session_that_is_not_there(repository):
    """Is an error; where nothing was handed to one that is, the reason is listed."""
    repository.session()
    assert "No session 'zzz' here" in repository.run("log", "--injections", "--session", "zzz").stderr
    assert "nothing; a fresh start" in " ".join(
        repository.run("log", "--injections", "--session", "one").stdout.split()
    )
    repository.hook("SessionStart", "two", source="startup")
    assert [one["to"] for one in repository.json("log", "--injections", "--session", "tw")] == ["two"]
    assert [one["tokens"] for one in repository.json("log", "--injections") if one.get("tokens")] != []


def test_in_json_each_line_has_its_move(repository):
    """Programs get the event, the facts, the phases and the actions."""
    repository.session()
    events = [line for line in repository.json("log") if line["event"]]
    assert [(line["event"], line["from"], line["to"]) for line in events] == [
        ("session_start", "idle", "idle"),
        ("turn_start", "idle", "active"),
        ("turn_end", "active", "idle"),
        ("session_stop", "idle", "ended"),
    ]


def test_last_cuts_the_beginning_off(repository):
    """--last N shows the N newest lines."""
    repository.session()
    assert len(repository.json("log", "--last", "1")) == 1


def test_a_session_is_found_by_how_it_begins(repository):
    """A prefix is enough where it is unique, and an error where it is not."""
    repository.session("abc")
    repository.session("abd")
    assert repository.run("log", "--session", "abc").exit_code == 0
    result = repository.run("log", "--session", "ab")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "2 sessions begin with 'ab'" in result.stderr
    assert "hint: use more of the id: abc, abd" in result.stderr
    assert "No session 'x' here" in repository.run("log", "--session", "x").stderr


def test_damaged_lines_are_named(repository):
    """A line that cannot be read is said, and the rest is shown."""
    repository.session()
    with open(repository.tape(), "ab") as file:
        file.write(b"garbage\n")
    out = repository.run("log", "--raw").stdout
    assert "is damaged and was skipped: not JSON" in out
    assert "SESSION_STOP" in out


def test_without_any_session_it_says_so(repository):
    """An error with a hint, not an empty page."""
    result = repository.run("log", "--raw")
    assert result.exit_code == 1
    assert "No session recorded here yet" in result.stderr


def test_of_an_imported_session(repository, tmp_path):
    """It is made from the transcript: the prompts, the answers and the compactions, and nothing is written down."""
    record = Record().turn("make it blue", "it is").compacted("The sky.").turn("and green", "done")
    assert repository.run("import", record.write(tmp_path), "--here").exit_code == 0
    told = [line[8:] for line in repository.run("log").stdout.splitlines() if line.startswith("  ")]
    assert told == [
        "imported: this is what its transcript tells",
        "started",
        "prompt, turn 1: make it blue",
        "compacted",
        "answered",
        "prompt, turn 2: and green",
        "answered",
        "ended",
    ]
    assert repository.engine.store.list() == []
    assert [move["to"] for move in repository.json("log") if move["event"]][-1] == "ended"


def test_notes_say_what_was_done(repository):
    """Each that has something to tell tells it."""
    repository.session(ends=False)
    for note, data in (
        ("ingest", {"input": 1200, "output": 30, "context_tokens": 82000, "files": ["/a"], "changed": ["/a", "/b"]}),
        ("mark_lines", {"user_added": 2, "user_removed": 1, "agent_added": 4}),
        ("condense", {"id": "c72d7e056051", "commit": "0123456789abcdef", "session_added": 1}),
        ("condense_if_touched", {"id": "c72d7e056051", "commit": "0123456789abcdef"}),
        ("rewound", {"turn": 2, "files": ["a", "b"]}),
        ("rewound", {"turn": None, "files": ["a"]}),
        ("rewound", {"turn": None, "redone": True, "files": []}),
        ("survey", {"untracked": ["x"]}),
        ("ingest", {}),
    ):
        repository.engine.append("one", {"note": note, "data": data})
    told = [
        line.partition("· ")[2].split(maxsplit=1)
        for line in repository.run("log", "--raw", "--last", "9").stdout.splitlines()
    ]
    assert [each for each in told if each] == [
        ["ingest", "1,200 in, 30 out, 82,000 in the context, 2 files changed"],
        ["mark_lines", "human +2 -1 agents +4 -0"],
        ["condense", "checkpoint c72d7e056051 of commit 0123456789 with 1 line of this session"],
        ["condense_if_touched", "checkpoint c72d7e056051 of commit 0123456789"],
        ["rewound", "to turn 2, 2 files"],
        ["rewound", "taken back, 1 file"],
        ["rewound", "once more, 0 files"],
        ["survey", "1 untracked file"],
        ["ingest"],
    ]


def test_injections_of_a_session_that_there_is_not(repository):
    """It is an error, as without --injections."""
    repository.session()
    assert repository.run("log", "--injections", "--session", "on").exit_code == 0
    result = repository.run("log", "--injections", "--session", "zz")
    assert result.exit_code == 1
    assert "No session 'zz' here" in result.stderr
