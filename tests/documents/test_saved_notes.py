"""What is saved by hand for a session."""

from pathlib import Path

import pytest

from tapehead.documents import saved_notes
from tapehead.documents.saved_notes import Saved
from tapehead.store.paths import Layout


@pytest.fixture
def layout(tmp_path):
    return Layout(str(tmp_path / "store"))


def test_saved_and_added_to(layout):
    """The focus takes the place of the former one; notes and next steps are added, each once."""
    assert not saved_notes.read(layout, "s")
    saved_notes.save(layout, "s", Saved(("first",), ("a", "b"), ("x",)))
    found = saved_notes.save(layout, "s", Saved(("second\nline",), ("b", "c"), ("x", "y")))
    assert found == saved_notes.read(layout, "s") == Saved(("second line",), ("a", "b", "c"), ("x", "y"))
    text = Path(saved_notes.path(layout, "s")).read_text()
    assert text == "## Focus\n\nsecond line\n\n## Notes\n\n- a\n- b\n- c\n\n## Next steps\n\n- x\n- y\n"


def test_a_persons_edits_survive(layout):
    """Other headings, other words and ticked steps stay in the file; what is ticked is not handed back."""
    path = Path(saved_notes.path(layout, "s"))
    path.parent.mkdir(parents=True)
    path.write_text("# Mine\n\nkeep\n\n## next STEPS\n* [x] gone\n* [ ] there\n\n## Links\n- z\n")
    assert saved_notes.save(layout, "s", Saved(next_steps=("new",))) == Saved(next_steps=("there", "new"))
    assert path.read_text() == "# Mine\n\nkeep\n\n## next STEPS\n* [x] gone\n* [ ] there\n- new\n\n## Links\n- z\n"


def test_replacing(layout):
    """Only the sections that are spoken of are written anew."""
    saved_notes.save(layout, "s", Saved(("f",), ("a",), ("x", "y")))
    assert saved_notes.save(layout, "s", Saved(next_steps=("z",)), replace=True) == Saved(("f",), ("a",), ("z",))
    assert saved_notes.save(layout, "s", Saved(("g",), ("b",)), replace=True) == Saved(("g",), ("b",), ("z",))


def test_nothing_new_writes_nothing(layout):
    """The file's time tells a user when something changed."""
    saved_notes.save(layout, "s", Saved(("f",), ("a",)))
    before = Path(saved_notes.path(layout, "s")).stat()
    saved_notes.save(layout, "s", Saved(("f",), ("a",)))
    assert Path(saved_notes.path(layout, "s")).stat().st_mtime_ns == before.st_mtime_ns
    saved_notes.save(layout, "other", Saved())
    assert not Path(saved_notes.path(layout, "other")).exists()


def test_what_someone_wrote_to_be_saved():
    """Under our headings it is what they say; without them every paragraph and item is a note."""
    text = "## Focus\nthe parser\n## Next steps\n1. run\n2. look\n"
    assert saved_notes.understood(text) == Saved(("the parser",), (), ("run", "look"))
    assert saved_notes.understood("one\ntwo\n\n- three\n\x07\n") == Saved(notes=("one two", "three"))
    assert not saved_notes.understood(" \n\n")
