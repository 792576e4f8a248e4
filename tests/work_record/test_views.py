"""What was in view, by file."""

from tapehead.transcript import turns
from tapehead.transcript.turns import Call, Result, Said, Turn
from tapehead.work_record.work_record import gather_work


def told(*steps):
    return gather_work([Turn(1, (Said(turns.HUMAN, "go"), *steps), cwd="/w")]).views


def test_a_file_that_was_read_is_known_by_the_names_in_it():
    """The last seen first; plain words are no names."""
    found = told(
        Call("1", "Read", turns.READ, path="/w/a.py"),
        Result("1", "def parse_header(raw):\n    return first_token(raw)\n"),
        Call("2", "Grep", turns.SEARCH, text="first_token"),
        Result("2", "src/b.py:12:    value = first_token(line)\nnot a hit"),
    )
    assert [(one.path, one.names) for one in found] == [
        ("src/b.py", ("first_token",)),
        ("a.py", ("first_token", "parse_header")),
    ]


def test_what_failed_was_not_in_view():
    """A file that could not be read tells nothing."""
    assert told(Call("1", "Read", turns.READ, path="/w/a.py"), Result("1", "no parse_header here", failed=True)) == ()


def test_what_a_file_defines_comes_with_its_line():
    """As far as a tool gave the numbers; from the top of the file."""
    found = told(
        Call("1", "Read", turns.READ, path="/w/a.go"),
        Result("1", "    12\u2192func (p *Parser) readHeader(raw string) {\n    13\u2192\tx := firstToken(raw)\n"),
        Call("2", "Grep", turns.SEARCH, text="firstToken"),
        Result("2", "a.go:7:func firstToken(line string) string {"),
        Call("3", "Edit", turns.EDIT, path="/w/a.go", pairs=(("x", "func lastToken() {"),)),
        Result("3", "done"),
    )
    assert [(one.path, one.places) for one in found] == [("a.go", ("firstToken :7", "readHeader :12"))]
