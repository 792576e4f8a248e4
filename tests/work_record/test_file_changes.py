"""What became of what, in which function."""

import pytest

from tapehead.transcript import turns
from tapehead.transcript.turns import Call, Result, Said, Turn
from tapehead.work_record.work_record import gather_work


def told(*steps):
    return gather_work([Turn(1, (Said(turns.HUMAN, "go"), *steps), cwd="/w")]).changes


def edit(ident, path, *pairs, failed=False):
    return Call(ident, "Edit", turns.EDIT, path=path, pairs=pairs), Result(ident, "ok", failed=failed)


def test_a_change_has_its_function_and_the_lines_that_differ():
    """The line that names most, of what went and of what came."""
    (one,) = told(*edit("1", "/w/a.py", ("def run(x):\n    return None", "def run(x):\n    return parse_header(x)")))
    assert (one.path, one.function, one.before, one.after) == ("a.py", "run", "return None", "return parse_header(x)")


def test_the_last_changed_file_comes_first_with_its_newest_change_first():
    """And says how often it was changed."""
    found = told(
        *edit("1", "/w/a.py", ("one = 1", "one = first_value")),
        *edit("2", "/w/b.py", ("two = 2", "two = second_value")),
        *edit("3", "/w/a.py", ("three = 3", "three = third_value")),
    )
    assert [(one.path, one.after, one.edits) for one in found] == [
        ("a.py", "three = third_value", 2),
        ("a.py", "one = first_value", 2),
        ("b.py", "two = second_value", 1),
    ]


def test_an_import_alone_is_no_news():
    """It serves the change before it."""
    found = told(
        *edit("1", "/w/a.py", ("x = 1", "x = read_all(path)")),
        *edit("2", "/w/a.py", ("", "import paths")),
    )
    assert [one.after for one in found] == ["x = read_all(path)"]


def test_a_change_that_failed_or_got_no_answer_changed_nothing():
    """Only what the tool said went well counts."""
    assert (
        told(*edit("1", "/w/a.py", ("x", "yyyyyyyy"), failed=True), Call("2", "Edit", turns.EDIT, path="/w/b.py")) == ()
    )


def test_a_file_that_was_written_whole_is_known_by_what_it_defines():
    """There is nothing that went."""
    found = told(Call("1", "Write", turns.WRITE, path="/w/c.py", text="class Parser:\n    pass\n"), Result("1", "ok"))
    assert [(one.path, one.function, one.before, one.after) for one in found] == [("c.py", "Parser", "", "")]


@pytest.mark.parametrize(
    "command",
    [
        "rm src/b.py",
        "cd /w && rm -f ./src/b.py 2>/dev/null",
        "git rm 'src/b.py'; ls",
        "git checkout -- src/b.py",
        "git checkout HEAD~1 -- src/b.py",
        "git restore src/b.py",
    ],
)
def test_a_file_that_was_removed_or_put_back_is_no_change(command):
    """A draft that was thrown away is not told as what was changed last; the others are."""
    ran = Call("3", "Bash", turns.RUN, text=command), Result("3", "")
    made = (*edit("1", "/w/src/b.py", ("two = 2", "two = second_value")), *edit("2", "/w/a.py", ("x", "one = first")))
    assert [one.path for one in told(*made, *ran)] == ["a.py"]
    again = edit("4", "/w/src/b.py", ("two = 2", "two = third_value"))
    assert [one.after for one in told(*made, *ran, *again)] == ["two = third_value", "one = first"]


@pytest.mark.parametrize(
    "command", ["git restore --staged src/b.py", "grep -rm 1 src/b.py", "echo rm", "git checkout -b b.py"]
)
def test_what_only_sounds_like_it_removes_nothing(command):
    """To take a file out of the index leaves it as it is."""
    ran = Call("3", "Bash", turns.RUN, text=command), Result("3", "")
    assert [one.path for one in told(*edit("1", "/w/src/b.py", ("two = 2", "two = second_value")), *ran)] == [
        "src/b.py"
    ]
