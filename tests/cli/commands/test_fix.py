"""`tapehead fix` and `tapehead why`, as they are typed."""

import pytest

from record import Record

SESSION = "33333333-2222-4333-8444-555555555555"
ERROR = "ImportError: cannot import name 'Sail' from 'boat.rig'"


@pytest.fixture
def solved(repository, tmp_path):
    """A failure, an edit, and a success."""
    record = Record(SESSION, cwd=repository.root).prompt("Run the tests").call("Bash", ERROR, command="pytest -q")
    record.prompt("Repair the rig").call(
        "Edit", "done", file_path=f"{repository.root}/rig.py", old_string="a", new_string="b"
    )
    record.call("Bash", "3 passed", command="pytest -q")
    assert repository.run("import", record.write(tmp_path / "records"), "--here").exit_code == 0
    return repository


def test_an_error_that_was_solved(solved):
    """What changed between the failure and the success, and the command that shows it; no line is too long."""
    result = solved.run("fix", "ImportError: cannot import name 'Mast' from 'ship.deck'")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].startswith("Session 33333333, turn 1, ")
    assert lines[0].endswith(": solved in turn 2")
    assert "then edited" in result.stdout
    assert lines[-1].strip() == "tapehead detail 33333333/2"
    assert max(map(len, lines)) <= 80
    assert solved.run(*lines[-1].split()[1:]).exit_code == 0


def test_as_data(solved):
    """Everything, with the whole session id."""
    [found] = solved.json("fix", ERROR)
    assert (found["pointer"], found["session"], found["turn"], found["solved_in"]) == ("33333333/2", SESSION, 1, 2)
    assert found["changes"][0]["what"] == "edited"


def test_an_error_that_nobody_met(solved):
    """Exits with 1 and says what else to try; so does a text that is no error."""
    result = solved.run("fix", "disk quota exceeded")
    assert (result.exit_code, "hint: " in result.stderr) == (1, True)
    assert solved.run("fix", "42").exit_code == 1


def test_why_a_file_is_as_it_is(solved):
    """The prompts of the turns that changed it, the newest first."""
    result = solved.run("why", "rig.py")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0].endswith("tapehead detail 33333333/2")
    assert result.stdout.splitlines()[1] == "  Repair the rig"
    assert [one["turn"] for one in solved.json("why", f"{solved.root}/rig.py")] == [2]
    assert solved.run("why", "mast.py").exit_code == 1


def test_why_a_line_is_as_it_is(solved):
    """The same as explain says."""
    with open(f"{solved.root}/here.py", "w", encoding="utf-8") as file:
        file.write("x = 1\n")
    assert solved.run("why", "here.py:1").output == solved.run("explain", "here.py:1").output
