"""Which records a file is in, and which files differ: found without reading all, and the same as by reading all."""

import os
import sqlite3

import attrs
import pytest

import scenes
from tapehead.checkpoints.checkpoint import Checkpoint, Record
from tapehead.checkpoints.checkpoint_ref import Checkpoints
from tapehead.checkpoints.record_index import NAME, RecordIndex
from tapehead.checkpoints.tree_listing import added, listings, whole
from tapehead.checkpoints.union import unite
from tapehead.git import layout, stream
from tapehead.git.run import git
from tapehead.git.side import Side


@pytest.fixture
def repo(tmp_path):
    return scenes.repository(tmp_path / "repo")


def store(repo):
    common = layout.find(str(repo)).common_dir
    return Checkpoints(Side(os.path.join(common, "tapehead", "lines.git"), common))


def a_name(number):
    return f"{number + 1:040x}"


def put(at, number, **fields):
    one = Checkpoint(id=f"{number:012x}", commit=a_name(number), **fields)
    record = Record(a_name(number), a_name(number + 1000), a_name(number + 2000), (one.id,), {b"f": ((1, 2, "s"),)})
    at.put(one, {"brief.md": b"# brief %d\n" % number}, record, number)
    return one


def runs(at):
    return lambda *words, stdin=b"": git(at.side.common_dir, *words, stdin=stdin, timeout=30)


def test_it_follows_the_ref(repo):
    """Records that came, changed and were only worked out; also for one that was made anew, or is broken, or cannot be written."""
    at = store(repo)
    assert not RecordIndex(at)
    put(at, 1)
    assert RecordIndex(at).commits_of(b"f") == [a_name(1)]
    put(at, 2)
    at.keep([], [Record(a_name(3), files={b"f": ((1, 1, "s"),), b"g": ((1, 1, "s"),)})], "more\n", 5)
    at.keep([], [Record(a_name(4), files={b"f": ((1, 1, "s"),)}, derived="tree")], "derived\n", 6)
    path = os.path.join(at.side.path, NAME)

    def told():
        index = RecordIndex(at)
        assert (bool(index), index.begun()) == (True, at.begun())
        return {name: sorted(index.commits_of(name)) for name in (b"f", b"g", b"h")}

    expected = {b"f": [a_name(1), a_name(2), a_name(3)], b"g": [a_name(3)], b"h": []}
    assert told() == expected
    os.unlink(path)
    assert told() == expected
    with open(path, "wb") as file:
        file.write(b"no database at all" * 100)
    assert told() == expected, "one in memory"
    assert told() == expected, "a new file"
    with sqlite3.connect(path) as base:
        base.execute("UPDATE about SET value = ? WHERE name = 'tip'", (a_name(77),))
    base.close()
    assert told() == expected
    os.unlink(path)
    os.mkdir(path)
    assert told() == expected


def test_a_commit_is_examined_until_a_record_with_its_files_comes(repo):
    """On record or examined, it is passed over; a record of one of its files brings it back, one of another does not."""
    at = store(repo)
    put(at, 1)
    names = [a_name(1), a_name(50), a_name(51)]
    index = RecordIndex(at)
    assert index.without(names) == names[1:]
    index.note_examined([(b"f", names[1]), (b"h", names[1]), (b"g", names[2])])
    assert RecordIndex(at).without(names) == []
    put(at, 2)
    assert RecordIndex(at).without(names) == [names[1]]
    assert RecordIndex(at).without([a_name(number) for number in range(3, 2_000)]) == [
        a_name(number) for number in range(3, 2_000) if a_name(number) != names[2]
    ]


@pytest.mark.parametrize("common", [True, False])
def test_what_differs_is_listed_as_all_of_it_is(repo, common):
    """Each side's files that the other or the base has otherwise; any other file is found where it is asked for."""
    at = store(repo)
    put(at, 1)
    base = at.tip()
    put(at, 2)
    ours = at.tip()
    git(at.side.common_dir, "update-ref", at.ref, base, timeout=30)
    put(at, 3)
    one = at.get(put(at, 1, prompts=("more",)).id)
    assert attrs.evolve(one).prompts == ("more",)
    theirs = at.tip()
    run = runs(at)
    sides = listings(run, ours, theirs, base if common else "")
    every = [whole(run, commit) for commit in (ours, theirs, base if common else "")]
    paths = {path for each in every for path in each}
    for some, listed in zip(sides, every, strict=True):
        assert {path: some.get(path) for path in paths} == {path: listed.get(path) for path in paths}
        assert dict(some).items() <= listed.items()
    changed = {path for path in paths if every[0].get(path) != every[1].get(path)}
    assert changed <= {path for each in sides[:2] for path in each}
    assert sorted(added(run, base, theirs)) == sorted(every[1].keys() - whole(run, base).keys())
    assert added(run, ours, "") == added(run, ours, ours) == []
    assert set(added(run, "", ours)) == every[0].keys()


def test_what_is_malformed_does_not_keep_ours_from_the_remote(repo):
    """They put nothing but junk on top of what both have: ours is still more than theirs."""
    at = store(repo)
    put(at, 1)
    base = at.tip()
    at.change(lambda: [stream.given(b"AB/junk", b"x")], "junk\n", 9)
    theirs = at.tip()
    git(at.side.common_dir, "update-ref", at.ref, base, timeout=30)
    put(at, 2)
    found = unite(at, theirs, 10)
    assert (found.ahead, found.refused, len(at.ids())) == (True, {"AB/junk": "malformed"}, 2)
