"""What is generated is committed, and is what the code makes today."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import redraw

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(("name", "make"), redraw.GENERATED, ids=[name for name, _ in redraw.GENERATED])
def test_what_is_committed_is_what_the_code_makes(name, make):
    """Every generated file, byte for byte."""
    found = (ROOT / name).read_bytes().decode()
    assert found == make(found), f"{name} is not what the code makes: run `make redraw`, look at the change, commit it"


def copied(tmp_path):
    for name, _ in redraw.GENERATED:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_redraw_mends_what_was_changed_or_lost(tmp_path):
    """A drawing that was edited and one that was removed are made again and named; a second run finds nothing to do."""
    root = copied(tmp_path)
    (root / "docs/diagrams/session.mmd").unlink()
    readme = (root / "README.md").read_text(encoding="utf-8")
    (root / "README.md").write_text(readme.replace("you start the agent", "you stop the agent", 1), encoding="utf-8")
    assert redraw.redraw(root) == ["docs/diagrams/session.mmd", "README.md"]
    assert (root / "README.md").read_text(encoding="utf-8") == readme
    assert redraw.redraw(root) == []


@pytest.mark.parametrize("text", ["", "<!-- redraw: it -->\n", "<!-- redraw: it -->\n<!-- /redraw -->" * 2])
def test_a_file_without_its_markers_is_refused(text):
    """A marker that is missing, not closed, or there twice is an error: nothing is quietly left as it was."""
    with pytest.raises(LookupError, match="redraw: it"):
        redraw.between_markers(it=lambda: "new\n")(text)


def test_words_outside_the_markers_are_left_alone():
    """Only what stands between the markers is written, whatever is in it."""
    text = "before\n<!-- redraw: it -->\nold \\1\n<!-- /redraw -->\nafter <!-- /redraw -->\n"
    assert redraw.between_markers(it=lambda: "new \\1\n")(text) == text.replace("old", "new")
