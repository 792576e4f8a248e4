"""Lines of a growing file."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapehead.transcript import jsonl


def test_whole_lines_are_read_and_a_torn_last_one_is_left_for_later(tmp_path):
    """What has no newline yet is not ours, and the offset says where it begins."""
    path = tmp_path / "t.jsonl"
    path.write_bytes(b'{"a":1}\n{"b":2}\n{"c"')
    assert list(jsonl.lines(str(path))) == [(8, b'{"a":1}\n'), (16, b'{"b":2}\n')]
    path.write_bytes(b'{"a":1}\n{"b":2}\n{"c":3}\n')
    assert list(jsonl.lines(str(path), 16)) == [(24, b'{"c":3}\n')]


@pytest.mark.parametrize(
    ("last", "whole"),
    [
        (b'{"c":3}', True),
        (b'{"c":"}', False),
        (b'{"c":{}', False),
        (b"3", False),
        (b'{"c":' + b"[" * 9**6 + b"}", False),
    ],
)
def test_a_last_line_that_only_lacks_its_break_is_whole_where_that_is_asked_for(tmp_path, last, whole):
    """The beginning of an object is never an object, so nothing torn is taken for one; the break comes as a line of its own."""
    path = tmp_path / "t.jsonl"
    path.write_bytes(b'{"a":1}\n' + last)
    assert [line for _, line in jsonl.lines(str(path), final=True)][1:] == ([last] if whole else [])
    assert len(list(jsonl.lines(str(path)))) == 1
    path.write_bytes(b'{"a":1}\n' + last + b'\n{"d":4}\n')
    offset = 8 + len(last) * whole
    assert b"".join(line for _, line in jsonl.lines(str(path), offset)).endswith(b'\n{"d":4}\n')


@settings(deadline=None)
@given(
    parts=st.lists(st.binary(max_size=40).map(lambda line: line.replace(b"\n", b"") + b"\n"), max_size=8),
    cut=st.integers(0, 8),
)
def test_reading_in_two_goes_is_reading_in_one(parts, cut, tmp_path_factory):
    """Wherever a first reading stops, the second goes on without a gap and without repeating."""
    path = tmp_path_factory.mktemp("lines") / "t"
    path.write_bytes(b"".join(parts))
    whole = list(jsonl.lines(str(path)))
    offset = whole[min(cut, len(whole)) - 1][0] if whole and cut else 0
    assert [line for line in whole if line[0] > offset] == list(jsonl.lines(str(path), offset))
    assert b"".join(line for _, line in whole) == path.read_bytes()


@pytest.mark.parametrize("offset", [-5, 999])
def test_an_offset_outside_the_file_reads_it_from_its_start(tmp_path, offset):
    """A file that is shorter than what was read of it is another file."""
    path = tmp_path / "t"
    path.write_bytes(b"one\ntwo\n")
    assert len(list(jsonl.lines(str(path), offset))) == 2


def test_an_endless_line_is_passed_over(tmp_path, monkeypatch):
    """A line that could fill the memory costs neither memory nor the lines after it."""
    monkeypatch.setattr(jsonl, "LONGEST", 64)
    monkeypatch.setattr(jsonl, "_CHUNK", 16)
    path = tmp_path / "t"
    path.write_bytes(b"x" * 1000 + b"\nshort\n")
    assert list(jsonl.lines(str(path))) == [(1007, b"short\n")]
    path.write_bytes(b"x" * 1000)
    assert list(jsonl.lines(str(path))) == []


def test_the_size_of_a_file_that_is_not_there_is_nothing(tmp_path):
    """A transcript appears only with the first message."""
    assert jsonl.size(str(tmp_path / "none")) == 0


@pytest.mark.parametrize(("length", "start"), [(4, 8), (5, 8), (7, 8), (8, 4), (12, 0), (99, 0)])
def test_the_tail_begins_at_a_whole_line(tmp_path, length, start):
    """From the end of a huge file, only lines that lie whole within the tail."""
    path = tmp_path / "t"
    path.write_bytes(b"aaa\nbbb\nccc\n")
    assert jsonl.tail(str(path), length) == start
