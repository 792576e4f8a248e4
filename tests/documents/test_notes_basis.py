"""What the running notes were made from: whole or not there, the numbers before it changed alone."""

import contextlib
import marshal
import os
import shutil
from binascii import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.documents import notes_basis
from tapehead.documents.former_basis import Former
from tapehead.documents.notes_basis import Beside
from tapehead.documents.notes_file import record_in
from tapehead.store.paths import Layout, make_private

DOCUMENT = {"counted": [1, 2, 3], "known": {"asks": [[1, "t", "wörter"]]}}


@pytest.fixture
def layout(tmp_path):
    made = Layout(str(tmp_path))
    make_private(made.captures("one"))
    return made


def keep(layout, document):
    with Beside(layout, "one") as kept:
        kept.keep(document)


@given(st.binary(max_size=60), st.integers(0, 200))
def test_what_is_kept_beside_is_whole_or_nothing(tmp_path_factory, garbage, place):
    """Cut short, written over or damaged anywhere, it counts as not there."""
    layout = Layout(str(tmp_path_factory.mktemp("kept")))
    make_private(layout.captures("one"))
    keep(layout, DOCUMENT)
    assert notes_basis.load(layout, "one") == DOCUMENT
    path = notes_basis.path(layout, "one")
    with open(path, "rb") as file:
        whole = file.read()
    damaged = whole[:place] + garbage + whole[place + len(garbage) + 1 :]
    with open(path, "wb") as file:
        file.write(damaged)
    assert notes_basis.load(layout, "one") in ({}, DOCUMENT)
    with Beside(layout, "one") as kept:
        assert kept.load() in ({}, DOCUMENT)
        kept.counted()  # whatever stands there
    keep(layout, {})
    assert notes_basis.load(layout, "one") == {}


def test_a_shorter_document_leaves_nothing_of_a_longer_one(layout):
    """The file is as long as what is kept."""
    keep(layout, {"known": "x" * 5_000})
    keep(layout, DOCUMENT)
    assert os.stat(notes_basis.path(layout, "one")).st_size < 1_000
    assert notes_basis.load(layout, "one") == DOCUMENT


def test_the_numbers_are_changed_alone(layout):
    """They stand before the rest, which stays as it was; all in one opening of the file."""
    with Beside(layout, "one") as kept:
        assert (kept.counted(), kept.load()) == (None, {})
        kept.keep(DOCUMENT)
        assert kept.counted() == [1, 2, 3]
        huge = [2**39 + n for n in range(8)]
        kept.count(huge)
        assert kept.counted() == huge
        assert kept.load() == DOCUMENT
        kept.count([2**90 + n for n in range(8)])  # no transcript is that long: what does not fit counts as not there
        assert (kept.counted(), kept.load()) == (None, DOCUMENT)


def test_what_is_removed_meanwhile_is_made_anew(layout):
    """What is kept in a file without a name is kept for nobody; where the folder is gone, too, nothing is kept."""
    keep(layout, {"known": 1})
    with Beside(layout, "one") as kept:
        os.unlink(notes_basis.path(layout, "one"))
        kept.keep(DOCUMENT)
    assert notes_basis.load(layout, "one") == DOCUMENT
    with Beside(layout, "one") as kept:
        shutil.rmtree(layout.captures("one"))
        with pytest.raises(FileNotFoundError):
            kept.keep(DOCUMENT)


def test_whoever_only_looks_makes_none(layout):
    """Nothing was kept, and no file says that something was."""
    assert notes_basis.load(layout, "one") == {}
    with Beside(layout, "one") as kept:
        assert (kept.counted(), kept.load()) == (None, {})
    assert not os.path.exists(notes_basis.path(layout, "one"))
    with Beside(layout, "one") as kept:
        kept.count([1])
        assert kept.counted() == [1]
    assert os.stat(notes_basis.path(layout, "one")).st_mode & 0o777 == 0o600


_KEPT = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5) | st.integers(), inner, max_size=4),
    max_leaves=12,
)


@given(_KEPT)
def test_what_a_former_version_kept_is_read(kept):
    """They wrote marshal: the same values come out, also where one stands twice."""
    assert Former(marshal.dumps([kept, b"\xff", kept], 4)).read() == [kept, b"\xff", kept]


@given(st.binary(max_size=80))
def test_no_bytes_harm_the_reader_of_former_files(garbage):
    """A file that came with a repository gives a value or a ValueError."""
    for data in (garbage, b"\xdb\x02\0\0\0" + garbage, b"\xfb" + garbage):
        with contextlib.suppress(ValueError):
            Former(data).read()


def test_a_list_within_itself_is_refused():
    """Python's own reader would make it, or die of it."""
    for data in (b"\xdb\x01\0\0\0r\0\0\0\0", b"[\x01\0\0\0" * 5_000, b"[\xff\xff\xff\x7f", b"{[\0\0\0\0N0"):
        with pytest.raises(ValueError, match=r"."):
            Former(data).read()


def test_the_lines_of_a_former_version_are_known_as_ours(layout):
    """What was ours in the notes before the upgrade is ours after it: no line of ours is taken for the user's."""
    former = {"version": 7, "record": [{}, {"Worklog": b"- turn 1\n- t\xff"}, {}]}
    data = marshal.dumps(former, 4)
    with open(notes_basis.path(layout, "one"), "wb") as file:
        file.write(bytes(128) + b"%08x%08x" % (crc32(data), len(data)) + data)
    kept = notes_basis.load(layout, "one")
    assert kept == former
    keep(layout, kept)
    assert record_in(notes_basis.load(layout, "one")) == record_in(former)
    assert record_in(former).newest == {"Worklog": ["- turn 1", "- t\udcff"]}


@pytest.mark.parametrize("record", [[{}, {"a": 1}, {}], [{}, {"a": "\ud800"}, {}], [{}], "x", [[], [], []]])
def test_a_record_that_is_none_counts_as_none(record):
    """Whatever stands there, the notes go on."""
    assert record_in({"record": record}) == record_in({})
