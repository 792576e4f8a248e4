"""`tapehead detail` as a user calls it."""

import json
import os
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from record import Linked, Record
from tapehead.history.database import Database
from tapehead.history.writing import Keeper

FIRST = "11111111-2222-4333-8444-555555555555"
SECOND = "22222222-2222-4333-8444-555555555555"
BEGINS = datetime(2026, 11, 15, 14, 23, 5, tzinfo=UTC)


@pytest.fixture
def zone(monkeypatch):
    """Sets the user's own time zone, and puts the old one back."""

    def put(name):
        monkeypatch.setenv("TZ", name)
        time.tzset()

    yield put
    monkeypatch.undo()
    os.environ.pop("TZ", None)
    time.tzset()


def remembered(repository, record):
    path = record.write(Path(repository.home) / "records")
    os.utime(path, (0, 0))
    assert repository.run("import", path, "--here").exit_code == 0


@pytest.fixture
def told(repository, zone):
    """A session of three turns, a minute between any two lines."""
    zone("UTC")
    record = Record(FIRST, begins=BEGINS, step=60.0).turn("Mend the sail", "Mended it.").thinks("good cloth")
    record.call("Bash", "y" * 5_000, command="check").turn("Paint it", "Painted it.").prompt("Thanks!")
    remembered(repository, record)
    return repository


def turns(repository, *words):
    return [(one["session"][:2], one["turn"]) for one in repository.json("detail", *words)]


def test_as_a_person_sees_it(told):
    """Grouped by kind: what was asked, answered, thought, called and said; long details are cut, and it is said how to see more."""
    result = told.run("detail", "turn", "1")
    assert result.exit_code == 0
    shown = result.stdout
    assert shown.startswith(f"Turn 1 of session {FIRST[:8]}, 2026-11-15 14:23 +0000\nMend the sail → Mended it\n")
    places = [
        shown.index(title)
        for title in ("\nAsked\n", "\nAnswered\n", "\nThought\n", "\nTools called\n", "\nTool output\n")
    ]
    assert places == sorted(places)
    assert "[… 3,500 more characters: --full]" in shown
    assert "y" * 5_000 in told.run("detail", "turn", "1", "--full").stdout


def test_a_turn_that_was_taken_back(repository, zone):
    """Both commands say so: `search` with the hit, `detail` with the turn; as data it is a field."""
    zone("UTC")
    record = Linked(FIRST, begins=BEGINS).ask("Mend the sail").answer("Mended it.").ask("Burn the sail")
    remembered(repository, record.ask("Paint the sail", instead_of="Burn the sail").answer("Painted it."))
    shown = repository.run("detail", "turn", "1-3").stdout
    heads = [line for line in shown.splitlines() if line.startswith("Turn ")]
    assert [head.endswith(" (taken back)") for head in heads] == [False, True, False]
    assert [one["taken_back"] for one in repository.json("detail", "turn", "1-3")] == [False, True, False]
    hits = repository.run("search", "sail", "--kind", "prompt").stdout.splitlines()
    assert [line.endswith("user (taken back)") for line in hits if "user" in line] == [False, False, True]
    assert repository.json("search", "burn", "--kind", "prompt")[0]["taken_back"] is True


def test_only_one_kind(told):
    """And nothing of the others."""
    shown = told.run("detail", "turn", "1", "--kind", "thinking").stdout
    assert "good cloth" in shown
    assert "Asked" not in shown


def test_as_data(told):
    """Whole, with the line of the turn."""
    (one,) = told.json("detail", "turn", "1")
    assert (one["session"], one["turn"], one["line"]) == (FIRST, 1, "Mend the sail → Mended it")
    assert [entry["kind"] for entry in one["entries"]] == ["prompt", "reply", "thinking", "call", "result"]
    assert len(one["entries"][-1]["body"]) == 5_000


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("turn", "2"), [2]),
        (("turns", "1-2"), [1, 2]),
        (("turns", "2-99999999999999999999"), [2, 3]),
        (("14:23",), [1]),
        (("14:23:05",), [1]),
        (("14:26-14:28",), [1, 2]),
        (("2026-11-15T14:28:05Z",), [2]),
        (("2026-11-15T14:28:05",), [2]),
        (("2026-11-15T15:28+01:00",), [2]),
        (("2026-11-15",), [1, 2, 3]),
        (("14:25:30",), [1]),
        (("2026-11-15", "14:28"), [2]),
    ],
)
def test_when(told, words, expected):
    """A turn, a minute, a second, a range, a whole time; between two entries, the turn that was running."""
    assert turns(told, *words) == [("11", turn) for turn in expected]


