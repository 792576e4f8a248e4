"""What an output says came of a command."""

import pytest

from tapehead.work_record.outcomes import outcome_of

GO_FAIL = """=== RUN   TestParse
--- FAIL: TestParse (0.00s)
    parse_test.go:41: expected 3, got 4
FAIL
FAIL\texample.org/parse\t0.3s
"""
PYTEST = """    def test_rows():
>       assert to_csv([[1]]) == "2"
E       AssertionError: assert '1' == '2'
tests/test_export.py:12: AssertionError
FAILED tests/test_export.py::test_rows - AssertionError: assert '1' == '2'
1 failed, 3 passed in 0.25s
"""


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        (GO_FAIL, ("FAIL: TestParse", "parse_test.go:41: expected 3, got 4")),
        (PYTEST, ("FAILED tests/test_export.py::test_rows", "1 failed, 3 passed")),
        ("Exit code 1\nsrc/app.rs:80:40: error: could not find `container`", ("src/app.rs:80:40: error",)),
        ("Exit code 128\nfatal: not a git repository", ("fatal: not a git repository",)),
        ("Exit code 1\nzsh: command not found: grep", ("command not found: grep",)),
        ("Exit code 1\nnothing in particular", ("nothing in particular",)),
    ],
)
def test_a_failure_names_the_test_the_place_and_the_message(said, parts):
    """Not the bare FAIL, and not the exit code alone."""
    told = outcome_of(said, failed=True)
    assert all(part in told for part in parts)
    assert len(told) <= 200


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("compiling\n2 passed in 3s\nbye", "2 passed in 3s"),
        ("one\ntwo\n}\n", "two"),
        ("ok  \ta/b\t(cached)\nok  \ta/c\t0.2s\n", "ok, 2 packages"),
        ("ok  \ta/b\t(cached)\n", "ok a/b"),
        ("[lint] $ golangci-lint run ./...\n0 issues.", "0 issues."),
        ("Build completed\nzsh: command not found: grep", "zsh: command not found: grep"),
        ("", ""),
    ],
)
def test_a_success_says_how_much_passed(said, line):
    """The count where there is one; a message that contradicts the success where it does not speak of one; or else the last line."""
    assert outcome_of(said, failed=False) == line


def test_a_place_with_what_is_wrong_there_is_found_behind_others():
    """Places that only list something are passed over; the whole line is told."""
    said = "a/one.go:68:func Parse(t *testing.T)\nvet: b/two.go:12:3: undefined: parse\n"
    assert outcome_of(said, failed=True) == "vet: b/two.go:12:3: undefined: parse"


def test_what_a_program_reads_is_no_outcome():
    """The fields of an object say nothing of how it went."""
    assert outcome_of('ok 51934?v=4","id":"","url":"https://x/y","name":"z"', failed=False) == ""
