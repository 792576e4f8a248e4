"""Lines for a reader that must hold little."""

import gzip
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapehead.transcript import jsonl, sparing_reader


def wanted(_line):
    return False


@settings(deadline=None)
@given(
    parts=st.lists(st.binary(max_size=90).map(lambda line: line.replace(b"\n", b"") + b"\n"), max_size=8),
    torn=st.binary(max_size=60).map(lambda line: line.replace(b"\n", b"")),
    offset=st.integers(-3, 400),
)
def test_it_gives_the_lines_that_any_reader_gets(parts, torn, offset, tmp_path_factory):
    """Short and long ones, from any byte on; a torn one is left for later."""
    path = tmp_path_factory.mktemp("lines") / "t"
    path.write_bytes(b"".join(parts) + torn)
    before, sparing_reader._PIECE = sparing_reader._PIECE, 32
    try:
        assert list(sparing_reader.lines(str(path), offset, wanted)) == list(jsonl.lines(str(path), offset))
    finally:
        sparing_reader._PIECE = before


def test_long_lines_that_nobody_wants_are_passed_over(tmp_path, monkeypatch):
    """By their beginning; short ones are given whatever they are, since looking again costs nothing."""
    monkeypatch.setattr(sparing_reader, "_PIECE", 16)
    path = tmp_path / "t"
    path.write_bytes(b"bad\n" + b"bad" + b"x" * 100 + b"\ngood" + b"x" * 100 + b"\nlast\n")
    found = [line[:4] for _, line in sparing_reader.lines(str(path), 0, lambda line: line.startswith(b"bad"))]
    assert found == [b"bad\n", b"good", b"last"]


def test_a_packed_file_is_read_as_what_is_in_it(tmp_path):
    """As by any reader."""
    path = tmp_path / "t.jsonl.gz"
    path.write_bytes(gzip.compress(b"one\ntwo\n"))
    assert list(sparing_reader.lines(str(path), 0, wanted)) == [(4, b"one\n"), (8, b"two\n")]


@pytest.mark.parametrize("text", ["x" * 3_000_000, "a line\n" * 400_000])
def test_a_huge_line_is_given_with_its_texts_cut(tmp_path, text):
    """It is still an object, and the next line begins where it does."""
    path = tmp_path / "t"
    path.write_bytes(json.dumps({"text": text}).encode() + b'\n{"n": 1}\n')
    huge, last = sparing_reader.lines(str(path), 0, wanted)
    assert len(huge[1]) < sparing_reader.HUGE
    assert json.loads(huge[1])["text"].startswith(text[:50])
    assert (huge[0], last[0]) == (path.stat().st_size - 9, path.stat().st_size)
