"""Reading and writing what people keep."""

import os
import stat

import pytest

from tapehead.documents import hand_edited
from tapehead.store.paths import Layout


def test_bytes_that_are_no_text_survive(tmp_path):
    """What cannot be decoded is written back as it was."""
    path = tmp_path / "store" / "x.md"
    path.parent.mkdir()
    path.write_bytes(b"caf\xe9 \xf0\x9f\x98\x80\r\n")
    text = hand_edited.text_of(str(path))
    hand_edited.put(str(path), text)
    assert path.read_bytes() == b"caf\xe9 \xf0\x9f\x98\x80\r\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("name", ["missing", "file/below"])
def test_no_file_is_no_text(tmp_path, name):
    """A file that is not there, or cannot be, reads as nothing."""
    (tmp_path / "file").touch()
    assert hand_edited.text_of(str(tmp_path / name)) == ""


def test_a_link_stays_a_link(tmp_path):
    """In a directory of the user's own a link is followed and stays; inside a store it is an error, and nothing is written."""
    target, link = tmp_path / "mine.md", tmp_path / "link.md"
    target.write_text("old")
    link.symlink_to(target)
    hand_edited.put(str(link), "new", follow=True)
    assert link.is_symlink()
    assert target.read_text() == hand_edited.text_of(str(link), follow=True) == "new"
    with pytest.raises(OSError, match="a link"):
        hand_edited.put(str(link), "newer")
    with pytest.raises(OSError, match="not a regular file"):
        hand_edited.text_of(str(link))
    assert target.read_text() == "new"


def test_one_at_a_time(tmp_path):
    """Who comes while another edits is told so; afterwards the lock is free again, also after an error."""
    layout = Layout(str(tmp_path / "store"))
    with (
        hand_edited.editing(layout),
        pytest.raises(hand_edited.Busy, match=r"kept\.lock"),
        hand_edited.editing(layout, wait=0),
    ):
        raise AssertionError
    with pytest.raises(KeyError), hand_edited.editing(layout):
        raise KeyError
    with hand_edited.editing(layout, wait=0):
        assert os.path.exists(os.path.join(layout.root, "kept.lock"))
