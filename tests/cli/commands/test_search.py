"""`tapehead search` as a person calls it."""

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from record import Record

FIRST = "11111111-2222-4333-8444-555555555555"
SECOND = "22222222-2222-4333-8444-555555555555"


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
    """When, who and what, the words around it, and the command that shows all of it, with the whole session id."""
    result = told.run("search", "sail", "--kind", "prompt")
    assert result.exit_code == 0
    head, said, pointer = result.stdout.splitlines()
    assert head.endswith("Z  human prompt")
    assert said == "  Mend the sail of the boat"
    assert pointer == f"  tapehead detail turn 1 --session {SECOND}"
    assert told.run(*pointer.split()[1:]).exit_code == 0


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
    monkeypatch.setattr(type(told.engine), "remember", lambda *_: pytest.fail("it was read again"))
    assert told.run("search", "sail").exit_code == 0
    os.remove(told.engine.store.load(FIRST).transcript_path)  # hosts tidy up after a month
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
    assert f" in {told.root}" in result.stdout


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("submarine",), "nothing is remembered with 'submarine'"),
        (("---",), "there is no word in '---'"),
        (("boat", "--since", "someday"), "'someday' is no time"),
        (("boat", "--session", "zzz"), "no session 'zzz' is remembered here"),
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
        (("submarine",), "`tapehead import`"),
        (("設定",), "`tapehead import`"),
        (("submarine", "yellow"), "try it with fewer words; "),
        (('"yellow submarine"',), "try it without the quotes or with fewer words; "),
        (("submarine", "--role", "tool"), "try it with fewer options; "),
        (("sail", "--project", "nope"), "`--all` looks in all projects"),
    ],
)
def test_what_else_to_try(told, words, hint):
    """Only what makes sense for what was asked; a project that nobody knows is said to be unknown."""
    result = told.run("search", *words)
    assert result.exit_code == 1
    assert result.stderr.partition("hint: ")[2].startswith(hint)
    assert ("no session of a project 'nope'" in result.stderr) == ("nope" in words)
