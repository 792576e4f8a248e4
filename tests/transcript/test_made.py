"""The newest calls, as they were made."""

from tapehead.transcript import turns
from tapehead.transcript.made import MOST, VALUE, made
from tapehead.transcript.story import Story
from tapehead.transcript.turns import Call, Result, Turn


def told(*steps):
    return made(Story([Turn(0, steps, cwd="/w")]))


def test_the_newest_call_on_each_file_is_quoted_newest_first():
    """With paths as one types them in the project; commands and task lists have sections of their own."""
    found = told(
        Call("1", "Read", turns.READ, path="/w/a.py", arguments={"file_path": "/w/a.py", "limit": 5}),
        Call("2", "Read", turns.READ, path="/w/a.py", arguments={"file_path": "/w/a.py"}),
        Call(
            "3", "Grep", turns.SEARCH, text="x", arguments={"pattern": "x", "more": [1, "/w/b", {"k": None}, "fourth"]}
        ),
        Result("3", "no", failed=True),
        Call("4", "Bash", turns.RUN, text="ls", arguments={"command": "ls"}),
        Call("5", "Read", turns.READ, path="/w/c.py"),
    )
    assert [(one.text, one.holds) for one in found] == [
        ('Grep {"pattern": "x", "more": [1, "b", {"k": null}]}', False),
        ('Read {"file_path": "a.py"}', True),
    ]


def test_long_arguments_are_cut_and_old_calls_are_left():
    """A call is told by its beginnings."""
    calls = [Call(str(n), "Read", turns.READ, path=str(n), arguments={"x": "y" * 500}) for n in range(MOST + 5)]
    found = told(*calls)
    assert len(found) == MOST
    assert found[0].text == 'Read {"x": "' + "y" * (VALUE - 1) + '…"}'


def test_an_edit_is_shown_from_where_the_texts_part():
    """What old and new share says nothing; the line in which they differ does."""
    same = "def one():\n    return 1\n\n\n" * 6
    arguments = {
        "file_path": "/w/a.py",
        "old_string": f"{same}def two(): pass",
        "new_string": f"{same}def two(): return 2",
    }
    [fact] = told(Call("1", "Edit", turns.EDIT, path="/w/a.py", arguments=arguments))
    assert '"old_string": "…def two(): pass", "new_string": "…def two(): return 2"' in fact.text