def test_the_persons_own_clock(told, zone):
    """A time without a zone is theirs."""
    zone("Asia/Tokyo")
    assert turns(told, "23:23") == [("11", 1)]
    assert turns(told, "2026-11-15T23:28") == [("11", 2)]
    assert told.run("detail", "14:23").exit_code == 1


def test_midnight(repository, zone):
    """A range over midnight, and a clock time of which the newest counts."""
    zone("UTC")
    record = Record(FIRST, begins=datetime(2026, 11, 14, 23, 55, tzinfo=UTC), step=600.0)
    record.prompt("late").prompt("early").prompt("next day", timestamp="2026-11-15T23:55:00.000Z")
    remembered(repository, record)
    assert turns(repository, "23:50-00:10") == [("11", 3)]
    assert turns(repository, "2026-11-14T23:50..00:10") == [("11", 1), ("11", 2)]
    assert turns(repository, "23:55") == [("11", 3)]
    assert turns(repository, "00:05") == [("11", 2)]


def test_a_session_that_began_after_midnight(repository, zone):
    """A range that begins before it still finds it."""
    zone("UTC")
    remembered(repository, Record(FIRST, begins=datetime(2026, 11, 15, 0, 5, tzinfo=UTC)).prompt("early"))
    assert turns(repository, "23:50-00:10") == [("11", 1)]


@pytest.fixture
def of_days(repository, zone):
    """A session of three turns on two days, with a day between them."""
    zone("UTC")
    record = Record(FIRST, begins=datetime(2026, 11, 10, 14, 23, tzinfo=UTC), step=1.0).turn("one", "done")
    for number, at in enumerate((datetime(2026, 11, 10, 18, 0, tzinfo=UTC), datetime(2026, 11, 12, 16, 0, tzinfo=UTC))):
        stamps = [at.strftime("%Y-%m-%dT%H:%M:%S.000Z"), at.strftime("%Y-%m-%dT%H:%M:09.000Z")]
        record.prompt(f"next {number}", timestamp=stamps[0]).reply("done", timestamp=stamps[1])
    remembered(repository, record)
    return repository


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("14:23",), [1]),
        (("18:00",), [2]),
        (("18:00:05",), [2]),
        (("16:00",), [3]),
        (("03:00",), []),
        (("2026-11-10",), [1, 2]),
        (("2026-11-11",), []),
        (("2026-11-10T20:00..2026-11-11T20:00",), []),
        (("2026-11-11..9999-12-31",), [3]),
        (("0001-01-01..2026-11-10T15:00",), [1]),
        (("0001-01-01",), []),
        (("9999-12-31",), []),
    ],
)
def test_a_session_of_several_days(of_days, words, expected):
    """A turn is over with its last word, though the next prompt comes days later."""
    result = of_days.run("detail", *words, "--json")
    assert [one["turn"] for one in json.loads(result.stdout or "[]")] == expected
    assert (result.exit_code, "Nothing recorded" in result.stderr) == ((0, False) if expected else (1, True))


def test_a_day_of_the_persons_own(of_days, zone):
    """In a zone where that day begins while nobody is at work."""
    zone("Asia/Tokyo")
    assert of_days.run("detail", "2026-11-12").exit_code == 1
    assert turns(of_days, "2026-11-13") == [("11", 3)]


def test_a_time_is_looked_for_in_all_sessions(told):
    """Whoever was at work then is shown, in the order of the times; a clock time is the newest such time of all."""
    for session, minute in ((SECOND, 23), ("33333333-2222-4333-8444-555555555555", 59)):
        remembered(told, Record(session, begins=BEGINS.replace(day=16, minute=minute)).prompt("other"))
    remembered(told, Record("44444444-2222-4333-8444-555555555555", begins=BEGINS).prompt("at the same time"))
    remembered(told, Record("55555555-2222-4333-8444-555555555555", begins=BEGINS.replace(day=17)).prompt("newest"))
    assert turns(told, "2026-11-15T14:28:05Z") == [("11", 2)]
    assert sorted(turns(told, "2026-11-15T14:23:05Z")) == [("11", 1), ("44", 1)]
    assert turns(told, "14:28") == [("11", 2)]
    assert turns(told, "14:23") == [("55", 1)]
    assert turns(told, "14:58-14:59") == [("33", 1)]
    assert turns(told, "14:23", "--session", "22") == [("22", 1)]
    assert "Nothing recorded for 03:00 in this worktree" in told.run("detail", "03:00").stderr


def test_a_turn_that_was_merely_running(told):
    """Is shown only where nothing happened at that time in any session, and says so."""
    found = told.run("detail", "14:25:30")
    assert "Turn 1 of session 11111111, " in found.stdout
    assert "Nothing was recorded at 14:25:30. This turn was running then." in found.stderr
    remembered(told, Record(SECOND, begins=BEGINS.replace(minute=25, second=30)).prompt("right then"))
    assert turns(told, "14:25:30") == [("22", 1)]
    assert "running" not in told.run("detail", "14:25:30").stderr


