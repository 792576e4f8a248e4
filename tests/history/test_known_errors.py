"""Errors that were met before, by their shape, and what was done until they went away."""

import pytest

from record import SESSION, Record
from tapehead.history.known_errors import find_fixes
from tapehead.text.error_shape import same_shape, shape

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


@pytest.mark.parametrize(
    "piece",
    [
        "cannot import name",
        "import name 'Sail'",
        "importerror: cannot  import",
        "import name from",
        "1 error in 0.31s",
        "'Sail' from",
    ],
)
def test_a_piece_of_an_error_is_enough(solved, piece):
    """What stands in a known error is found, as it stands or by its words."""
    [fix] = find_fixes(solved.database, piece)
    assert (fix.turn, fix.solved_in) == (1, 2)


@pytest.mark.parametrize("name", ["E0382", "ENOENT", "getStagedFiles", "0xC0000142"])
def test_the_name_of_an_error_alone(memory, name):
    """A code or a name is an error's text too; the very words go before another of the same shape."""
    record = Record().prompt("go").call("Bash", f"error[{name}]: it was moved", command="make", failed=True)
    memory.told(record.call("Bash", "error[OTHER]: it was moved", command="make lint", failed=True))
    assert find_fixes(memory.database, name)[0].command == "make"
    assert [fix.command for fix in find_fixes(memory.database, f"error[{name}]: it was moved")] == ["make"]


def test_calls_at_once_are_answered_in_their_order(memory):
    """A failure is that of its own command, and so is the success."""
    record = Record().prompt("go")
    for command in ("make", "ls"):
        record.call("Bash", command=command)
    record.result(ERROR, "toolu_1111_1", failed=True).result("a  b", "toolu_1111_2")
    record.call("Edit", "done", file_path="/srv/rig.py", old_string="a", new_string="b")
    for command in ("pwd", "make"):
        record.call("Bash", command=command)
    record.result("/srv", "toolu_1111_4").result("built", "toolu_1111_5")
    memory.told(record)
    [fix] = find_fixes(memory.database, ERROR)
    assert (fix.command, fix.solved_in) == ("make", 1)
    assert [change.target for change in fix.changes] == ["/srv/rig.py", "pwd"]


def test_a_tool_that_failed_on_a_file(memory):
    """Went through where the same tool did on the same file."""
    edit = {"file_path": "/srv/rig.py", "old_string": "a", "new_string": "b"}
    record = (
        Record()
        .prompt("go")
        .call("Edit", "<tool_use_error>String to replace not found in file.</tool_use_error>", failed=True, **edit)
    )
    memory.told(record.prompt("again").call("Read", "a", file_path="/srv/rig.py").call("Edit", "done", **edit))
    [fix] = find_fixes(memory.database, "String to replace not found")
    assert (fix.error, fix.turn, fix.solved_in) == ("String to replace not found in file.", 1, 2)


def test_who_reads_of_an_error_has_not_met_it(memory):
    """A file or a log with the words in it, that somebody looked at, is no failure; a look that failed is."""
    record = Record().prompt("go").call("Read", ERROR, file_path="/srv/errors.py")
    memory.told(
        record.call("Bash", ERROR, command="cd /srv && grep -n Import log").call("Bash", ERROR, command="cat log")
    )
    assert find_fixes(memory.database, ERROR) == []
    other = Record("99999999-2222-4333-8444-555555555555").prompt("go")
    memory.told(other.call("Read", "File does not exist: it is missing", file_path="/srv/x", failed=True))
    assert find_fixes(memory.database, "File does not exist: it is missing")


@pytest.mark.parametrize(
    "error", ["TypeError: unsupported operand", "no space left on device", "", "42", "error", "failed"]
)
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


def test_what_an_agent_writes_around_an_error_is_none_of_it():
    """So the same error has one shape for a hook, which gets it bare, and in the history."""
    bare = "fatal: could not read the harbour"
    for told in (
        f"[failed] {bare}",
        f"[failed] Exit code 1\n{bare}",
        f"[failed] <tool_use_error>{bare}</tool_use_error>",
    ):
        assert same_shape(told) == same_shape(bare)
    assert not same_shape("[failed] Exit code 1\nnothing else is said")


def test_the_shape_of_an_error():
    """Paths, numbers, addresses and quoted names are none of it."""
    one = shape("Segfault at 0x7ffe12 in /usr/lib/a.so: thread 'main' line 12")
    other = shape("Segfault at 0x1 in C:\\x\\b.so: thread 'worker' line 9")
    assert one == other == {"segfault", "at", "in", "thread", "line"}
