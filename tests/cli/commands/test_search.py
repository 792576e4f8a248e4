"""`tapehead search` as a user calls it."""

import json
import os
import re
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from record import Record
from tapehead.cli import history_access

FIRST = "11111111-2222-4333-8444-555555555555"
SECOND = "22222222-2222-4333-8444-555555555555"
THIRD = "33333333-2222-4333-8444-555555555555"


@pytest.fixture
def told(repository, tmp_path):
    """Two sessions of this project, the second of which goes on from the first."""
    for session, word, days in ((FIRST, "anchor", 2), (SECOND, "sail", 0)):
        begins = datetime.now(UTC) - timedelta(days=days, minutes=5)
        record = Record(session, cwd=repository.root, begins=begins)
        record.turn(f"Mend the {word} of the boat", f"Mended the {word}, it works.")
        record.call("Bash", f"{word}: ok", command=f"check {word}").call("Read", "text", file_path=f"/x/{word}.py")
        path = record.write(tmp_path / "records")
        repository.hook("SessionStart", session, source="startup", transcript_path=path)
        repository.hook("UserPromptSubmit", session, prompt="x", transcript_path=path)
        repository.hook("Stop", session, transcript_path=path)
        repository.engine.settle(session)
    return repository


def test_a_hit_as_a_person_sees_it(told):
    """The session; when by the local clock and who; the words around it, marked; and the command that shows all of it."""
    result = told.run("search", "sails", "--kind", "prompt")
    assert result.exit_code == 0
    session, head, said, pointer = result.stdout.splitlines()
    assert session == f"Session {SECOND[:8]}"
    assert re.fullmatch(r"  \d{4}-\d\d-\d\d \d\d:\d\d  user", head)
    assert said == "    Mend the **sail** of the boat"
    assert pointer == f"    tapehead detail {SECOND[:8]}/1"
    assert told.run(*pointer.split()[1:]).exit_code == 0


def test_hits_fit_a_terminal(told):
    """No line has more than 80 characters, and hits of a session stand together."""
    lines = told.run("search", "boat").stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert sum(line.startswith("Session ") for line in lines) == 2


def test_what_the_transcripts_have_is_taken_in_first(told):
    """Nobody has to wait for a worker; and what was said since is found too."""
    assert not os.path.exists(told.layout.memory)
    assert told.run("search", "sail").exit_code == 0
    path = told.engine.store.load(SECOND).transcript_path
    with open(path, "ab") as file:
        file.write(
            Record(SECOND, cwd=told.root).thinks("a rudder").lines[0].replace(b"00000000", b"00000099", 1) + b"\n"
        )
    assert told.run("search", "rudder").exit_code == 0


def test_nothing_is_read_again_where_nothing_is_new(told, monkeypatch):
    """A search in a store of a thousand sessions must not open a thousand transcripts."""
    told.run("search", "sail")
    monkeypatch.setattr(history_access, "remember", lambda *_: pytest.fail("it was read again"))
    assert told.run("search", "sail").exit_code == 0
    os.remove(told.engine.store.load(FIRST).transcript_path)  # agents tidy up after a month
    assert told.run("search", "anchor").exit_code == 0


def test_as_data(told):
    """Every field of every hit, and the same exit code."""
    found = told.json("search", "boat", "--role", "human")
    assert {hit["session"] for hit in found} == {FIRST, SECOND}
    assert found[0].keys() >= {
        "session",
        "turn",
        "time",
        "layer",
        "role",
        "kind",
        "name",
        "file",
        "project",
        "snippet",
        "score",
    }
    assert found[0]["session"] == SECOND
    nothing = told.run("search", "submarine", "--json")
    assert (json.loads(nothing.stdout), nothing.exit_code) == ([], 1)


@pytest.mark.parametrize(
    ("words", "sessions"),
    [
        (("boat", "--session", SECOND), {FIRST, SECOND}),  # it goes on from the other, and sees what that one said
        (("boat", "--session", "1111"), {FIRST}),
        (("boat", "--since", "1d"), {SECOND}),
        (("boat", "--since", "3d"), {FIRST, SECOND}),
        (("boat", "--since", "2026-01-01"), {FIRST, SECOND}),
        (("boat", "--project", "repository"), {FIRST, SECOND}),
        (("text", "--file", "anchor.py"), {FIRST}),
        (("ok", "--kind", "result"), {FIRST, SECOND}),
        (('"of the boat"', "--limit", "1"), {SECOND}),
    ],
)
def test_filters(told, words, sessions):
    """As they are typed."""
    assert {hit["session"] for hit in told.json("search", *words)} == sessions


