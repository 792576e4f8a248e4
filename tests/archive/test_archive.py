"""What goes into the archive comes out of it, and costs what is new."""

import os
import stat
from pathlib import Path

import pytest
from growing import SESSION, lines_of

from tapehead.archive import kept as index
from tapehead.archive import segments
from tapehead.archive.archive import session_of
from tapehead.archive.kept import Kept
from tapehead.archive.segments import Damaged

OTHER = "0a1b2c3d-0000-4000-8000-000000000002"


def test_a_transcript_that_grows_is_kept_byte_for_byte(shelf):
    """Turn by turn, over several segments; a second look finds nothing new; a torn last line waits for its end."""
    path = shelf.transcript()
    data = lines_of(1, 200)
    turns = [data[at : at + 9_000] for at in range(0, len(data), 9_000)]
    for turn in turns:
        with path.open("ab") as file:
            file.write(turn)
        shelf.add(path)
        assert shelf.add(path).size == 0
        now = path.read_bytes()
        assert shelf.read(path) == now[: now.rindex(b"\n") + 1]
    assert len(shelf.archive.find(shelf.source(path)).segments) > 2
    path.write_bytes(data + b'{"torn":')
    shelf.add(path)
    assert shelf.read(path) == data
    assert shelf.add(path, final=True).size == len(b'{"torn":')
    assert shelf.read(path) == data + b'{"torn":'


def test_sealing_changes_nothing_and_growth_goes_on_after_it(shelf):
    path = shelf.transcript(data=lines_of(1, 20))
    shelf.add(path)
    shelf.seal()
    assert shelf.read(path) == path.read_bytes()
    assert not [name for name in os.listdir(shelf.archive.folder) if name.endswith(".tail")]
    with path.open("ab") as file:
        file.write(lines_of(2, 60))
    shelf.add(path)
    assert shelf.read(path) == path.read_bytes()


def test_an_append_costs_what_is_new(shelf, monkeypatch):
    """Bytes read and written for a turn do not grow with the transcript: at forty times its size they are the same."""
    path = shelf.transcript()
    costs = []
    for number in range(160):
        turn = lines_of(number, 5)
        with path.open("ab") as file:
            file.write(turn)
        with _counted(monkeypatch) as cost:
            shelf.add(path)
        costs.append((cost["read"] / len(turn), cost["written"] / len(turn)))
    assert path.stat().st_size > 40 * segments.LEAST
    first, last = costs[:40], costs[-40:]
    for kind in (0, 1):
        early, late = (sum(each[kind] for each in part) / len(part) for part in (first, last))
        assert late < early * 1.3, (early, late)
        assert late < 5


class _counted:  # noqa: N801 - reads as a word of the test
    """Counts what is read from transcripts and written to the archive."""

    def __init__(self, monkeypatch):
        self.patch = monkeypatch
        self.cost = {"read": 0, "written": 0}

    def __enter__(self):
        from tapehead.archive import additions, tail
        from tapehead.store import atomic

        part, append, write = additions._part, tail.append, atomic.write

        def counted_part(file, begin, end):
            self.cost["read"] += end - begin
            return part(file, begin, end)

        def counted_append(path, length, raw):
            after = append(path, length, raw)
            self.cost["written"] += after - length
            return after

        def counted_write(path, data, **options):
            self.cost["written"] += len(data)
            write(path, data, **options)

        self.context = self.patch.context()
        patch = self.context.__enter__()
        patch.setattr(additions, "_part", counted_part)
        patch.setattr(tail, "append", counted_append)
        patch.setattr(atomic, "write", counted_write)
        return self.cost

    def __exit__(self, *_):
        self.context.__exit__(None, None, None)


def test_nothing_is_kept_twice(shelf):
    """A fork, and lines that every session begins with, take little more room; each comes out as it went in."""
    begin = lines_of(9, 3, longest=30_000)
    data = begin + lines_of(1, 300)
    one = shelf.transcript(data=data)
    shelf.add(one, final=True)
    shelf.seal()
    alone = shelf.archive.size()
    fork = shelf.transcript(f"{OTHER}.jsonl", data.replace(SESSION.encode(), OTHER.encode()) + lines_of(3, 5, OTHER))
    shelf.add(fork, OTHER, final=True)
    shelf.seal()
    assert shelf.archive.size() < alone * 1.35
    assert shelf.read(one) == one.read_bytes()
    assert shelf.read(fork, OTHER) == fork.read_bytes()


