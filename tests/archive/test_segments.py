"""Taking a transcript apart and putting it together again."""

import zlib

import pytest
from growing import SESSION, lines_of
from hypothesis import given
from hypothesis import strategies as st

from tapehead.archive import segments
from tapehead.archive.segments import LEAST, MOST, Damaged


@given(st.binary(max_size=300), st.sampled_from(["", "short", SESSION]))
def test_a_segment_comes_back_byte_for_byte(raw, session):
    """Whatever stands in it: NUL bytes, torn characters, the marks themselves."""
    lines = {}

    def keep(line):
        name = f"{zlib.crc32(line):064x}"
        lines[name] = line
        return name

    for data in (raw, raw + session.encode() + b"\n" + raw, b"\x00\x01\x02" + raw, raw * 60 + b"\n" + raw):
        marked = segments.mark(data, session)
        if marked is None:
            assert b"\x00" in data
            continue
        kept = segments.unpack(segments.pack(segments.refer(marked, keep)))
        assert segments.unmark(segments.expand(kept, lines.__getitem__), session) == data


def test_cuts_depend_on_the_lines_and_not_on_how_they_arrive():
    """All at once or in pieces, the segments are the same; each has its least size, and none goes on much beyond its most."""
    data = lines_of(1, 3_000)
    whole = segments.cuts(data, 0, SESSION)
    assert len(whole) > 3
    found, begins, at = [], 0, 0
    while at < len(data):
        end = data.index(b"\n", min(len(data) - 1, at + 9_000)) + 1
        for cut in segments.cuts(data[at:end], at - begins, SESSION):
            found.append(at + cut)
            begins = at + cut
        at = end
    assert found == whole
    sizes = [end - begin for begin, end in zip([0, *whole], whole, strict=False)]
    assert min(sizes) >= LEAST
    assert max(sizes) <= MOST + 10_000


def test_a_common_stretch_is_cut_alike_under_another_id():
    """A fork repeats the lines of its parent with its own id: soon after where they begin, its segments are the same."""
    other = SESSION.replace("0a1b", "ffff")
    shared, own = lines_of(1, 3_000), lines_of(2, 100)
    ends = {}
    for session, data in ((SESSION, shared), (other, own + shared.replace(SESSION.encode(), other.encode()))):
        begin, found = 0, set()
        for cut in segments.cuts(data, 0, session):
            found.add(segments.mark(data[begin:cut], session))
            begin = cut
        ends[session] = found
    assert len(ends[SESSION] & ends[other]) > len(ends[SESSION]) / 2


def test_damage_is_told():
    packed = segments.pack(b"all of it" * 100)
    for broken in (packed[:-5], packed[:20] + b"xx" + packed[22:], b"", b"nothing of ours"):
        with pytest.raises(Damaged):
            segments.unpack(broken)


def test_a_bomb_is_damage(monkeypatch):
    """A few bytes that stand for very many are not unpacked."""
    packed = segments.pack(bytes(100_000))
    monkeypatch.setattr(segments, "_LARGEST", 1_000)
    with pytest.raises(segments.Damaged):
        segments.unpack(packed)