def test_the_clock_as_a_beginning(told):
    """A time of day is the last such time, never one that is still to come."""
    soon = (datetime.now().astimezone() + timedelta(minutes=2)).strftime("%H:%M")
    assert {hit["session"] for hit in told.json("search", "boat", "--since", soon)} <= {SECOND}


def test_all_projects(told):
    """Every store of the machine; one without a memory is passed over."""
    result = told.run("search", "sail", "--all")
    assert result.exit_code in (0, 1)
    told.run("search", "sail")
    told.run("import", told.engine.store.load(FIRST).transcript_path)  # an import names its store to the machine
    result = told.run("search", "sail", "--all")
    assert result.exit_code == 0
    assert f"  {told.root}"[:60] in result.stdout


class Machine:
    """This project, and another one on the same machine."""

    def __init__(self, here, other):
        self.here = here
        self.other = other


@pytest.fixture
def machine(told, tmp_path, monkeypatch):
    """In the other project somebody spoke of a boat too, years ago."""
    told.run("search", "sail")
    told.run("import", told.engine.store.load(FIRST).transcript_path)
    other = tmp_path / "elsewhere"
    subprocess.run(["git", "init", "-q", str(other)], check=True)
    record = Record(THIRD, cwd="/gone/project", begins=datetime(2023, 5, 1, tzinfo=UTC))
    path = record.turn("Mend the keel of the boat", "Mended the keel.").write(tmp_path / "records")
    monkeypatch.chdir(other)
    assert told.run("import", path, "--here").exit_code == 0
    monkeypatch.chdir(told.root)
    return Machine(told, other)


def test_a_session_of_one_project_among_all(machine):
    """Projects that do not have it are passed over; one that nobody has is an error."""
    for session in (FIRST, THIRD):
        assert {hit["session"] for hit in machine.here.json("search", "boat", "--all", "--session", session)} == {
            session
        }
    result = machine.here.run("search", "boat", "--all", "--session", "zzz")
    assert (result.exit_code, "No session 'zzz' in any project's history" in result.stderr) == (1, True)


@pytest.mark.parametrize("what", ["newer", "damaged"])
def test_a_memory_that_cannot_be_used_hides_no_other(machine, what):
    """It is said, and the others answer."""
    content = b"no database " * 1000 if what == "damaged" else _newer()
    (machine.other / ".git/tapehead/memory.db").write_bytes(content)
    result = machine.here.run("search", "sail", "--all")
    assert result.exit_code == 0
    assert f"note: {machine.other}: " in result.stderr
    assert "Mend the **sail** of the boat" in result.stdout


def test_a_pointer_into_another_project(machine):
    """Works as it is printed; one into this project needs nothing more."""
    result = machine.here.run("search", "boat", "--all", "--kind", "prompt")
    pointers = [line.split()[1:] for line in result.stdout.splitlines() if line.startswith("    tapehead detail")]
    assert sorted("--all" in words for words in pointers) == [False, False, True]
    for words in pointers:
        assert machine.here.run(*words).exit_code == 0
    missing = machine.here.run("detail", "turn", "1", "--all", "--session", "zzz")
    assert (missing.exit_code, "in any project" in missing.stderr) == (1, True)


def test_the_newest_of_all_projects_come_first(machine):
    """What was said years ago elsewhere comes behind the same of this week."""
    found = machine.here.json("search", "boat", "--all", "--kind", "prompt")
    assert [hit["session"] for hit in found] == [SECOND, FIRST, THIRD]
    assert found[0]["score"] > found[1]["score"] > found[2]["score"] > 0


@pytest.mark.parametrize(
    ("project", "sessions"),
    [
        ("elsewhere", {THIRD}),
        ("elsewhere/", {THIRD}),
        ("/gone/project", {THIRD}),
        ("project", {THIRD}),
        ("repository", {FIRST, SECOND}),
        (".", {FIRST, SECOND}),
        ("../elsewhere", {THIRD}),
        ("nowhere", set()),
    ],
)
def test_a_project_by_its_name(machine, project, sessions):
    """Wherever it is on this machine; a project's own memory is all of that project, wherever it was said."""
    assert {hit["session"] for hit in machine.here.json("search", "boat", "--project", project)} == sessions


@pytest.mark.parametrize("file", ["anchor.py", "./anchor.py", "x/../anchor.py", "/x/anchor.py", "/x/./anchor.py"])
def test_a_file_however_it_is_spelt(told, file):
    """As tools name it."""
    assert {hit["session"] for hit in told.json("search", "text", "--file", file)} == {FIRST}


