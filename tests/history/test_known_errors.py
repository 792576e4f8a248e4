"""Errors that were met before, by their shape, and what was done until they went away."""

import pytest

from record import SESSION, Record
from tapehead.history.known_errors import find_fixes
from tapehead.text.error_shape import shape

ERROR = "ImportError: cannot import name 'Sail' from 'boat.rig' (/srv/boat/rig.py)"


@pytest.fixture
def solved(memory):
    """A test failed, a file was edited, and the test went through."""
    record = (
        Record()
        .prompt("Run the tests")
        .call("Bash", f"collected 3 items\n{ERROR}\n1 error in 0.31s", command="pytest -q")
    )
    record.prompt("Repair it").call("Edit", "done", file_path="/srv/boat/rig.py", old_string="a", new_string="b")
    record.call("Bash", "3 passed in 0.12s", command="pytest -q tests")
    memory.told(record.prompt("thanks"))
    return memory


@pytest.mark.parametrize(
    "error",
    [
        ERROR,
        "ImportError: cannot import name 'Mast' from 'ship.deck' (/home/me/ship/deck.py)",
        "line 12\nline 13\nImportError: cannot import name 'X' from 'y' (C:\\y.py)\n7 errors in 12.9s",
    ],
)
def test_an_error_is_known_by_its_shape(solved, error):
    """Whatever the paths, names and numbers: the answer is what was changed, with the turn of the success."""
    [fix] = find_fixes(solved.database, error)
    assert (fix.session, fix.turn, fix.solved_in) == (SESSION, 1, 2)
    assert [(change.what, change.target) for change in fix.changes] == [("edited", "/srv/boat/rig.py")]
    assert fix.command == "pytest -q"
    assert fix.error == ERROR


@pytest.mark.parametrize("error", ["TypeError: unsupported operand", "no space left on device", "", "42"])
def test_another_error_is_not_met(solved, error):
    """A few common words do not make two errors one."""
    assert find_fixes(solved.database, error) == []


def test_a_failure_without_success(memory):
    """Is told as such: what was tried, and no turn that solved it."""
    memory.told(
        Record().prompt("go").call("Bash", f"[failed]\n{ERROR}", command="make").call("Bash", "x", command="ls")
    )
    [fix] = find_fixes(memory.database, ERROR)
    assert (fix.solved_in, fix.changes[0].target) == (0, "ls")


def test_the_shape_of_an_error():
    """Paths, numbers, addresses and quoted names are none of it."""
    one = shape("Segfault at 0x7ffe12 in /usr/lib/a.so: thread 'main' line 12")
    other = shape("Segfault at 0x1 in C:\\x\\b.so: thread 'worker' line 9")
    assert one == other == {"segfault", "at", "in", "thread", "line"}