def test_the_time_that_is_printed_is_read_back(told, zone):
    """In the user's own zone, and in any other afterwards."""
    zone("Asia/Kolkata")
    head = told.run("detail", "turn", "1").stdout.splitlines()[0]
    time = head.partition(", ")[2]
    assert time == "2026-11-15 19:53 +0530"
    zone("America/New_York")
    assert turns(told, *time.split()) == [("11", 1)]


def test_a_kind_that_is_not_there(told):
    """Is said, with those that are; a turn without it is left out, and the line of the turn stays with the others."""
    result = told.run("detail", "turn", "1", "--kind", "image")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "No image in it" in result.stderr
    assert "call, prompt, reply, result, thinking" in result.stderr
    (one,) = told.json("detail", "turns", "1-2", "--kind", "call")
    assert (one["turn"], one["line"]) == (1, "Mend the sail → Mended it")
    head, line, *_ = told.run("detail", "turn", "1", "--kind", "call").stdout.splitlines()
    assert head == f"Turn 1 of session {FIRST[:8]}, 2026-11-15 14:23 +0000"
    assert line == "Mend the sail → Mended it"


def test_before_a_word_of_the_successor_is_remembered(told, monkeypatch):
    """A session that has just gone on from another finds that one's turns, though it has no transcript yet."""
    told.hook("SessionStart", FIRST, source="startup")
    told.hook("UserPromptSubmit", FIRST, prompt="Mend the sail")
    told.hook("SessionEnd", FIRST, reason="clear")
    told.engine.settle(FIRST)
    told.hook("SessionStart", SECOND, source="clear")
    assert turns(told, "turn", "2", "--session", "2222") == [("11", 2)]
    remembered(
        told, Record("33333333-2222-4333-8444-555555555555", begins=datetime(2027, 1, 1, tzinfo=UTC)).prompt("x")
    )
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", SECOND)
    assert turns(told, "turn", "2") == [("11", 2)]
    assert {hit["session"] for hit in told.json("search", "sail", "--session", SECOND)} == {FIRST}


def test_which_session(told, monkeypatch):
    """This agent's own, else the newest; or the one that is named, by the beginning of its id."""
    remembered(told, Record(SECOND, begins=datetime(2026, 11, 16, tzinfo=UTC)).prompt("other"))
    assert turns(told, "turn", "1") == [("22", 1)]
    assert turns(told, "turn", "1", "--session", "11") == [("11", 1)]
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", FIRST)
    assert turns(told, "turn", "1") == [("11", 1)]


def test_the_times_of_predecessors(told):
    """A session that went on from another finds that one's times too, its own first."""
    remembered(told, Record(SECOND, begins=datetime(2026, 11, 16, tzinfo=UTC)).prompt("other"))
    with Database(told.layout.memory) as database:
        Keeper(database).inherit(SECOND, FIRST, 1, "")
    assert turns(told, "turn", "1") == [("22", 1)]
    assert turns(told, "14:23") == [("11", 1)]
    assert turns(told, "turn", "3") == [("11", 3)]


def test_a_session_without_times(repository):
    """A clock time finds nothing in it, and nothing raises."""
    remembered(repository, Record(FIRST).prompt("x", timestamp="yesterday"))
    assert repository.run("detail", "14:23").exit_code == 1
    assert turns(repository, "turn", "1") == [("11", 1)]


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("soon",), "Can't parse soon as a time or a turn"),
        (("turn", "9"), f"Nothing recorded for turn 9 in session {FIRST}"),
        (("turns", "3-2"), "Nothing recorded"),
        (("2020-01-01",), "Nothing recorded"),
        (("turn", "1", "--session", "zz"), "No session 'zz' in the history"),
    ],
)
def test_errors(told, words, error):
    """Say what is wrong and what to do, and exit with 1."""
    result = told.run("detail", *words)
    assert (result.exit_code, error in result.stderr, "hint:" in result.stderr) == (1, True, True)


def test_hostile_words_are_harmless(repository):
    """No escape, no control character and no markup of ours reaches the terminal."""
    hostile = "\x1b[31mred\x07 [bold]b[/bold] \u202e"
    remembered(repository, Record(FIRST).prompt(hostile, timestamp=f"2027{hostile}").call(hostile, hostile, x=hostile))
    shown = repository.run("detail", "turn", "1").stdout
    assert "red [bold]b[/bold]" in shown
    assert not {"\x1b", "\x07", "\u202e"} & set(shown)