def test_a_file_from_where_a_person_stands(repository, tmp_path, monkeypatch):
    """Below a directory of the work tree, `../x.py` is the one above."""
    record = (
        Record(FIRST, cwd=repository.root).prompt("x").call("Read", "text", file_path=f"{repository.root}/src/x.py")
    )
    record.call("Read", "text", file_path=f"{repository.root}/x.py")
    assert repository.run("import", record.write(tmp_path / "records"), "--here").exit_code == 0
    (tmp_path / "repository/src/deep").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "repository/src/deep")
    assert {hit["file"] for hit in repository.json("search", "text", "--file", "../x.py")} == {
        f"{repository.root}/src/x.py"
    }
    assert repository.run("search", "text", "--file", "../../../x.py").exit_code == 1


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("C++", {"c++"}),
        ("c#", {"c#"}),
        ("c", {"c++", "c#", "c"}),
        ("don't", {"don't", "don\u2019t"}),
        ("don\u2019t", {"don't", "don\u2019t"}),
    ],
)
def test_signs_that_make_another_word(words, found, repository, tmp_path):
    """C++ and C# are no C; the apostrophe is one however it is written."""
    record = Record(FIRST, cwd=repository.root)
    for word in ("c++", "c#", "c", "don't", "don\u2019t"):
        record.prompt(f"Write it in {word} please")
    assert repository.run("import", record.write(tmp_path / "records"), "--here").exit_code == 0
    hits = repository.json("search", words, "--kind", "prompt")
    assert {hit["snippet"].split()[3] for hit in hits} == found


@pytest.mark.parametrize(
    ("words", "hinted"), [("no'such", False), ("no-such", False), ('"no such"', True), ("“no such”", True)]
)
def test_the_hint_about_quotes(told, words, hinted):
    """Only where there were some."""
    assert ("without the quotes" in told.run("search", words).stderr) is hinted


@pytest.mark.parametrize("since", ["99999999d", "0001-01-01"])
def test_since_the_beginning_of_time(told, since):
    """Is since ever."""
    assert {hit["session"] for hit in told.json("search", "boat", "--since", since)} == {FIRST, SECOND}


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("boat", "--since", "14:23-14:30"), "needs a single time, not '14:23-14:30'"),
        (("boat", "--since", "2026-11-15..2026-11-16"), "needs a single time"),
        (("submarine",), "No matches for 'submarine'"),
        (("---",), "No word to search for in '---'"),
        (("boat", "--since", "someday"), "Can't parse 'someday' as a time"),
        (("boat", "--session", "zzz"), "No session 'zzz' in the history"),
    ],
)
def test_errors(told, words, error):
    """Say what is wrong and what to do, and exit with 1."""
    result = told.run("search", "--", *words) if words == ("---",) else told.run("search", *words)
    assert result.exit_code == 1
    assert error in result.stderr
    assert "hint:" in result.stderr


def test_a_beginning_that_is_not_enough(told):
    """Two sessions begin alike: that is said."""
    record = Record("11112222-2222-4333-8444-555555555555").turn("x", "y")
    told.run("import", record.write(Path(told.home)), "--here")
    told.run("search", "sail")
    result = told.run("search", "boat", "--session", "1111")
    assert "2 sessions begin with '1111'" in result.stderr
    assert "11112222-2222-4333-8444-555555555555" in result.stderr
    assert FIRST in result.stderr


def test_nothing_yet(repository):
    """An empty place says how it fills."""
    result = repository.run("search", "boat")
    assert (result.exit_code, "tapehead import" in result.stderr) == (1, True)


@pytest.mark.parametrize("what", ["newer", "damaged"])
def test_a_database_that_cannot_be_used(told, what):
    """Is said in a sentence, and left as it is."""
    path = told.layout.memory
    content = b"no database " * 1000 if what == "damaged" else _newer()
    with open(path, "wb") as file:
        file.write(content)
    result = told.run("search", "boat")
    assert result.exit_code == 1
    assert ("update tapehead" if what == "newer" else "doctor --fix") in result.stderr
    with open(path, "rb") as file:
        assert file.read() == content


def _newer():
    import sqlite3

    made = sqlite3.connect(":memory:")
    made.execute("PRAGMA user_version = 99")
    made.execute("CREATE TABLE x (y)")
    raw = made.serialize()
    made.close()
    return raw


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("submarine",), "try it with other words; `tapehead import`"),
        (('"yellow submarine"',), "try it without the quotes; "),
        (("submarine", "--role", "tool"), "try it with other words or with fewer options; "),
        (("sail", "--project", "nope"), "`tapehead search WORDS --all` shows the project"),
    ],
)
def test_what_else_to_try(told, words, hint):
    """Only what makes sense for what was asked; a project that nobody knows is said to be unknown."""
    result = told.run("search", *words)
    assert result.exit_code == 1
    assert result.stderr.partition("hint: ")[2].startswith(hint)
    assert ("No session of a project 'nope'" in result.stderr) == ("nope" in words)
