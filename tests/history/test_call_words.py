"""The names of a call's arguments are no words of it."""

import pytest

from tapehead.history.call_words import without_names
from tapehead.history.entry_making import Entries
from tapehead.history.ready_entries import ready
from tapehead.history.renewal import words_of
from tapehead.transcript.recorded_steps import Recorded
from tapehead.transcript.turns import RUN, Call


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("command: make test\ndescription: Run the tests", ["make test", "Run the tests"]),
        (
            "command:\ncat <<E\nname: value\nE\ndescription: Write it\ntimeout: 5",
            ["", "cat <<E", "name: value", "E", "Write it", "5"],
        ),
        ("frobnicate_level: 3\nanything: at all: yes", ["3", "at all: yes"]),
        ('todos: [{"content": "Paint it", "activeForm": "Painting"}]', ['[{  "Paint it",   "Painting"}]']),
        ('command: echo "a": "b"', ['echo "a": "b"']),
        ("content:\n", ["", ""]),
        ("path:", [""]),
        ("no argument at all", ["no argument at all"]),
        ("command: ls\nhttp://x\nlast", ["ls", "http://x", "last"]),
        ("", [""]),
    ],
)
def test_names_are_left_out(call, words):
    """The names of lines that begin a call, whatever they are; after a longer value, those that tools use."""
    assert without_names(call).split("\n") == words


def test_both_ways_into_the_index_agree():
    """What is written now, and what is brought over later, has the same words."""
    values = {"command": "make parseHeader", "taskId": "7", "description": "検索 it"}
    call = Call("c", "Bash", RUN, arguments=values)
    [entry] = Entries().of([Recorded("a/0", 1, "2026-01-01T00:00:00Z", call)])
    now = ready(entry)[12]
    assert set(now.split()) == set(words_of(entry.role, entry.kind, entry.name, entry.body).split())
    assert not {"command:", "taskId:", "task", "description:"} & set(now.split())
