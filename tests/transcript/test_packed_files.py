"""Packed transcripts, read as what is in them."""

import gzip
import shutil
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tapehead.transcript import jsonl, packed_files

CONTENT = b"".join(b'{"n":%d}\n' % number for number in range(2000))


@pytest.fixture(params=[".gz", ".zst"])
def squeezed(request, tmp_path):
    """The content, packed in one of the ways."""
    path = tmp_path / f"t.jsonl{request.param}"
    if request.param == ".gz":
        path.write_bytes(gzip.compress(CONTENT))
        return str(path)
    if shutil.which("zstd") is None:
        pytest.skip("needs the zstd program")
    path.write_bytes(subprocess.run(["zstd", "-qc"], input=CONTENT, capture_output=True, check=True).stdout)
    return str(path)


def test_lines_offsets_and_sizes_are_those_of_what_is_in_it(squeezed, tmp_path):
    """Whoever reads it need not know that it is packed."""
    plain = tmp_path / "t.jsonl"
    plain.write_bytes(CONTENT)
    assert list(jsonl.lines(squeezed)) == list(jsonl.lines(str(plain)))
    assert jsonl.size(squeezed) == len(CONTENT)
    assert jsonl.tail(squeezed, 100) == jsonl.tail(str(plain), 100)
    assert list(jsonl.lines(squeezed, 9_000)) == list(jsonl.lines(str(plain), 9_000))
    assert packed_files.plain_name(squeezed) == "t.jsonl"


def test_an_offset_beyond_the_end_reads_it_from_its_start(tmp_path):
    """A file that is shorter than what was read of it is another file."""
    path = tmp_path / "t.gz"
    path.write_bytes(gzip.compress(b"one\ntwo\n"))
    assert len(list(jsonl.lines(str(path), 999))) == 2


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cut=st.integers(0, 3000), damaged=st.integers(0, 3000), offset=st.integers(0, 30_000))
def test_a_torn_or_damaged_one_is_read_as_far_as_it_goes(tmp_path, cut, damaged, offset):
    """Nothing raises, and no line is made up."""
    whole = bytearray(gzip.compress(CONTENT))
    whole[damaged % len(whole)] ^= 0x55
    path = tmp_path / "t.jsonl.gz"
    path.write_bytes(whole[: len(whole) - cut % len(whole)])
    for at, line in jsonl.lines(str(path), offset):
        assert line.endswith((b"\n", b"}"))
        assert at > 0
    assert jsonl.size(str(path)) >= 0


def test_a_file_that_is_not_there_is_another_matter(tmp_path):
    """It has no size, and reading it says so."""
    for name in ("none.gz", "none.zst"):
        path = str(tmp_path / name)
        assert jsonl.size(path) == 0
        with pytest.raises(FileNotFoundError):
            list(jsonl.lines(path))


def test_where_nothing_can_unpack_zstd_that_is_said(tmp_path, monkeypatch):
    """With what one can do about it."""
    path = tmp_path / "t.zst"
    path.write_bytes(b"")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setitem(sys.modules, "compression", None)
    with pytest.raises(packed_files.Unreadable, match=r"Python 3\.14 or the zstd program"):
        list(jsonl.lines(str(path)))


def test_newer_pythons_unpack_zstd_by_themselves(tmp_path, monkeypatch):
    """The module that they have is used, and torn files end with it too."""

    class Zstd:
        ZstdError = ValueError
        open = staticmethod(gzip.open)

    monkeypatch.setitem(sys.modules, "compression", type("Compression", (), {"zstd": Zstd}))
    path = tmp_path / "t.jsonl.zst"
    path.write_bytes(gzip.compress(b'{"n":1}\n'))
    assert list(jsonl.lines(str(path))) == [(8, b'{"n":1}\n')]