def test_a_long_line_of_many_sessions_is_kept_once_more_at_most(shelf):
    """The first copy stays in its segment, the second becomes a pack, and all further ones refer to it."""
    long = lines_of(5, 1, longest=100_000)
    ids = [f"0a1b2c3d-0000-4000-8000-{n:012}" for n in range(8)]
    paths = {}
    sizes = []
    for n, session in enumerate(ids):
        data = lines_of(n, 2, session) + long.replace(SESSION.encode(), session.encode())
        paths[session] = shelf.transcript(f"{session}.jsonl", data)
        shelf.add(paths[session], session)
        shelf.seal()
        sizes.append(shelf.archive.size())
    assert sizes[-1] - sizes[1] < sizes[0], sizes
    for session, path in paths.items():
        assert shelf.read(path, session) == path.read_bytes()


def test_forgetting_a_session_removes_all_of_it_and_nothing_else(shelf):
    data = lines_of(1, 60)
    one, two = (
        shelf.transcript(data=data),
        shelf.transcript(f"{OTHER}.jsonl", data.replace(SESSION.encode(), OTHER.encode())),
    )
    shelf.add(one)
    shelf.add(two, OTHER)
    shelf.seal()
    assert shelf.archive.forget(SESSION[:8]) == 0, "only a whole id counts"
    assert shelf.archive.forget(SESSION) == 1
    assert shelf.archive.kept(SESSION) == []
    assert shelf.read(two, OTHER) == two.read_bytes()
    assert shelf.archive.forget(OTHER) == 1
    left = [name for _, _, names in os.walk(shelf.archive.folder) for name in names]
    assert left == ["lock"]


def test_a_transcript_that_was_cut_off_does_not_replace_what_was_kept(shelf):
    """The whole one stays as a former version, at most three of them."""
    data = lines_of(1, 60)
    path = shelf.transcript(data=data)
    shelf.add(path)
    for end in (30_000, 20_000, 10_000, 5_000):
        path.write_bytes(data[:end])
        shelf.add(path, final=True)
    versions = {kept.version: b"".join(shelf.archive.read(kept)) for kept in shelf.archive.kept()}
    assert versions == {0: data[:5_000], 1: data[:10_000], 2: data[:20_000], 3: data[:30_000]}


def test_a_document_that_is_written_anew_has_one_version(shelf):
    """Gemini's older files are one JSON document, which grows inside."""
    path = shelf.transcript("session-x.json", b"[\n1\n]\n")
    shelf.add(path)
    path.write_bytes(b"[\n1,\n2\n]\n")
    shelf.add(path)
    assert [b"".join(shelf.archive.read(kept)) for kept in shelf.archive.kept()] == [b"[\n1,\n2\n]\n"]


def test_everything_is_private(shelf):
    shelf.add(shelf.transcript(data=lines_of(1, 60)))
    for directory, below, names in os.walk(shelf.archive.folder):
        for name in (*below, *names):
            mode = os.stat(os.path.join(directory, name)).st_mode
            assert stat.S_IMODE(mode) == (0o700 if stat.S_ISDIR(mode) else 0o600), name


def test_damage_is_noticed_and_costs_nothing_else(shelf):
    """A pack, a tail or an index that is not what it was is told; a sweep deletes nothing then."""
    path = shelf.transcript(data=lines_of(1, 60))
    other = shelf.transcript("other.jsonl", lines_of(2, 60, OTHER))
    shelf.add(path)
    shelf.add(other, OTHER)
    kept = shelf.archive.find(shelf.source(path))
    pack = os.path.join(shelf.archive.packs.folder, kept.segments[0].pack)
    raw = Path(pack).read_bytes()
    Path(pack).write_bytes(raw[:-40])
    with pytest.raises(Damaged):
        shelf.read(path)
    Path(pack).write_bytes(raw)
    with open(shelf.archive.file(kept.tail), "r+b") as file:
        file.seek(20)
        file.write(b"????")
    with pytest.raises(Damaged):
        shelf.read(path)
    name = shelf.archive.file(index.index_name(kept))
    Path(name).write_bytes(b"{")
    assert len(shelf.archive.damaged()) == 1
    shelf.archive.sweep()
    assert os.path.exists(pack)
    assert shelf.read(other, OTHER) == other.read_bytes()


def test_a_damaged_pack_is_written_again(shelf):
    """Whoever adds the same bytes does not rely on a pack that is broken."""
    data = lines_of(1, 60)
    path = shelf.transcript(data=data)
    shelf.add(path)
    pack = os.path.join(shelf.archive.packs.folder, shelf.archive.find(shelf.source(path)).segments[0].pack)
    Path(pack).write_bytes(b"broken")
    shelf.add(shelf.transcript("again.jsonl", data))
    assert shelf.read(path) == data


@pytest.mark.parametrize("session", [SESSION, "a.b.c", "x", "2024.1"])
def test_the_name_of_an_index_tells_its_session(shelf, session):
    kept = Kept(shelf.source("/somewhere/t.jsonl", session))
    assert session_of(index.index_name(kept)) == session
    assert session_of(index.index_name(kept._replace(version=2))) == session
